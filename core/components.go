package core

// This file takes a request-target apart (RFC 9112, Section 3.2; RFC 3986, Section 3). The parser itself does not: it
// only tells how far the target goes, in target.go.
// Each byte is looked at once by a kernel, which both checks it and finds where a component ends; those of the authority
// are looked at a second time, as it is short.
// Invariant: nothing is read outside the target.

import "llhttpgo/core/asm"

// Forms of a target, RFC 9112, Section 3.2. These, and the other constants here, are llhttp_ext.h's, too.
const (
	TargetNone      uint8 = 0
	TargetOrigin    uint8 = 1
	TargetAbsolute  uint8 = 2
	TargetAuthority uint8 = 3
	TargetAsterisk  uint8 = 4
)

// Kinds of a host, RFC 3986, Section 3.2.2.
const (
	HostNone     uint8 = 0
	HostName     uint8 = 1
	HostIPv4     uint8 = 2
	HostIPv6     uint8 = 3
	HostIPFuture uint8 = 4
)

// Components that may be empty and yet be there: flags of a Target.
const (
	TargetHasUserinfo uint16 = 1
	TargetHasPort     uint16 = 2
	TargetHasQuery    uint16 = 4
	TargetHasFragment uint16 = 8
)

// Errors of ParseTarget.
const (
	TargetInvalid  = -1 // a byte that cannot stand where it does
	TargetNoForm   = -2 // none of the forms
	TargetBadHost  = -3 // no host, or brackets that hold no IP address
	TargetBadPort  = -4 // not a number up to 65535, or none in authority-form
	TargetTooLarge = -5 // 4 GiB or more
)

// A Span is a part of the target. One that is not there is of length 0, at offset 0.
type Span struct {
	Offset, Length uint32
}

// A Target is what ParseTarget finds.
type Target struct {
	Form     uint8
	HostKind uint8
	Flags    uint16
	Port     uint16 // the number; 0 if there is none, or an empty one
	_        uint16
	Scheme   Span
	Userinfo Span
	Host     Span // of an IP literal what is inside the brackets
	PortText Span
	Path     Span
	Query    Span
	Fragment Span
	Error    uint32 // offset of the byte at fault
}

// targetParser keeps where the target lies.
type targetParser struct {
	*Target
	base, end uintptr
}

// ParseTarget takes the target of length bytes at p apart; connect tells that the method is CONNECT. It gives 0 or an error.
//
//go:nosplit
func ParseTarget(p, length, connect uintptr, t *Target) int {
	*t = Target{}
	if length > 1<<32-1 {
		return TargetTooLarge
	}
	f := targetParser{t, p, p + length}
	switch {
	case length == 0:
		return TargetNoForm
	case connect != 0:
		next, err := f.authority(p)
		if err != 0 {
			return err
		}
		if next != f.end {
			return f.fault(next, TargetInvalid)
		}
		if t.Flags&TargetHasUserinfo != 0 {
			return f.fault(p+uintptr(t.Userinfo.Length), TargetInvalid)
		}
		if t.PortText.Length == 0 {
			return f.fault(next, TargetBadPort)
		}
		t.Form = TargetAuthority
		return 0
	case load8(p) == '/':
		if err := f.path(p); err != 0 {
			return err
		}
		t.Form = TargetOrigin
		return 0
	case load8(p) == '*':
		if length != 1 {
			return f.fault(p+1, TargetInvalid)
		}
		t.Form = TargetAsterisk
		t.Path = f.span(p, f.end)
		return 0
	case !in(load8(p), asm.Alpha):
		return f.fault(p, TargetNoForm)
	}
	first := p
	for p != f.end && isScheme(load8(p)) {
		p++
	}
	if f.end-p < 3 || load8(p) != ':' || load8(p+1) != '/' || load8(p+2) != '/' {
		return f.fault(p, TargetNoForm)
	}
	t.Scheme = f.span(first, p)
	p, err := f.authority(p + 3)
	if err != 0 {
		return err
	}
	if err := f.path(p); err != 0 {
		return err
	}
	t.Form = TargetAbsolute
	return 0
}

// fault notes the byte that an error is at. What was found before stays, without a form.
//
//go:nosplit
func (f *targetParser) fault(p uintptr, err int) int {
	f.Error = uint32(p - f.base)
	return err
}

//go:nosplit
func (f *targetParser) span(first, end uintptr) Span {
	return Span{uint32(first - f.base), uint32(end - first)}
}

// isScheme: what a scheme may have behind its first letter, RFC 3986, Section 3.1.
//
//go:nosplit
func isScheme(c uint8) bool {
	return lower(c)-'a' < 26 || c-'0' < 10 || c == '+' || c == '-' || c == '.'
}

// path takes path, query and fragment. The path may be empty behind an authority.
//
//go:nosplit
func (f *targetParser) path(p uintptr) int {
	first := p
	if p != f.end && load8(p) == '/' {
		p = asm.Skip(p, f.end, asm.TargetPath)
		f.Path = f.span(first, p)
	}
	if p != f.end && load8(p) == '?' {
		p++
		first = p
		p = asm.Skip(p, f.end, asm.TargetQuery)
		f.Query = f.span(first, p)
		f.Flags |= TargetHasQuery
	}
	if p != f.end && load8(p) == '#' {
		p++
		first = p
		p = asm.Skip(p, f.end, asm.TargetQuery) // RFC 3986, Section 3.5: no other '#'
		f.Fragment = f.span(first, p)
		f.Flags |= TargetHasFragment
	}
	if p != f.end {
		return f.fault(p, TargetInvalid)
	}
	return 0
}

// authority takes userinfo, host and port (RFC 3986, Section 3.2), and gives the address behind it.
//
//go:nosplit
func (f *targetParser) authority(p uintptr) (uintptr, int) {
	stop := asm.Skip(p, f.end, asm.TargetServer)
	if stop != f.end && load8(stop) == '@' {
		if at := f.plain(p, stop); at != stop {
			return at, f.fault(at, TargetInvalid)
		}
		f.Userinfo = f.span(p, stop)
		f.Flags |= TargetHasUserinfo
		p = stop + 1
		stop = asm.Skip(p, f.end, asm.TargetServer)
	}
	if stop != f.end {
		if c := load8(stop); c != '/' && c != '?' && c != '#' {
			return stop, f.fault(stop, TargetInvalid)
		}
	}
	// Nothing from p to stop is outside the class.
	host := p
	switch {
	case p == stop || load8(p) == ':':
		return p, f.fault(p, TargetBadHost)
	case load8(p) == '[':
		host++
		for p != stop && load8(p) != ']' {
			p++
		}
		if p == stop {
			return p, f.fault(p, TargetBadHost)
		}
		switch {
		case isIPv6(host, p):
			f.HostKind = HostIPv6
		case isIPFuture(host, p):
			f.HostKind = HostIPFuture
		default:
			return host, f.fault(host, TargetBadHost)
		}
		f.Host = f.span(host, p)
		p++
		if p != stop && load8(p) != ':' {
			return p, f.fault(p, TargetInvalid)
		}
	default:
		colon := p
		for colon != stop && load8(colon) != ':' {
			colon++
		}
		if p = f.plain(host, colon); p != colon {
			return p, f.fault(p, TargetInvalid)
		}
		f.HostKind = HostName
		if isIPv4(host, p) {
			f.HostKind = HostIPv4
		}
		f.Host = f.span(host, p)
	}
	if p == stop {
		return p, 0
	}
	p++
	f.Flags |= TargetHasPort
	f.PortText = f.span(p, stop)
	number := uint32(0)
	for q := p; q != stop; q++ {
		digit := uint32(load8(q)) - '0'
		if digit > 9 {
			return q, f.fault(q, TargetBadPort)
		}
		if number = number*10 + digit; number > 1<<16-1 {
			return p, f.fault(p, TargetBadPort)
		}
	}
	f.Port = uint16(number)
	return stop, 0
}

// plain gives the address of the first byte that userinfo or a registered name cannot have, of those that an authority can:
// a bracket, or a percent sign without two hexadecimal digits.
//
//go:nosplit
func (f *targetParser) plain(p, end uintptr) uintptr {
	for ; p != end; p++ {
		switch load8(p) {
		case '[', ']':
			return p
		case '%':
			if end-p < 3 || hexValue[load8(p+1)] > 15 || hexValue[load8(p+2)] > 15 {
				return p
			}
		}
	}
	return p
}

// isIPv4: four numbers up to 255, without leading zeros (dec-octet).
//
//go:nosplit
func isIPv4(p, end uintptr) bool {
	for part := 0; ; part++ {
		first, n := p, uint32(0)
		for p != end && load8(p)-'0' < 10 && p-first < 3 {
			n = n*10 + uint32(load8(p)-'0')
			p++
		}
		if p == first || n > 255 || load8(first) == '0' && p-first > 1 {
			return false
		}
		if part == 3 || p == end {
			return part == 3 && p == end
		}
		if load8(p) != '.' {
			return false
		}
		p++
	}
}

// isIPv6: eight groups of up to four digits, of which "::" stands for one or more of zero, and an IPv4 address for the last two.
//
//go:nosplit
func isIPv6(p, end uintptr) bool {
	groups, gap := 0, false
	if end-p >= 2 && load8(p) == ':' && load8(p+1) == ':' {
		p += 2
		gap = true
		if p == end {
			return true
		}
	}
	for {
		first := p
		for p != end && p-first < 4 && hexValue[load8(p)] < 16 {
			p++
		}
		if p == first {
			return false
		}
		if p != end && load8(p) == '.' {
			if !isIPv4(first, end) {
				return false
			}
			groups += 2
			p = end
		} else {
			groups++
		}
		if p == end {
			return groups == 8 && !gap || groups < 8 && gap
		}
		if load8(p) != ':' {
			return false
		}
		p++
		if p != end && load8(p) == ':' {
			if gap {
				return false
			}
			gap = true
			p++
			if p == end {
				return groups < 8
			}
		}
	}
}

// isIPFuture: "v", a version, ".", an address.
//
//go:nosplit
func isIPFuture(p, end uintptr) bool {
	if p == end || lower(load8(p)) != 'v' {
		return false
	}
	p++
	first := p
	for p != end && hexValue[load8(p)] < 16 {
		p++
	}
	if p == first || p == end || load8(p) != '.' || end-p < 2 {
		return false
	}
	for p++; p != end; p++ {
		if c := load8(p); c == '[' || c == '%' {
			return false
		}
	}
	return true
}
