package core

// This file finds the whole lines of the fields that frame a message, and what they change. What it does not know at once is unusual: the
// machine reads that line.

import "unsafe"

const (
	fold         = 0x2020202020202020 // makes ASCII letters lower-case; of the other bytes in words here only CR comes to '-'
	wordConnecti = 'c' | 'o'<<8 | 'n'<<16 | 'n'<<24 | 'e'<<32 | 'c'<<40 | 't'<<48 | 'i'<<56
	wordContent  = 'c' | 'o'<<8 | 'n'<<16 | 't'<<24 | 'e'<<32 | 'n'<<40 | 't'<<48 | '-'<<56
	wordLeng     = 'l' | 'e'<<8 | 'n'<<16 | 'g'<<24
	wordTransfe  = 't' | 'r'<<8 | 'a'<<16 | 'n'<<24 | 's'<<32 | 'f'<<40 | 'e'<<48 | 'r'<<56
	wordEncodin  = '-' | 'e'<<8 | 'n'<<16 | 'c'<<24 | 'o'<<32 | 'd'<<40 | 'i'<<48 | 'n'<<56
	wordProxyCo  = 'p' | 'r'<<8 | 'o'<<16 | 'x'<<24 | 'y'<<32 | '-'<<40 | 'c'<<48 | 'o'<<56
	wordNnectio  = 'n' | 'n'<<8 | 'e'<<16 | 'c'<<24 | 't'<<32 | 'i'<<40 | 'o'<<48 | 'n'<<56
	wordUpgr     = 'u' | 'p'<<8 | 'g'<<16 | 'r'<<24
	wordRade     = 'r' | 'a'<<8 | 'd'<<16 | 'e'<<24
	wordKeepAli  = 'k' | 'e'<<8 | 'e'<<16 | 'p'<<24 | '-'<<32 | 'a'<<40 | 'l'<<48 | 'i'<<56
	wordClos     = 'c' | 'l'<<8 | 'o'<<16 | 's'<<24
	wordChun     = 'c' | 'h'<<8 | 'u'<<16 | 'n'<<24
	wordNked     = 'n' | 'k'<<8 | 'e'<<16 | 'd'<<24
)

const (
	effectNone = iota
	effectOne
	effectUnusual
)

// framingField gives the kind of a field that frames a message by its name, general for any other.
//
//go:nosplit
func framingField(name uintptr, length uint32) uint8 {
	w := load64(name) | fold // a line is at least eight bytes long if its name and line end are
	switch length {
	case 7:
		if uint32(w) == wordUpgr && load32(name+3)|fold&0xffffffff == wordRade {
			return fieldUpgrade
		}
	case 10:
		if isConnection(name) {
			return fieldConnection
		}
	case 14:
		if w == wordContent && load32(name+8)|fold&0xffffffff == wordLeng && load16(name+12)|fold&0xffff == 't'|'h'<<8 {
			return fieldContentLength
		}
	case 16:
		if w == wordProxyCo && load64(name+8)|fold == wordNnectio {
			return fieldConnection
		}
	case 17:
		if w == wordTransfe && load64(name+8)|fold == wordEncodin && load8(name+16)|0x20 == 'g' {
			return fieldTransferEncoding
		}
	}
	return fieldGeneral
}

// effect looks at the i-th line, which may be one of a field that frames the message, and writes what it changes to out.
// Unusual are those that conflict with others, and lists.
//
//go:nosplit
func (f *Frame) effect(line *FieldLine, i, out uintptr, full bool) int {
	if !full && f.keepsAlive(line) {
		*(*Effect)(unsafe.Pointer(out)) = Effect{Line: uint16(i), After: flagConnectionKeepAlive}
		f.Public.Flags |= flagConnectionKeepAlive
		return effectOne
	}
	value := f.Buf + uintptr(line.ValueOffset)
	length := uintptr(line.ValueLength)
	var e Effect
	e.Line = uint16(i)
	switch framingField(f.Buf+uintptr(line.NameOffset), line.NameLength) {
	case fieldUpgrade:
		if length == 0 {
			return effectNone
		}
		e.Before = flagUpgrade
	case fieldConnection:
		if length == 0 {
			return effectNone
		}
		if e.After = connectionOption(value, length); e.After == 0 {
			return effectUnusual
		}
	case fieldContentLength:
		if length == 0 || length > 19 || f.Public.ContentLength != 0 || f.has(flagContentLength|flagTransferEncoding) ||
			f.rule(ruleStrictContentLength) && length != 1 && load8(value) == '0' {
			return effectUnusual
		}
		for ; length != 0; length-- {
			d := load8(value) - '0'
			if d > 9 {
				return effectUnusual
			}
			e.Length = e.Length*10 + uint64(d)
			value++
		}
		e.Before = flagContentLength
		e.HasLength = 1
	case fieldTransferEncoding:
		if length != 7 || load32(value)|fold&0xffffffff != wordChun || load32(value+3)|fold&0xffffffff != wordNked ||
			f.has(flagContentLength|flagTransferEncoding|flagChunked) {
			return effectUnusual
		}
		e.Before = flagTransferEncoding
		e.After = flagChunked
	default:
		return f.ruledEffect(line)
	}
	if full {
		return effectUnusual
	}
	*(*Effect)(unsafe.Pointer(out)) = e
	f.Public.Flags |= e.Before | e.After
	if e.HasLength != 0 {
		f.Public.ContentLength = e.Length
	}
	return effectOne
}

// keepsAlive tells at once what most lines that frame a message are.
//
//go:nosplit
func (f *Frame) keepsAlive(line *FieldLine) bool {
	return line.NameLength == 10 && line.ValueLength == 10 && isConnection(f.Buf+uintptr(line.NameOffset)) &&
		isKeepAlive(f.Buf+uintptr(line.ValueOffset))
}

// isConnection and isKeepAlive compare ten bytes.
//
//go:nosplit
func isConnection(p uintptr) bool {
	return load64(p)|fold == wordConnecti && load16(p+8)|fold&0xffff == 'o'|'n'<<8
}

//go:nosplit
func isKeepAlive(p uintptr) bool {
	return load64(p)|fold == wordKeepAli && load16(p+8)|fold&0xffff == 'v'|'e'<<8
}

// connectionOption gives the flag of a connection option that stands alone, 0 for any other value.
//
//go:nosplit
func connectionOption(p, length uintptr) uint16 {
	switch length {
	case 10:
		if isKeepAlive(p) {
			return flagConnectionKeepAlive
		}
	case 5:
		if load32(p)|fold&0xffffffff == wordClos && load8(p+4)|0x20 == 'e' {
			return flagConnectionClose
		}
	case 7:
		if load32(p)|fold&0xffffffff == wordUpgr && load32(p+3)|fold&0xffffffff == wordRade {
			return flagConnectionUpgrade
		}
	}
	return 0
}
