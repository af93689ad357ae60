package llhttpgo

// This file has the errors: llhttp's numbers and the limits, each an error of its own, and what a parser returns, which has
// one of them; and the HTTP status that suits an error.

import (
	"errors"
	"fmt"
)

// Errno is an error number of llhttp. It is an error itself, for errors.Is.
type Errno uint8

// Error gives llhttp's name of the number, HPE_INVALID_METHOD for instance.
func (e Errno) Error() string { return name(errnoNames[:], int(e)) }

// LimitError is one of the [Limits], which the input exceeds. It is an error itself, for errors.Is and errors.As.
type LimitError uint8

// Error gives the words of llhttp_ext.h for it.
func (l LimitError) Error() string {
	if l == 0 || l >= limitErrors {
		return "<unknown>"
	}
	return limitReasons[l].text
}

// Unwrap gives ErrUser: what the program asks for, and not the grammar.
func (l LimitError) Unwrap() error { return ErrUser }

// Error is why a parser refuses its input, or stops.
type Error struct {
	Errno  Errno
	Reason string     // llhttp's words
	Offset int        // in the input of the call that failed: of the byte at fault, or the one after it
	Limit  LimitError // the limit that is exceeded, if Errno is ErrUser because of one
	Type   Type       // what the input is, a request or a response, if that is known
}

// Error gives number, reason and offset.
func (e *Error) Error() string {
	return fmt.Sprintf("llhttpgo: %v: %s, at byte %d", e.Errno, e.Reason, e.Offset)
}

// Unwrap gives the limit if there is one, else the number, so that errors.Is finds it.
func (e *Error) Unwrap() error {
	if e.Limit != 0 {
		return e.Limit
	}
	return e.Errno
}

// newError makes the error that a reason stands for.
func newError(r *reason, offset int, t Type) *Error {
	return &Error{Errno: r.errno, Reason: r.text, Offset: offset, Type: t}
}

// newError is the same for a parser that stops at p.consumed.
func (p *Parser) newError(r *reason, limit LimitError) *Error {
	e := newError(r, p.consumed, p.seen)
	e.Limit = limit
	return e
}

// HTTPStatus gives the HTTP status that suits an error of this package, to answer a request that is refused because of it
// before the connection is closed; 0 for none, as for nil, an upgrade, ErrPartial, or bytes after the last message of a
// connection. RFC 9110, Section 15, unless said otherwise:
//
//   - 400: the message does not parse, or its length is uncertain (RFC 9112, Sections 2.2, 3.2, 6.3);
//   - 413: a Content-Length or chunk size beyond 64 bits, or chunk extensions beyond a limit (RFC 9112, Section 7.1.1);
//   - 414: the request-target is beyond a limit (RFC 9112, Section 3);
//   - 431: field lines, head or trailer section are beyond a limit (RFC 6585, Section 5);
//   - 500: any error that is not of this package, a handler's for instance;
//   - 501: the method is not one that the parser knows, or not one of the protocol named (RFC 9112, Section 3);
//   - 505: there is no such version;
//   - 502: any of these, where it is a response that is refused: what a gateway answers.
func HTTPStatus(err error) int {
	var e *Error
	var s *SyntaxError
	switch {
	case err == nil, errors.Is(err, ErrPartial):
		return 0
	case errors.As(err, &e):
		if status := e.status(); status == 0 || e.Type != TypeResponse {
			return status
		}
		return 502
	case errors.Is(err, ErrTooManyFields):
		return 431
	case errors.Is(err, ErrTargetTooLarge):
		return 414
	case errors.Is(err, ErrLengthTooLarge):
		return 413
	case errors.As(err, &s), errors.Is(err, ErrInvalidByte), errors.Is(err, ErrUnterminatedString), errors.Is(err, ErrLengthsDiffer):
		return 400
	}
	return 500
}

// status gives the status for a request that is refused with the error.
func (e *Error) status() int {
	for i := range reasons {
		if r := &reasons[i]; r.errno == e.Errno && r.text == e.Reason {
			return int(r.status)
		}
	}
	if e.Limit != 0 && e.Limit < limitErrors {
		return int(limitReasons[e.Limit].status)
	}
	if int(e.Errno) < len(errnoStatuses) {
		return int(errnoStatuses[e.Errno])
	}
	return 500
}
