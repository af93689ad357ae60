package core

// This file finds the id of a well-known field name. capi/knownfield.c does the same for C programs, where the way into Go
// would take longer than the search; a test holds the two against each other.
//
// A name's first and last eight bytes and its length, with the bit set that tells letters' case, are multiplied into the number of a
// slot, where the only name lies that it can be. Then all bytes are compared.
// Invariant: nothing is read outside the name, and a name that has an id has an entry in knownFields.

import "unsafe"

// knownField is a name in its usual spelling: its first and its last eight bytes, in the order of fieldWords, with masks of
// the bits that may differ, 0x20 in letters; where it begins in fieldText; its length.
type knownField struct {
	first, last, firstMask, lastMask uint64
	text                             uint16
	length                           uint8
}

// FieldID gives the id of the name of n bytes at p, letters of either case, or 0.
//
//go:nosplit
func FieldID(p, n uintptr) uint16 {
	if n == 0 {
		return 0
	}
	first, last := fieldWords(p, n)
	id := fieldSlot(first|fold, last|fold, n)
	k := (*knownField)(unsafe.Add(unsafe.Pointer(&knownFields), uintptr(id)*unsafe.Sizeof(knownField{})))
	if (first^k.first)&^k.firstMask|(last^k.last)&^k.lastMask != 0 || uintptr(k.length) != n {
		return 0
	}
	for i := uintptr(8); i+8 < n; i += 8 {
		text := uintptr(k.text) + i
		name := load64(uintptr(unsafe.Pointer(&fieldText)) + text)
		mask := load64(uintptr(unsafe.Pointer(&fieldTextMask)) + text)
		if (load64(p+i)^name)&^mask != 0 {
			return 0
		}
	}
	return id
}

// fieldWords gives a name's first and last eight bytes. Of fewer than eight bytes it makes one word, twice: they end it, and before them all
// bits are set, as in no byte of a known name.
//
//go:nosplit
func fieldWords(p, n uintptr) (first, last uint64) {
	if n >= 8 {
		return load64(p), load64(p + n - 8)
	}
	fill := (64 - n*8) & 63
	if n >= 4 {
		first = uint64(load32(p))<<fill | uint64(load32(p+n-4))<<32
	} else {
		first = uint64(load8(p))<<fill | uint64(load8(p+n/2))<<((fill+n/2*8)&63) | uint64(load8(p+n-1))<<56
	}
	first |= 1<<fill - 1
	return first, first
}

// fieldSlot gives the id of the only name that one can be which has these words, with fold's bits set, and this length.
//
//go:nosplit
func fieldSlot(first, last uint64, n uintptr) uint16 {
	hash := (first + last*4 + uint64(n)) * fieldK
	return *(*uint16)(unsafe.Add(unsafe.Pointer(&tokens.slots), hash>>fieldShift*2))
}

// FieldName gives the name of an id, or "".
func FieldName(id uint16) string {
	if id == 0 || id >= FieldCount {
		return ""
	}
	k := &knownFields[id]
	return unsafe.String(&fieldText[k.text], k.length)
}
