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
)

// skipGeneric is the reference of Skip, which gives the first address in [p, end) whose byte is not in the class, or end. It looks
// at eight bytes at once, and at those alone that may be outside the class.
//
//go:nosplit
func skipGeneric(p, end uintptr, class Class) uintptr {
	in := words(class)
	if in.None {
		return skipBytes(p, end, class)
	}
	below, high, del, a, b := in.Below, in.High, in.DEL, in.Equal[0], in.Equal[1]
	for end-p >= 8 {
		w := load64(p)
		// The high bit of each byte to stop at. Borrows and carries may set others, which are looked at, too.
		outside := ((w-below)|(w+del))&^w | w&high
		if a != 0 {
			outside |= (w^a-ones)&^(w^a) | (w^b-ones)&^(w^b)
		}
		if outside &= highBits; outside == 0 {
			p += 8
			continue
		}
		p += uintptr(bits.TrailingZeros64(outside)) / 8
		if Classes[load8(p)]&(1<<class) == 0 {
			return p
		}
		p++
	}
	return skipBytes(p, end, class)
}

// skipBytes does the same for classes that words cannot tell: most of their members come in short runs. It is the deepest
// of many calls, so it makes none itself: with -d=checkptr none is inlined, and the stack of nosplit functions would not do.
//
//go:nosplit
func skipBytes(p, end uintptr, class Class) uintptr {
	bit := uint16(1) << class
	for ; end-p >= 8; p += 8 {
		b := (*[8]uint8)(unsafe.Pointer(p))
		switch {
		case Classes[b[0]]&bit == 0:
			return p
		case Classes[b[1]]&bit == 0:
			return p + 1
		case Classes[b[2]]&bit == 0:
			return p + 2
		case Classes[b[3]]&bit == 0:
			return p + 3
		case Classes[b[4]]&bit == 0:
			return p + 4
		case Classes[b[5]]&bit == 0:
			return p + 5
		case Classes[b[6]]&bit == 0:
			return p + 6
		case Classes[b[7]]&bit == 0:
			return p + 7
		}
	}
	for p != end && Classes[*(*uint8)(unsafe.Pointer(p))]&bit != 0 {
		p++
	}
	return p
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
