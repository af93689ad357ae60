package core

// This file takes whole lines: what the other files take byte by byte, in one event each, as long as it is the usual and
// all of it is there. It decides nothing that they would decide otherwise: a line taken here is read the same
// under any lenient flag, and whatever is unusual, or what a rule may be about, is left to them at the line's
// first byte.
// Invariant: a function that takes nothing has written no unit, though it may have written the public fields; who goes on
// writing units in the same turn must look at the room again.

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"llhttpgo/core/asm"
)

const (
	crlf         = '\r' | '\n'<<8
	fold         = 0x2020202020202020 // makes ASCII letters lower-case; of the other bytes in words here only CR comes to '-'
	maxWindow    = 1<<32 - 1          // offsets in records have 32 bits
	maxEffects   = 8
	fewestLines  = 4 // that are worth a batch
	eventSize    = 16
	publicSize   = 2 * eventSize
	leastLines   = (1 + fewestLines + maxEffects) * eventSize
	longRest     = 256 // bytes behind which the rest of a value is looked for by itself, as it may well be all of them
	wordGET      = 'G' | 'E'<<8 | 'T'<<16 | ' '<<24
	wordPOST     = 'P' | 'O'<<8 | 'S'<<16 | 'T'<<24
	wordHTTP10   = 'H' | 'T'<<8 | 'T'<<16 | 'P'<<24 | '/'<<32 | '1'<<40 | '.'<<48 | '0'<<56
	minorBit     = 1 << 56 // by which HTTP/1.1 differs from HTTP/1.0
	wordConnecti = 'c' | 'o'<<8 | 'n'<<16 | 'n'<<24 | 'e'<<32 | 'c'<<40 | 't'<<48 | 'i'<<56
	wordContent  = 'c' | 'o'<<8 | 'n'<<16 | 't'<<24 | 'e'<<32 | 'n'<<40 | 't'<<48 | '-'<<56
	wordLeng     = 'l' | 'e'<<8 | 'n'<<16 | 'g'<<24
	wordTransfe  = 't' | 'r'<<8 | 'a'<<16 | 'n'<<24 | 's'<<32 | 'f'<<40 | 'e'<<48 | 'r'<<56
	wordEncodin  = '-' | 'e'<<8 | 'n'<<16 | 'c'<<24 | 'o'<<32 | 'd'<<40 | 'i'<<48 | 'n'<<56
	wordProxyCo  = 'p' | 'r'<<8 | 'o'<<16 | 'x'<<24 | 'y'<<32 | '-'<<40 | 'c'<<48 | 'o'<<56
	wordNnectio  = 'n' | 'n'<<8 | 'e'<<16 | 'c'<<24 | 't'<<32 | 'i'<<40 | 'o'<<48 | 'n'<<56
	wordUpgr     = 'u' | 'p'<<8 | 'g'<<16 | 'r'<<24
	wordRade     = 'r' | 'a'<<8 | 'd'<<16 | 'e'<<24
	wordKeepAli  = 'k' | 'e'<<8 | 'e'<<16 | 'p'<<24 | '-'<<32 | 'a'<<40 | 'l'<<48 | 'i'<<56
	wordClos     = 'c' | 'l'<<8 | 'o'<<16 | 's'<<24
	wordChun     = 'c' | 'h'<<8 | 'u'<<16 | 'n'<<24
	wordNked     = 'n' | 'k'<<8 | 'e'<<16 | 'd'<<24
)

// whole tells whether as much may be taken as a whole as there is, also from within a line: not when the caller wants
// to stop at a certain unit, and not with rules.
//
//go:nosplit
func (f *Frame) whole() bool { return f.Limit > Lines && f.End-f.Buf <= maxWindow }

// wholeLines tells whether lines and messages may be taken as a whole, from their first byte on.
//
//go:nosplit
func (f *Frame) wholeLines() bool { return f.Limit > ByUnits && f.End-f.Buf <= maxWindow }

// ready sees to room for n bytes of events behind the public fields, which are written if they have changed. Without
// room the batch ends; MinRoom is what keeps a batch that has just begun from ending so.
//
//go:nosplit
func (f *Frame) ready(n uintptr) bool {
	return f.changed == 0 && f.Top+publicSize+n <= f.Room || f.makeReady(n)
}

//go:nosplit
//go:noinline so that ready is small enough to be inlined
func (f *Frame) makeReady(n uintptr) bool {
	if f.Top+publicSize+n > f.Room {
		f.Limit = 0
		return false
	}
	f.emitPublic()
	return true
}

// usual begins with what most batches begin with, and goes as far as lines can be taken as a whole.
//
//go:nosplit
func (f *Frame) usual(p uintptr) uintptr {
	switch f.Private.State {
	case stateStart:
		return f.messages(p)
	case stateValue:
		p = f.restOfValue(p)
	case stateFieldNameGeneral:
		p = f.restOfName(p)
	case stateFieldStart:
		p = f.fieldLines(p)
	}
	return f.afterFields(p)
}

// fieldSection takes field lines, and what follows them as far as that is usual.
//
//go:nosplit
func (f *Frame) fieldSection(p uintptr) uintptr { return f.afterFields(f.fieldLines(p)) }

// afterFields goes on behind a field section that has come to its end, if it has.
//
//go:nosplit
func (f *Frame) afterFields(p uintptr) uintptr {
	if f.Private.State != stateHeadersComplete {
		return p
	}
	next := f.message(p)
	if next == 0 {
		return p
	}
	return f.messages(next)
}

// messages takes messages as long as they are usual and there, or as much of the last as can be taken as a whole.
//
//go:nosplit
func (f *Frame) messages(p uintptr) uintptr {
	for p != f.End {
		next := uintptr(0)
		switch {
		case f.Public.InitialMessageCompleted > 1:
		case f.Public.Type == typeRequest:
			next = f.request(p)
		case f.Public.Type == typeResponse:
			if next = f.statusLine(p); next != 0 {
				next = f.fieldLines(next)
			}
		}
		if next == 0 {
			first := p
			for p != f.End && (load8(p) == '\r' || load8(p) == '\n') { // empty lines before a message
				p++
			}
			if p == first {
				return p
			}
			continue
		}
		p = next
		if f.Private.State != stateHeadersComplete {
			return p
		}
		if next = f.message(p); next == 0 {
			return p
		}
		p = next
	}
	return f.wait(p)
}

// message takes the end of a header section, what body there is, and the message's end. It gives the address after it, or 0.
//
//go:nosplit
func (f *Frame) message(p uintptr) uintptr {
	const harmless = flagContentLength | flagConnectionKeepAlive
	if f.Public.Type != typeRequest || f.Public.Flags&^harmless != 0 || f.Public.Minor == 0 || f.Public.Major == 0 || f.Public.Upgrade != 0 ||
		f.Public.Method == MethodCONNECT {
		if !f.bounded() {
			return 0
		}
	}
	length := f.Public.ContentLength
	if f.AtHeaders != 0 || length != 0 && !f.has(flagContentLength) || length > uint64(f.End-p) ||
		!f.ready(unsafe.Sizeof(MessageEvent{})) {
		return 0
	}
	e := (*MessageEvent)(unsafe.Pointer(f.Top))
	e.Head = EventMessage | uint64(p-f.Buf)<<16
	e.Length = length
	e.AfterHeaders = Private{State: stateAfterHeaders}
	e.AfterComplete = Private{State: stateAfterMessage}
	if length != 0 {
		e.AfterComplete.State = stateUpgradeCheck
	}
	f.Top += unsafe.Sizeof(MessageEvent{})
	f.nextMessage()
	return p + uintptr(length)
}

// bounded tells whether a message has a body of known length or none, and another message may follow.
//
//go:nosplit
func (f *Frame) bounded() bool {
	if f.has(flagChunked|flagTransferEncoding|flagSkipBody|flagTrailing) || f.Public.Upgrade != 0 || f.upgrades() != 0 || !f.persists() {
		return false
	}
	if f.Public.Type != typeResponse {
		return true
	}
	// A response that persists without a length has no body by its status.
	return f.Public.StatusCode != 101 && !(f.has(flagContentLength) && bodyless(f.Public.StatusCode))
}

// request takes a request-line (RFC 9112, Section 3) whose target begins with "/" or "*", at the first byte of a message, and
// field lines as far as they are usual. It gives the address where the machine goes on, or 0.
//
//go:nosplit
func (f *Frame) request(p uintptr) uintptr {
	const shortest = uintptr(len("GET / HTTP/1.1\r\n"))
	if f.End-p <= shortest {
		return 0
	}
	method, length := MethodGET, uintptr(3)
	if w := load32(p); w != wordGET {
		method, length = MethodPOST, 4
		if w != wordPOST || load8(p+4) != ' ' {
			if method, length = f.methodWord(p); length == 0 {
				return 0
			}
		}
	}
	target := p + length + 1
	if c := load8(target); c != '/' && c != '*' {
		return 0
	}
	if !f.ready(unsafe.Sizeof(RequestEvent{}) + leastLines) {
		return 0
	}
	// Past the first byte, path, query and fragment together may hold any VCHAR.
	fields := f.Top + unsafe.Sizeof(RequestEvent{})
	next, top, framing, name, stop := asm.FieldLines(f.Buf, target+1, f.End, fields, f.linesRoom(fields), asm.AtTarget)
	e := (*RequestEvent)(unsafe.Pointer(f.Top))
	fields = f.Top + unsafe.Sizeof(RequestEvent{})
	if top == fields {
		return 0
	}
	rest := (*FieldLine)(unsafe.Pointer(fields))
	offset, size := rest.ValueOffset-1, rest.ValueLength+1
	minor := load8(f.Buf+uintptr(offset)+uintptr(size)+8) & 1
	e.Head = EventRequest | uint64(f.Public.InitialMessageCompleted)<<8 | uint64(method)<<16 | uint64(minor)<<24 | uint64(length)<<32
	e.MethodOffset = uint32(p - f.Buf)
	e.TargetOffset = offset
	e.TargetLength = size
	e.ProtocolOffset = offset + size + 1
	f.Top = fields
	f.Public.Finish = finishUnsafe
	f.Public.Method = method
	f.Public.Major = 1
	f.Public.Minor = minor
	f.Private.Line = lineRequest
	f.Private.Seen = 0
	f.Private.State = stateFieldStart
	framing >>= 1
	if f.Rules != 0 {
		framing = f.ruledFraming(f.Top+eventSize, top, framing)
	}
	return f.lines(next, top, framing, name, stop)
}

// methodWord finds the method of a request-line for HTTP whose target is not an authority; length 0 if there is none.
//
//go:nosplit
func (f *Frame) methodWord(p uintptr) (method uint8, length uintptr) {
	n := trieMethods
	// The shortest request-line is longer than the longest method with a space.
	for c := load8(p); c != ' '; c = load8(p + length) {
		if n = find(n, c); n == 0 {
			return 0, 0
		}
		length++
	}
	method = node(n).id - 1
	if node(n).id == 0 || method == MethodCONNECT || method == MethodPRI || methodProtocols[method]&protocolHTTP == 0 {
		return 0, 0
	}
	return method, length
}

// statusLine takes a status-line (RFC 9112, Section 4), at the first byte of a message. It gives the address after it, or 0.
//
//go:nosplit
func (f *Frame) statusLine(p uintptr) uintptr {
	const shortest = uintptr(len("HTTP/1.1 200 \r\n"))
	if f.End-p <= shortest {
		return 0
	}
	version := load64(p)
	if version&^minorBit != wordHTTP10 || load8(p+8) != ' ' || load8(p+12) != ' ' {
		return 0
	}
	d1, d2, d3 := load8(p+9)-'0', load8(p+10)-'0', load8(p+11)-'0'
	if d1 > 9 || d2 > 9 || d3 > 9 {
		return 0
	}
	reason := p + 13
	if load8(reason) == ' ' { // a rule may be about that
		return 0
	}
	cr := asm.Skip(reason, f.End, asm.Line)
	if f.End-cr < 3 || load16(cr) != crlf || load8(cr+2) == ' ' {
		return 0
	}
	if !f.ready(unsafe.Sizeof(StatusEvent{})) {
		return 0
	}
	e := (*StatusEvent)(unsafe.Pointer(f.Top))
	minor := version >> 56 & 1
	code := uint16(d1)*100 + uint16(d2)*10 + uint16(d3)
	e.Head = EventStatus | uint64(f.Public.InitialMessageCompleted)<<8 | minor<<24 | uint64(code)<<32
	e.ProtocolOffset = uint32(p - f.Buf)
	e.ReasonOffset = uint32(reason - f.Buf)
	e.ReasonLength = uint32(cr - reason)
	f.Top += unsafe.Sizeof(StatusEvent{})
	f.Public.Finish = finishUnsafe
	f.Public.Major = 1
	f.Public.Minor = uint8(minor)
	f.Public.StatusCode = code
	f.Private.Line = lineStatus
	f.Private.State = stateFieldStart
	return cr + 2
}

// fieldLines takes field lines from the start of one on, and the empty line after them; of a line that is not all
// there, the beginning. It gives the address where the machine goes on.
//
//go:nosplit
func (f *Frame) fieldLines(p uintptr) uintptr {
	const shortest = uintptr(len("A:\r\n\r"))
	if f.End-p < shortest {
		return f.startName(p, 0, 0)
	}
	if !f.ready(leastLines) {
		return p
	}
	next, top, framing, name, stop := asm.FieldLines(f.Buf, p, f.End, f.Top+eventSize, f.linesRoom(f.Top), asm.AtLine)
	if f.Rules != 0 {
		framing = f.ruledFraming(f.Top+eventSize, top, framing)
	}
	return f.lines(next, top, framing, name, stop)
}

// linesRoom is where the lines must end whose event is at the address: behind it are their effects.
//
//go:nosplit
func (f *Frame) linesRoom(event uintptr) uintptr {
	room := f.Room - maxEffects*eventSize
	if f.few != 0 {
		room = min(room, event+(1+uintptr(f.few))*eventSize)
	}
	return room
}

// lines makes an event of the field lines that the kernel has written behind f.Top, up to top, and goes on at next as
// fieldLines does. The others are what the kernel told.
//
//go:nosplit
func (f *Frame) lines(next, top uintptr, framing uint64, name, stop uintptr) uintptr {
	first := f.Top + eventSize
	if top == first {
		return f.startName(next, name, stop)
	}
	count := (top - first) / eventSize
	(*FieldsEvent)(unsafe.Pointer(f.Top)).Head = EventFields | uint64(count)<<32
	f.Top = top
	if framing != 0 {
		if unusual := f.effects(first, top, framing); unusual != 0 {
			f.few = 1
			return f.startName(unusual, 0, 0)
		}
	}
	switch {
	case f.End-next >= 2 && load16(next) == crlf:
		return f.endFields(next + 2)
	case count >= asm.MaxLines-1 || top+eventSize > f.linesRoom(first-eventSize):
		f.few *= 2 // up to 64, and then none
		return next
	}
	return f.startName(next, name, stop)
}

// effects writes behind the lines from first to top what those change that frame the message, and completes the event before
// them. If one of them is the machine's it gives that line's address, and the event ends before it; else 0.
//
//go:nosplit
func (f *Frame) effects(first, top uintptr, framing uint64) (unusual uintptr) {
	end := top
	for ; framing != 0; framing &= framing - 1 {
		i := uintptr(bits.TrailingZeros64(framing))
		line := (*FieldLine)(unsafe.Pointer(first + i*eventSize))
		switch f.effect(line, i, end, end == top+maxEffects*eventSize) {
		case effectNone:
		case effectOne:
			end += eventSize
		default:
			unusual = f.Buf + uintptr(line.NameOffset)
			f.linesBefore(first, i, top, end) // over the line
			return unusual
		}
	}
	f.endLines(first, (top-first)/eventSize, (end-top)/eventSize)
	return 0
}

// linesBefore ends the event of lines after a number of them; their effects, from one address to another, move up to them.
//
//go:nosplit
func (f *Frame) linesBefore(first, count, from, to uintptr) {
	if count == 0 {
		f.Top = first - eventSize
		return
	}
	f.endLines(first, count, (to-from)/eventSize)
	for at := first + count*eventSize; from != to; from += eventSize {
		*(*[2]uint64)(unsafe.Pointer(at)) = *(*[2]uint64)(unsafe.Pointer(from))
		at += eventSize
	}
}

// endLines completes an event of lines, the first of which is given, with so many lines and effects.
//
//go:nosplit
func (f *Frame) endLines(first, lines, effects uintptr) {
	(*FieldsEvent)(unsafe.Pointer(first - eventSize)).Head = EventFields | uint64(effects)<<16 | uint64(lines)<<32
	f.Top = first + (lines+effects)*eventSize
}

// startName begins a line that cannot be taken as a whole. It takes what is there of the name, and the value of a usual field as
// far as it goes; anything else is the machine's. The length of the name and the place where the value stops are
// given if they are known, else 0.
//
//go:nosplit
func (f *Frame) startName(p, name, stop uintptr) uintptr {
	if p == f.End {
		return p
	}
	c := load8(p)
	if c == '\r' || c == '\n' || c == ':' {
		return p
	}
	f.open(cbHeaderField, p)
	f.Private.Seen &^= seenInLine
	f.Private.Node = trieField
	f.Private.State = stateFieldName
	if !f.whole() {
		if f.Rules&nameRules != 0 {
			return f.startRuledName(c, p)
		}
		return p
	}
	if f.Top+publicSize+2*eventSize > f.Room { // the name, and the value if it ends or fails at once
		return p
	}
	colon := p + name
	if name == 0 {
		colon = asm.Skip(p, f.End, asm.Token)
		if colon == f.End {
			if first := c | 0x20; first != 'c' && first != 'p' && first != 't' && first != 'u' { // what the names in trieField begin with
				f.Private.Field = fieldGeneral
				f.Private.State = stateFieldNameGeneral
				return f.wait(colon)
			}
			return p
		}
		if load8(colon) != ':' {
			return p
		}
	}
	f.Private.Field = fieldGeneral
	if asm.MayFrame(c, colon-p) {
		if f.Private.Field = framingField(p, uint32(colon-p)); f.Private.Field != fieldGeneral {
			f.Private.State = stateFieldNameColon
			return colon
		}
	}
	return f.endName(colon, stop)
}

// endName ends the name of a usual field before its colon, and begins its value.
//
//go:nosplit
func (f *Frame) endName(colon, stop uintptr) uintptr {
	if f.changed != 0 {
		f.emitPublic()
	}
	f.write(EventName, cbHeaderField, f.Span, colon-f.Span)
	f.Private.Open = 0
	f.Private.State = stateValueOWS
	for p := colon + 1; p != f.End; p++ {
		if c := load8(p); !isOWS(c) {
			if c == '\r' || c == '\n' {
				return p
			}
			f.open(cbHeaderValue, p)
			f.Private.State = stateValue
			if stop == 0 {
				stop = asm.Skip(p, f.End, asm.FieldValue)
			}
			if stop == f.End {
				break
			}
			return f.endValue(load8(stop), stop) // not by way of valueStops: with -d=checkptr the stack is short here
		}
	}
	return f.wait(f.End)
}

// valueStops says that a value goes as far as p, at the end or at a byte that does not belong to it.
//
//go:nosplit
func (f *Frame) valueStops(p uintptr) uintptr {
	if p == f.End {
		return f.wait(p)
	}
	return f.endValue(load8(p), p)
}

// restOfName goes on in the name of a usual field.
//
//go:nosplit
func (f *Frame) restOfName(p uintptr) uintptr {
	if f.End-f.Buf >= asm.ShortestBuffer {
		if !f.ready(2*eventSize + leastLines) {
			return p
		}
		fields := f.Top + 2*eventSize
		next, top, framing, name, stop := asm.FieldLines(f.Buf, p, f.End, fields, f.linesRoom(fields), asm.AtLine)
		line := *(*FieldLine)(unsafe.Pointer(fields))
		switch {
		case top != fields && line.ValueLength != 0:
			f.write(EventName, cbHeaderField, f.Span, p+uintptr(line.NameLength)-f.Span)
			f.write(EventValue, cbHeaderValue, f.Buf+uintptr(line.ValueOffset), uintptr(line.ValueLength))
			return f.linesAfter(next, top, framing, name, stop)
		case top != fields: // an empty value is the machine's
			return f.endName(p+uintptr(line.NameLength), 0)
		case name != 0:
			return f.endName(p+name, stop)
		}
	}
	colon := p
	if load8(p) != ':' {
		if colon = asm.Skip(p, f.End, asm.Token); colon == f.End {
			return f.wait(colon)
		}
		if load8(colon) != ':' {
			return colon
		}
	}
	return f.endName(colon, 0)
}

// restOfValue goes on in the value of a field.
//
//go:nosplit
func (f *Frame) restOfValue(p uintptr) uintptr {
	const size = eventSize + leastLines
	// Without room the batch ends below, but not if the value's first byte has changed a public field: see startValue.
	full := f.changed != 0 && f.Top+publicSize+size > f.Room
	if full || f.End-f.Buf < asm.ShortestBuffer || f.Private.Field != fieldGeneral || !f.whole() {
		return f.valueStops(asm.Skip(p, f.End, asm.FieldValue))
	}
	if !f.ready(size) {
		return p
	}
	if f.End-p > longRest {
		stop := asm.Skip(p, f.End, asm.FieldValue)
		if f.End-stop < 3 || load16(stop) != crlf || isOWS(load8(stop+2)) {
			return f.valueStops(stop)
		}
		f.write(EventValue, cbHeaderValue, f.Span, stop-f.Span)
		f.Private.Open = 0
		f.Private.State = stateFieldStart
		return f.fieldLines(stop + 2)
	}
	fields := f.Top + eventSize
	next, top, framing, name, stop := asm.FieldLines(f.Buf, p, f.End, fields, f.linesRoom(fields), asm.AtValue)
	if top == fields {
		if stop == 0 {
			stop = asm.Skip(p, f.End, asm.FieldValue)
		}
		return f.valueStops(stop)
	}
	line := (*FieldLine)(unsafe.Pointer(fields))
	f.write(EventValue, cbHeaderValue, f.Span, p+uintptr(line.ValueLength)-f.Span)
	return f.linesAfter(next, top, framing, name, stop)
}

// linesAfter goes on as lines does, after the rest of a usual field's line that the kernel took as the first.
//
//go:nosplit
func (f *Frame) linesAfter(next, top uintptr, framing uint64, name, stop uintptr) uintptr {
	f.Private.Open = 0
	f.Private.State = stateFieldStart
	return f.lines(next, top, framing>>1, name, stop)
}

//go:nosplit
func isOWS(c uint8) bool { return c == ' ' || c == '\t' }

const (
	effectNone = iota
	effectOne
	effectUnusual
)

// framingField gives the kind of a field that frames a message by its name, general for any other.
//
//go:nosplit
func framingField(name uintptr, length uint32) uint8 {
	w := load64(name) | fold // a line is at least eight bytes long if its name and line end are
	switch length {
	case 7:
		if uint32(w) == wordUpgr && load32(name+3)|fold&0xffffffff == wordRade {
			return fieldUpgrade
		}
	case 10:
		if isConnection(name) {
			return fieldConnection
		}
	case 14:
		if w == wordContent && load32(name+8)|fold&0xffffffff == wordLeng && load16(name+12)|fold&0xffff == 't'|'h'<<8 {
			return fieldContentLength
		}
	case 16:
		if w == wordProxyCo && load64(name+8)|fold == wordNnectio {
			return fieldConnection
		}
	case 17:
		if w == wordTransfe && load64(name+8)|fold == wordEncodin && load8(name+16)|0x20 == 'g' {
			return fieldTransferEncoding
		}
	}
	return fieldGeneral
}

// effect looks at the i-th line, which may be one of a field that frames the message, and writes what it changes to out.
// Unusual are those that conflict with others, and lists.
//
//go:nosplit
func (f *Frame) effect(line *FieldLine, i, out uintptr, full bool) int {
	// What most of those that frame a message are is told at once.
	if line.NameLength == 10 && line.ValueLength == 10 && !full && isConnection(f.Buf+uintptr(line.NameOffset)) &&
		isKeepAlive(f.Buf+uintptr(line.ValueOffset)) {
		*(*Effect)(unsafe.Pointer(out)) = Effect{Line: uint16(i), After: flagConnectionKeepAlive}
		f.Public.Flags |= flagConnectionKeepAlive
		return effectOne
	}
	value := f.Buf + uintptr(line.ValueOffset)
	length := uintptr(line.ValueLength)
	var e Effect
	e.Line = uint16(i)
	switch framingField(f.Buf+uintptr(line.NameOffset), line.NameLength) {
	case fieldUpgrade:
		if length == 0 {
			return effectNone
		}
		e.Before = flagUpgrade
	case fieldConnection:
		if length == 0 {
			return effectNone
		}
		if e.After = connectionOption(value, length); e.After == 0 {
			return effectUnusual
		}
	case fieldContentLength:
		if length == 0 || length > 19 || f.Public.ContentLength != 0 || f.has(flagContentLength|flagTransferEncoding) ||
			f.rule(ruleStrictContentLength) && length != 1 && load8(value) == '0' {
			return effectUnusual
		}
		for ; length != 0; length-- {
			d := load8(value) - '0'
			if d > 9 {
				return effectUnusual
			}
			e.Length = e.Length*10 + uint64(d)
			value++
		}
		e.Before = flagContentLength
		e.HasLength = 1
	case fieldTransferEncoding:
		if length != 7 || load32(value)|fold&0xffffffff != wordChun || load32(value+3)|fold&0xffffffff != wordNked ||
			f.has(flagContentLength|flagTransferEncoding|flagChunked) {
			return effectUnusual
		}
		e.Before = flagTransferEncoding
		e.After = flagChunked
	default:
		return f.ruledEffect(line)
	}
	if full {
		return effectUnusual
	}
	*(*Effect)(unsafe.Pointer(out)) = e
	f.Public.Flags |= e.Before | e.After
	if e.HasLength != 0 {
		f.Public.ContentLength = e.Length
	}
	return effectOne
}

// isConnection and isKeepAlive compare ten bytes.
//
//go:nosplit
func isConnection(p uintptr) bool {
	return load64(p)|fold == wordConnecti && load16(p+8)|fold&0xffff == 'o'|'n'<<8
}

//go:nosplit
func isKeepAlive(p uintptr) bool {
	return load64(p)|fold == wordKeepAli && load16(p+8)|fold&0xffff == 'v'|'e'<<8
}

// connectionOption gives the flag of a connection option that stands alone, 0 for any other value.
//
//go:nosplit
func connectionOption(p, length uintptr) uint16 {
	switch length {
	case 10:
		if isKeepAlive(p) {
			return flagConnectionKeepAlive
		}
	case 5:
		if load32(p)|fold&0xffffffff == wordClos && load8(p+4)|0x20 == 'e' {
			return flagConnectionClose
		}
	case 7:
		if load32(p)|fold&0xffffffff == wordUpgr && load32(p+3)|fold&0xffffffff == wordRade {
			return flagConnectionUpgrade
		}
	}
	return 0
}

// chunks takes whole chunks without extensions (RFC 9112, Section 7.1) from a chunk-size on, the last chunk included if no
// trailer section and nothing unusual follows it. The content length is zero. It gives the address where the machine
// goes on.
//
//go:nosplit
func (f *Frame) chunks(p uintptr) uintptr {
	if !f.ready(eventSize) {
		return p
	}
	for f.Top+eventSize <= f.Room {
		size := uint64(0)
		data := p
		for data != f.End && data-p < 8 {
			digit := hexValue[load8(data)]
			if digit == 0xff {
				break
			}
			size = size<<4 | uint64(digit)
			data++
		}
		if data == p || f.End-data < 4 || load16(data) != crlf {
			return p
		}
		data += 2
		if size == 0 {
			if load16(data) != crlf || f.has(flagTrailing|flagSkipBody) || f.Public.Upgrade == 1 || !f.persists() {
				return p
			}
			f.appendEvent(EventLastChunk|uint64(data-f.Buf)<<16, 0)
			f.nextMessage()
			return data + 2
		}
		if uint64(f.End-data) < size+2 || load16(data+uintptr(size)) != crlf {
			return p
		}
		f.appendEvent(EventChunk|uint64(data-f.Buf)<<16, size)
		p = data + uintptr(size) + 2
	}
	f.Limit = 0 // no room: the batch ends
	return p
}

// nextMessage makes ready for the message after one that is usual.
//
//go:nosplit
func (f *Frame) nextMessage() {
	f.Public.ContentLength = 0
	f.Public.Flags = 0
	f.Public.Finish = finishSafe
	f.Public.InitialMessageCompleted = 1
	f.Private.State = stateStart
}

//go:nosplit
func (f *Frame) appendEvent(head, length uint64) {
	store64(f.Top, head)
	store64(f.Top+8, length)
	f.Top += eventSize
}

// load16, load32, load64 give bytes in the order of the text, the first in the lowest place.
//
//go:nosplit
func load16(p uintptr) uint16 { return binary.LittleEndian.Uint16((*[2]byte)(unsafe.Pointer(p))[:]) }

//go:nosplit
func load32(p uintptr) uint32 { return binary.LittleEndian.Uint32((*[4]byte)(unsafe.Pointer(p))[:]) }

//go:nosplit
func load64(p uintptr) uint64 { return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Pointer(p))[:]) }
