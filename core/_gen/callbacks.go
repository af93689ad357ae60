package main

import "strings"

// The callbacks, in the order of the members of llhttp_settings_t.

type callback struct {
	Name  string // on_<Name>
	Span  bool   // gets bytes
	Errno string // HPE_<Errno> when it fails: HPE_USER for spans
	Error string // reason when it fails
	Pause string // reason when it pauses; spans pass HPE_PAUSED through and have none
	Doc   string // for the header
}

// GoName is the callback's number in package core.
func (c callback) GoName() string { return "cb" + camel(c.Name) }

// UpperName is the name as C's constants have it.
func (c callback) UpperName() string { return strings.ToUpper(c.Name) }

// CName is the callback's number in the C driver.
func (c callback) CName() string { return "LLHTTP_CB_" + c.UpperName() }

// span describes a callback that gets bytes.
func span(name, doc string) callback {
	return callback{Name: name, Span: true, Errno: "USER", Error: "Span callback error in on_" + name, Doc: doc}
}

// notify describes a callback that gets none.
func notify(name, doc string) callback { return notifyAs(name, name, doc) }

// notifyAs is notify for a callback that llhttp's texts call by another name.
func notifyAs(name, label, doc string) callback {
	return callback{Name: name, Errno: "CB_" + strings.ToUpper(name),
		Error: "`on_" + label + "` callback error", Pause: "on_" + label + " pause", Doc: doc}
}

// extCallbacks are members of llhttp_ext_t, with the numbers behind those of callbacks.
var extCallbacks = []callback{
	span("skipped_line", "A field line that does not parse, with the rule TOLERATE_BAD_FIELD_LINES: its bytes from the one "+
		"that does not fit on, without the line end. May be empty. What came before that byte has been delivered: as "+
		"on_header_field alone, or that, on_header_field_complete and on_header_value. There will be no "+
		"on_header_value_complete for it. Results as of llhttp_settings_t's callbacks."),
	{Name: "skipped_line_complete", Errno: "USER",
		Error: "`on_skipped_line_complete` callback error", Pause: "on_skipped_line_complete pause",
		Doc: "After the last on_skipped_line of a line."},
}

var callbacks = []callback{
	notify("message_begin", "A message begins: its first byte that is neither CR nor LF is there."),
	span("protocol", "Protocol name of the start-line, without the '/': \"HTTP\", \"RTSP\" or \"ICE\" (RFC 9112, Section 2.3). "+
		"Not called for the first message of an HTTP_BOTH parser if that is a response; on_method gets its \"HTTP/\"."),
	span("url", "request-target (RFC 9112, Section 3.2), as sent: nothing is decoded."),
	span("status", "reason-phrase of a status-line (RFC 9112, Section 4). May be empty, or not called if so."),
	span("method", "Method of a request-line (RFC 9112, Section 3.1)."),
	span("version", "Version of the start-line, such as \"1.1\"."),
	span("header_field", "field-name of a field line (RFC 9112, Section 5), of the trailer section too: F_TRAILING is set in flags there."),
	span("header_value", "field-value without the white space in front of it and, as a rule, with that behind it. Called with "+
		"length 0 if the value is empty."),
	span("chunk_extension_name", "Name of a chunk extension (RFC 9112, Section 7.1.1)."),
	span("chunk_extension_value", "Value of a chunk extension; with its quotes if it is a quoted-string."),
	{Name: "headers_complete", Errno: "CB_HEADERS_COMPLETE",
		Error: "User callback error", Pause: "Paused by on_headers_complete",
		Doc: "The field section is complete and the parser is about to choose the length of the body (RFC 9112, Section 6.3). Method, " +
			"status code, version, flags, content_length and upgrade are valid. Results: 0 to go on; 1 if the message has no body whatever its " +
			"fields say (a client returns it for the response to HEAD); 2 if it has no body and the connection leaves HTTP, so that " +
			"llhttp_execute returns HPE_PAUSED_UPGRADE; HPE_PAUSED to pause; anything else is HPE_CB_HEADERS_COMPLETE."},
	span("body", "Content: bytes of the message body, without chunked coding (RFC 9112, Section 6)."),
	notify("message_complete", "The message is complete. llhttp_should_keep_alive may be asked here for the last time."),
	notify("protocol_complete", "After the last on_protocol: the '/' is there."),
	notify("url_complete", "After the last on_url."),
	notify("status_complete", "After the last on_status; also if there was none."),
	notify("method_complete", "After the last on_method; llhttp_get_method is valid."),
	notify("version_complete", "After the last on_version; major and minor number are valid."),
	notify("header_field_complete", "After the last on_header_field of a field line."),
	notify("header_value_complete", "After the last on_header_value of a field line."),
	notifyAs("chunk_extension_name_complete", "chunk_extension_name", "After the last on_chunk_extension_name of an extension."),
	notifyAs("chunk_extension_value_complete", "chunk_extension_value", "After the last on_chunk_extension_value of an extension."),
	notify("chunk_header", "The chunk-size line is complete (RFC 9112, Section 7.1); content_length is the size of the chunk, "+
		"0 for the last one."),
	notify("chunk_complete", "The chunk is complete; after the last chunk, so is the trailer section."),
	notify("reset", "A further message begins on the same connection; on_message_begin follows."),
}
