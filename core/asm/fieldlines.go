package asm

import "unsafe"

// FieldLine is a field line as its four numbers: offsets from the base address, and lengths.
type FieldLine struct {
	NameOffset, NameLength, ValueOffset, ValueLength uint32
}

const fieldLineSize = unsafe.Sizeof(FieldLine{})

// MaxLines is the most that FieldLines takes in one call: a bit of its second result each.
const MaxLines = 64

// shortestBuffer saves the kernels the shortest of their tails.
const shortestBuffer = 16

// fieldLinesGeneric is the reference of FieldLines, which takes whole field lines (RFC 9112, Section 5) from p on, as long as each is
//
//	1*tchar ":" *( SP / HTAB ) *( HTAB / SP / VCHAR / obs-text ) CR LF
//
// and the byte after it is there and neither SP nor HTAB. It writes a FieldLine each to [out, room), at most MaxLines,
// offsets counted from base; the value begins after the whitespace, an empty one after the line. The caller sees
// to it that end-base fits 32 bits.
//
// It gives the address of the first line that it did not take, where the next FieldLine would go, and which of those
// taken may be one of the fields that frame a message: bit i for the i-th. No such field is ever missed; others may
// be named, too. In a buffer shorter than 16 bytes it takes nothing.
//
//go:nosplit
func fieldLinesGeneric(base, p, end, out, room uintptr) (next, top uintptr, framing uint64) {
	top = out
	if end-base < shortestBuffer {
		return p, top, 0
	}
	for bit := uint64(1); bit != 0 && top+fieldLineSize <= room; bit <<= 1 {
		colon := skipGeneric(p, end, Token)
		if colon == p || colon == end || load8(colon) != ':' {
			break
		}
		value := colon + 1
		for value != end && (load8(value) == ' ' || load8(value) == '\t') {
			value++
		}
		cr := skipGeneric(value, end, FieldValue)
		if end-cr < 3 || load8(cr) != '\r' || load8(cr+1) != '\n' || load8(cr+2) == ' ' || load8(cr+2) == '\t' {
			break
		}
		if value == cr {
			value += 2
			cr = value
		}
		line := (*FieldLine)(unsafe.Pointer(top))
		line.NameOffset = uint32(p - base)
		line.NameLength = uint32(colon - p)
		line.ValueOffset = uint32(value - base)
		line.ValueLength = uint32(cr - value)
		if MayFrame(load8(p), colon-p) {
			framing |= bit
		}
		top += fieldLineSize
		p = value + uintptr(line.ValueLength)
		if line.ValueLength != 0 {
			p += 2
		}
	}
	return p, top, framing
}

// framingFirst gives for the length of a name, modulo 32, the first letter that the one field of that length begins with
// which frames a message: upgrade, connection, content-length, proxy-connection, transfer-encoding.
var framingFirst = [32]uint8{7: 'u', 10: 'c', 14: 'c', 16: 'p', 17: 't'}

// MayFrame tells by its first byte and its length whether a name may be that of a field that frames a message.
//
//go:nosplit
func MayFrame(first uint8, length uintptr) bool { return framingFirst[length&31] == first|0x20 }
