package main

// The members of llhttp_t: names, types and order are llhttp's. Programs read them, so they are interface.

type member struct {
	Type   string
	Name   string
	Offset int    // where pointers and long have 64 bits
	Doc    string // for the header; empty for what is the parser's own
}

// Declaration declares the member in C.
func (m member) Declaration() string { return m.Type + " " + m.Name + ";" }

const parserSize = 96

var members = []member{
	{"int32_t", "_index", 0, ""},
	{"void*", "_span_pos0", 8, ""},
	{"void*", "_span_cb0", 16, ""},
	{"int32_t", "error", 24, "llhttp_errno_t; see llhttp_get_errno"},
	{"const char*", "reason", 32, "see llhttp_get_error_reason"},
	{"const char*", "error_pos", 40, "see llhttp_get_error_pos"},
	{"void*", "data", 48, "the caller's; the parser never touches it, llhttp_init clears it"},
	{"void*", "_current", 56, ""},
	{"uint64_t", "content_length", 64, "bytes that the body, or the chunk, still has"},
	{"uint8_t", "type", 72, "llhttp_type_t"},
	{"uint8_t", "method", 73, "llhttp_method_t; of a request"},
	{"uint8_t", "http_major", 74, ""},
	{"uint8_t", "http_minor", 75, ""},
	{"uint8_t", "header_state", 76, "what the field line under way means to the parser"},
	{"uint16_t", "lenient_flags", 78, "llhttp_lenient_flags_t"},
	{"uint8_t", "upgrade", 80, "see llhttp_get_upgrade"},
	{"uint8_t", "finish", 81, "llhttp_finish_t: what llhttp_finish would do now"},
	{"uint16_t", "flags", 82, "llhttp_flags_t; of the message under way"},
	{"uint16_t", "status_code", 84, "of a response"},
	{"uint8_t", "initial_message_completed", 86, "1 from the end of the first message on"},
	{"void*", "settings", 88, "the llhttp_settings_t that llhttp_init got"},
}
