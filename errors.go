package llhttpgo

// This file has the errors: llhttp's numbers, each an error of its own, and what a parser returns, which has one of
// them.

import "fmt"

// Errno is an error number of llhttp. It is an error itself, for errors.Is.
type Errno uint8

// Error gives llhttp's name of the number, HPE_INVALID_METHOD for instance.
func (e Errno) Error() string { return name(errnoNames[:], int(e)) }

// Error is why a parser refuses its input, or stops.
type Error struct {
	Errno  Errno
	Reason string // llhttp's words
	Offset int    // in the input of the call that failed: of the byte at fault, or the one after it
}

// Error gives number, reason and offset.
func (e *Error) Error() string {
	return fmt.Sprintf("llhttpgo: %v: %s, at byte %d", e.Errno, e.Reason, e.Offset)
}

// Unwrap gives the number, so that errors.Is finds it.
func (e *Error) Unwrap() error { return e.Errno }

// parserError makes the error that a reason stands for.
func parserError(reason uint8, offset int) *Error {
	r := &reasons[int(reason)%len(reasons)]
	return &Error{r.errno, r.text, offset}
}
