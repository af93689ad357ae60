package llhttpgo

// This file takes request-targets apart.

import (
	"errors"

	"llhttpgo/core"
)

// What is wrong with a target, besides ErrInvalidByte. A [*SyntaxError] has one of them.
var (
	ErrTargetForm     = errors.New("none of the forms of a request-target")
	ErrTargetHost     = errors.New("no host, or brackets that hold no IP address")
	ErrTargetPort     = errors.New("a port that is no number up to 65535, or none where there must be one")
	ErrTargetTooLarge = errors.New("a request-target of 4 GiB or more")
)

// TargetForm is the form of a request-target: RFC 9112, Section 3.2.
type TargetForm uint8

const (
	TargetOrigin    TargetForm = TargetForm(core.TargetOrigin)    // /path?query
	TargetAbsolute  TargetForm = TargetForm(core.TargetAbsolute)  // http://host/path, of requests to proxies
	TargetAuthority TargetForm = TargetForm(core.TargetAuthority) // host:port, of CONNECT
	TargetAsterisk  TargetForm = TargetForm(core.TargetAsterisk)  // *, of OPTIONS
)

// String gives the form in a word.
func (f TargetForm) String() string { return name(targetForms[:], int(f)) }

var targetForms = [...]string{
	TargetOrigin: "origin", TargetAbsolute: "absolute", TargetAuthority: "authority", TargetAsterisk: "asterisk",
}

// HostKind is what a host is: RFC 3986, Section 3.2.2.
type HostKind uint8

const (
	HostNone     HostKind = HostKind(core.HostNone)     // there is no host
	HostName     HostKind = HostKind(core.HostName)     // a name
	HostIPv4     HostKind = HostKind(core.HostIPv4)     // four numbers
	HostIPv6     HostKind = HostKind(core.HostIPv6)     // in brackets, which are left out
	HostIPFuture HostKind = HostKind(core.HostIPFuture) // the same
)

// String gives the kind in a word.
func (k HostKind) String() string { return name(hostKinds[:], int(k)) }

var hostKinds = [...]string{
	HostNone: "none", HostName: "name", HostIPv4: "IPv4", HostIPv6: "IPv6", HostIPFuture: "IPvFuture",
}

// Target is a request-target in its parts, which are parts of the bytes that ParseTarget was given; nothing is decoded.
// A part that is not there is nil, one that is empty is not.
type Target struct {
	Form       TargetForm
	HostKind   HostKind
	PortNumber uint16 // 0 if there is no port, or an empty one

	Scheme, Userinfo, Host, Port, Path, Query, Fragment []byte
}

// ParseTarget takes a request-target apart. It wants the method since that of CONNECT has a form of its own. It is
// stricter than the parser, which only looks for the target's end; an error is a [*SyntaxError].
func ParseTarget(target []byte, method Method) (Target, error) {
	var t core.Target
	connect := uintptr(0)
	if method == MethodCONNECT {
		connect = 1
	}
	err := error(nil)
	switch parseTarget(target, connect, &t) {
	case core.TargetInvalid:
		err = ErrInvalidByte
	case core.TargetNoForm:
		err = ErrTargetForm
	case core.TargetBadHost:
		err = ErrTargetHost
	case core.TargetBadPort:
		err = ErrTargetPort
	case core.TargetTooLarge:
		err = ErrTargetTooLarge
	}
	if err != nil {
		return Target{}, &SyntaxError{int(t.Error), err}
	}
	part := func(s core.Span, there bool) []byte {
		if !there {
			return nil
		}
		end := s.Offset + s.Length
		return target[s.Offset:end:end]
	}
	return Target{
		Form:       TargetForm(t.Form),
		HostKind:   HostKind(t.HostKind),
		PortNumber: t.Port,
		Scheme:     part(t.Scheme, t.Scheme.Length != 0),
		Userinfo:   part(t.Userinfo, t.Flags&core.TargetHasUserinfo != 0),
		Host:       part(t.Host, t.HostKind != core.HostNone),
		Port:       part(t.PortText, t.Flags&core.TargetHasPort != 0),
		Path:       part(t.Path, t.Path.Length != 0),
		Query:      part(t.Query, t.Flags&core.TargetHasQuery != 0),
		Fragment:   part(t.Fragment, t.Flags&core.TargetHasFragment != 0),
	}, nil
}
