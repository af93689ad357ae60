package core

import "llhttpgo/core/asm"

// This file parses what begins a message: the request-line but for its target (RFC 9112, Section 3) and the
// status-line (Section 4), the protocol names HTTP, RTSP and ICE, and HTTP/2's connection preface.
// Invariant: a span is open in stateMethod, stateMethodToken, stateBothWord, stateProtocol, stateVersionMajor to
// stateVersionMinor, and stateReason; in no other state here.

// prefaceRest is what follows "PRI * HTTP/2.0" in the preface of HTTP/2 (RFC 9113, Section 3.4).
var prefaceRest = [16]uint8{'\r', '\n', '\r', '\n', 'S', 'M', '\r', '\n', '\r', '\n'}

const prefaceRestLength = 10

//go:nosplit
func (f *Frame) startLine(p uintptr) uintptr {
	for {
		s := f.Private.State
		switch s {
		case stateMessageBegin:
			f.Private.Seen = 0
			f.Public.Finish = finishUnsafe
			f.changed = 1
			return f.notify(cbMessageBegin, p, stateLineType)
		case stateLineType:
			switch f.Public.Type {
			case typeRequest:
				f.Private.State = stateMethodStart
			case typeResponse:
				f.Private.Line = lineStatus
				f.Private.State = stateProtocolStart
			default:
				f.Private.State = stateBothStart
			}
			continue
		case stateMethodComplete:
			return f.notify(cbMethodComplete, p, stateMethodSpace)
		case stateBothResponse:
			f.Public.Type = typeResponse
			f.changed = 1
			f.Private.Line = lineStatus
			f.Private.State = stateVersionStart
			continue
		case stateProtocolComplete:
			return f.notify(cbProtocolComplete, p, stateProtocolCheck)
		case stateProtocolCheck:
			known := methodProtocols[f.Public.Method]&f.Private.Aux != 0
			if f.Private.Line == lineRequest && !known && !f.takesAnyMethod() {
				return f.fail(invalidMethodFor(f.Private.Aux), p)
			}
			f.Private.State = stateProtocolSlash
			continue
		case stateVersionComplete:
			return f.notify(cbVersionComplete, p, stateVersionCheck)
		case stateVersionCheck:
			switch {
			case f.Private.Line == lineStatus:
				f.Private.State = stateStatusSpace
			case f.Public.Method == MethodPRI:
				f.Private.Node = 0
				f.Private.State = statePreface
			default:
				f.Private.State = stateRequestLineEnd
			}
			continue
		case stateReasonBareLF:
			if !f.lenient(lenientOptionalCRBeforeLF) {
				return f.fail(reasonMissingCRAfterResponseLine, p)
			}
			f.Private.State = stateStatusComplete
			continue
		case stateStatusComplete:
			return f.notify(cbStatusComplete, p, stateFieldsStart)
		}

		if p == f.End {
			return f.wait(p)
		}
		c := load8(p)
		switch s {
		case stateStart:
			// RFC 9112, Section 2.2: empty lines before a message are ignored.
			if c == '\r' || c == '\n' {
				p++
				continue
			}
			if f.Rules != 0 && f.wholeLines() {
				if next := f.messages(p); next != p || f.Private.State != stateStart || f.Limit == 0 {
					return next
				}
			}
			if f.Public.InitialMessageCompleted == 1 {
				return f.notify(cbReset, p, stateMessageBegin)
			}
			f.Private.State = stateMessageBegin
		case stateMethodStart:
			f.Private.Line = lineRequest
			f.open(cbMethod, p)
			f.Private.Node = trieMethods
			f.Private.State = stateMethod
		case stateMethod:
			n := find(f.Private.Node, c)
			switch {
			case n == 0 && f.rule(ruleTolerateUnknownMethods) &&
				(in(c, asm.Token) || f.Private.Node != trieMethods && node(f.Private.Node).id == 0):
				f.Private.State = stateMethodToken
				continue
			case n == 0 && node(f.Private.Node).id != 0: // GET, when it is not GET_PARAMETER
				return f.method(node(f.Private.Node).id, p)
			case n == 0:
				return f.fail(reasonInvalidMethod, p)
			}
			p++
			f.Private.Node = n
			if node(n).child == 0 && !f.rule(ruleTolerateUnknownMethods) {
				return f.method(node(n).id, p)
			}
		case stateMethodToken:
			p = asm.Skip(p, f.End, asm.Token)
			if p == f.End {
				return f.wait(p)
			}
			return f.method(0, p)
		case stateMethodSpace:
			if c != ' ' {
				return f.fail(reasonExpectedSpaceAfterMethod, p)
			}
			p++
			f.Private.State = stateTargetSpaces
		case stateTargetSpaces:
			if c == ' ' {
				p++
				continue
			}
			if in(c, asm.TargetForbidden) {
				return f.fail(reasonInvalidCharactersInURL, p+1)
			}
			f.open(cbURL, p)
			f.Private.Node = 0
			f.Private.State = stateTarget
			if f.Public.Method == MethodCONNECT { // authority-form
				f.Private.State = stateTargetServer
				if f.rule(ruleStrictConnect) {
					f.Private.State = stateAuthority
				}
			}
			return p
		case stateBothStart:
			if c == 'H' {
				f.Private.Line = lineRequest // until the word says otherwise
				f.open(cbMethod, p)
				f.Private.Node = trieMethodOrProtocol
				f.Private.State = stateBothWord
				continue
			}
			f.Public.Type = typeRequest
			f.changed = 1
			f.Private.State = stateMethodStart
		case stateBothWord:
			n := find(f.Private.Node, c)
			if n == 0 {
				if f.rule(ruleTolerateUnknownMethods) {
					f.Public.Type = typeRequest
					f.changed = 1
					f.Private.State = stateMethodToken
					continue
				}
				return f.fail(reasonInvalidWord, p)
			}
			p++
			f.Private.Node = n
			switch node(n).id {
			case 0:
			case MethodHEAD + 1:
				f.Public.Type = typeRequest
				f.changed = 1
				if f.rule(ruleTolerateUnknownMethods) { // the token may be longer
					f.Private.Node = headNode()
					f.Private.State = stateMethod
					continue
				}
				return f.method(MethodHEAD+1, p)
			default:
				return f.close(p, stateBothResponse)
			}
		case stateProtocolSpaces:
			if c == ' ' {
				p++
				continue
			}
			f.Private.State = stateProtocolStart
		case stateProtocolStart:
			f.open(cbProtocol, p)
			f.Private.Node = trieProtocol
			f.Private.State = stateProtocol
		case stateProtocol:
			n := find(f.Private.Node, c)
			if n == 0 {
				return f.close(p, f.failLater(reasonExpectedProtocol))
			}
			p++
			f.Private.Node = n
			if id := node(n).id; id != 0 {
				f.Private.Aux = id
				return f.close(p, stateProtocolComplete)
			}
		case stateProtocolSlash:
			if c != '/' {
				return f.fail(reasonExpectedProtocol, p)
			}
			p++
			f.Private.State = stateVersionStart
		case stateVersionStart:
			f.open(cbVersion, p)
			f.Private.State = stateVersionMajor
		case stateVersionMajor:
			if c-'0' > 9 {
				return f.close(p, f.failLater(reasonInvalidMajorVersion))
			}
			p++
			f.Public.Major = c - '0'
			f.changed = 1
			f.Private.State = stateVersionDot
		case stateVersionDot:
			if c != '.' {
				return f.close(p, f.failLater(reasonExpectedDot))
			}
			p++
			f.Private.State = stateVersionMinor
		case stateVersionMinor:
			if c-'0' > 9 {
				return f.close(p, f.failLater(reasonInvalidMinorVersion))
			}
			p++
			f.Public.Minor = c - '0'
			f.changed = 1
			if !f.versionExists() && !f.lenient(lenientVersion) || f.Public.Major == 0 && f.rule(ruleStrictVersion) {
				return f.close(p, f.failLater(reasonInvalidHTTPVersion))
			}
			return f.close(p, stateVersionComplete)
		case stateRequestLineEnd:
			switch {
			case c == '\r', c == '\n' && f.lenient(lenientOptionalCRBeforeLF):
				p++
				f.Private.State = stateRequestLineLF
			case c == '\n':
				return f.fail(reasonExpectedCRLFAfterVersion, p+1)
			default:
				return f.fail(reasonExpectedCRLFAfterVersion, p)
			}
		case stateRequestLineLF:
			switch {
			case c == '\n':
				p++
			case !f.lenient(lenientOptionalLFAfterCR):
				return f.fail(reasonExpectedCRLFAfterVersionStrict, p)
			}
			f.Private.State = stateFieldsStart
			return p
		case statePreface:
			if c != prefaceRest[f.Private.Node&15] {
				return f.fail(reasonExpectedPreface, p)
			}
			p++
			f.Private.Node++
			if f.Private.Node == prefaceRestLength {
				return f.fail(reasonPRIUpgrade, p)
			}
		case stateStatusSpace:
			if c != ' ' {
				return f.fail(reasonExpectedSpaceAfterVersion, p)
			}
			p++
			f.Public.StatusCode = 0
			f.changed = 1
			f.Private.State = stateStatusDigit1
		case stateStatusDigit1, stateStatusDigit2, stateStatusDigit3:
			if c-'0' > 9 {
				if c == ' ' && s == stateStatusDigit1 && f.rule(ruleTolerateStatusLineSpaces) {
					p++
					continue
				}
				return f.fail(reasonInvalidStatusCode, p)
			}
			p++
			// Three digits fit; more only if the host has written the field between two pieces.
			code := uint32(f.Public.StatusCode) * 10
			if code > 1<<16-1 {
				return f.fail(reasonInvalidStatusCode, p)
			}
			f.changed = 1
			f.Public.StatusCode = uint16(code + uint32(c-'0'))
			if code+uint32(c-'0') > 1<<16-1 {
				f.Public.StatusCode = uint16(code)
				return f.fail(reasonInvalidStatusCode, p)
			}
			f.Private.State = s + 1
		case stateStatusEnd:
			switch {
			case c == ' ':
				f.Private.State = stateReasonStart
			case c == '\r':
				f.Private.State = stateStatusLineLF
			case c == '\n' && f.lenient(lenientOptionalCRBeforeLF):
				f.Private.State = stateStatusComplete
			case c == '\n':
				return f.fail(reasonInvalidResponseStatus, p+1)
			default:
				return f.fail(reasonInvalidResponseStatus, p)
			}
			p++
		case stateReasonStart:
			if c == ' ' && f.rule(ruleTolerateStatusLineSpaces) {
				p++
				continue
			}
			f.open(cbStatus, p)
			f.Private.State = stateReason
		case stateReason:
			for c != '\r' && c != '\n' {
				p++
				if p == f.End {
					return f.wait(p)
				}
				c = load8(p)
			}
			if c == '\r' {
				return f.closeSkip(p, stateStatusLineLF)
			}
			return f.closeSkip(p, stateReasonBareLF)
		case stateStatusLineLF:
			switch {
			case c == '\n':
				p++
			case !f.lenient(lenientOptionalLFAfterCR):
				return f.fail(reasonExpectedLFAfterCR, p)
			}
			f.Private.State = stateStatusComplete
		}
	}
}

// method takes a method whose last byte stands before p; id is the trie's, or 0 for MethodUnknown, which is one less.
//
//go:nosplit
func (f *Frame) method(id uint8, p uintptr) uintptr {
	f.Public.Method = id - 1
	f.changed = 1
	return f.close(p, stateMethodComplete)
}

//go:nosplit
func invalidMethodFor(protocol uint8) uint8 {
	switch protocol {
	case protocolHTTP:
		return reasonInvalidMethodForHTTP
	case protocolRTSP:
		return reasonInvalidMethodForRTSP
	}
	return reasonExpectedSourceMethodForICE
}

// versionExists: HTTP 0.9, 1.0, 1.1 and 2.0.
//
//go:nosplit
func (f *Frame) versionExists() bool {
	switch f.Public.Major {
	case 0:
		return f.Public.Minor == 9
	case 1:
		return f.Public.Minor <= 1
	case 2:
		return f.Public.Minor == 0
	}
	return false
}
