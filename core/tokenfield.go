package core

import "unsafe"

// This file finds the id of a field name that the parser has taken: all of it is token characters. It is what
// knownfield.go does, with less to look at: of the bytes that a token may have, only a letter becomes the letter, digit or hyphen of
// a well-known name when the bit is set that tells letters' case. A test holds the two against each other.

// tokenField is a name: its first and last eight bytes as fieldWords has them, with fold's bits set; its length, or longName if
// there are bytes between those, or if the id has no bit in the first word of a Head's Present; where it begins in fieldText; its length.
// The first one is nobody's: no token has words of zero.
type tokenField struct {
	first, last uint64
	quick       uint32
	text        uint16
	length      uint8
}

// tokenTable has the ids by slot, the names by id, and, by length, the bits set in a short name's word: before the name all,
// in it fold's. One address does for all.
type tokenTable struct {
	slots  [1 << (64 - fieldShift)]uint16
	fields [FieldCount]tokenField
	short  [8]uint64
}

// tokenWords gives the words of the name of n bytes at p, with fold's bits set. Of the bytes from buf on all may be read.
//
//go:nosplit
func tokenWords(buf, p, n uintptr) (first, last uint64) {
	if n >= 8 {
		return load64(p) | fold, load64(p+n-8) | fold
	}
	if p+n-buf >= 8 {
		first = load64(p+n-8) | tokens.short[n&7]
		return first, first
	}
	first, _ = fieldWords(p, n)
	return first | fold, first | fold
}

// tokenID is FieldID for a name that is a token. Of the bytes from buf on all may be read.
//
//go:nosplit
func tokenID(buf, p, n uintptr) uint16 {
	first, last := tokenWords(buf, p, n)
	return tokenIDOf(p, n, first, last)
}

// tokenIDOf is tokenID with the words that tokenWords gives.
//
//go:nosplit
func tokenIDOf(p, n uintptr, first, last uint64) uint16 {
	hash := (first + last*4 + uint64(n)) * fieldK // fieldSlot, which is not inlined here
	id := *(*uint16)(unsafe.Add(unsafe.Pointer(&tokens.slots), hash>>fieldShift*2))
	e := (*tokenField)(unsafe.Add(unsafe.Pointer(&tokens.fields), uintptr(id)*unsafe.Sizeof(tokenField{})))
	if e.first != first || e.last != last || uintptr(e.quick) != n && (e.quick != longName || !e.rest(p, n)) {
		return 0
	}
	return id
}

// rest compares what a name of n bytes has besides its first and last eight.
//
//go:nosplit
func (e *tokenField) rest(p, n uintptr) bool {
	if uintptr(e.length) != n {
		return false
	}
	text := uintptr(unsafe.Pointer(&fieldText)) + uintptr(e.text)
	for i := uintptr(8); i+8 < n; i += 8 {
		if load64(p+i)|fold != load64(text+i)|fold {
			return false
		}
	}
	return true
}
