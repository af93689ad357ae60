package core

// This file takes whole start-lines, messages and chunks: what the other files take byte by byte, in one event each, as long as it is
// the usual and all of it is there; lines.go does so for field lines. It decides nothing that they would decide otherwise: what is
// taken here is read the same under any lenient flag, and whatever is unusual, or what a rule may be about, is left to
// them at the line's first byte.
// Invariant: a function that takes nothing has written no unit, though it may have written the public fields; who goes on
// writing units in the same turn must look at the room again.

import (
	"unsafe"

	"llhttpgo/core/asm"
)

const (
	crlf       = '\r' | '\n'<<8
	maxWindow  = 1<<32 - 1 // offsets in records have 32 bits
	eventSize  = 16
	publicSize = 2 * eventSize
	wordGET    = 'G' | 'E'<<8 | 'T'<<16 | ' '<<24
	wordPOST   = 'P' | 'O'<<8 | 'S'<<16 | 'T'<<24
	wordHTTP10 = 'H' | 'T'<<8 | 'T'<<16 | 'P'<<24 | '/'<<32 | '1'<<40 | '.'<<48 | '0'<<56
	minorBit   = 1 << 56 // by which HTTP/1.1 differs from HTTP/1.0
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
	if load32(p) != wordGET {
		if method, length = f.methodWord(p); length == 0 {
			return 0
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
	if load32(p) == wordPOST && load8(p+4) == ' ' {
		return MethodPOST, 4
	}
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
