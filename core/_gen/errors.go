package main

// Error numbers, and the reasons with which the parser itself raises them. Reasons that come from callbacks are in
// callbacks.go.

type errno struct {
	Value int
	Name  string // as in the constant HPE_<Name>
	Doc   string // what raises it
}

// GoName is the errno's constant in package core.
func (e errno) GoName() string { return "Errno" + camel(e.Name) }

var errnos = []errno{
	{0, "OK", "no error"},
	{1, "INTERNAL", "the parser object is damaged"},
	{2, "STRICT", "line end or chunk extension not as RFC 9112 has it"},
	{3, "LF_EXPECTED", "no LF after the CR of a field line"},
	{4, "UNEXPECTED_CONTENT_LENGTH", "a second Content-Length"},
	{5, "CLOSED_CONNECTION", "bytes after the last message of a connection"},
	{6, "INVALID_METHOD", "unknown method, or no SP after it"},
	{7, "INVALID_URL", "request-target"},
	{8, "INVALID_CONSTANT", "protocol name, or a method that it does not have"},
	{9, "INVALID_VERSION", "protocol version, or what follows it"},
	{10, "INVALID_HEADER_TOKEN", "byte in a field name or field value"},
	{11, "INVALID_CONTENT_LENGTH", "Content-Length: no number, too large, not allowed here"},
	{12, "INVALID_CHUNK_SIZE", "chunk-size: no number, or too large"},
	{13, "INVALID_STATUS", "status code, or what follows it"},
	{14, "INVALID_EOF_STATE", "llhttp_finish: the message is incomplete"},
	{15, "INVALID_TRANSFER_ENCODING", "Transfer-Encoding: codings, or not allowed here"},
	{16, "CB_MESSAGE_BEGIN", "on_message_begin failed"},
	{17, "CB_HEADERS_COMPLETE", "on_headers_complete failed"},
	{18, "CB_MESSAGE_COMPLETE", "on_message_complete failed"},
	{19, "CB_CHUNK_HEADER", "on_chunk_header failed"},
	{20, "CB_CHUNK_COMPLETE", "on_chunk_complete failed"},
	{21, "PAUSED", "paused; go on with llhttp_resume"},
	{22, "PAUSED_UPGRADE", "the connection leaves HTTP"},
	{23, "PAUSED_H2_UPGRADE", "the HTTP/2 connection preface (RFC 9113, Section 3.4)"},
	{24, "USER", "a span callback returned -1"},
	{25, "CR_EXPECTED", "a line that ends in a bare LF"},
	{26, "CB_URL_COMPLETE", "on_url_complete failed"},
	{27, "CB_STATUS_COMPLETE", "on_status_complete failed"},
	{28, "CB_HEADER_FIELD_COMPLETE", "on_header_field_complete failed"},
	{29, "CB_HEADER_VALUE_COMPLETE", "on_header_value_complete failed"},
	{30, "UNEXPECTED_SPACE", "SP in front of the first field line"},
	{31, "CB_RESET", "on_reset failed"},
	{32, "CB_METHOD_COMPLETE", "on_method_complete failed"},
	{33, "CB_VERSION_COMPLETE", "on_version_complete failed"},
	{34, "CB_CHUNK_EXTENSION_NAME_COMPLETE", "on_chunk_extension_name_complete failed"},
	{35, "CB_CHUNK_EXTENSION_VALUE_COMPLETE", "on_chunk_extension_value_complete failed"},
	{38, "CB_PROTOCOL_COMPLETE", "on_protocol_complete failed"},
}

type reason struct {
	Name  string // constant reason<Name> in package core
	Errno string // HPE_<Errno>
	Text  string // what llhttp_get_error_reason returns
}

// reasons has one entry per pair of errno and text, in the order in which a message can meet them. The id of a reason is
// its index plus one: 0 is "no reason".
var reasons = []reason{
	{"InvalidWord", "INVALID_CONSTANT", "Invalid word encountered"},
	{"InvalidMethod", "INVALID_METHOD", "Invalid method encountered"},
	{"ExpectedSpaceAfterMethod", "INVALID_METHOD", "Expected space after method"},
	{"InvalidCharactersInURL", "INVALID_URL", "Invalid characters in url"},
	{"UnexpectedStartCharInURL", "INVALID_URL", "Unexpected start char in url"},
	{"UnexpectedCharInURLSchema", "INVALID_URL", "Unexpected char in url schema"},
	{"UnexpectedCharInURLServer", "INVALID_URL", "Unexpected char in url server"},
	{"DoubleAtInURL", "INVALID_URL", "Double @ in url"},
	{"InvalidCharInURLPath", "INVALID_URL", "Invalid char in url path"},
	{"InvalidCharInURLQuery", "INVALID_URL", "Invalid char in url query"},
	{"InvalidCharInURLFragmentStart", "INVALID_URL", "Invalid char in url fragment start"},
	{"ExpectedCRLFInURL", "INVALID_URL", "Expected CRLF"},
	{"ExpectedProtocol", "INVALID_CONSTANT", "Expected HTTP/, RTSP/ or ICE/"},
	{"InvalidMethodForHTTP", "INVALID_CONSTANT", "Invalid method for HTTP/x.x request"},
	{"ExpectedSourceMethodForICE", "INVALID_CONSTANT", "Expected SOURCE method for ICE/x.x request"},
	{"InvalidMethodForRTSP", "INVALID_CONSTANT", "Invalid method for RTSP/x.x request"},
	{"InvalidMajorVersion", "INVALID_VERSION", "Invalid major version"},
	{"ExpectedDot", "INVALID_VERSION", "Expected dot"},
	{"InvalidMinorVersion", "INVALID_VERSION", "Invalid minor version"},
	{"InvalidHTTPVersion", "INVALID_VERSION", "Invalid HTTP version"},
	{"ExpectedCRLFAfterVersion", "INVALID_VERSION", "Expected CRLF after version"},
	{"ExpectedCRLFAfterVersionStrict", "STRICT", "Expected CRLF after version"},
	{"PRIUpgrade", "PAUSED_H2_UPGRADE", "Pause on PRI/Upgrade"},
	{"ExpectedPreface", "INVALID_VERSION", "Expected HTTP/2 Connection Preface"},
	{"ExpectedSpaceAfterVersion", "INVALID_VERSION", "Expected space after version"},
	{"InvalidStatusCode", "INVALID_STATUS", "Invalid status code"},
	{"InvalidResponseStatus", "INVALID_STATUS", "Invalid response status"},
	{"MissingCRAfterResponseLine", "CR_EXPECTED", "Missing expected CR after response line"},
	{"ExpectedLFAfterCR", "STRICT", "Expected LF after CR"},
	{"UnexpectedSpaceAfterStartLine", "UNEXPECTED_SPACE", "Unexpected space after start line"},
	{"InvalidHeaderFieldChar", "INVALID_HEADER_TOKEN", "Invalid header field char"},
	{"InvalidHeaderToken", "INVALID_HEADER_TOKEN", "Invalid header token"},
	{"InvalidHeaderValueChar", "INVALID_HEADER_TOKEN", "Invalid header value char"},
	{"EmptyContentLength", "INVALID_CONTENT_LENGTH", "Empty Content-Length"},
	{"EmptyTransferEncoding", "INVALID_TRANSFER_ENCODING", "Empty Transfer-Encoding"},
	{"ContentLengthWithTransferEncoding", "INVALID_CONTENT_LENGTH", "Content-Length can't be present with Transfer-Encoding"},
	{"TransferEncodingWithContentLength", "INVALID_TRANSFER_ENCODING", "Transfer-Encoding can't be present with Content-Length"},
	{"DuplicateContentLength", "UNEXPECTED_CONTENT_LENGTH", "Duplicate Content-Length"},
	{"ContentLengthOverflow", "INVALID_CONTENT_LENGTH", "Content-Length overflow"},
	{"InvalidCharInContentLength", "INVALID_CONTENT_LENGTH", "Invalid character in Content-Length"},
	{"InvalidTransferEncodingValue", "INVALID_TRANSFER_ENCODING", "Invalid `Transfer-Encoding` header value"},
	{"RequestInvalidTransferEncoding", "INVALID_TRANSFER_ENCODING", "Request has invalid `Transfer-Encoding`"},
	{"MissingLFAfterHeaderValue", "LF_EXPECTED", "Missing expected LF after header value"},
	{"MissingCRAfterHeaderValue", "CR_EXPECTED", "Missing expected CR after header value"},
	{"UnexpectedWhitespaceAfterHeaderValue", "INVALID_HEADER_TOKEN", "Unexpected whitespace after header value"},
	{"ExpectedLFAfterHeaders", "STRICT", "Expected LF after headers"},
	{"InvalidCharInChunkSize", "INVALID_CHUNK_SIZE", "Invalid character in chunk size"},
	{"ChunkSizeOverflow", "INVALID_CHUNK_SIZE", "Chunk size overflow"},
	{"ExpectedLFAfterChunkSize", "STRICT", "Expected LF after chunk size"},
	{"MissingCRAfterChunkSize", "CR_EXPECTED", "Missing expected CR after chunk size"},
	{"InvalidCharInChunkExtensions", "STRICT", "Invalid character in chunk extensions"},
	{"InvalidCharInChunkExtensionName", "STRICT", "Invalid character in chunk extensions name"},
	{"MissingCRAfterChunkExtensionName", "CR_EXPECTED", "Missing expected CR after chunk extension name"},
	{"InvalidCharInChunkExtensionValue", "STRICT", "Invalid character in chunk extensions value"},
	{"MissingCRAfterChunkExtensionValue", "CR_EXPECTED", "Missing expected CR after chunk extension value"},
	{"InvalidCharInChunkExtensionQuotedValue", "STRICT", "Invalid character in chunk extensions quoted value"},
	{"InvalidQuotedPair", "STRICT", "Invalid quoted-pair in chunk extensions quoted value"},
	{"InvalidCharAfterChunkExtensionQuotedValue", "STRICT", "Invalid character in chunk extensions quote value"},
	{"ExpectedLFAfterChunkData", "STRICT", "Expected LF after chunk data"},
	{"MissingCRAfterChunkData", "CR_EXPECTED", "Missing expected CR after chunk data"},
	{"DataAfterClose", "CLOSED_CONNECTION", "Data after `Connection: close`"},
	{"PauseOnUpgrade", "PAUSED_UPGRADE", "Pause on CONNECT/Upgrade"},
}
