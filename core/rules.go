package core

import (
	"unsafe"

	"llhttpgo/core/asm"
)

// This file holds what rules do (core/_gen/rules.go says what each is for). A rule is read at the byte where it
// matters, like a lenient flag, so that a change counts from the next byte on. Invariant: what is taken as a whole is
// what no rule is about; ruledFraming and effect see to that for fields, the others by what they take. With rules
// nothing is taken from within a line, so that names begin in startRuledName.

// rule tells whether a rule is set.
//
//go:nosplit
func (f *Frame) rule(rule uint32) bool { return f.Rules&rule != 0 }

// What Private.Seen remembers, for rules alone.
const (
	seenHost      = 1 << iota // the message has had Host
	seenWatched               // the line's name is watched for words
	seenFraming               // its name is that of a framing field or Host
	seenWord                  // such a name has been found somewhere in it
	seenNameByte              // a byte that a name may have
	seenColon                 // a colon after such a byte: what follows cannot be a name
	seenInLine    = seenWatched | seenFraming | seenWord | seenNameByte | seenColon
	seenInText    = seenWord | seenNameByte | seenColon
	watchWordEnds = 0x80 // in watchTable
)

// headNode is where HEAD ends in the trie of methods.
//
//go:nosplit
func headNode() uint16 {
	return find(find(find(find(trieMethods, 'H'), 'E'), 'A'), 'D')
}

// takesAnyMethod tells whether the method need not go with the protocol.
//
//go:nosplit
func (f *Frame) takesAnyMethod() bool {
	return f.rule(ruleTolerateUnknownMethods) && f.Private.Aux != protocolICE && f.Public.Method != MethodPRI
}

// Private.Node within a character of more than one byte: how many are to come, and the least and the greatest high
// half of the next.
const utf8Tail = 0x8<<4 | 0xb<<8

// startsUTF8 takes a byte that begins a character from U+00A0 on (RFC 3629, Section 4), if they are allowed.
//
//go:nosplit
func (f *Frame) startsUTF8(c uint8) bool {
	if c < 0xc2 || c > 0xf4 || !f.rule(ruleTolerateUTF8Target) {
		return false
	}
	n := uint16(1 | utf8Tail)
	switch {
	case c == 0xc2: // not U+0080 to U+009F, which are control characters
		n = 1 | 0xa<<4 | 0xb<<8
	case c < 0xe0:
	case c == 0xe0: // no overlong form
		n = 2 | 0xa<<4 | 0xb<<8
	case c == 0xed: // no surrogates
		n = 2 | 0x8<<4 | 0x9<<8
	case c < 0xf0:
		n = 2 | utf8Tail
	case c == 0xf0: // no overlong form
		n = 3 | 0x9<<4 | 0xb<<8
	case c < 0xf4:
		n = 3 | utf8Tail
	default: // up to U+10FFFF
		n = 3 | 0x8<<4 | 0x8<<8
	}
	f.Private.Node = n
	return true
}

// inUTF8 tells whether a character of more than one byte has begun.
//
//go:nosplit
func (f *Frame) inUTF8() bool { return f.Private.Node != 0 && f.rule(ruleTolerateUTF8Target) }

// endsUTF8 takes a further byte of it.
//
//go:nosplit
func (f *Frame) endsUTF8(c uint8) bool {
	n := f.Private.Node
	half := uint16(c >> 4)
	if half < n>>4&15 || half > n>>8 {
		return false
	}
	if n = n&3 - 1; n != 0 {
		n |= utf8Tail
	}
	f.Private.Node = n
	return true
}

// authority takes a byte of authority-form (RFC 9112, Section 3.2.3): uri-host ":" port. What ends it is not taken.
// Node is the port so far; in brackets it tells whether anything is there.
//
//go:nosplit
func (f *Frame) authority(c uint8) bool {
	next := f.Private.State
	switch next {
	case stateAuthority:
		next = stateAuthorityHost
		if c == '[' {
			next = stateAuthorityLiteral
		} else if !isRegName(c) {
			return false
		}
	case stateAuthorityHost:
		if c == ':' {
			next = stateAuthorityPortStart
		} else if !isRegName(c) {
			return false
		}
	case stateAuthorityLiteral:
		switch {
		case c == ']' && f.Private.Node != 0:
			f.Private.Node = 0
			next = stateAuthorityLiteralEnd
		case c == ':' || isRegName(c):
			f.Private.Node = 1
		default:
			return false
		}
	case stateAuthorityLiteralEnd:
		if c != ':' {
			return false
		}
		next = stateAuthorityPortStart
	default:
		port := uint32(f.Private.Node)*10 + uint32(c-'0')
		if c-'0' > 9 || port > 1<<16-1 {
			return false
		}
		f.Private.Node = uint16(port)
		next = stateAuthorityPort
	}
	f.Private.State = next
	return true
}

// isRegName: reg-name of RFC 3986, Section 3.2.2, whose percent-encoding is not looked at.
//
//go:nosplit
func isRegName(c uint8) bool { return in(c, asm.TargetServer) && c != ':' && c != '[' && c != ']' }

// nameRules want the whole name of a field looked at in a way of its own.
const nameRules = ruleStrictTrailers | ruleStrictHost | ruleTolerateBadFieldLines

// ruledFraming gives the lines, a bit each from first to top, whose fields matter by their names, out of those that
// do without rules.
//
//go:nosplit
func (f *Frame) ruledFraming(first, top uintptr, framing uint64) uint64 {
	switch {
	case f.has(flagTrailing) && f.rule(ruleStrictTrailers):
		return 0
	case f.has(flagTrailing) || f.Public.Type != typeRequest || !f.rule(ruleStrictHost):
		return framing
	}
	for bit := uint64(1); first != top; first += eventSize {
		if f.isHost((*FieldLine)(unsafe.Pointer(first))) {
			framing |= bit
		}
		bit <<= 1
	}
	return framing
}

//go:nosplit
func (f *Frame) isHost(line *FieldLine) bool {
	const host = 'h' | 'o'<<8 | 's'<<16 | 't'<<24
	return line.NameLength == 4 && load32(f.Buf+uintptr(line.NameOffset))|fold&0xffffffff == host
}

// ruledEffect is effect for a line whose field does not frame the message.
//
//go:nosplit
func (f *Frame) ruledEffect(line *FieldLine) int {
	switch {
	case !f.rule(ruleStrictHost) || !f.isHost(line):
		return effectNone
	case line.ValueLength == 0 || f.Private.Seen&seenHost != 0:
		return effectUnusual
	}
	f.Private.Seen |= seenHost
	return effectNone
}

// startRuledName begins a field line.
//
//go:nosplit
func (f *Frame) startRuledName(c uint8, p uintptr) uintptr {
	// RFC 9112, Sections 2.2 and 5.2: to others it may be a part of the line before it.
	if isOWS(c) {
		return f.fail(reasonInvalidHeaderToken, p)
	}
	f.startWatch()
	f.open(cbHeaderField, p)
	f.Private.Node = trieRuledField
	f.Private.State = stateFieldNameRuled
	return p
}

// startWatch begins to look for names of fields that frame the message, or of Host, in a line.
//
//go:nosplit
func (f *Frame) startWatch() {
	f.Private.Seen = f.Private.Seen&^seenInLine | seenWatched
	f.Private.Aux = 0
}

// watch looks at a byte that names may have. Others between such bytes are passed over.
//
//go:nosplit
func (f *Frame) watch(c uint8) {
	place := f.Private.Aux
	next := find(trieRuledField+uint16(place), lower(c))
	for next == 0 && place != 0 {
		place = watched(place) &^ watchWordEnds
		next = find(trieRuledField+uint16(place), lower(c))
	}
	place = 0
	if next != 0 {
		place = uint8(next - trieRuledField)
	}
	f.Private.Aux = place
	f.Private.Seen |= seenNameByte
	if watched(place)&watchWordEnds != 0 {
		f.Private.Seen |= seenWord
	}
}

// watched is watchTable without a bounds check: places come from the trie.
//
//go:nosplit
func watched(place uint8) uint8 { return watchTable[place%uint8(len(watchTable))] }

// ruledName goes on in a field's name.
//
//go:nosplit
func (f *Frame) ruledName(p uintptr) uintptr {
	for p != f.End {
		c := load8(p)
		if in(c, asm.Token) {
			f.watch(c)
			if f.Private.Node != 0 {
				f.Private.Node = find(f.Private.Node, lower(c))
			}
			p++
			continue
		}
		kind := node(f.Private.Node).id
		if kind != fieldGeneral {
			f.Private.Seen |= seenFraming
		}
		switch {
		case f.rule(ruleStrictTrailers) && f.has(flagTrailing):
			kind = fieldGeneral
		case kind == fieldHost && (!f.rule(ruleStrictHost) || f.Public.Type != typeRequest || f.has(flagTrailing)):
			kind = fieldGeneral
		}
		f.Private.Field = kind
		switch {
		case c == ':':
			return f.closeSkip(p, stateFieldNameComplete)
		case c == ' ' && kind != fieldGeneral && kind != fieldHost:
			f.Private.State = stateFieldNameColon // where the space is refused, or taken by a lenient flag
			return p
		case f.rule(ruleTolerateBadFieldLines) && f.Private.Seen&seenWord == 0:
			return f.close(p, stateSkippedLineStart)
		}
		return f.fail(reasonInvalidHeaderToken, p)
	}
	return f.wait(p)
}

// skipsValue tells whether a line may be skipped because of a byte in its value.
//
//go:nosplit
func (f *Frame) skipsValue(c uint8) bool {
	if !f.rule(ruleTolerateBadFieldLines) || f.Private.Seen&(seenWatched|seenFraming) != seenWatched || c == 0 {
		return false
	}
	f.Private.Seen &^= seenInText
	f.Private.Aux = 0
	return true
}

// skipLine passes over the rest of a line that does not parse, unless another recipient might read something else out
// of it: a line of its own, or the name of a field that matters.
//
//go:nosplit
func (f *Frame) skipLine(p uintptr) uintptr {
	if p == f.End {
		return f.wait(p)
	}
	switch f.Private.State {
	case stateSkippedLineStart:
		f.open(cbSkippedLine, p)
		f.Private.State = stateSkippedLine
	case stateSkippedLineLF:
		if load8(p) != '\n' {
			return f.fail(reasonMissingLFAfterHeaderValue, p)
		}
		return f.notify(cbSkippedLineComplete, p+1, stateFieldStart)
	}
	for p != f.End {
		c := load8(p)
		switch {
		case c == '\r':
			return f.closeSkip(p, stateSkippedLineLF)
		case c == '\n' && f.lenient(lenientOptionalCRBeforeLF):
			return f.close(p, stateSkippedLineLF)
		case c == '\n', c == 0:
			return f.fail(reasonInvalidHeaderToken, p)
		case c == ':' && f.Private.Seen&seenNameByte != 0:
			f.Private.Seen |= seenColon
		case in(c, asm.Token) && f.Private.Seen&seenColon == 0:
			if f.watch(c); f.Private.Seen&seenWord != 0 {
				return f.fail(reasonInvalidHeaderToken, p)
			}
		case c < ' ' && c != '\t', c == 0x7f: // some take it for the end of a line
			f.Private.Seen &^= seenNameByte | seenColon
		}
		p++
	}
	return f.wait(p)
}

// lengthDigit tells whether a digit may follow those that Content-Length has so far.
//
//go:nosplit
func (f *Frame) lengthDigit(c uint8) bool {
	const zero, number = 1, 2
	switch {
	case f.Private.Node == zero && f.rule(ruleStrictContentLength):
		return false
	case f.Private.Node == 0 && c == '0':
		f.Private.Node = zero
	default:
		f.Private.Node = number
	}
	return true
}

// repeatsDigit tells whether a digit is the next of the length that is there already.
//
//go:nosplit
func (f *Frame) repeatsDigit(c uint8) bool {
	length := f.Public.ContentLength
	seen := f.Private.Node
	total := digits(length)
	switch {
	case c == '0' && (seen == 0 && length != 0 || seen == 1 && length == 0): // a leading zero
		return !f.rule(ruleStrictContentLength)
	case seen == total:
		return false
	}
	for i := total - 1; i > seen; i-- {
		length /= 10
	}
	if uint64(c-'0') != length%10 {
		return false
	}
	f.Private.Node++
	return true
}

// repeatsLength tells whether all of its digits have been there.
//
//go:nosplit
func (f *Frame) repeatsLength() bool { return f.Private.Node == digits(f.Public.ContentLength) }

// digits counts those of a decimal number.
//
//go:nosplit
func digits(n uint64) (count uint16) {
	for count = 1; n > 9; n /= 10 {
		count++
	}
	return count
}

// readsCodings tells whether Transfer-Encoding is read as a list with all that a list may have: RFC 9110, Section
// 5.6.1.2.
//
//go:nosplit
func (f *Frame) readsCodings() bool {
	return f.rule(ruleStrictTransferCodings) && f.Public.Type == typeResponse
}

// ignoresUpgrade: RFC 9110, Section 7.8.
//
//go:nosplit
func (f *Frame) ignoresUpgrade() bool {
	return f.rule(ruleStrictHTTP10Upgrade) && f.Public.Type == typeRequest && f.Public.Method != MethodCONNECT &&
		(f.Public.Major == 0 || f.Public.Minor == 0)
}

// closes10 tells whether a message of HTTP/1.0 ends the connection though it asks for keep-alive: RFC 9112, Sections
// 6.1 and 9.3.
//
//go:nosplit
func (p *Public) closes10(rules uint32) bool {
	return rules&ruleStrictClose != 0 && p.has(flagConnectionClose) ||
		rules&ruleStrictHTTP10TransferEncoding != 0 && p.has(flagTransferEncoding)
}
