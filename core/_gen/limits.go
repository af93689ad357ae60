package main

import "strings"

// The limits that a caller can set in an llhttp_ext_t, or as Limits in Go: what llhttp leaves to every program. Each is
// counted by places in the input, never by callbacks, so that it strikes at the same byte however the input is cut.

type limit struct {
	Name   string // the member of llhttp_ext_t is max_<Name>
	Reason string // what llhttp_get_error_reason returns; it names the member
	Status int    // what llhttp_ext_error_status gives to a request that exceeds it
	Doc    string // for the header
}

// Member is the member of llhttp_ext_t.
func (l limit) Member() string { return "max_" + l.Name }

// CName is the limit's number in the driver.
func (l limit) CName() string { return "LLHTTP_LIMIT_" + strings.ToUpper(l.Name) }

// limits is in the order in which they go before each other where two are exceeded at the same byte.
var limits = []limit{
	{"target_length", "Request target exceeds max_target_length", 414,
		"Bytes of the request-target (RFC 9112, Section 3; RFC 9110, Section 15.5.15)."},
	{"field_line_length", "Field line exceeds max_field_line_length", 431,
		"Bytes of a field line, in header and trailer section: from its name's first byte to its line end, which counts, " +
			"too; with obs-fold, to the last line's (RFC 9110, Section 5.4)."},
	{"fields", "Field lines exceed max_fields", 431,
		"Field lines of a message, header and trailer section together (RFC 9110, Section 5.4). Exceeded at the first " +
			"byte of the one that is too many."},
	{"header_bytes", "Message head exceeds max_header_bytes", 431,
		"Bytes of start-line and header section, from the message's first byte to the end of the empty line after " +
			"the fields. Empty lines before the message do not count."},
	{"chunk_extension_bytes", "Chunk extensions exceed max_chunk_extension_bytes", 413,
		"Bytes of the extensions of one chunk, from the first one's first byte to the line end, which counts, too " +
			"(RFC 9112, Section 7.1.1)."},
	{"message_chunk_extension_bytes", "Chunk extensions exceed max_message_chunk_extension_bytes", 413,
		"The same, of all chunks of a message together."},
	{"trailer_bytes", "Trailer section exceeds max_trailer_bytes", 431,
		"Bytes of the trailer section (RFC 9112, Section 7.1.2), from the end of the last chunk's size line to the " +
			"end of the empty line after the fields: 2 if there are none."},
}
