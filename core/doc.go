// Package core is the parser: HTTP/1 messages (RFC 9112) with the exact behaviour of llhttp 9.4.3.
//
// # Pull, not push
//
// [Step] takes a [Frame]: the bytes, the parser's state and room for events. It appends events until the
// room is used up, the input is used up, or a callback is due whose result steers the parse. It never calls
// out, so under C it is a leaf. The caller turns the events into callbacks and calls again.
//
// # Units
//
// A unit is one callback that is due, whether the host has set it or not. The machine can stop after any
// unit, and the state it stops in is the state in which that callback's host resumes. That is what makes a
// rewind exact: run again from the state in which the batch began, with a limit of k units, and the frame
// is as it was when unit k was due.
//
// # State
//
// What survives between two calls is eight bytes ([Private]) and what llhttp shows its users ([Public]).
// Nothing holds an address: a span that is open goes on at the first byte of the next piece.
// An error is a state of its own; so is an error that waits behind the callback of a span.
//
// The states of a part of the grammar are the cases of one switch, in one function, however long: so one state goes on in
// the next without a call.
//
// # Freestanding
//
// Everything that C can reach runs on a thread without a goroutine, in a process whose Go runtime was
// never started: every function is nosplit, nothing allocates, panics, holds a Go pointer or reads a
// variable that an init would have set. Tables are array literals of integers. A test walks the
// disassembly of the built library and fails on anything else.
//
// # Files
//
//	state.go       what is kept, and the names of the states
//	step.go        the loop, and how events are written
//	messages.go    whole start-lines, messages and chunks, as long as they are usual
//	lines.go       whole field lines, likewise
//	framingline.go those of them that frame the message
//	continue.go    what a byte may leave as it is, for the driver
//	startline.go   request-line, status-line      RFC 9112, Sections 3 and 4
//	target.go      request-target                 RFC 9112, Section 3.2
//	fieldname.go   field lines up to the colon    RFC 9112, Section 5
//	fieldvalue.go  field values, the fields that frame a message, obs-fold
//	framing.go     message body length, persistence RFC 9112, Sections 6 and 9
//	chunked.go     chunked coding                 RFC 9112, Section 7.1
//	lenient.go     the eleven lenient flags
//	rules.go       rules that llhttp has not
//	tape.go        events of one size, in place of callbacks
//	head.go        a header section in one call
//	headnames.go   ids and links of its fields
//	know*          the same in assembly
//	knownfield.go  ids of well-known field names
//	tokenfield.go  the same for names that the parser has taken
//	components.go  the components of a request-target, for the host   RFC 9112, Section 3.2; RFC 3986
//	url.go         those of a URL, as http_parser takes it apart
//	values.go      lists, parameters and tokens in field values, for the host   RFC 9110, Section 5.6
//	entry*         from the C calling convention to Go
//	gohost.go      what the package for Go programs needs besides
package core

//go:generate go run ./_gen
