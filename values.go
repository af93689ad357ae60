package llhttpgo

// This file looks into field values and request-targets, for who needs more of them than their bytes. The parser itself
// does not: it takes what llhttp takes.

import (
	"errors"
	"fmt"
	"iter"

	"llhttpgo/core"
)

// What is wrong with a field value. A [*SyntaxError] has one of them, where the place is known.
var (
	ErrInvalidByte        = errors.New("a byte that cannot stand here")
	ErrUnterminatedString = errors.New("a quoted string without its end")
	ErrLengthTooLarge     = errors.New("a Content-Length beyond 64 bits")
	ErrLengthsDiffer      = errors.New("a Content-Length whose members differ")
)

// SyntaxError is what is wrong with a field value or a target, and where.
type SyntaxError struct {
	Offset int   // of the byte at fault
	Err    error // one of the errors of this package
}

// Error gives what is wrong and where.
func (e *SyntaxError) Error() string { return fmt.Sprintf("llhttpgo: %v, at byte %d", e.Err, e.Offset) }

// Unwrap gives what is wrong.
func (e *SyntaxError) Unwrap() error { return e.Err }

// valueError gives the error of a result of core's.
func valueError(result int) error {
	switch result {
	case core.ValueInvalid:
		return ErrInvalidByte
	case core.ValueUnterminated:
		return ErrUnterminatedString
	case core.ValueTooLarge:
		return ErrLengthTooLarge
	case core.ValueDifferent:
		return ErrLengthsDiffer
	}
	return nil
}

// List gives the members of a list (RFC 9110, Section 5.6.1), parts of the value without the whitespace around them.
// Commas in quoted strings do not separate, empty members are left out. An error comes last; it is a [*SyntaxError].
func List(value []byte) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) { list(value, yield) }
}

func list(value []byte, yield func([]byte, error) bool) {
	var l core.List
	for {
		result := listNext(&l, value)
		if result != core.ValueFound {
			if err := valueError(result); err != nil {
				yield(nil, &SyntaxError{int(l.Next), err})
			}
			return
		}
		end := l.Offset + l.Size
		if !yield(value[l.Offset:end:end], nil) {
			return
		}
	}
}

// Parameter is a parameter of a list member.
type Parameter struct {
	Name     []byte
	Value    []byte // without quotes; nil if there is no equals sign
	Quoted   bool   // the value was in quotes
	HasPairs bool   // and has quoted-pairs in it: a backslash before a byte that stands for itself
}

// AppendValue appends the value with its quoted-pairs resolved.
func (p Parameter) AppendValue(b []byte) []byte {
	if !p.HasPairs {
		return append(b, p.Value...)
	}
	for i := 0; i < len(p.Value); i++ {
		if p.Value[i] == '\\' {
			i++
		}
		b = append(b, p.Value[i])
	}
	return b
}

// Parameters gives the parameters of a list member, or of a value that is no list (RFC 9110, Section 5.6.6): what
// follows its first semicolon. An error comes last; it is a [*SyntaxError].
func Parameters(member []byte) iter.Seq2[Parameter, error] {
	return func(yield func(Parameter, error) bool) { parameters(member, yield) }
}

func parameters(member []byte, yield func(Parameter, error) bool) {
	var l core.Parameters
	for {
		result := parametersNext(&l, member)
		if result != core.ValueFound {
			if err := valueError(result); err != nil {
				yield(Parameter{}, &SyntaxError{int(l.Next), err})
			}
			return
		}
		end := l.NameOffset + l.NameLength
		p := Parameter{
			Name:     member[l.NameOffset:end:end],
			Quoted:   l.Flags&core.ParameterQuoted != 0,
			HasPairs: l.Flags&core.ParameterEscaped != 0,
		}
		if l.Flags&core.ParameterHasValue != 0 {
			end = l.ValueOffset + l.ValueLength
			p.Value = member[l.ValueOffset:end:end]
		}
		if !yield(p, nil) {
			return
		}
	}
}

// HasToken tells whether a list has a member that is the token and nothing else, in letters of either case, and whether
// that is its last member. It looks at all of the value: if something is wrong anywhere, it gives an error, so that no
// answer rests on a value that others may read in another way. For Connection, Transfer-Encoding and Expect.
func HasToken(value []byte, token string) (found, last bool, err error) {
	result := hasToken(value, stringBytes(token))
	return result > core.ValueEnd, result == core.ValueFoundLast, valueError(result)
}

// ContentLength reads a Content-Length, which may be a list of equal numbers, as it becomes when lines are joined (RFC
// 9110, Section 8.6).
func ContentLength(value []byte) (uint64, error) {
	var n uint64
	result := contentLengths(value, &n)
	return n, valueError(result)
}
