package main

// Error numbers, and the reasons with which the parser itself raises them. Reasons that come from callbacks are in
// callbacks.go, those of limits in limits.go.
//
// The statuses are those of RFC 9110, Section 15: 400 for what does not parse (15.5.1), 413 for a length beyond any
// that can be handled (15.5.14), 501 for a method that the parser does not know (15.6.2 and 9.1), 505 for a version
// (15.6.6), 500 for what the host's own callbacks refuse (15.6.1). A request whose last coding is not chunked is 400
// (RFC 9112, Section 6.3), though 501 would suit a coding that is not known (Section 6.1): the parser hands codings
// on without knowing them. None suits what comes after the last message of a connection: it is not to be answered.

type errno struct {
	Value  int
	Name   string // as in the constant HPE_<Name>
	Status int    // the HTTP status that suits it, unless its reason has another; 0 for none
	Doc    string // what raises it
}

// GoName is the errno's constant in package core.
func (e errno) GoName() string { return "Errno" + camel(e.Name) }

var errnos = []errno{
	{0, "OK", 0, "no error"},
	{1, "INTERNAL", 500, "the parser object is damaged"},
	{2, "STRICT", 400, "line end or chunk extension not as RFC 9112 has it"},
	{3, "LF_EXPECTED", 400, "no LF after the CR of a field line"},
	{4, "UNEXPECTED_CONTENT_LENGTH", 400, "a second Content-Length"},
	{5, "CLOSED_CONNECTION", 0, "bytes after the last message of a connection"},
	{6, "INVALID_METHOD", 400, "unknown method, or no SP after it"},
	{7, "INVALID_URL", 400, "request-target"},
	{8, "INVALID_CONSTANT", 400, "protocol name, or a method that it does not have"},
	{9, "INVALID_VERSION", 400, "protocol version, or what follows it"},
	{10, "INVALID_HEADER_TOKEN", 400, "byte in a field name or field value"},
	{11, "INVALID_CONTENT_LENGTH", 400, "Content-Length: no number, too large, not allowed here"},
	{12, "INVALID_CHUNK_SIZE", 400, "chunk-size: no number, or too large"},
	{13, "INVALID_STATUS", 400, "status code, or what follows it"},
	{14, "INVALID_EOF_STATE", 400, "llhttp_finish: the message is incomplete"},
	{15, "INVALID_TRANSFER_ENCODING", 400, "Transfer-Encoding: codings, or not allowed here"},
	{16, "CB_MESSAGE_BEGIN", 500, "on_message_begin failed"},
	{17, "CB_HEADERS_COMPLETE", 500, "on_headers_complete failed"},
	{18, "CB_MESSAGE_COMPLETE", 500, "on_message_complete failed"},
	{19, "CB_CHUNK_HEADER", 500, "on_chunk_header failed"},
	{20, "CB_CHUNK_COMPLETE", 500, "on_chunk_complete failed"},
	{21, "PAUSED", 0, "paused; go on with llhttp_resume"},
	{22, "PAUSED_UPGRADE", 0, "the connection leaves HTTP"},
	{23, "PAUSED_H2_UPGRADE", 0, "the HTTP/2 connection preface (RFC 9113, Section 3.4)"},
	{24, "USER", 500, "a span callback returned -1, or a limit was exceeded"},
	{25, "CR_EXPECTED", 400, "a line that ends in a bare LF"},
	{26, "CB_URL_COMPLETE", 500, "on_url_complete failed"},
	{27, "CB_STATUS_COMPLETE", 500, "on_status_complete failed"},
	{28, "CB_HEADER_FIELD_COMPLETE", 500, "on_header_field_complete failed"},
	{29, "CB_HEADER_VALUE_COMPLETE", 500, "on_header_value_complete failed"},
	{30, "UNEXPECTED_SPACE", 400, "SP in front of the first field line"},
	{31, "CB_RESET", 500, "on_reset failed"},
	{32, "CB_METHOD_COMPLETE", 500, "on_method_complete failed"},
	{33, "CB_VERSION_COMPLETE", 500, "on_version_complete failed"},
	{34, "CB_CHUNK_EXTENSION_NAME_COMPLETE", 500, "on_chunk_extension_name_complete failed"},
	{35, "CB_CHUNK_EXTENSION_VALUE_COMPLETE", 500, "on_chunk_extension_value_complete failed"},
	{38, "CB_PROTOCOL_COMPLETE", 500, "on_protocol_complete failed"},
}

type reason struct {
	Name   string // constant reason<Name> in package core
	Errno  string // HPE_<Errno>
	Text   string // what llhttp_get_error_reason returns
	Status int    // the HTTP status that suits it, if not the errno's
}

func (r reason) status() int {
	if r.Status != 0 {
		return r.Status
	}
	for _, e := range errnos {
		if e.Name == r.Errno {
			return e.Status
		}
	}
	panic("no errno " + r.Errno)
}

// specials are the reasons of an errno that have a status of their own; reasons of limits, too.
func specials(errno string) (list []reason) {
	for _, r := range reasons {
		if r.Errno == errno && r.Status != 0 {
			list = append(list, r)
		}
	}
	if errno == "USER" {
		for _, l := range limits {
			list = append(list, reason{Text: l.Reason, Status: l.Status})
		}
	}
	return list
}

// reasons has one entry per pair of errno and text, in the order in which a message can meet them. Those that are not
// llhttp's come from rules (rules.go). The id of a reason is its index plus one: 0 is "no reason".
var reasons = []reason{
	{"InvalidWord", "INVALID_CONSTANT", "Invalid word encountered", 0},
	{"InvalidMethod", "INVALID_METHOD", "Invalid method encountered", 501},
	{"ExpectedSpaceAfterMethod", "INVALID_METHOD", "Expected space after method", 0},
	{"InvalidCharactersInURL", "INVALID_URL", "Invalid characters in url", 0},
	{"UnexpectedStartCharInURL", "INVALID_URL", "Unexpected start char in url", 0},
	{"UnexpectedCharInURLSchema", "INVALID_URL", "Unexpected char in url schema", 0},
	{"UnexpectedCharInURLServer", "INVALID_URL", "Unexpected char in url server", 0},
	{"DoubleAtInURL", "INVALID_URL", "Double @ in url", 0},
	{"InvalidCharInURLPath", "INVALID_URL", "Invalid char in url path", 0},
	{"InvalidCharInURLQuery", "INVALID_URL", "Invalid char in url query", 0},
	{"InvalidCharInURLFragmentStart", "INVALID_URL", "Invalid char in url fragment start", 0},
	{"ExpectedHostAndPort", "INVALID_URL", "Expected host and port in url", 0},
	{"ExpectedCRLFInURL", "INVALID_URL", "Expected CRLF", 0},
	{"ExpectedVersion", "INVALID_VERSION", "Expected version in request line", 0},
	{"ExpectedProtocol", "INVALID_CONSTANT", "Expected HTTP/, RTSP/ or ICE/", 0},
	{"InvalidMethodForHTTP", "INVALID_CONSTANT", "Invalid method for HTTP/x.x request", 501},
	{"ExpectedSourceMethodForICE", "INVALID_CONSTANT", "Expected SOURCE method for ICE/x.x request", 501},
	{"InvalidMethodForRTSP", "INVALID_CONSTANT", "Invalid method for RTSP/x.x request", 501},
	{"InvalidMajorVersion", "INVALID_VERSION", "Invalid major version", 0},
	{"ExpectedDot", "INVALID_VERSION", "Expected dot", 0},
	{"InvalidMinorVersion", "INVALID_VERSION", "Invalid minor version", 0},
	{"InvalidHTTPVersion", "INVALID_VERSION", "Invalid HTTP version", 505},
	{"ExpectedCRLFAfterVersion", "INVALID_VERSION", "Expected CRLF after version", 0},
	{"ExpectedCRLFAfterVersionStrict", "STRICT", "Expected CRLF after version", 0},
	{"PRIUpgrade", "PAUSED_H2_UPGRADE", "Pause on PRI/Upgrade", 0},
	{"ExpectedPreface", "INVALID_VERSION", "Expected HTTP/2 Connection Preface", 0},
	{"ExpectedSpaceAfterVersion", "INVALID_VERSION", "Expected space after version", 0},
	{"InvalidStatusCode", "INVALID_STATUS", "Invalid status code", 0},
	{"InvalidResponseStatus", "INVALID_STATUS", "Invalid response status", 0},
	{"MissingCRAfterResponseLine", "CR_EXPECTED", "Missing expected CR after response line", 0},
	{"ExpectedLFAfterCR", "STRICT", "Expected LF after CR", 0},
	{"UnexpectedSpaceAfterStartLine", "UNEXPECTED_SPACE", "Unexpected space after start line", 0},
	{"InvalidHeaderFieldChar", "INVALID_HEADER_TOKEN", "Invalid header field char", 0},
	{"InvalidHeaderToken", "INVALID_HEADER_TOKEN", "Invalid header token", 0},
	{"InvalidHeaderValueChar", "INVALID_HEADER_TOKEN", "Invalid header value char", 0},
	{"EmptyHost", "INVALID_HEADER_TOKEN", "Empty Host", 0},
	{"DuplicateHost", "INVALID_HEADER_TOKEN", "Duplicate Host", 0},
	{"EmptyContentLength", "INVALID_CONTENT_LENGTH", "Empty Content-Length", 0},
	{"EmptyTransferEncoding", "INVALID_TRANSFER_ENCODING", "Empty Transfer-Encoding", 0},
	{"ContentLengthWithTransferEncoding", "INVALID_CONTENT_LENGTH", "Content-Length can't be present with Transfer-Encoding", 0},
	{"TransferEncodingWithContentLength", "INVALID_TRANSFER_ENCODING", "Transfer-Encoding can't be present with Content-Length", 0},
	{"DuplicateContentLength", "UNEXPECTED_CONTENT_LENGTH", "Duplicate Content-Length", 0},
	{"ContentLengthOverflow", "INVALID_CONTENT_LENGTH", "Content-Length overflow", 413},
	{"InvalidCharInContentLength", "INVALID_CONTENT_LENGTH", "Invalid character in Content-Length", 0},
	{"InvalidTransferEncodingValue", "INVALID_TRANSFER_ENCODING", "Invalid `Transfer-Encoding` header value", 0},
	{"RequestInvalidTransferEncoding", "INVALID_TRANSFER_ENCODING", "Request has invalid `Transfer-Encoding`", 0},
	{"MissingLFAfterHeaderValue", "LF_EXPECTED", "Missing expected LF after header value", 0},
	{"MissingCRAfterHeaderValue", "CR_EXPECTED", "Missing expected CR after header value", 0},
	{"UnexpectedWhitespaceAfterHeaderValue", "INVALID_HEADER_TOKEN", "Unexpected whitespace after header value", 0},
	{"ExpectedLFAfterHeaders", "STRICT", "Expected LF after headers", 0},
	{"InvalidCharInChunkSize", "INVALID_CHUNK_SIZE", "Invalid character in chunk size", 0},
	{"ChunkSizeOverflow", "INVALID_CHUNK_SIZE", "Chunk size overflow", 413},
	{"ExpectedLFAfterChunkSize", "STRICT", "Expected LF after chunk size", 0},
	{"MissingCRAfterChunkSize", "CR_EXPECTED", "Missing expected CR after chunk size", 0},
	{"InvalidCharInChunkExtensions", "STRICT", "Invalid character in chunk extensions", 0},
	{"InvalidCharInChunkExtensionName", "STRICT", "Invalid character in chunk extensions name", 0},
	{"MissingCRAfterChunkExtensionName", "CR_EXPECTED", "Missing expected CR after chunk extension name", 0},
	{"InvalidCharInChunkExtensionValue", "STRICT", "Invalid character in chunk extensions value", 0},
	{"MissingCRAfterChunkExtensionValue", "CR_EXPECTED", "Missing expected CR after chunk extension value", 0},
	{"InvalidCharInChunkExtensionQuotedValue", "STRICT", "Invalid character in chunk extensions quoted value", 0},
	{"InvalidQuotedPair", "STRICT", "Invalid quoted-pair in chunk extensions quoted value", 0},
	{"InvalidCharAfterChunkExtensionQuotedValue", "STRICT", "Invalid character in chunk extensions quote value", 0},
	{"ExpectedLFAfterChunkData", "STRICT", "Expected LF after chunk data", 0},
	{"MissingCRAfterChunkData", "CR_EXPECTED", "Missing expected CR after chunk data", 0},
	{"DataAfterClose", "CLOSED_CONNECTION", "Data after `Connection: close`", 0},
	{"PauseOnUpgrade", "PAUSED_UPGRADE", "Pause on CONNECT/Upgrade", 0},
}
