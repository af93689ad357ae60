package core

// This file finds the id of a well-known field name. capi/knownfield.c does the same for C programs, where the way into Go
// would take longer than the search; a test holds the two against each other.
//
// A name's first and last eight bytes and its length are hashed, with the bit set that tells letters' case; that leads to a bucket, whose
// displacement turns the hash into a slot, where the only name lies that it can be. Then all bytes are compared.
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
	return fieldID(p, n, first, last)
}

// fieldWords gives a name's first and last eight bytes; of fewer than eight bytes it makes one word, and 0.
//
//go:nosplit
func fieldWords(p, n uintptr) (first, last uint64) {
	switch {
	case n >= 8:
		return load64(p), load64(p + n - 8)
	case n >= 4:
		return uint64(load32(p)) | uint64(load32(p+n-4))<<32, 0
	}
	return uint64(load8(p)) | uint64(load8(p+n/2))<<8 | uint64(load8(p+n-1))<<16, 0
}

// fieldHash mixes a name's words and length; names that differ in letters' case alone have the same hash.
//
//go:nosplit
func fieldHash(first, last uint64, n uintptr) uint64 {
	return (first|fold)*fieldK1 ^ ((last|fold)+uint64(n))*fieldK2
}

// fieldID is FieldID with the words that the caller has already.
//
//go:nosplit
func fieldID(p, n uintptr, first, last uint64) uint16 {
	return fieldIDHashed(p, n, first, last, fieldHash(first, last, n))
}

// fieldIDHashed is fieldID with the hash.
//
//go:nosplit
func fieldIDHashed(p, n uintptr, first, last, hash uint64) uint16 {
	d := *(*uint16)(unsafe.Add(unsafe.Pointer(&fieldDisplacements), hash>>fieldBucketShift*2))
	id := fieldSlots[(hash>>fieldSlotShift^uint64(d))&fieldSlotMask]
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

// FieldName gives the name of an id, or "".
func FieldName(id uint16) string {
	if id == 0 || id >= FieldCount {
		return ""
	}
	k := &knownFields[id]
	return unsafe.String(&fieldText[k.text], k.length)
}
