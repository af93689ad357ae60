package core

// This file reads what is inside a field value: the members of a list, with quoted strings respected (RFC 9110, Sections
// 5.6.1 and 5.6.4), the parameters of a member (Section 5.6.6), and two lists that servers must not misread: options by
// which messages are handled, and Content-Length. The parser does not use it, as it takes what llhttp takes.
// Invariant: nothing is read outside the value; an iterator that has reported an error reports it again.

import "llhttpgo/core/asm"

// Results of the functions below: llhttp_ext.h's, too. Errors are negative.
const (
	ValueEnd          = 0  // there is no further member or parameter
	ValueFound        = 1  // there is one; of a token: it is a member
	ValueFoundLast    = 2  // of a token: it is the last member
	ValueInvalid      = -1 // a byte that cannot stand where it does
	ValueUnterminated = -2 // a quoted string without its end
	ValueTooLarge     = -3 // a Content-Length beyond 64 bits
	ValueDifferent    = -4 // Content-Length has members that differ
)

// A List goes through the members of a list. Addresses and offsets are the caller's: the value begins at Value.
type List struct {
	Value  uintptr
	Length uintptr
	Next   uintptr // offset at which ListNext goes on, 0 at first; after an error, of the byte at fault
	Offset uintptr // the member: from its first byte on
	Size   uintptr // to its last, without the whitespace around it
	Error  int     // what ListNext has found wrong
}

// ListNext finds the next member that is not empty. It gives ValueFound, ValueEnd or an error.
//
//go:nosplit
func ListNext(l *List) int {
	if l.Error != 0 {
		return l.Error
	}
	end := l.Value + l.Length
	p := l.Value + l.Next
	for p != end && (load8(p) == ',' || in(load8(p), asm.OWS)) {
		p++
	}
	first := p
	p, l.Error = memberEnd(p, end)
	l.Next = p - l.Value
	if l.Error != 0 {
		return l.Error
	}
	if p == first {
		return ValueEnd
	}
	for in(load8(p-1), asm.OWS) {
		p--
	}
	l.Offset = first - l.Value
	l.Size = p - first
	return ValueFound
}

// memberEnd gives the address of the comma behind a member, or end; of the byte at fault if there is an error.
//
//go:nosplit
func memberEnd(p, end uintptr) (uintptr, int) {
	for {
		if p = asm.Skip(p, end, asm.ListText); p == end {
			return p, 0
		}
		switch load8(p) {
		case ',':
			return p, 0
		case '"':
			next, _, err := quotedEnd(p, end)
			if err != 0 {
				return next, err
			}
			p = next
		default:
			return p, ValueInvalid
		}
	}
}

// quotedEnd gives the address behind the quoted string that begins at p, and whether it has quoted-pairs; the address of the
// byte at fault if there is an error, which is the first quote's if the last one is missing.
//
//go:nosplit
func quotedEnd(p, end uintptr) (next uintptr, pairs bool, err int) {
	first := p
	for p++; ; p++ {
		if p = asm.Skip(p, end, asm.QuotedText); p == end {
			return first, pairs, ValueUnterminated
		}
		switch load8(p) {
		case '"':
			return p + 1, pairs, 0
		case '\\':
			pairs = true
			if p++; p == end {
				return first, pairs, ValueUnterminated
			}
			if !in(load8(p), asm.FieldValue) {
				return p, pairs, ValueInvalid
			}
		default:
			return p, pairs, ValueInvalid
		}
	}
}

// Flags of a parameter.
const (
	ParameterHasValue = 1 // there is an equals sign
	ParameterQuoted   = 2 // the value was in quotes, which are left out
	ParameterEscaped  = 4 // it has quoted-pairs: a backslash before a byte that stands for itself
)

// A Parameters goes through the parameters of a member.
type Parameters struct {
	Value       uintptr
	Length      uintptr
	Next        uintptr // as in List
	NameOffset  uintptr
	NameLength  uintptr
	ValueOffset uintptr // 0, 0 if there is none
	ValueLength uintptr
	Flags       uintptr
	Error       int
}

// ParametersNext finds the next parameter; the first one is behind the first semicolon. It gives ValueFound, ValueEnd or an
// error. A name without a value is taken, whitespace around the equals sign is not.
//
//go:nosplit
func ParametersNext(l *Parameters) int {
	if l.Error != 0 {
		return l.Error
	}
	end := l.Value + l.Length
	p := l.Value + l.Next
	if l.Next == 0 {
		for p != end && load8(p) != ';' {
			next, err := p+1, 0
			if load8(p) == '"' {
				next, _, err = quotedEnd(p, end)
			} else if !in(load8(p), asm.FieldValue) {
				next, err = p, ValueInvalid
			}
			p = next
			if err != 0 {
				return l.fail(p, err)
			}
		}
	}
	for p != end && (load8(p) == ';' || in(load8(p), asm.OWS)) {
		p++
	}
	l.Next = p - l.Value
	if p == end {
		return ValueEnd
	}
	first := p
	if p = asm.Skip(p, end, asm.Token); p == first {
		return l.fail(p, ValueInvalid)
	}
	l.NameOffset = first - l.Value
	l.NameLength = p - first
	l.ValueOffset, l.ValueLength, l.Flags = 0, 0, 0
	if p != end && load8(p) == '=' {
		p++
		first = p
		l.Flags = ParameterHasValue
		if p != end && load8(p) == '"' {
			next, pairs, err := quotedEnd(p, end)
			if err != 0 {
				return l.fail(next, err)
			}
			l.Flags |= ParameterQuoted
			if pairs {
				l.Flags |= ParameterEscaped
			}
			l.ValueOffset = first + 1 - l.Value
			l.ValueLength = next - first - 2
			p = next
		} else if p = asm.Skip(p, end, asm.Token); p == first {
			return l.fail(p, ValueInvalid)
		} else {
			l.ValueOffset = first - l.Value
			l.ValueLength = p - first
		}
	}
	for p != end && in(load8(p), asm.OWS) {
		p++
	}
	if p != end && load8(p) != ';' {
		return l.fail(p, ValueInvalid)
	}
	l.Next = p - l.Value
	return ValueFound
}

//go:nosplit
func (l *Parameters) fail(p uintptr, err int) int {
	l.Next = p - l.Value
	l.Error = err
	return err
}

// HasToken tells whether a list has a member that is the token and nothing else, letters of either case: ValueFound,
// ValueFoundLast if that is the last member, or ValueEnd. All of the value is looked at: what is wrong anywhere in it is an
// error.
//
//go:nosplit
func HasToken(value, length, token, tokenLength uintptr) int {
	l := List{Value: value, Length: length}
	found := ValueEnd
	for {
		switch ListNext(&l) {
		case ValueEnd:
			return found
		case ValueFound:
			switch {
			case l.Size == tokenLength && equalFold(value+l.Offset, token, tokenLength):
				found = ValueFoundLast
			case found == ValueFoundLast:
				found = ValueFound
			}
		default:
			return l.Error
		}
	}
}

// equalFold compares n bytes at a and at b, ASCII letters of either case being the same.
//
//go:nosplit
func equalFold(a, b, n uintptr) bool {
	for ; n != 0; n-- {
		if lower(load8(a)) != lower(load8(b)) {
			return false
		}
		a++
		b++
	}
	return true
}

// ContentLengths reads a Content-Length that may be a list of equal numbers, as it becomes when lines are joined (RFC 9110,
// Section 8.6). It gives ValueFound and the number, or an error: ValueInvalid if there is none.
//
//go:nosplit
func ContentLengths(value, length uintptr, number *uint64) int {
	l := List{Value: value, Length: length}
	found := false
	first := uint64(0)
	for {
		switch ListNext(&l) {
		case ValueEnd:
			if !found {
				return ValueInvalid
			}
			*number = first
			return ValueFound
		case ValueFound:
			n := uint64(0)
			p := value + l.Offset
			for end := p + l.Size; p != end; p++ {
				digit := uint64(load8(p)) - '0'
				if digit > 9 {
					return ValueInvalid
				}
				if n > (1<<64-1)/10 || n*10 > 1<<64-1-digit {
					return ValueTooLarge
				}
				n = n*10 + digit
			}
			if found && n != first {
				return ValueDifferent
			}
			first = n
			found = true
		default:
			return l.Error
		}
	}
}
