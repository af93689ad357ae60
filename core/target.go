package core

import "llhttpgo/core/asm"

// This file parses the request-target and the space or line end after it (RFC 9112, Section 3.2): as far as
// its form must be known to tell which bytes may stand where, and no further.
// Invariant: the span of the target is open in stateTarget to stateTargetFragment and from stateAuthority on, and
// closed from stateTargetSP to stateTargetAfterLF. Bytes above 0x7e are not valid here, but as UTF-8 by a rule; Node is
// not zero within a character of more than one byte.

//go:nosplit
func (f *Frame) target(p uintptr) uintptr {
	for {
		if p == f.End {
			return f.wait(p)
		}
		c := load8(p)
		switch f.Private.State {
		case stateTarget:
			switch {
			case c == '/', c == '*': // origin-form, asterisk-form
				p++
				f.Private.State = stateTargetPath
			case in(c, asm.Alpha): // absolute-form
				f.Private.State = stateTargetScheme
			case isTargetSpace(c):
				return f.fail(reasonInvalidCharactersInURL, p+1)
			default:
				return f.fail(reasonUnexpectedStartCharInURL, p)
			}
		case stateTargetScheme:
			switch {
			case in(c, asm.Alpha):
			case c == ':':
				f.Private.State = stateTargetSchemeSlash1
			case isTargetSpace(c):
				return f.fail(reasonInvalidCharactersInURL, p+1)
			default:
				return f.fail(reasonUnexpectedCharInURLSchema, p)
			}
			p++
		case stateTargetSchemeSlash1:
			switch {
			case c == '/':
				f.Private.State = stateTargetSchemeSlash2
			case isTargetSpace(c):
				return f.fail(reasonInvalidCharactersInURL, p+1)
			default:
				return f.fail(reasonUnexpectedCharInURLSchema, p)
			}
			p++
		case stateTargetSchemeSlash2:
			if c != '/' {
				return f.fail(reasonUnexpectedCharInURLSchema, p)
			}
			p++
			f.Private.State = stateTargetServer
		case stateTargetServer, stateTargetServerAt:
			switch {
			case in(c, asm.TargetServer):
				f.Private.State = stateTargetServer
			case c == '/':
				f.Private.State = stateTargetPath
			case c == '?':
				f.Private.State = stateTargetQuery
			case c == '@' && f.Private.State == stateTargetServer:
				f.Private.State = stateTargetServerAt
			case c == '@':
				return f.fail(reasonDoubleAtInURL, p+1)
			default:
				return f.endTarget(c, p, reasonUnexpectedCharInURLServer)
			}
			p++
		case stateTargetPath:
			if f.inUTF8() {
				if !f.endsUTF8(c) {
					return f.fail(reasonInvalidCharInURLPath, p)
				}
				p++
				continue
			}
			p = asm.Skip(p, f.End, asm.TargetPath)
			if p == f.End {
				return f.wait(p)
			}
			switch c = load8(p); c {
			case '?':
				f.Private.State = stateTargetQuery
			case '#':
				f.Private.State = stateTargetFragment
			default:
				if !f.startsUTF8(c) {
					return f.endTarget(c, p, reasonInvalidCharInURLPath)
				}
			}
			p++
		case stateTargetQuery:
			if f.inUTF8() {
				if !f.endsUTF8(c) {
					return f.fail(reasonInvalidCharInURLQuery, p)
				}
				p++
				continue
			}
			p = asm.Skip(p, f.End, asm.TargetQuery)
			if p == f.End {
				return f.wait(p)
			}
			switch c = load8(p); {
			case c == '#':
				f.Private.State = stateTargetFragment
			case !f.startsUTF8(c):
				return f.endTarget(c, p, reasonInvalidCharInURLQuery)
			}
			p++
		case stateTargetFragment:
			if f.inUTF8() {
				if !f.endsUTF8(c) {
					return f.fail(reasonInvalidCharInURLFragmentStart, p)
				}
				p++
				continue
			}
			p = asm.Skip(p, f.End, asm.TargetFragment)
			if p == f.End {
				return f.wait(p)
			}
			if c = load8(p); !f.startsUTF8(c) {
				return f.endTarget(c, p, reasonInvalidCharInURLFragmentStart)
			}
			p++

		// The callback of the target may have paused, so the byte that ended it is looked at again.
		case stateTargetSP, stateTargetLF:
			p++
			if in(c, asm.TargetForbidden) {
				return f.fail(reasonInvalidCharactersInURL, p)
			}
			f.Private.State++ // stateTargetAfterSP, stateTargetAfterLF
		case stateTargetCR:
			switch {
			case c == '\r':
				p++
				f.Private.State = stateTargetCRLF
			case in(c, asm.TargetForbidden):
				return f.fail(reasonInvalidCharactersInURL, p+1)
			default:
				return f.fail(reasonExpectedCRLFInURL, p)
			}
		case stateTargetCRLF:
			if c != '\n' {
				return f.fail(reasonExpectedCRLFInURL, p)
			}
			p++
			f.Private.State = stateTargetAfterLF
		case stateTargetAfterSP:
			if in(c, asm.TargetForbidden) {
				return f.fail(reasonInvalidCharactersInURL, p+1)
			}
			return f.notify(cbURLComplete, p, stateProtocolSpaces)
		case stateTargetAfterLF: // a line end right after the target: HTTP/0.9
			if in(c, asm.TargetForbidden) {
				return f.fail(reasonInvalidCharactersInURL, p+1)
			}
			f.Public.Major = 0
			f.Public.Minor = 9
			f.changed = 1
			return f.notify(cbURLComplete, p, stateFieldsStart)

		default:
			if !f.authority(c) {
				if f.Private.State == stateAuthorityPort && f.Private.Node != 0 {
					return f.endTarget(c, p, reasonExpectedHostAndPort)
				}
				return f.fail(reasonExpectedHostAndPort, p)
			}
			p++
		}
	}
}

// endTarget looks at a byte that cannot be part of the target; reason is why, if it may not follow it either.
//
//go:nosplit
func (f *Frame) endTarget(c uint8, p uintptr, reason uint8) uintptr {
	switch c {
	case ' ':
		return f.close(p, stateTargetSP)
	case '\r', '\n':
		switch {
		case f.rule(ruleStrictVersion):
			return f.close(p, f.failLater(reasonExpectedVersion))
		case c == '\r':
			return f.close(p, stateTargetCR)
		}
		return f.close(p, stateTargetLF)
	case '\t', '\f':
		return f.fail(reasonInvalidCharactersInURL, p+1)
	}
	return f.fail(reason, p)
}

// isTargetSpace: the bytes that are reported as misplaced where the target's form is still open.
//
//go:nosplit
func isTargetSpace(c uint8) bool {
	return c == ' ' || c == '\r' || c == '\n' || in(c, asm.TargetForbidden)
}
