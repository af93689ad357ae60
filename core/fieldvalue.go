package core

import "llhttpgo/core/asm"

// This file parses field values (RFC 9112, Section 5; RFC 9110, Section 5.5): any value, and those of the fields that
// frame a message or say whether the connection persists. Private.Field holds the kind of field and what its
// value has said last; it becomes a flag of the message at the next comma or line end.
// Invariant: the span of the value is open in stateValue to stateValueRelaxed and stateConnection to
// stateCodingOWS. Every value ends in endValue, or in failure.

//go:nosplit
func (f *Frame) fieldValue(p uintptr) uintptr {
	for {
		s := f.Private.State
		switch s {
		case stateFieldNameCheck:
			// RFC 9112, Section 6.1: a message with both fields hints at smuggling.
			switch f.Private.Field {
			case fieldTransferEncoding:
				if f.has(flagContentLength) && !f.lenient(lenientChunkedLength) {
					return f.fail(reasonTransferEncodingWithContentLength, p)
				}
			case fieldContentLength:
				if f.has(flagTransferEncoding) && !f.lenient(lenientChunkedLength) {
					return f.fail(reasonContentLengthWithTransferEncoding, p)
				}
			case fieldHost:
				if f.Private.Seen&seenHost != 0 {
					return f.fail(reasonDuplicateHost, p)
				}
				f.Private.Seen |= seenHost
			}
			f.Private.State = stateValueOWS
			continue
		case stateValueBareLF:
			if !f.lenient(lenientOptionalCRBeforeLF) {
				return f.fail(reasonMissingCRAfterHeaderValue, p)
			}
			f.Private.State = stateValueLF
			continue
		case stateValueComplete:
			return f.notify(cbHeaderValueComplete, p, stateFieldStart)
		}

		if p == f.End {
			return f.wait(p)
		}
		c := load8(p)
		switch s {
		case stateValueOWS:
			switch c {
			case ' ', '\t':
				p++
			case '\r':
				p++
				f.Private.State = stateValueOWSLF
			case '\n':
				p++
				if !f.lenient(lenientOptionalCRBeforeLF) {
					return f.fail(reasonInvalidHeaderValueChar, p)
				}
				f.Private.State = stateValueEmpty
			default:
				if p = f.startValue(p); f.Private.State >= firstFraming {
					return p
				}
			}
		case stateValueOWSLF:
			switch {
			case c == '\n':
				p++
			case !f.lenient(lenientHeaders):
				return f.fail(reasonExpectedLFAfterCR, p)
			}
			f.Private.State = stateValueEmpty
		case stateValueEmpty:
			if c == ' ' || c == '\t' {
				p++
				if !f.lenient(lenientHeaders) {
					return f.fail(reasonInvalidHeaderValueChar, p)
				}
				f.Private.State = stateValueOWS
				continue
			}
			switch f.Private.Field {
			case fieldContentLength:
				return f.fail(reasonEmptyContentLength, p)
			case fieldTransferEncoding:
				return f.fail(reasonEmptyTransferEncoding, p)
			case fieldHost:
				return f.fail(reasonEmptyHost, p)
			}
			f.settleField()
			f.open(cbHeaderValue, p)
			return f.close(p, stateValueComplete)

		case stateValue:
			return f.afterFields(f.restOfValue(p))
		case stateValueLenient:
			for c != '\r' && c != '\n' {
				p++
				if p == f.End {
					return f.wait(p)
				}
				c = load8(p)
			}
			if c == '\r' {
				return f.closeSkip(p, stateValueLF)
			}
			return f.close(p, stateValueLF)
		case stateValueRelaxed:
			for c != '\r' && c != '\n' && c != 0 {
				p++
				if p == f.End {
					return f.wait(p)
				}
				c = load8(p)
			}
			return f.endValue(c, p)
		case stateValueLF:
			if c != '\n' {
				return f.fail(reasonMissingLFAfterHeaderValue, p)
			}
			p++
			f.Private.State = stateValueFold
		case stateValueFold:
			if c != ' ' && c != '\t' {
				f.settleField()
				f.Private.State = stateValueComplete
				continue
			}
			// RFC 9112, Section 5.2: obs-fold is refused but in a leniently read message.
			if !f.lenient(lenientHeaders) {
				return f.fail(reasonUnexpectedWhitespaceAfterHeaderValue, p)
			}
			if f.Private.Field == fieldTransferEncodingChunked {
				f.Private.Field = fieldGeneral
			}
			if p = f.startValue(p); f.Private.State >= firstFraming {
				return p
			}

		// RFC 9110, Section 7.6.1: a list of connection options.
		case stateConnection:
			if c == ' ' || c == '\t' {
				p++
				continue
			}
			f.Private.Node = trieConnection
			f.Private.State = stateConnectionWord
		case stateConnectionWord:
			var n uint16
			if p, n = f.walk(p); n == 0 {
				f.Private.State = stateConnectionToken
			} else if id := node(n).id; id != 0 {
				f.Private.Field = id
				f.Private.State = stateConnectionOWS
			}
		case stateConnectionOWS:
			switch c {
			case ' ', '\t':
				p++
			case ',':
				p++
				f.settleField()
				f.Private.State = stateConnection
			case '\r', '\n':
				return f.endValue(c, p)
			default: // a longer option
				f.Private.Field = fieldGeneral
				f.Private.State = stateConnectionToken
			}
		case stateConnectionToken:
			p = asm.Skip(p, f.End, asm.ConnectionToken)
			if p == f.End {
				return f.wait(p)
			}
			if c = load8(p); c != ',' {
				return f.endValue(c, p)
			}
			p++
			f.Private.State = stateConnection

		// RFC 9112, Section 6.3: digits, no list, no sign. For rules Node says whether there has been a digit; of a number
		// that is there again it counts those that matter.
		case stateContentLength:
			if c-'0' > 9 {
				f.Private.State = stateContentLengthOWS
				continue
			}
			if f.Rules != 0 && !f.lengthDigit(c) {
				return f.close(p, f.failLater(reasonInvalidCharInContentLength))
			}
			p++
			if f.overflows(10, uint64(c-'0')) {
				return f.close(p, f.failLater(reasonContentLengthOverflow))
			}
		case stateContentLengthOWS:
			switch c {
			case ' ', '\t':
				p++
			case '\r', '\n':
				f.setFlag(flagContentLength)
				return f.endValue(c, p)
			default:
				if c == ',' && f.rule(ruleTolerateRepeatedContentLength) && f.Private.Node != 0 {
					p++
					f.Private.State = stateContentLengthNext
					continue
				}
				return f.close(p, f.failLater(reasonInvalidCharInContentLength))
			}
		case stateContentLengthNext:
			switch {
			case isOWS(c):
				p++
			case c-'0' > 9:
				return f.close(p, f.failLater(reasonInvalidCharInContentLength))
			default:
				f.Private.Node = 0
				f.Private.State = stateContentLengthAgain
			}
		case stateContentLengthAgain:
			switch {
			case c-'0' <= 9 && f.repeatsDigit(c):
				p++
			case c-'0' <= 9 || !f.repeatsLength():
				return f.fail(reasonDuplicateContentLength, p)
			default:
				f.Private.State = stateContentLengthOWS
			}

		// RFC 9112, Section 6.1: chunked frames the message only as the last coding.
		case stateCodingChunked:
			if f.Private.Node == 0 && f.readsCodings() && c != ',' && c != '\r' && c != '\n' {
				f.clearFlag(flagChunked) // another coding, if only by its first byte
			}
			if c|0x20 != chunkedWord[f.Private.Node&7] {
				f.Private.State = stateCodingToken
				continue
			}
			p++
			f.Private.Node++
			if f.Private.Node == chunkedWordLength {
				f.Private.State = stateCodingChunkedSP
			}
		case stateCodingChunkedSP:
			switch c {
			case ' ':
				p++
				continue
			case '\r', '\n':
				f.Private.Field = fieldTransferEncodingChunked
				return f.endValue(c, p)
			}
			if f.readsCodings() {
				switch {
				case c == ',':
					f.Private.Node = chunkedWordLength + 1
					p++
				case c == '\t':
					p++
				case f.Private.Node > chunkedWordLength: // behind a comma
					f.startCoding()
				default:
					f.Private.State = stateCodingToken
				}
				continue
			}
			switch c {
			case ',':
				if f.Public.Type == typeRequest && !f.lenient(lenientTransferEncoding) {
					return f.closeSkip(p, f.failLater(reasonInvalidTransferEncodingValue))
				}
				f.startCoding()
			default:
				f.Private.State = stateCodingToken
			}
		case stateCodingToken:
			p = asm.Skip(p, f.End, asm.ConnectionToken)
			if p == f.End {
				return f.wait(p)
			}
			if load8(p) != ',' {
				f.Private.Field = fieldGeneral
				f.Private.State = stateValue
				continue
			}
			p++
			f.Private.State = stateCodingOWS
		case stateCodingOWS:
			if c == ' ' || c == '\t' {
				p++
				continue
			}
			f.startCoding()
		}
	}
}

// chunkedWord is the one transfer coding that frames a message.
var chunkedWord = [8]uint8{'c', 'h', 'u', 'n', 'k', 'e', 'd'}

const chunkedWordLength = 7

// startValue opens the span of a value at its first byte, and chooses how to read it: a state of this topic, unless it
// is refused. Who calls it goes on from there, so that no batch ends between a look at that byte and a unit.
//
//go:nosplit
func (f *Frame) startValue(p uintptr) uintptr {
	f.open(cbHeaderValue, p)
	switch f.Private.Field {
	case fieldConnection:
		f.Private.State = stateConnection
	case fieldContentLength:
		f.Private.Node = 0
		f.Private.State = stateContentLength
		if f.has(flagContentLength) {
			if !f.rule(ruleTolerateRepeatedContentLength) {
				return f.fail(reasonDuplicateContentLength, p)
			}
			f.Private.State = stateContentLengthAgain
		}
	case fieldTransferEncoding:
		// RFC 9112, Section 6.1: in a request nothing may be applied after chunked, be it in another line.
		if f.has(flagChunked) && f.Public.Type == typeRequest && !f.lenient(lenientTransferEncoding) {
			return f.closeSkip(p, f.failLater(reasonInvalidTransferEncodingValue))
		}
		f.setFlag(flagTransferEncoding)
		if !f.readsCodings() {
			f.Public.Flags &^= flagChunked
		}
		f.startCoding()
	case fieldUpgrade:
		f.setFlag(flagUpgrade)
		f.Private.Field = fieldGeneral
		f.Private.State = stateValue
	case fieldHost:
		f.Private.Field = fieldGeneral
		f.Private.State = stateValue
	default:
		f.Private.State = stateValue
	}
	return p
}

//go:nosplit
func (f *Frame) startCoding() {
	f.Private.Node = 0
	f.Private.State = stateCodingChunked
}

// endValue looks at a byte that does not belong to the value as it is read now.
//
//go:nosplit
func (f *Frame) endValue(c uint8, p uintptr) uintptr {
	switch {
	case c == '\r':
		return f.closeSkip(p, stateValueLF)
	case c == '\n':
		return f.close(p, stateValueBareLF)
	case f.lenient(lenientHeaders):
		f.Private.State = stateValueLenient
		return p
	case f.lenient(lenientHeaderValueRelaxed) && c != 0:
		// llhttp 9.4.3 never comes back from a NUL here; it is refused as without the flag.
		f.Private.State = stateValueRelaxed
		return p
	case f.skipsValue(c):
		return f.close(p, stateSkippedLineStart)
	}
	return f.close(p, f.failLater(reasonInvalidHeaderValueChar))
}

// settleField turns what a value has said last into a flag of the message.
//
//go:nosplit
func (f *Frame) settleField() {
	switch f.Private.Field {
	case fieldConnectionKeepAlive:
		f.setFlag(flagConnectionKeepAlive)
	case fieldConnectionClose:
		f.setFlag(flagConnectionClose)
	case fieldConnectionUpgrade:
		f.setFlag(flagConnectionUpgrade)
	case fieldTransferEncodingChunked:
		f.setFlag(flagChunked)
		return
	default:
		return
	}
	f.Private.Field = fieldConnection
}

// overflows appends a digit to the content length, and tells whether that did not fit. What is kept then is
// what llhttp shows: the product without the sum, or the value before it.
//
//go:nosplit
func (f *Frame) overflows(base, digit uint64) bool {
	n := f.Public.ContentLength
	if n > ^uint64(0)/base {
		return true
	}
	n *= base
	f.changed = 1
	f.Public.ContentLength = n + digit
	if n > ^uint64(0)-digit {
		f.Public.ContentLength = n
		return true
	}
	return false
}
