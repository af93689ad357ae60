package main

// The small enums of the parser's public fields.

type enumValue struct {
	C     string // the constant in llhttp.h
	Go    string // the constant in package core
	Value int
	Doc   string
}

// flags are the bits of the member flags: what the field section said.
var flags = []enumValue{
	{"F_CONNECTION_KEEP_ALIVE", "flagConnectionKeepAlive", 0x1, "Connection: keep-alive"},
	{"F_CONNECTION_CLOSE", "flagConnectionClose", 0x2, "Connection: close"},
	{"F_CONNECTION_UPGRADE", "flagConnectionUpgrade", 0x4, "Connection: upgrade"},
	{"F_CHUNKED", "flagChunked", 0x8, "chunked is the last coding in Transfer-Encoding"},
	{"F_UPGRADE", "flagUpgrade", 0x10, "Upgrade"},
	{"F_CONTENT_LENGTH", "flagContentLength", 0x20, "Content-Length"},
	{"F_SKIPBODY", "flagSkipBody", 0x40, "on_headers_complete says that there is no body"},
	{"F_TRAILING", "flagTrailing", 0x80, "the last chunk has been seen"},
	{"F_TRANSFER_ENCODING", "flagTransferEncoding", 0x200, "Transfer-Encoding"},
}

// types are the values of the member type.
var types = []enumValue{
	{"HTTP_BOTH", "typeBoth", 0, "whichever comes first"},
	{"HTTP_REQUEST", "typeRequest", 1, "requests: the parser of a server"},
	{"HTTP_RESPONSE", "typeResponse", 2, "responses: the parser of a client"},
}

// finishes are the values of the member finish: what the end of the connection would mean now.
var finishes = []enumValue{
	{"HTTP_FINISH_SAFE", "finishSafe", 0, "nothing: no message is under way"},
	{"HTTP_FINISH_SAFE_WITH_CB", "finishSafeWithCallback", 1, "the message is complete"},
	{"HTTP_FINISH_UNSAFE", "finishUnsafe", 2, "the message is incomplete"},
}
