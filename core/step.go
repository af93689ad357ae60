package core

import (
	"encoding/binary"
	"unsafe"

	"llhttpgo/core/asm"
)

// This file holds the loop over the states and the code that writes units; records of whole lines and messages are messages.go's and lines.go's.
// Each function of a topic returns the next byte's address when it has written a unit, when it needs a
// byte that is not there, or when the state is another topic's; the loop then goes on or ends.

// Step moves the machine on until the frame's limit, the end of the input, or a stop.
//
//go:nosplit
func Step(f *Frame) {
	//freestanding:hook
	f.Status = More
	f.changed = 0
	p := f.Pos
	if f.whole() {
		p = f.usual(p)
	}
	for f.Limit != 0 && f.Status == More && f.Top+UnitRoom <= f.Room {
		switch s := f.Private.State; {
		case s < firstTarget:
			p = f.startLine(p)
		case s < firstFieldName:
			p = f.target(p)
		case s < firstFieldValue:
			p = f.fieldName(p)
		case s < firstFraming:
			p = f.fieldValue(p)
		case s < firstChunked:
			p = f.framing(p)
		case s != StateError:
			p = f.chunked(p)
		default:
			p = f.fail(0, p)
		}
	}
	f.Pos = p
}

// wait says that the state needs a byte and there is none.
//
//go:nosplit
func (f *Frame) wait(p uintptr) uintptr {
	f.Status = Exhausted
	return p
}

// fail ends the parse at p, for good.
//
//go:nosplit
func (f *Frame) fail(reason uint8, p uintptr) uintptr {
	f.Private.State = StateError
	f.Reason = reason
	f.Status = Stopped
	return p
}

// failLater ends it after the callback that is due first.
//
//go:nosplit
func (f *Frame) failLater(reason uint8) uint8 {
	f.Private.Aux = reason
	return stateFail
}

// open begins a span at p.
//
//go:nosplit
func (f *Frame) open(callback uint8, p uintptr) {
	f.Private.Open = callback
	f.Span = p
}

// close ends the open span before p, where the parse goes on.
//
//go:nosplit
func (f *Frame) close(p uintptr, next uint8) uintptr {
	f.emit(EventSpan, f.Private.Open, f.Span, p-f.Span)
	f.Private.Open = 0
	f.Private.State = next
	return p
}

// closeSkip ends the open span before p; the parse goes on after the byte at p.
//
//go:nosplit
func (f *Frame) closeSkip(p uintptr, next uint8) uintptr {
	f.emit(EventSpanSkip, f.Private.Open, f.Span, p-f.Span)
	f.Private.Open = 0
	f.Private.State = next
	return p + 1
}

// notify says that a callback without a span is due.
//
//go:nosplit
func (f *Frame) notify(callback uint8, p uintptr, next uint8) uintptr {
	f.Private.State = next
	f.emit(EventNotify, callback, p, *(*uintptr)(unsafe.Pointer(&f.Private))) // eight bytes: see the assertion in state.go
	return p
}

// emit writes a unit, and before it the public fields if they have changed since the last one.
//
//go:nosplit
func (f *Frame) emit(kind, callback uint8, at, length uintptr) {
	if f.changed != 0 {
		f.emitPublic()
	}
	f.write(kind, callback, at, length)
	f.Limit--
}

// write is emit when the public fields have not changed and the limit is no matter.
//
//go:nosplit
func (f *Frame) write(kind, callback uint8, at, length uintptr) {
	t := (*[2]uint64)(unsafe.Pointer(f.Top)) // no calls: see emitPublic
	t[0] = uint64(kind) | uint64(callback)<<8 | uint64(at-f.Buf)<<16
	t[1] = uint64(length)
	f.Top += eventSize
}

// emitPublic writes the public fields.
//
//go:nosplit
func (f *Frame) emitPublic() {
	t := (*[4]uint64)(unsafe.Pointer(f.Top))
	image := (*[3]uint64)(unsafe.Pointer(&f.Public))
	// No call, not even one that is inlined: with -d=checkptr it is none, and then the stack would not do.
	t[0] = EventPublic
	t[1] = image[0]
	t[2] = image[1]
	t[3] = image[2]
	f.Top += publicSize
	f.changed = 0
}

// setFlag sets a flag of the message under way.
//
//go:nosplit
func (f *Frame) setFlag(flag uint16) {
	f.Public.Flags |= flag
	f.changed = 1
}

//go:nosplit
func (f *Frame) clearFlag(flag uint16) {
	f.Public.Flags &^= flag
	f.changed = 1
}

//go:nosplit
func (f *Frame) has(flag uint16) bool { return f.Public.has(flag) }

//go:nosplit
func (p *Public) has(flag uint16) bool { return p.Flags&flag != 0 }

//go:nosplit
func load8(p uintptr) uint8 { return *(*uint8)(unsafe.Pointer(p)) }

// load16, load32, load64 give bytes in the order of the text, the first in the lowest place.
//
//go:nosplit
func load16(p uintptr) uint16 { return binary.LittleEndian.Uint16((*[2]byte)(unsafe.Pointer(p))[:]) }

//go:nosplit
func load32(p uintptr) uint32 { return binary.LittleEndian.Uint32((*[4]byte)(unsafe.Pointer(p))[:]) }

//go:nosplit
func load64(p uintptr) uint64 { return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Pointer(p))[:]) }

//go:nosplit
func store64(p uintptr, v uint64) { *(*uint64)(unsafe.Pointer(p)) = v }

// node gives a trie node without a bounds check: numbers of nodes come from the trie itself.
//
//go:nosplit
func node(n uint16) *trieNode {
	return (*trieNode)(unsafe.Add(unsafe.Pointer(&trie), uintptr(n)*unsafe.Sizeof(trieNode{})))
}

// find gives the child of node n that stands for c, or 0.
//
//go:nosplit
func find(n uint16, c uint8) uint16 {
	for n = node(n).child; n != 0; n = node(n).sibling {
		if node(n).char == c {
			break
		}
	}
	return n
}

// walk goes down the trie from Private.Node with the bytes from p on, up to a word's end or the end of the input. It gives the
// node, which is kept, or 0 if no word goes on with the byte.
//
//go:nosplit
func (f *Frame) walk(p uintptr) (next uintptr, n uint16) {
	n = f.Private.Node
	for p != f.End {
		if n = find(n, lower(load8(p))); n == 0 {
			return p, 0
		}
		p++
		if node(n).id != 0 {
			break
		}
	}
	f.Private.Node = n
	return p, n
}

// lower folds ASCII letters.
//
//go:nosplit
func lower(c uint8) uint8 {
	if c-'A' < 26 {
		c |= 0x20
	}
	return c
}

// in tells whether a byte is in a class.
//
//go:nosplit
func in(c uint8, class asm.Class) bool { return asm.Classes[c]&(1<<class) != 0 }
