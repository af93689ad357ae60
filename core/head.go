package core

// This file parses a header section that lies in one buffer, in one call: the start-line, the fields with ids and links
// (headnames.go), and how the message is framed. Lines that are usual come from the kernel, straight into the caller's memory;
// for everything else the machine is run unit by unit, and what it says is written down. So nothing is decided here
// that the machine would decide otherwise.
// Invariant: between two calls with more and more of the same bytes, Frame holds offsets in place of addresses, and the machine
// stands where the bytes ended; no byte is looked at again but for those of the line under way that a kernel refused.

import (
	"math/bits"
	"unsafe"

	"llhttpgo/core/asm"
)

// HeadIDs is how many ids a Head has room for; it is part of the layout.
const HeadIDs = 512

var _ = [HeadIDs]int{}[FieldCount-1]

// Head is a header section. What is not exported is between the functions of these files. The memory that Fields, Infos and
// unknown point to is the caller's.
type Head struct {
	frame        Frame   // its Public is the caller's to read; type and lenient flags are the caller's to set
	Fields       uintptr // Count FieldLines; before the first there is room for another
	Infos        uintptr // as many FieldInfos
	Size         uint64  // bytes of the section; after an error where it is; after HeadPartial those looked at
	Count        uint32
	Most         uint32 // fields that there is memory for
	TargetOffset uint32
	TargetLength uint32
	ReasonOffset uint32
	ReasonLength uint32
	_            uintptr // C's: the text of the reason
	Body         uint8   // Body*, once the section is complete
	KeepAlive    bool
	Reason       uint8 // of an error
	stage        uint8 // stage*
	unknownCount uint32
	Present      [HeadIDs / 64]uint64 // a bit for each id
	First        [HeadIDs]uint16      // the first field with an id, if its bit is set

	last       [HeadIDs]uint16 // the last one, if there are two
	unknown    uintptr         // unknownCount unknownNames
	table      uintptr         // of places in unknown: see link
	tableShift uint32          // 32 less the bits of a place in the table; 0 if there is none
	framing    uint32          // the line that the machine reads, with doFrame
	next, top  uintptr         // with doFrame: what lines goes on with
	rest       uint64          // likewise
	line       FieldLine       // with doUnit: the line under way
	events     [UnitRoom / 8]uint64
}

// Public is what the parser's public fields are.
func (h *Head) Public() *Public { return &h.frame.Public }

// SetMemory gives a head memory for n fields, at most MostFields: HeadMemory bytes, aligned to 8.
//
//go:nosplit
func SetMemory(h *Head, p, n uintptr) {
	h.Most = uint32(n)
	h.Fields = p + eventSize
	h.unknown = h.Fields + n*eventSize
	h.table = h.unknown + n*unknownNameSize
	h.Infos = h.table + n*tableRoom
}

// HeadMemory is how much memory a number of fields needs, in bytes.
func HeadMemory(most uint32) uintptr { return HeadBase + uintptr(most)*HeadPerField }

const (
	tableRoom    = 8 // fewer than four places of two bytes for each name
	HeadBase     = eventSize
	HeadPerField = eventSize + unknownNameSize + tableRoom + fieldInfoSize
)

// FieldInfo is what there is to know of a field besides its bytes.
type FieldInfo struct {
	ID   uint16 // FieldID's
	Next uint16 // the next field of the same name, which comes after this one; 0 if there is none
}

const fieldInfoSize = unsafe.Sizeof(FieldInfo{})

// MostFields is the most that the numbers of fields allow.
const MostFields = 1<<16 - 2

// What HeadParse returns.
const (
	HeadComplete = 0
	HeadPartial  = -1 // the section goes on behind the bytes
	HeadTooMany  = -2 // it has more fields than there is memory for
	HeadError    = -3 // Reason says which, Size where
)

// What there is to do yet, where else there is a result.
const (
	doUnit  = 1 // run the machine up to the next unit
	doFrame = 2 // the same; a line that the kernel took, but whose value frames the message in an unusual way
)

// How the body of a message ends.
const (
	BodyNone     = iota // there is none
	BodyLength          // Public.ContentLength bytes
	BodyChunked         // chunked coding
	BodyUntilEOF        // with the connection
	BodyUpgrade         // what follows is another protocol's
)

const (
	stageNew = iota
	stagePartial
	stageDone
)

// HeadParse parses the section at the first of n bytes, of which it looks at maxWindow at most. After HeadPartial it wants the same bytes
// and more; after anything else, or with fewer, it begins with another section.
//
//go:nosplit
func HeadParse(h *Head, data, n uintptr) int {
	f := &h.frame
	f.Buf = data
	f.End = data + n
	do := doUnit
	if h.stage != stagePartial || uint64(n) < h.Size {
		do = h.begin(data)
	} else {
		h.stage = stageDone
		f.End = data + min(n, maxWindow)
		f.Pos += data
		f.Span += data
	}
	for do > 0 {
		first := uintptr(unsafe.Pointer(&h.events))
		f.Top = first
		f.Room = first + UnitRoom
		f.Limit = 1
		Step(f)
		do = h.unit(do)
	}
	return do
}

// begin takes the start-line and field lines, as far as that is usual.
//
//go:nosplit
func (h *Head) begin(p uintptr) int {
	const shortest = uintptr(len("GET / HTTP/1.1\r\n"))
	f := &h.frame
	if h.Fields == 0 {
		return HeadTooMany
	}
	h.stage = stageDone
	h.Count = 0
	h.unknownCount = 0
	h.tableShift = 0
	h.TargetLength = 0
	h.ReasonLength = 0
	h.Present = [HeadIDs / 64]uint64{}
	image := (*[3]uint64)(unsafe.Pointer(&f.Public))
	image[0] = 0
	image[2] = 0
	if n := f.End - p; n <= shortest || n > maxWindow {
		return h.start(p)
	}
	method, length := MethodGET, uintptr(3)
	if f.Public.Type != typeRequest || load32(p) != wordGET {
		for ; load8(p) == '\r' || load8(p) == '\n'; p++ { // empty lines before a message
			if p+1 == f.End {
				return h.start(p)
			}
		}
		if f.End-p <= shortest {
			return h.start(p)
		}
		switch f.Public.Type {
		case typeRequest:
		case typeResponse:
			return h.response(p)
		default:
			return h.start(p)
		}
		if method, length = f.methodWord(p); length == 0 {
			return h.start(p)
		}
	}
	// A usual request-line: see Frame.request.
	target := p + length + 1
	if c := load8(target); c != '/' && c != '*' {
		return h.start(p)
	}
	f.Public.Method = method
	f.Public.Major = 1
	fields := h.Fields
	next, top, framing, _, _ := asm.FieldLines(f.Buf, target+1, f.End, fields-eventSize, fields+uintptr(h.Most)*eventSize, asm.AtTarget)
	fields = h.Fields
	if top < fields {
		return h.start(p)
	}
	rest := (*FieldLine)(unsafe.Pointer(fields - eventSize))
	h.TargetOffset = rest.ValueOffset - 1
	h.TargetLength = rest.ValueLength + 1
	h.frame.Public.Minor = load8(h.frame.Buf+uintptr(rest.ValueOffset)+uintptr(rest.ValueLength)+8) & 1
	return h.lines(next, top, framing>>1)
}

// start gives the section to the machine.
//
//go:nosplit
func (h *Head) start(p uintptr) int {
	f := &h.frame
	f.End = f.Buf + min(f.End-f.Buf, maxWindow)
	f.Public.Method = 0
	f.Public.Major = 0
	f.Public.Minor = 0
	f.Private = Private{}
	f.Pos = p
	f.Span = p
	return doUnit
}

// response takes a usual status-line, in more than 16 bytes, and goes on with the fields: see Frame.statusLine.
//
//go:nosplit
func (h *Head) response(p uintptr) int {
	f := &h.frame
	version := load64(p)
	d1, d2, d3 := load8(p+9)-'0', load8(p+10)-'0', load8(p+11)-'0'
	if version&^minorBit != wordHTTP10 || load8(p+8) != ' ' || load8(p+12) != ' ' || d1 > 9 || d2 > 9 || d3 > 9 {
		return h.start(p)
	}
	reason := p + 13
	cr := asm.Skip(reason, f.End, asm.Line)
	if f.End-cr < 3 || load16(cr) != crlf || load8(cr+2) == ' ' {
		return h.start(p)
	}
	h.ReasonOffset = uint32(reason - f.Buf)
	h.ReasonLength = uint32(cr - reason)
	f.Public.Method = 0
	f.Public.Major = 1
	f.Public.Minor = uint8(version >> 56 & 1)
	f.Public.StatusCode = uint16(d1)*100 + uint16(d2)*10 + uint16(d3)
	return h.fields(cr + 2)
}

// fields takes field lines from the start of one on.
//
//go:nosplit
func (h *Head) fields(p uintptr) int {
	f := &h.frame
	next, top, framing, _, _ := asm.FieldLines(f.Buf, p, f.End, h.Fields+uintptr(h.Count)*eventSize, h.Fields+uintptr(h.Most)*eventSize,
		asm.AtLine)
	return h.lines(next, top, framing)
}

// lines takes the lines that the kernel has written, up to top, behind those that there are, and goes on at next. The bits of
// framing are counted from the first of them.
//
//go:nosplit
func (h *Head) lines(next, top uintptr, framing uint64) int {
	f := &h.frame
	for {
		first := h.Fields + uintptr(h.Count)*eventSize
		for ; framing != 0; framing &= framing - 1 {
			i := uintptr(bits.TrailingZeros64(framing))
			line := (*FieldLine)(unsafe.Pointer(first + i*eventSize))
			if f.keepsAlive(line) {
				f.Public.Flags |= flagConnectionKeepAlive
				continue
			}
			if f.effect(line, i, uintptr(unsafe.Pointer(&h.events)), false) == effectUnusual {
				h.framing = uint32(i)
				h.rest = framing & (framing - 1)
				h.next = next
				h.top = top
				f.Pos = f.Buf + uintptr(line.NameOffset)
				f.Private = Private{State: stateFieldStart}
				return doFrame
			}
		}
		h.know(first, top)
		if f.End-next >= 2 && load16(next) == crlf {
			return h.finish(next + 2)
		}
		if top-first < (asm.MaxLines-1)*eventSize {
			break
		}
		next, top, framing, _, _ = asm.FieldLines(f.Buf, next, f.End, top, h.Fields+uintptr(h.Most)*eventSize, asm.AtLine)
	}
	f.Pos = next
	f.Private = Private{State: stateFieldStart}
	return doUnit
}

// unit looks at what the machine has said, and says how to go on.
//
//go:nosplit
func (h *Head) unit(do int) int {
	f := &h.frame
	if f.Top == uintptr(unsafe.Pointer(&h.events)) {
		if f.Status == Stopped {
			if do == doFrame { // the lines before it
				first := h.Fields + uintptr(h.Count)*eventSize
				h.know(first, first+uintptr(h.framing)*eventSize)
			}
			return h.fail(f.Reason, f.Pos)
		}
		h.stage = stagePartial
		h.Size = uint64(f.End - f.Buf)
		f.Pos -= f.Buf
		f.Span -= f.Buf
		return HeadPartial
	}
	head := load64(f.Top - eventSize)
	offset := uint32(head >> 16)
	length := uint32(load64(f.Top - eventSize + 8))
	callback := uint8(head >> 8)
	if do == doFrame {
		if callback == cbHeaderValueComplete {
			return h.lines(h.next, h.top, h.rest)
		}
		return doFrame
	}
	line := &h.line
	switch callback {
	case cbURL:
		h.TargetOffset = offset
		h.TargetLength = length
	case cbStatus:
		h.ReasonOffset = offset
		h.ReasonLength = length
	case cbHeaderField:
		*line = FieldLine{NameOffset: offset, NameLength: length}
	case cbHeaderFieldComplete:
		if h.Count == h.Most {
			h.Size = uint64(line.NameOffset)
			return HeadTooMany
		}
	case cbHeaderValue: // more than once if there is an obs-fold
		if line.ValueOffset == 0 {
			line.ValueOffset = offset
		}
		line.ValueLength = offset + length - line.ValueOffset
	case cbHeaderValueComplete:
		at := h.Fields + uintptr(h.Count)*eventSize
		*(*FieldLine)(unsafe.Pointer(at)) = *line
		h.know(at, at+eventSize)
		return h.fields(f.Pos)
	case cbHeadersComplete:
		return h.finish(f.Pos)
	}
	return doUnit
}

// finish ends a section that is complete, before p.
//
//go:nosplit
func (h *Head) finish(p uintptr) int {
	const harmless = flagContentLength | flagConnectionKeepAlive
	f := &h.frame
	h.Size = uint64(p - f.Buf)
	if h.unknownCount > 1 {
		h.link()
	}
	if f.Public.Type == typeRequest && f.Public.Flags&^harmless == 0 && f.Public.Minor != 0 && f.Public.Major != 0 &&
		f.Public.Method != MethodCONNECT { // what is below comes to the same
		h.KeepAlive = true
		h.Body = BodyNone
		if f.Public.ContentLength != 0 {
			h.Body = BodyLength
		}
		return HeadComplete
	}
	f.Public.Upgrade = f.upgrades()
	h.KeepAlive = f.Public.persists()
	switch f.bodyState() {
	case stateEmptyComplete:
		h.Body = BodyNone
	case stateBodyStart:
		h.Body = BodyLength
	case stateChunkSizeStart:
		h.Body = BodyChunked
	case stateBodyUntilEOFStart:
		h.Body = BodyUntilEOF
	case stateUpgradeComplete:
		h.Body = BodyUpgrade
	default:
		return h.fail(reasonRequestInvalidTransferEncoding, p)
	}
	return HeadComplete
}

// fail ends a section at p, where it is wrong.
//
//go:nosplit
func (h *Head) fail(reason uint8, p uintptr) int {
	h.Reason = reason
	h.Size = uint64(p - h.frame.Buf)
	return HeadError
}
