package core

import (
	"unsafe"

	"llhttpgo/core/asm"
)

// This file takes URLs apart as http_parser 2.9.4 does, for programs that come from there; components.go follows the RFCs.
// Invariant: nothing is read outside the URL.

// Fields of a URL: http_parser.h's UF_ constants.
const (
	urlSchema = iota
	urlHost
	urlPort
	urlPath
	urlQuery
	urlFragment
	urlUserinfo
	urlFields
)

// A URL is struct http_parser_url.
type URL struct {
	FieldSet uint16 // bits by field
	Port     uint16
	Field    [urlFields]struct{ Offset, Length uint16 }
}

// ParseURL is http_parser_parse_url, as http_parser 2.9.4 has it in its strict build, whose hosts may have underscores
// besides: what it takes, what it refuses, what it makes of it. It refuses besides what its offsets of 16 bits do not fit, and
// "host:port?" of a CONNECT. It gives 0, or 1 for an error. Fields that are not in FieldSet are left as they are.
//
//go:nosplit
func ParseURL(buf, length, connect uintptr, u *URL) int {
	u.FieldSet, u.Port = 0, 0
	if length == 0 || length > 1<<16-1 {
		return 1
	}
	p, end := buf, buf+length
	if c := load8(p); connect == 0 && c != '/' && c != '*' {
		for p != end && in(load8(p), asm.Alpha) {
			p++
		}
		// Something must follow, since there is no scheme without a host.
		if p == buf || end-p < 4 || load8(p) != ':' || load8(p+1) != '/' || load8(p+2) != '/' {
			return 1
		}
		u.set(urlSchema, buf, buf, p)
		p += 3
	}
	host := p
	if u.FieldSet != 0 || connect != 0 {
		at := uintptr(0)
		for {
			if p = asm.Skip(p, end, asm.TargetServer); p == end || load8(p) != '@' {
				break
			}
			if at != 0 {
				return 1
			}
			at = p
			p++
		}
		if p == host || !u.host(buf, host, at, p) {
			return 1
		}
		if connect != 0 {
			if p != end || u.FieldSet != 1<<urlHost|1<<urlPort {
				return 1
			}
			return 0
		}
	}
	if p != end && (load8(p) == '/' || p == buf) {
		first := p
		p = asm.Skip(p, end, asm.TargetPath)
		u.set(urlPath, buf, first, p)
	} else if p != end && load8(p) != '?' {
		return 1
	}
	if p != end && load8(p) == '?' {
		first := p + 1
		p = asm.Skip(first, end, asm.TargetQuery)
		u.set(urlQuery, buf, first, p)
	}
	if p != end && load8(p) == '#' {
		for p != end && load8(p) == '#' {
			p++
		}
		first := p
		p = asm.Skip(p, end, asm.TargetFragment)
		u.set(urlFragment, buf, first, p)
	}
	if p != end {
		return 1
	}
	return 0
}

// set notes a field that has at least a byte.
//
//go:nosplit
func (u *URL) set(field uintptr, buf, first, end uintptr) {
	if first == end {
		return
	}
	u.FieldSet |= 1 << field
	at := (*struct{ Offset, Length uint16 })(unsafe.Add(unsafe.Pointer(&u.Field), field*4))
	at.Offset = uint16(first - buf)
	at.Length = uint16(end - first)
}

// host takes the authority from p to end apart; at is where its at-sign is, or 0.
//
//go:nosplit
func (u *URL) host(buf, p, at, end uintptr) bool {
	if at != 0 {
		for q := p; q != at; q++ {
			if c := load8(q); c == '[' || c == ']' {
				return false
			}
		}
		u.set(urlUserinfo, buf, p, at)
		p = at + 1
	}
	if p == end {
		return false
	}
	first := p
	if load8(p) == '[' {
		first++
		for p = first; p != end && (hexValue[load8(p)] < 16 || load8(p) == ':' || load8(p) == '.'); p++ {
		}
		if p == first {
			return false
		}
		if p != end && load8(p) == '%' { // a zone
			p++
			zone := p
			for p != end && (isHost(load8(p)) || load8(p) == '%' || load8(p) == '~') {
				p++
			}
			if p == zone {
				return false
			}
		}
		if p == end || load8(p) != ']' {
			return false
		}
		u.set(urlHost, buf, first, p)
		p++
	} else {
		for p != end && isHost(load8(p)) {
			p++
		}
		if p == first {
			return false
		}
		u.set(urlHost, buf, first, p)
	}
	if p == end {
		return true
	}
	if load8(p) != ':' {
		return false
	}
	p++
	first = p
	number := uint32(0)
	for ; p != end; p++ {
		digit := uint32(load8(p)) - '0'
		if digit > 9 {
			return false
		}
		if number = number*10 + digit; number > 1<<16-1 {
			return false
		}
	}
	u.set(urlPort, buf, first, p)
	u.Port = uint16(number)
	return p != first
}

// isHost: what http_parser takes in a name.
//
//go:nosplit
func isHost(c uint8) bool {
	return lower(c)-'a' < 26 || c-'0' < 10 || c == '.' || c == '-' || c == '_'
}
