package core

// This file takes whole field lines, in one event for all that the kernel finds, and goes on within one that a piece of input has
// cut. What messages.go says of itself holds here, too.

import (
	"math/bits"
	"unsafe"

	"llhttpgo/core/asm"
)

const (
	maxEffects  = 8
	fewestLines = 4 // that are worth a batch
	leastLines  = (1 + fewestLines + maxEffects) * eventSize
	longRest    = 256 // bytes behind which the rest of a value is looked for by itself, as it may well be all of them
)

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
