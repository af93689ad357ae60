package asm

import "unsafe"

// FieldLine is a field line as its four numbers: offsets from the base address, and lengths.
type FieldLine struct {
	NameOffset, NameLength, ValueOffset, ValueLength uint32
}

const fieldLineSize = unsafe.Sizeof(FieldLine{})

const crlf = '\r' | '\n'<<8

// MaxLines is the most that FieldLines takes in one call: a bit of its third result each.
const MaxLines = 64

// ShortestBuffer is the least that FieldLines takes anything of: it saves the kernels the shortest of their tails.
const ShortestBuffer = 16

// A Start says what stands where FieldLines begins.
type Start uintptr

const (
	// A field line.
	AtLine Start = iota
	// A request-target without its first byte: the line goes on with more of it, SP, HTTP/1.0 or HTTP/1.1, and CR LF.
	AtTarget
	// A field value that has begun before.
	AtValue
)

const (
	wordHTTP10    = 'H' | 'T'<<8 | 'T'<<16 | 'P'<<24 | '/'<<32 | '1'<<40 | '.'<<48 | '0'<<56
	minorBit      = 1 << 56                       // by which HTTP/1.1 differs from HTTP/1.0
	afterTarget   = uintptr(len(" HTTP/1.1\r\n")) // bytes
	lineEndLength = uintptr(len("\r\n"))
)

// fieldLinesGeneric is the reference of FieldLines, which takes whole field lines (RFC 9112, Section 5) from p on, as long as each is
//
//	1*tchar ":" *( SP / HTAB ) *( HTAB / SP / VCHAR / obs-text ) CR LF
//
// and the byte after it is there and neither SP nor HTAB. It writes a FieldLine each to [out, room), at most MaxLines,
// offsets counted from base; the value begins after the whitespace, an empty one after the line. The caller sees
// to it that end-base fits 32 bits. In a buffer shorter than ShortestBuffer it takes nothing.
//
// With AtTarget or AtValue the first line is the rest of one. Its FieldLine has the rest of the target or value as the
// value, which may be empty, and an empty name, both at p.
//
// It gives the address of the first line that it did not take, where the next FieldLine would go, and which of those
// taken may be one of the fields that frame a message: bit i for the i-th. No such field is ever missed; others may
// be named, too. Of the line that it did not take it tells the length of the name, and where the value stops, at a byte that is not
// part of it or at the end, if so much of the line is usual and a value's first byte is there; else, and if it is for want
// of room or for an obs-fold that the line is not taken, both are 0. With AtValue the name has the length 0, if it is the first line.
//
//go:nosplit
func fieldLinesGeneric(base, p, end, out, room uintptr, start Start) (next, top uintptr, framing uint64, name, stop uintptr) {
	top = out
	if end-base < ShortestBuffer {
		return p, top, 0, 0, 0
	}
	for bit := uint64(1); bit != 0 && top+fieldLineSize <= room; bit <<= 1 {
		colon, value := p, p
		var last uintptr // of the value; a line end follows
		var after uintptr
		if start == AtTarget {
			last = skipGeneric(p, end, TargetFragment)
			after = last + afterTarget
			if end-last <= afterTarget || load8(last) != ' ' || load64(last+1)&^minorBit != wordHTTP10 || load16(after-lineEndLength) != crlf {
				break
			}
		} else {
			if start == AtLine {
				colon = skipGeneric(p, end, Token)
				if colon == p || colon == end || load8(colon) != ':' {
					break
				}
				value = colon + 1
				for value != end && (load8(value) == ' ' || load8(value) == '\t') {
					value++
				}
				if value == end {
					break
				}
			}
			last = skipGeneric(value, end, FieldValue)
			after = last + lineEndLength
			if end-last <= lineEndLength || load16(last) != crlf {
				name, stop = colon-p, last
				break
			}
		}
		if c := load8(after); c == ' ' || c == '\t' {
			break
		}
		line := (*FieldLine)(unsafe.Pointer(top))
		line.NameOffset = uint32(p - base)
		line.NameLength = uint32(colon - p)
		line.ValueOffset = uint32(value - base)
		line.ValueLength = uint32(last - value)
		if start == AtLine {
			if value == last {
				line.ValueOffset = uint32(after - base)
			}
			if MayFrame(load8(p), colon-p) {
				framing |= bit
			}
		}
		top += fieldLineSize
		p = after
		start = AtLine
	}
	return p, top, framing, name, stop
}

// framingFirst gives for the length of a name, modulo 32, the first letter that the one field of that length begins with
// which frames a message: upgrade, connection, content-length, proxy-connection, transfer-encoding.
var framingFirst = [32]uint8{7: 'u', 10: 'c', 14: 'c', 16: 'p', 17: 't'}

// MayFrame tells by its first byte and its length whether a name may be that of a field that frames a message.
//
//go:nosplit
func MayFrame(first uint8, length uintptr) bool { return framingFirst[length&31] == first|0x20 }
