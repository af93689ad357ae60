package llhttpgo

// This file passes memory to package core, which works on addresses as numbers. All conversions of pointers to numbers
// are here.
//
// A number does not keep memory alive, and does not change when the runtime moves a stack with a slice's bytes on it.
// Both would be fatal, so each function below has this form, which a test checks:
//
//  1. It converts, calls core, and takes what core left, with nothing in between. It is not inlined.
//  2. Everything in core is nosplit: no call in it grows the stack. That is the only way in which the stack of a
//     running goroutine moves: when the garbage collector wants to shrink it, it waits for the next function that has a
//     stack check. Nosplit functions are also left out by -d=checkptr; what the race detector and -cover add to them has
//     no stack check either.
//  3. runtime.KeepAlive follows the call.
//  4. No address is kept between two calls: offsets take their place. What core keeps in its own structs is not used
//     before it is set again; the memory of a Head and of a scratch is on the heap, where nothing moves, and is held by
//     a pointer beside the number.
//
// A nil slice has the address 0 and the length 0, and core reads nothing of it.

import (
	"runtime"
	"unsafe"

	"llhttpgo/core"
)

// bytesAt gives the address of the first byte. It is inlined into those below.
func bytesAt(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// runTape runs a tape over data. Pos and Span of its frame are offsets before and after. The events go to events, which
// is not empty; it gives how many there are.
//
//go:noinline
func runTape(t *core.Tape, data []byte, batch *[batchWords]uint64, events []core.TapeEvent) int {
	f := &t.Frame
	f.Buf = 0
	if len(data) != 0 { // see Tape.lastSpan: no input, no bytes of a span
		f.Buf = bytesAt(data)
	}
	f.Pos += f.Buf
	f.Span += f.Buf
	f.End = f.Buf + uintptr(len(data))
	t.Batch = uintptr(unsafe.Pointer(batch))
	t.Room = t.Batch + unsafe.Sizeof(*batch)
	t.Top = uintptr(unsafe.Pointer(unsafe.SliceData(events)))
	t.End = t.Top + uintptr(len(events))*unsafe.Sizeof(events[0])
	first := t.Top
	core.RunTape(t)
	f.Pos -= f.Buf
	f.Span -= f.Buf
	count := (t.Top - first) / unsafe.Sizeof(events[0])
	runtime.KeepAlive(data)
	runtime.KeepAlive(batch)
	runtime.KeepAlive(events)
	return int(count)
}

// finishTape ends a tape, whose frame has the offset 0, and gives how many events that makes: one at most.
//
//go:noinline
func finishTape(t *core.Tape, e *core.TapeEvent) int {
	t.Frame.Buf = 0
	t.Frame.Pos = 0
	t.Top = uintptr(unsafe.Pointer(e))
	t.End = t.Top + unsafe.Sizeof(*e)
	first := t.Top
	core.FinishTape(t)
	count := (t.Top - first) / unsafe.Sizeof(*e)
	runtime.KeepAlive(e)
	return int(count)
}

// stringBytes gives a string's bytes, to be read.
func stringBytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

//go:noinline
func lookupField(name []byte) FieldID {
	id := FieldID(core.FieldID(bytesAt(name), uintptr(len(name))))
	runtime.KeepAlive(name)
	return id
}

//go:noinline
func listNext(l *core.List, value []byte) int {
	l.Value = bytesAt(value)
	l.Length = uintptr(len(value))
	result := core.ListNext(l)
	runtime.KeepAlive(value)
	return result
}

//go:noinline
func parametersNext(l *core.Parameters, member []byte) int {
	l.Value = bytesAt(member)
	l.Length = uintptr(len(member))
	result := core.ParametersNext(l)
	runtime.KeepAlive(member)
	return result
}

//go:noinline
func hasToken(value, token []byte) int {
	result := core.HasToken(bytesAt(value), uintptr(len(value)), bytesAt(token), uintptr(len(token)))
	runtime.KeepAlive(value)
	runtime.KeepAlive(token)
	return result
}

//go:noinline
func contentLengths(value []byte, n *uint64) int {
	result := core.ContentLengths(bytesAt(value), uintptr(len(value)), n)
	runtime.KeepAlive(value)
	return result
}

// parse parses a section.
//
//go:noinline
func (h *Head) parse(data []byte) int {
	result := core.HeadParse(&h.head, bytesAt(data), uintptr(len(data)))
	runtime.KeepAlive(data)
	runtime.KeepAlive(h)
	return result
}

//go:noinline
func (h *Head) find(name []byte) int {
	result := core.HeadFind(&h.head, bytesAt(h.data), bytesAt(name), uintptr(len(name)))
	runtime.KeepAlive(name)
	runtime.KeepAlive(h)
	return result
}

// setHeadMemory gives a head its memory, which is on the heap, and the memory's address, for offsets.
//
//go:noinline
func setHeadMemory(h *core.Head, memory []uint64, fields int) uintptr {
	first := uintptr(unsafe.Pointer(unsafe.SliceData(memory)))
	core.SetMemory(h, first, uintptr(fields))
	return first
}

//go:noinline
func parseTarget(target []byte, connect uintptr, t *core.Target) int {
	result := core.ParseTarget(bytesAt(target), uintptr(len(target)), connect, t)
	runtime.KeepAlive(target)
	return result
}
