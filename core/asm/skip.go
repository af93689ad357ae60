package asm

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// shortestScan is the length from which a kernel is worth the call.
const shortestScan = 8

const (
	ones     = 0x0101010101010101
	highBits = 0x80 * ones
	foldBits = 0x20 * ones // makes ASCII letters lower-case
)

// skipGeneric is the reference of Skip, which gives the first address in [p, end) whose byte is not in the class, or end. It looks
// at eight bytes at once, and at those alone that may be outside the class.
//
//go:nosplit
func skipGeneric(p, end uintptr, class Class) uintptr {
	in := words(class)
	for end-p >= 8 {
		var outside uint64
		if w := load64(p); in.Letters != 0 {
			outside = noLetters(w, in.Letters)
		} else {
			outside = in.outside(w)
		}
		if outside == 0 {
			p += 8
			continue
		}
		p += uintptr(bits.TrailingZeros64(outside)) / 8
		if Classes[load8(p)]&(1<<class) == 0 {
			return p
		}
		p++
	}
	for p != end && Classes[load8(p)]&(1<<class) != 0 {
		p++
	}
	return p
}

// outside gives the high bit of the first byte that w names as one to stop at; of bits after it, which borrows may set, none counts.
//
//go:nosplit
func (w *Word) outside(text uint64) uint64 {
	a, b, c, d := text^w.Equal[0], text^w.Equal[1], text^w.Equal[2], text^w.Equal[3]
	return ((text-w.Below)&^text | text&w.High | (a-ones)&^a | (b-ones)&^b | (c-ones)&^c | (d-ones)&^d) & highBits
}

// noLetters gives the high bits of all bytes that are neither letters nor equal to those of other, which are no letters.
//
//go:nosplit
func noLetters(text, other uint64) uint64 {
	low := (text | foldBits) &^ highBits
	letters := (low + (0x80-'a')*ones) &^ (low + (0x7f-'z')*ones) &^ text
	differ := text ^ other
	differ = (differ&^highBits + 0x7f*ones) | differ
	return ^letters & differ & highBits
}

// stop gives a class's tables without a bounds check.
//
//go:nosplit
func stop(class Class) *Stop {
	return (*Stop)(unsafe.Add(unsafe.Pointer(&Stops), uintptr(class)*unsafe.Sizeof(Stop{})))
}

// words does the same for its words.
//
//go:nosplit
func words(class Class) *Word {
	return (*Word)(unsafe.Add(unsafe.Pointer(&Words), uintptr(class)*unsafe.Sizeof(Word{})))
}

//go:nosplit
func load8(p uintptr) uint8 { return *(*uint8)(unsafe.Pointer(p)) }

//go:nosplit
func load16(p uintptr) uint16 { return binary.LittleEndian.Uint16((*[2]byte)(unsafe.Pointer(p))[:]) }

// load64 gives eight bytes in the order of the text, the first in the lowest place, on any machine.
//
//go:nosplit
func load64(p uintptr) uint64 { return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Pointer(p))[:]) }
