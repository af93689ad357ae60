package core

import "unsafe"

// This file makes the tape: the callbacks that are due, as an array of events of one size, for callers to whom each call is
// dear. It runs batches and writes what their units say to the caller's array; it parses nothing.
// Invariants: the events are the callbacks that llhttp_execute would make, in their order. Where the array ends, the
// parse stands between two units, and nothing that was written belongs to what follows. Nothing is written
// behind the array.

// TapeEvent is one event: four numbers of 32 bits. Kind is the number of the callback. What the others are depends on it: see
// llhttp_ext.h, which is for the tape's users.
type TapeEvent struct {
	Offset uint32 // from Frame.Buf: of a span; else where the parse stands
	Length uint32
	Tag    uint32 // kind | version<<8 | id<<16
	Value  uint32
}

const tapeEventSize = unsafe.Sizeof(TapeEvent{})

// Tape is what RunTape works on. The caller fills what is exported but for Result, and Frame as for Step but for Top, Room
// and Limit. Unlike Step, RunTape goes on until there is a reason to stop.
type Tape struct {
	Frame   Frame
	Top     uintptr // where the next event goes: Top < End
	End     uintptr // of the caller's array
	Batch   uintptr // memory for the events of a batch
	Room    uintptr // its end; MinRoom bytes behind Batch or more
	Mask    uint32  // the kinds that are wanted, a bit each
	Result  uint8   // why RunTape returned
	cut     bool    // a field name that began before this piece is under way
	headers bool    // the end of a header section was in the batch
	public  Public  // the public fields as of the last event
}

// Why RunTape returned.
const (
	TapeExhausted = iota // the input is used up
	TapeStopped          // as Stopped
	TapeFull             // the array is full; the parse stands at Frame.Pos, after the unit of the last event
	TapeHeaders          // Frame.AtHeaders is set, and the last unit was the end of a header section
)

const (
	fieldKinds = 1<<cbHeaderField | 1<<cbHeaderValue
	lineKinds  = fieldKinds | 1<<cbHeaderFieldComplete | 1<<cbHeaderValueComplete
	// Kinds that come with a span; without them fewer events come from the same lines.
	completeKinds = 1<<cbProtocolComplete | 1<<cbURLComplete | 1<<cbStatusComplete | 1<<cbMethodComplete | 1<<cbVersionComplete |
		1<<cbHeaderFieldComplete | 1<<cbHeaderValueComplete
	// The most events that come from 16 bytes of a batch: ten from a RequestEvent; six without completeKinds.
	mostEvents         = 5
	mostWithoutEndings = 3
)

// RunTape parses, and fills the array.
//
//go:nosplit
func RunTape(t *Tape) {
	f := &t.Frame
	t.cut = f.Private.Open == cbHeaderField
	t.headers = false
	most := uintptr(mostEvents)
	if t.Mask&completeKinds == 0 {
		most = mostWithoutEndings
	}
	for t.Top != t.End {
		// A unit is one event at most: as many units as there is room for, and the span that is open at the end of the input in
		// place of one, never fill more. Where the room is enough whatever the batch says, no units are counted.
		left := (t.End - t.Top) / tapeEventSize
		f.Top = t.Batch
		f.Room = t.Room
		f.Limit = uint32(left)
		if left > most*(MinRoom/eventSize) {
			f.Room = min(t.Room, t.Batch+(left-1)/most*eventSize)
			f.Limit = Unlimited
			if f.Rules != 0 || f.Pos == f.End { // what goes on within a line asks no rule, and looks at its next byte
				f.Limit = Lines
			}
		}
		t.public = f.Public
		Step(f)
		t.expand()
		switch {
		case f.Status == Exhausted:
			t.lastSpan()
			t.Result = TapeExhausted
			return
		case f.Status == Stopped:
			t.Result = TapeStopped
			return
		case t.headers && f.AtHeaders != 0:
			t.Result = TapeHeaders
			return
		}
	}
	t.Result = TapeFull
}

// lastSpan gives what there is of the span that is open at the end of the input. Without input at all, at address 0, llhttp
// gives nothing.
//
//go:nosplit
func (t *Tape) lastSpan() {
	f := &t.Frame
	if f.Private.Open != 0 && f.Buf != 0 {
		t.put(f.Private.Open, uint32(f.Span-f.Buf), uint32(f.End-f.Span), 0, 0)
	}
}

// put appends an event, if its kind is wanted: there is room. The tag is without the kind.
//
//go:nosplit
func (t *Tape) put(kind uint8, offset, length, tag, value uint32) {
	if t.Mask>>(kind&31)&1 == 0 {
		return
	}
	e := (*TapeEvent)(unsafe.Pointer(t.Top))
	e.Offset = offset
	e.Length = length
	e.Tag = tag | uint32(kind)
	e.Value = value
	t.Top += tapeEventSize
}

// expand appends what the batch says.
//
//go:nosplit
func (t *Tape) expand() {
	public := &t.public
	for e := t.Batch; e != t.Frame.Top; {
		head := load64(e)
		second := load64(e + 8)
		at := uint32(head >> 16)
		kind := uint8(head >> 8)
		e += eventSize
		switch uint8(head) {
		case EventNotify:
			t.notice(kind, at)
		case EventSpan, EventSpanSkip:
			id := uint32(0)
			if kind == cbHeaderField {
				id = t.fieldID(at, uint32(second))
			}
			t.put(kind, at, uint32(second), id<<16, 0)
		case EventPublic:
			image := (*[3]uint64)(unsafe.Pointer(public))
			image[0] = second
			image[1] = load64(e)
			image[2] = load64(e + 8)
			e += eventSize
		case EventRequest:
			r := (*RequestEvent)(unsafe.Pointer(e - eventSize))
			e += eventSize
			t.begin(head, r.MethodOffset)
			public.Method = uint8(head >> 16)
			length := uint32(head >> 32)
			t.put(cbMethod, r.MethodOffset, length, 0, 0)
			t.put(cbMethodComplete, r.MethodOffset+length, 0, 0, uint32(public.Method))
			t.put(cbURL, r.TargetOffset, r.TargetLength, 0, 0)
			t.put(cbURLComplete, r.ProtocolOffset, 0, 0, 0)
			t.protocol(r.ProtocolOffset)
		case EventStatus:
			s := (*StatusEvent)(unsafe.Pointer(e - eventSize))
			e += eventSize
			t.begin(head, s.ProtocolOffset)
			t.protocol(s.ProtocolOffset)
			public.StatusCode = uint16(head >> 32)
			t.put(cbStatus, s.ReasonOffset, s.ReasonLength, 0, 0)
			t.put(cbStatusComplete, s.ReasonOffset+s.ReasonLength+2, 0, 0, uint32(public.StatusCode))
		case EventFields:
			e = t.lines(e, e+uintptr(head>>32)*eventSize)
			for effects := head >> 16 & 0xffff; effects != 0; effects-- {
				effect := (*Effect)(unsafe.Pointer(e))
				public.Flags |= effect.Before | effect.After
				if effect.HasLength != 0 {
					public.ContentLength = effect.Length
				}
				e += eventSize
			}
		case EventChunk:
			t.put(cbChunkHeader, at, uint32(second), 0, 0)
			t.put(cbBody, at, uint32(second), 0, 0)
			t.put(cbChunkComplete, at+uint32(second)+2, 0, 0, 0)
		case EventLastChunk:
			t.put(cbChunkHeader, at, 0, 0, 0)
			t.put(cbChunkComplete, at+2, 0, 0, 0)
			public.ContentLength = 0
			public.Flags |= flagTrailing
			t.messageEnd(at + 2)
		case EventName:
			t.put(cbHeaderField, at, uint32(second), t.fieldID(at, uint32(second))<<16, 0)
			t.put(cbHeaderFieldComplete, at+uint32(second)+1, 0, 0, 0)
		case EventValue:
			t.put(cbHeaderValue, at, uint32(second), 0, 0)
			t.put(cbHeaderValueComplete, at+uint32(second)+2, 0, 0, 0)
		default:
			e += eventSize
			t.section(cbHeadersComplete, at)
			public.ContentLength = 0
			if second != 0 {
				t.put(cbBody, at, uint32(second), 0, 0)
			}
			t.messageEnd(at + uint32(second))
		}
	}
}

// notice appends a callback without a span.
//
//go:nosplit
func (t *Tape) notice(kind uint8, at uint32) {
	public := &t.public
	length, value := uint32(0), uint32(0)
	switch kind {
	case cbMethodComplete:
		value = uint32(public.Method)
	case cbVersionComplete:
		value = uint32(public.Major)<<8 | uint32(public.Minor)
	case cbStatusComplete:
		value = uint32(public.StatusCode)
	case cbChunkHeader:
		length = uint32(public.ContentLength)
		value = uint32(public.ContentLength >> 32)
	case cbHeadersComplete:
		t.headers = true
		t.section(kind, at)
		return
	case cbMessageComplete:
		t.section(kind, at)
		return
	}
	t.put(kind, at, length, 0, value)
}

// begin appends what a message begins with.
//
//go:nosplit
func (t *Tape) begin(head uint64, at uint32) {
	if uint8(head>>8) != 0 {
		t.put(cbReset, at, 0, 0, 0)
	}
	t.put(cbMessageBegin, at, 0, 0, 0)
	t.public.Major = 1
	t.public.Minor = uint8(head >> 24)
}

// protocol appends a protocol's name and a version 1.x.
//
//go:nosplit
func (t *Tape) protocol(at uint32) {
	t.put(cbProtocol, at, 4, 0, 0)
	t.put(cbProtocolComplete, at+4, 0, 0, 0)
	t.put(cbVersion, at+5, 3, 0, 0)
	t.put(cbVersionComplete, at+8, 0, 0, 1<<8|uint32(t.public.Minor))
}

// section appends the end of a header section, or of a message, with what is known of the message.
//
//go:nosplit
func (t *Tape) section(kind uint8, at uint32) {
	const mostLength = 1<<40 - 1
	public := &t.public
	id := uint32(public.Method)
	if public.Type == typeResponse {
		id = uint32(public.StatusCode)
	}
	length := min(public.ContentLength, mostLength)
	value := uint32(public.Flags) | uint32(public.Upgrade&1)<<16 | uint32(length>>32)<<24
	if public.persistsUnder(t.Frame.Rules) {
		value |= 1 << 17
	}
	t.put(kind, at, uint32(length), uint32(public.Major&15)<<12|uint32(public.Minor&15)<<8|id<<16, value)
}

// messageEnd appends the end of a message that is usual.
//
//go:nosplit
func (t *Tape) messageEnd(at uint32) {
	t.section(cbMessageComplete, at)
	t.public.Flags = 0
}

// lines appends field lines. It gives their end.
//
//go:nosplit
func (t *Tape) lines(line, end uintptr) uintptr {
	wanted := t.Mask & lineKinds
	if wanted == fieldKinds { // what most want, and there is room: a batch that may hold lines is without a limit
		top := t.Top
		for ; line != end; line += eventSize {
			l := (*FieldLine)(unsafe.Pointer(line))
			name := (*TapeEvent)(unsafe.Pointer(top))
			value := (*TapeEvent)(unsafe.Pointer(top + tapeEventSize))
			id := uint32(tokenID(t.Frame.Buf, t.Frame.Buf+uintptr(l.NameOffset), uintptr(l.NameLength)))
			*(*uint64)(unsafe.Pointer(&name.Offset)) = *(*uint64)(unsafe.Pointer(&l.NameOffset))
			name.Tag = uint32(cbHeaderField) | id<<16
			name.Value = 0
			*(*uint64)(unsafe.Pointer(&value.Offset)) = *(*uint64)(unsafe.Pointer(&l.ValueOffset))
			value.Tag = uint32(cbHeaderValue)
			value.Value = 0
			top += 2 * tapeEventSize
		}
		t.Top = top
		return end
	}
	if wanted == 0 {
		return end
	}
	for ; line != end; line += eventSize {
		l := (*FieldLine)(unsafe.Pointer(line))
		complete := l.ValueOffset
		if l.ValueLength != 0 { // an empty value stands behind its line
			complete += l.ValueLength + 2
		}
		if wanted&(1<<cbHeaderField) != 0 {
			id := uint32(tokenID(t.Frame.Buf, t.Frame.Buf+uintptr(l.NameOffset), uintptr(l.NameLength)))
			t.put(cbHeaderField, l.NameOffset, l.NameLength, id<<16, 0)
		}
		t.put(cbHeaderFieldComplete, l.NameOffset+l.NameLength+1, 0, 0, 0)
		t.put(cbHeaderValue, l.ValueOffset, l.ValueLength, 0, 0)
		t.put(cbHeaderValueComplete, complete, 0, 0, 0)
	}
	return end
}

// fieldID gives the id of a name that is whole: 0 for one that began before this piece.
//
//go:nosplit
func (t *Tape) fieldID(at, length uint32) uint32 {
	if t.cut {
		t.cut = false
		return 0
	}
	return uint32(tokenID(t.Frame.Buf, t.Frame.Buf+uintptr(at), uintptr(length)))
}
