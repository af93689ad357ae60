package main

import "strings"

// The lenient flags: bits of the member lenient_flags, each with its setter and what the header says about it.

type lenientFlag struct {
	Name  string // as in LENIENT_<Name>
	Value int
	Rule  string // what the parser refuses otherwise, and what it does with the flag
	Risk  string
}

// GoName is the flag's constant in package core.
func (f lenientFlag) GoName() string { return "lenient" + camel(f.Name) }

// LowerName is the flag as its setter and llhttp-trace have it.
func (f lenientFlag) LowerName() string { return strings.ToLower(f.Name) }

// Setter is the flag's function in the header.
func (f lenientFlag) Setter() string { return "llhttp_set_lenient_" + f.LowerName() }

var lenientFlags = []lenientFlag{
	{"HEADERS", 0x1,
		"RFC 9110, Section 5.5; RFC 9112, Sections 2.2, 5.1 and 5.2. Relaxes four rules on field lines: " +
			"any byte but CR and LF may stand in a field value, NUL included; SP may stand before the colon of the fields that frame a message; " +
			"a field value may go on in the next line (obs-fold), and a CR alone ends a field line that has no value; " +
			"the first field line may begin with SP.",
		"Recipients disagree on what such a field is called and where it ends. That hides fields from a filter and smuggles requests."},
	{"CHUNKED_LENGTH", 0x2,
		"RFC 9112, Section 6.3. Accepts Content-Length beside Transfer-Encoding; Transfer-Encoding then decides. " +
			"A request whose last coding is not chunked has a body that lasts until the connection ends.",
		"The textbook case of request smuggling: two recipients choose different lengths."},
	{"KEEP_ALIVE", 0x4,
		"RFC 9112, Sections 9.3 and 9.6. Parses another message after one that ends the connection: " +
			"one with \"Connection: close\", or of HTTP/1.0 without keep-alive.",
		"What follows was not asked for, or not sent by the peer you think: cache poisoning."},
	{"TRANSFER_ENCODING", 0x8,
		"RFC 9112, Sections 6.1 and 6.3. Accepts a request in which a coding follows chunked, or in which the last coding is " +
			"not chunked; in the latter case the body lasts until the connection ends.",
		"The length of such a request is not certain: request smuggling."},
	{"VERSION", 0x10,
		"RFC 9112, Section 2.3. Accepts any digit.digit as the version, not only 0.9, 1.0, 1.1 and 2.0.",
		"The message is parsed as HTTP/1 whatever its version means to others."},
	{"DATA_AFTER_CLOSE", 0x20,
		"RFC 9112, Section 9.6. Drops what follows the last message of a connection and returns HPE_OK. " +
			"Without the flag any byte but CR and LF there is HPE_CLOSED_CONNECTION. llhttp_set_lenient_keep_alive goes first.",
		"An attempt to smuggle a response or request behind the last one goes unnoticed."},
	{"OPTIONAL_LF_AFTER_CR", 0x40,
		"RFC 9112, Section 2.2. Accepts a CR without LF as the end of the start-line, of the field section and of a chunk-size line.",
		"RFC 9112 wants a bare CR refused or replaced; who skips it instead sees another message: request smuggling."},
	{"OPTIONAL_CRLF_AFTER_CHUNK", 0x80,
		"RFC 9112, Section 7.1. Accepts a chunk whose data is not followed by CRLF: the next chunk-size may follow at once, or after a CR.",
		"Who takes the two bytes for CRLF unseen finds the next chunk-size elsewhere: request smuggling."},
	{"OPTIONAL_CR_BEFORE_LF", 0x100,
		"RFC 9112, Section 2.2. Accepts LF without CR as the end of a status-line, of a field line, of the field section and of " +
			"chunk data. After a request-line, a chunk-size or a chunk extension the LF only takes the CR's place: another LF " +
			"must follow, or may if optional_lf_after_cr is set too.",
		"Common, and allowed to recipients for start-line and field lines, but not in chunked coding, where it can smuggle requests."},
	{"SPACES_AFTER_CHUNK_SIZE", 0x200,
		"RFC 9112, Section 7.1. Accepts SP and HTAB between chunk-size and the line end or the ';' of a chunk extension.",
		"Who reads the size otherwise finds the next chunk elsewhere: request smuggling."},
	{"HEADER_VALUE_RELAXED", 0x400,
		"RFC 9110, Section 5.5. Accepts control bytes in a field value, all but NUL, CR and LF, and nothing else. " +
			"llhttp_set_lenient_headers, if set too, wins.",
		"Small for this parser; what shows, stores or passes on the value must expect control bytes. One known difference: " +
			"llhttp 9.4.3 never returns from a NUL in a field value under this flag, this library fails with HPE_INVALID_HEADER_TOKEN."},
}
