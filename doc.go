// Package llhttpgo parses HTTP/1 messages (RFC 9112) with the exact behaviour of llhttp 9.4.3, Node's parser: what it
// takes and what it refuses, where and why. It is written in Go with assembly kernels for AVX2, SSSE3 and NEON, without
// cgo.
//
// # Which part to use
//
// A [Parser] is for connections: it takes the bytes as they arrive, in pieces of any size, and gives an [Event] for
// whatever they say, bodies and trailers included. It keeps no bytes, so what is cut by the end of a piece comes in
// two events.
//
// A [Head] is for who has a header section in one buffer, or reads until it is there: one call gives method, target,
// status and fields, each with the id of its name and a link to the next one of the same name, and how the message's
// body ends.
//
// The functions beside them look into what both give: [LookupField] finds the id of a well-known field name,
// [ParseTarget] takes a request-target apart, [List] and [Parameters] go through field values, [HasToken] and
// [ContentLength] read those that decide how a message is handled.
//
// # Bytes and lifetimes
//
// Nothing is copied. The bytes in an Event and what a Head, a Target, List and Parameters give are parts of the slice
// that the caller passed in, valid as long as the caller leaves that slice as it is, and limited in capacity, so that
// append never writes into the input. Parsing does not allocate, except for an error, and for a Head that needs room
// for more fields than any message before.
//
// # Errors
//
// A message that is refused gives an [*Error] with llhttp's number, reason and position. Its [Errno] is found by
// errors.Is:
//
//	if errors.Is(err, llhttpgo.ErrInvalidContentLength) { ... }
//
// An upgrade to another protocol is reported in the same way, as [ErrPausedUpgrade]: what follows is not HTTP. [HTTPStatus]
// gives the status with which a server may answer.
//
// # Limits and strictness
//
// Without more, a Parser takes what llhttp takes, however long. [Parser.SetLimits] says how much of what a peer decides it
// takes, [Parser.SetRules] with [StrictAll] makes it as strict as RFC 9112 and RFC 9110; a server on the open network
// wants both. [Parser.SetLenient] relaxes rules, each of which is a risk. They cost nothing where they are not set.
//
// # Goroutines
//
// A Parser or a Head belongs to one goroutine at a time. Everything else may be used by any number of them at once.
//
// # Memory
//
// The parser proper works on addresses as numbers, which the garbage collector does not see: memory.go says why that is
// sound. It is tested under the race detector and with -d=checkptr. Its functions must not have a stack check, which
// the linker refuses to leave out of code that was not optimised: whoever builds everything with -N -l for a debugger
// excepts it, with the functions that it calls,
//
//	go build -gcflags='all=-N -l' -gcflags='llhttpgo/core/...=' -gcflags='encoding/binary='
package llhttpgo
