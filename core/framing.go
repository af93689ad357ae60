package core

// This file decides what follows a header section: which body, how it ends, and whether another message may
// follow on the connection (RFC 9112, Sections 6.3 and 9.3). It reads the public fields, since the host may have
// changed them at the end of the header section.
// Invariant: the span of the body is open in stateBody and stateBodyUntilEOF, in no other state here.

//go:nosplit
func (f *Frame) framing(p uintptr) uintptr {
	for {
		s := f.Private.State
		switch s {
		case stateHeadersComplete:
			upgrade := f.upgrades()
			if f.Rules != 0 && f.ignoresUpgrade() {
				upgrade = 0
			}
			if upgrade != f.Public.Upgrade {
				f.Public.Upgrade = upgrade
				f.changed = 1
			}
			p = f.notify(cbHeadersComplete, p, stateAfterHeaders)
			if f.AtHeaders != 0 {
				f.Limit = 0
			}
			return p
		case stateAfterHeaders:
			if s = f.bodyState(); s == StateError {
				return f.fail(reasonRequestInvalidTransferEncoding, p)
			}
			f.Private.State = s
			if s >= firstChunked {
				return p
			}
			continue
		case stateUpgradeComplete:
			return f.notify(cbMessageComplete, p, stateUpgradePause)
		case stateEmptyComplete:
			return f.notify(cbMessageComplete, p, stateAfterMessage)
		case stateMessageComplete:
			return f.notify(cbMessageComplete, p, stateUpgradeCheck)
		case stateUpgradeCheck:
			f.Private.State = stateAfterMessage
			if f.Public.Upgrade == 1 {
				f.Private.State = stateUpgradePause
			}
			continue
		case stateUpgradePause:
			f.fail(reasonPauseOnUpgrade, p)
			f.Private.State = stateAfterMessage
			return p
		case stateAfterMessage:
			f.endMessage()
			if f.Private.State == stateStart && f.wholeLines() {
				return f.messages(p)
			}
			return p
		case stateBody: // of length zero, if its callback says so
			var done bool
			if p, done = f.consume(p); !done {
				return f.wait(p)
			}
			return f.close(p, stateMessageComplete)
		case stateFail:
			return f.fail(f.Private.Aux, p)
		}

		if p == f.End {
			return f.wait(p)
		}
		switch s {
		case stateBodyStart:
			f.open(cbBody, p)
			f.Private.State = stateBody
		case stateBodyUntilEOFStart:
			f.open(cbBody, p)
			f.Private.State = stateBodyUntilEOF
		case stateBodyUntilEOF:
			return f.wait(f.End)
		case stateClosed:
			c := load8(p)
			p++
			if c != '\r' && c != '\n' && !f.lenient(lenientDataAfterClose) {
				return f.fail(reasonDataAfterClose, p)
			}
		}
	}
}

// consume takes what there is of a body of known length, and tells whether it is complete.
//
//go:nosplit
func (f *Frame) consume(p uintptr) (uintptr, bool) {
	have := uint64(f.End - p)
	f.changed = 1
	if have < f.Public.ContentLength {
		f.Public.ContentLength -= have
		return f.End, false
	}
	p += uintptr(f.Public.ContentLength)
	f.Public.ContentLength = 0
	return p, true
}

// upgrades tells whether another protocol follows the message (RFC 9110, Section 7.8). A response announces
// an upgrade without making it, unless its status is 101.
//
//go:nosplit
func (f *Frame) upgrades() uint8 {
	if f.has(flagUpgrade) && f.has(flagConnectionUpgrade) {
		if f.Public.Type == typeRequest || f.Public.StatusCode == 101 {
			return 1
		}
		return 0
	}
	if f.Public.Method == MethodCONNECT {
		return 1
	}
	return 0
}

// bodyState gives the state that reads the message's body (RFC 9112, Section 6.3), StateError if there is no
// telling where it ends.
//
//go:nosplit
func (f *Frame) bodyState() uint8 {
	response := f.Public.Type == typeResponse
	status := f.Public.StatusCode
	hasBody := f.has(flagChunked) || f.Public.ContentLength > 0
	switch {
	case f.rule(ruleStrictUpgradeTransferEncoding) && !response && f.has(flagTransferEncoding) && !f.has(flagChunked):
		return StateError
	case f.Public.Upgrade != 0 && (f.Public.Method == MethodCONNECT || f.has(flagSkipBody) || !hasBody),
		response && status == 101:
		return stateUpgradeComplete
	case f.has(flagSkipBody), response && bodyless(status):
		return stateEmptyComplete
	case f.has(flagChunked):
		return stateChunkSizeStart
	case f.has(flagTransferEncoding):
		if f.Public.Type == typeRequest && !f.lenient(lenientChunkedLength|lenientTransferEncoding) {
			return StateError
		}
	case f.has(flagContentLength):
		if f.Public.ContentLength == 0 {
			return stateEmptyComplete
		}
		return stateBodyStart
	case !f.Public.needsEOF():
		return stateEmptyComplete
	}
	f.Public.Finish = finishSafeWithCallback
	f.changed = 1
	return stateBodyUntilEOFStart
}

// bodyless: the statuses that are never followed by a body, whatever the fields say. Other 1xx are not among
// them, but have no body unless a field announces one.
//
//go:nosplit
func bodyless(status uint16) bool {
	switch status {
	case 100, 102, 103, 204, 304:
		return true
	}
	return false
}

// needsEOF tells whether only the end of the connection ends the message.
//
//go:nosplit
func (p *Public) needsEOF() bool {
	status := p.StatusCode
	switch {
	case p.Type == typeRequest,
		status/100 == 1, status == 204, status == 304, p.has(flagSkipBody):
		return false
	case p.has(flagTransferEncoding) && !p.has(flagChunked):
		return true
	}
	return !p.has(flagChunked | flagContentLength)
}

// persists tells whether the connection may carry another message (RFC 9112, Section 9.3).
//
//go:nosplit
func (p *Public) persists() bool {
	if p.Major > 0 && p.Minor > 0 {
		if p.has(flagConnectionClose) {
			return false
		}
	} else if !p.has(flagConnectionKeepAlive) {
		return false
	}
	return !p.needsEOF()
}

// persistsUnder is the same with regard to rules, which close more connections of HTTP/1.0.
//
//go:nosplit
func (p *Public) persistsUnder(rules uint32) bool {
	old := p.Major == 0 || p.Minor == 0
	return p.persists() && (rules == 0 || !old || !p.closes10(rules))
}

//go:nosplit
func (f *Frame) persists() bool { return f.Public.persistsUnder(f.Rules) }

// endMessage makes ready for the next message, or closes.
//
//go:nosplit
func (f *Frame) endMessage() {
	persists := f.persists()
	f.Public.Finish = finishSafe
	f.Public.Flags = 0
	f.changed = 1
	switch {
	case persists:
		f.Public.ContentLength = 0
	case !f.lenient(lenientKeepAlive):
		f.Private.State = stateClosed
		return
	}
	f.Public.InitialMessageCompleted = 1
	f.Private.State = stateStart
}
