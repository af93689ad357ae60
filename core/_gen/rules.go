package main

import "strings"

// The rules that a caller can set in an llhttp_ext_t, a bit each. The strict ones refuse, or read as the RFCs say,
// what llhttp 9.4.3 takes in its strict mode; the tolerant ones take what it refuses and what opens no difference in
// framing. capi/llhttp_ext.h, docs/rules.md and the constants of package core and of the package for Go programs are made
// from this table.

type rule struct {
	Name    string // LLHTTP_EXT_<Name>
	Value   int
	Section string // what it rests on
	Default string // what is done without it, as llhttp does
	Rule    string // what is done with it
	Why     string // strict: what the laxity opens; tolerant: why the tolerance does not open anything
}

// CName is the rule's constant in llhttp_ext.h.
func (r rule) CName() string { return "LLHTTP_EXT_" + r.Name }

// GoName is the rule's constant in package core.
func (r rule) GoName() string { return "rule" + camel(r.Name) }

// Word is its name on a command line.
func (r rule) Word() string { return strings.ToLower(r.Name) }

// Strict says which of the two kinds it is.
func (r rule) Strict() bool { return strings.HasPrefix(r.Name, "STRICT_") }

// strictRules is the set of all strict ones.
func strictRules() (bits int) {
	for _, r := range rules {
		if r.Strict() {
			bits |= r.Value
		}
	}
	return bits
}

var rules = []rule{
	{"STRICT_TRANSFER_CODINGS", 0x1, "RFC 9112, Section 6.1; RFC 9110, Sections 5.6.1.2 and 5.6.3",
		"In a response, \"chunked\" with a tab after it, or with nothing but empty list elements, is taken for " +
			"another coding: the body lasts until the connection ends. A Transfer-Encoding line with nothing in it " +
			"but commas undoes the one before it.",
		"In a response, tabs and empty list elements are passed over, as in any list: such a body is chunked. In a " +
			"request they are refused with and without the rule.",
		"Who reads the list as the RFC says ends the message elsewhere: response splitting."},
	{"STRICT_HTTP10_TRANSFER_ENCODING", 0x2, "RFC 9112, Section 6.1",
		"A message of HTTP/1.0 with Transfer-Encoding leaves the connection open if it asks for keep-alive.",
		"It is framed by its transfer coding, and is the last one: llhttp_should_keep_alive gives 0, and what " +
			"follows it is data after the end of the connection.",
		"Who does not know Transfer-Encoding, as HTTP/1.0 does not, has forwarded the chunks as something else: " +
			"request smuggling."},
	{"STRICT_CLOSE", 0x4, "RFC 9112, Section 9.3",
		"In HTTP/1.0 \"Connection: close\" is without effect beside keep-alive.",
		"The connection ends after any message that says close, whatever else it says.",
		"The two sides do not agree on whether the connection goes on."},
	{"STRICT_VERSION", 0x8, "RFC 9112, Sections 2.3 and 3",
		"A request-line without a version is one of HTTP/0.9, and \"HTTP/0.9\" is a version, in responses, too.",
		"Both are refused, and so are other versions 0.x that lenient_version would take.",
		"A response of HTTP/0.9 has no head: what a server sends as content is taken for a response by whoever " +
			"looks for one."},
	{"STRICT_HTTP10_UPGRADE", 0x10, "RFC 9110, Section 7.8",
		"A request of HTTP/1.0 that asks for an upgrade gets one.",
		"Upgrade is ignored there: the message has its body, and HTTP goes on. The flags still show the fields.",
		"A proxy that speaks HTTP/1.0 forwards Upgrade and Connection without knowing them, and reads on as HTTP."},
	{"STRICT_UPGRADE_TRANSFER_ENCODING", 0x20, "RFC 9112, Section 6.3",
		"A request whose last coding is not chunked is refused, but not if it asks for an upgrade, is CONNECT, or if " +
			"on_headers_complete says that it has no body.",
		"It is refused in any case, also with the flags lenient_chunked_length and lenient_transfer_encoding.",
		"There is no telling where its body ends and the other protocol begins."},
	{"STRICT_TRAILERS", 0x40, "RFC 9110, Section 6.5.1; RFC 9112, Section 7.1.2",
		"Connection in the trailer section has a say in whether the connection goes on; Content-Length and " +
			"Transfer-Encoding there are errors.",
		"No field of the trailer section has an effect, and none is an error by its name: all are handed on as any " +
			"other.",
		"Who drops trailers, or cannot see them at all, does something else with the connection."},
	{"STRICT_CHUNK_EXTENSIONS", 0x80, "RFC 9112, Section 7.1.1",
		"A chunk extension may have an empty name: \"5;=a\" and \"5;;a\".",
		"It is refused.",
		"Chunk extensions that parsers read differently have been used to smuggle requests."},
	{"STRICT_CONNECT", 0x100, "RFC 9112, Section 3.2.3; RFC 9110, Section 9.3.6",
		"The target of CONNECT may be any authority, and may have user information, a path and a query.",
		"It must be a host, a colon and a port from 1 to 65535, and nothing else; a host in brackets may be any IP " +
			"literal.",
		"A proxy takes the port, or the host, from elsewhere than the filter in front of it."},
	{"STRICT_HOST", 0x200, "RFC 9112, Section 3.2; RFC 9110, Sections 4.2.1 and 7.2",
		"A request may have any number of Host fields, empty ones, too.",
		"A second one is refused at its colon, an empty one at its end. A request without any is not: its absence " +
			"is for the program to see.",
		"Two recipients take different ones: routing around a filter, cache poisoning."},
	{"STRICT_CONTENT_LENGTH", 0x400, "RFC 9110, Section 8.6",
		"Content-Length may have leading zeros. A sign or a list is refused.",
		"Leading zeros are refused as well. The grammar has them, but no sender needs them.",
		"Who reads a number with a leading zero as octal has another length."},

	{"TOLERATE_REPEATED_CONTENT_LENGTH", 0x10000, "RFC 9112, Section 6.3; RFC 9110, Section 8.6",
		"A second Content-Length is refused, and a list of numbers, too.",
		"The same number again is taken as one, in several lines, or in one line as a list without empty elements. " +
			"Other numbers are refused. STRICT_CONTENT_LENGTH then refuses only leading zeros.",
		"All recipients that take such a message at all see the same length."},
	{"TOLERATE_UNKNOWN_METHODS", 0x20000, "RFC 9110, Section 9.1; RFC 9112, Section 3.1",
		"A request whose method is not in llhttp's list is refused, and so is one whose method does not go with the " +
			"protocol.",
		"Any token is a method, with HTTP and RTSP. A method in the list keeps its number, others have " +
			"LLHTTP_EXT_METHOD_UNKNOWN, and only on_method shows their name. The preface of HTTP/2 stays what it is.",
		"The method does not frame a request."},
	{"TOLERATE_STATUS_LINE_SPACES", 0x40000, "RFC 9112, Section 4",
		"Version and status code are separated by one SP; more than one SP before the reason phrase is part of that.",
		"Any number of SP separates them, and none is part of the reason phrase's beginning. Other white space is " +
			"refused.",
		"There is no other way to read such a line."},
	{"TOLERATE_UTF8_TARGET", 0x80000, "RFC 3987, Section 3.1; RFC 3629",
		"A byte of 0x80 and above in the request-target is refused.",
		"UTF-8 is taken in path, query and fragment, if it is well-formed and none of the control characters up to " +
			"U+009F. The bytes are handed on as they are. In the authority they are refused.",
		"No byte of it is white space or a line end to anybody."},
	{"TOLERATE_BAD_FIELD_LINES", 0x100000, "RFC 9112, Sections 2.2, 5 and 5.2; RFC 9110, Section 5.5",
		"A field line that does not parse ends the message.",
		"It is skipped and reported through on_skipped_line. Not so a line that another recipient might read as one " +
			"that matters: one in which the name of a framing field or Host is found when the bytes that no name " +
			"may have are left out, or whose value belongs to such a field; one that begins with white space; one " +
			"with NUL, or with CR or LF alone. Those are refused.",
		"What is skipped is of no concern for framing, whichever way it is read."},
}
