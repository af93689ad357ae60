package core

import "unsafe"

// This file finds the id of a field name that the parser has taken: all of it is token characters. It is what
// knownfield.go does, with less to look at: of the bytes that a token may have, only a letter becomes the letter, digit or hyphen of
// a well-known name when the bit is set that tells letters' case. A test holds the two against each other.

// tokenSlot is what a slot of the hash holds: a name's first and last eight bytes as fieldWords has them, with fold's bits set;
// its length, or longName if there are bytes between those; its id, and where it begins in fieldText. All zero is
// nobody's.
type tokenSlot struct {
	first, last uint64
	length      uint32
	id, text    uint16
}

// longName is no name's length: offsets have 32 bits, and before a name there is a start-line.
const longName = 1<<32 - 1

// is tells whether the name of n bytes at p, with the slot's first and last eight, is the slot's.
//
//go:nosplit
func (e *tokenSlot) is(p, n uintptr) bool {
	if e.length != longName {
		return uintptr(e.length) == n
	}
	length := *(*uint8)(unsafe.Add(unsafe.Pointer(&tokens.lengths), e.id))
	return uintptr(length) == n && e.middle(p, n)
}

// tokenTable has all slots, and behind them, so that one address will do, the displacements, and the lengths of names by id.
type tokenTable struct {
	slots         [fieldSlotMask + 1]tokenSlot
	displacements [1 << (64 - fieldBucketShift)]uint16
	lengths       [FieldCount]uint8
}

// tokenSlotOf gives the one slot where a name with a hash can be.
//
//go:nosplit
func tokenSlotOf(hash uint64) *tokenSlot {
	d := *(*uint16)(unsafe.Add(unsafe.Pointer(&tokens.displacements), hash>>fieldBucketShift*2))
	return (*tokenSlot)(unsafe.Add(unsafe.Pointer(&tokens.slots), (hash>>fieldSlotShift^uint64(d))&fieldSlotMask*uint64(unsafe.Sizeof(tokenSlot{}))))
}

// middle compares the bytes between the first and the last eight of a name of n bytes, more than 16, with the slot's, which is
// as long.
//
//go:nosplit
func (e *tokenSlot) middle(p, n uintptr) bool {
	text := uintptr(unsafe.Pointer(&fieldText)) + uintptr(e.text)
	for i := uintptr(8); i+8 < n; i += 8 {
		if load64(p+i)|fold != load64(text+i)|fold {
			return false
		}
	}
	return true
}

// tokenID is FieldID for a name that is a token.
//
//go:nosplit
func tokenID(p, n uintptr) uint16 {
	first, last := fieldWords(p, n)
	e := tokenSlotOf(fieldHash(first, last, n))
	if e.first != first|fold || e.last != last|fold || !e.is(p, n) {
		return 0
	}
	return e.id
}
