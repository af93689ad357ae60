package core

import "llhttpgo/core/asm"

// This file parses a field section up to each field's colon, and its end (RFC 9112, Section 5), of header and
// trailer section alike. The names of the five fields that frame a message are found on the way, at any split.
// Invariant: the span of the name is open in stateFieldName to stateFieldNameGeneral and in stateFieldNameRuled, that of
// a line that is skipped in stateSkippedLine; none is in any other state here.

//go:nosplit
func (f *Frame) fieldName(p uintptr) uintptr {
	for {
		s := f.Private.State
		if s == stateFieldNameComplete {
			return f.notify(cbHeaderFieldComplete, p, stateFieldNameCheck)
		}
		if p == f.End {
			return f.wait(p)
		}
		c := load8(p)
		switch s {
		case stateFieldsStart:
			if c == ' ' {
				p++
				if !f.lenient(lenientHeaders) {
					return f.fail(reasonUnexpectedSpaceAfterStartLine, p)
				}
			}
			f.Private.State = stateFieldStart
		case stateFieldStart:
			switch c {
			case '\r':
				p++
				f.Private.State = stateFieldsLF
			case '\n':
				p++
				if !f.lenient(lenientOptionalCRBeforeLF) {
					return f.fail(reasonInvalidHeaderFieldChar, p)
				}
				return f.endFields(p)
			case ':':
				if f.rule(ruleTolerateBadFieldLines) {
					f.startWatch()
					f.Private.State = stateSkippedLineStart
					continue
				}
				return f.fail(reasonInvalidHeaderToken, p)
			default:
				if f.wholeLines() {
					return f.fieldSection(p)
				}
				return f.startName(p, 0, 0)
			}
		case stateFieldName:
			var n uint16
			if p, n = f.walk(p); n == 0 {
				f.Private.Field = fieldGeneral
				f.Private.State = stateFieldNameGeneral
			} else if id := node(n).id; id != 0 {
				f.Private.Field = id
				f.Private.State = stateFieldNameColon
			}
		case stateFieldNameColon:
			switch {
			case c == ':':
				return f.closeSkip(p, stateFieldNameComplete)
			case c != ' ': // a longer name
				f.Private.Field = fieldGeneral
				f.Private.State = stateFieldNameGeneral
			case f.lenient(lenientHeaders):
				f.Private.State = stateFieldNameSpaces
			default:
				// RFC 9112, Section 5.1: whitespace before the colon has led to request smuggling.
				return f.closeSkip(p, f.failLater(reasonInvalidHeaderFieldChar))
			}
		case stateFieldNameSpaces:
			if c == ' ' {
				p++
				continue
			}
			f.Private.State = stateFieldNameColon
		case stateFieldNameGeneral:
			p = asm.Skip(p, f.End, asm.Token)
			if p == f.End {
				return f.wait(p)
			}
			if load8(p) != ':' {
				return f.fail(reasonInvalidHeaderToken, p)
			}
			return f.closeSkip(p, stateFieldNameComplete)
		case stateFieldsLF:
			switch {
			case c == '\n':
				p++
			case !f.lenient(lenientOptionalLFAfterCR):
				return f.fail(reasonExpectedLFAfterHeaders, p)
			}
			return f.endFields(p)
		case stateFieldNameRuled:
			return f.ruledName(p)
		default:
			return f.skipLine(p)
		}
	}
}

// endFields takes the end of a header section, or of the trailer section after the last chunk.
//
//go:nosplit
func (f *Frame) endFields(p uintptr) uintptr {
	if f.has(flagTrailing) {
		f.Private.State = stateLastChunkComplete
	} else {
		f.Private.State = stateHeadersComplete
	}
	return p
}
