package core

import "llhttpgo/core/asm"

// This file parses the chunked transfer coding: chunk-size, chunk-ext, chunk-data, and the way into the trailer
// section, whose lines are fieldName's (RFC 9112, Section 7.1).
// Invariant: the span of the data is open in stateChunkData, that of an extension's name in
// stateExtensionName, that of its value from stateExtensionNameCompleteValue to stateExtensionQuotedPair.

//go:nosplit
func (f *Frame) chunked(p uintptr) uintptr {
	for {
		s := f.Private.State
		switch s {
		case stateChunkSizeStart:
			if f.Public.ContentLength != 0 {
				f.Public.ContentLength = 0
				f.changed = 1
			}
			f.Private.State = stateChunkSizeFirst
			continue
		case stateChunkHeader:
			return f.notify(cbChunkHeader, p, stateChunkCheck)
		case stateChunkCheck:
			if f.Public.ContentLength == 0 {
				f.setFlag(flagTrailing)
				f.Private.State = stateFieldStart
				return p
			}
			f.Private.State = stateChunkDataStart
			continue
		case stateChunkData:
			var done bool
			if p, done = f.consume(p); !done {
				return f.wait(p)
			}
			return f.close(p, stateChunkDataEnd)
		case stateChunkComplete:
			return f.notify(cbChunkComplete, p, stateChunkSizeStart)
		case stateLastChunkComplete:
			return f.notify(cbChunkComplete, p, stateMessageComplete)
		case stateExtensionNameCompleteCR:
			return f.notify(cbChunkExtensionNameComplete, p, stateChunkSizeLF)
		case stateExtensionNameCompleteLF:
			return f.notify(cbChunkExtensionNameComplete, p, stateExtensionNameBareLF)
		case stateExtensionNameCompleteNext:
			return f.notify(cbChunkExtensionNameComplete, p, stateExtension)
		case stateExtensionNameCompleteValue:
			return f.notify(cbChunkExtensionNameComplete, p, stateExtensionValue)
		case stateExtensionNameBareLF:
			if !f.lenient(lenientOptionalCRBeforeLF) {
				return f.fail(reasonMissingCRAfterChunkExtensionName, p)
			}
			f.Private.State = stateChunkSizeLF
			continue
		case stateExtensionQuotedComplete:
			return f.notify(cbChunkExtensionValueComplete, p, stateExtensionQuotedEnd)
		case stateExtensionValueCompleteCR:
			return f.notify(cbChunkExtensionValueComplete, p, stateChunkSizeLF)
		case stateExtensionValueCompleteLF:
			return f.notify(cbChunkExtensionValueComplete, p, stateExtensionValueBareLF)
		case stateExtensionValueCompleteNext:
			return f.notify(cbChunkExtensionValueComplete, p, stateExtension)
		case stateExtensionValueBareLF:
			if !f.lenient(lenientOptionalCRBeforeLF) {
				return f.fail(reasonMissingCRAfterChunkExtensionValue, p)
			}
			f.Private.State = stateChunkSizeLF
			continue
		}

		if p == f.End {
			return f.wait(p)
		}
		c := load8(p)
		switch s {
		case stateChunkSizeFirst, stateChunkSize:
			if s == stateChunkSizeFirst && f.Public.ContentLength == 0 && f.wholeLines() {
				top := f.Top
				next := f.chunks(p)
				if f.Private.State == stateStart {
					return f.messages(next)
				}
				if next != p || f.Limit == 0 || f.Top != top { // the room is another
					return next
				}
			}
			digit := hexValue[c]
			switch {
			case digit != 0xff:
				p++
				if f.overflows(16, uint64(digit)) {
					return f.fail(reasonChunkSizeOverflow, p)
				}
				f.Private.State = stateChunkSize
			case s == stateChunkSizeFirst:
				return f.fail(reasonInvalidCharInChunkSize, p)
			default:
				f.Private.State = stateChunkSizeEnd
			}
		case stateChunkSizeEnd:
			switch c {
			case ' ', '\t':
				p++
				if !f.lenient(lenientSpacesAfterChunkSize) {
					return f.fail(reasonInvalidCharInChunkSize, p)
				}
			case '\r':
				p++
				f.Private.State = stateChunkSizeLF
			case '\n':
				p++
				if !f.lenient(lenientOptionalCRBeforeLF) {
					return f.fail(reasonMissingCRAfterChunkSize, p)
				}
				f.Private.State = stateChunkSizeLF
			case ';':
				p++
				f.Private.State = stateExtension
			default:
				return f.fail(reasonInvalidCharInChunkSize, p)
			}
		case stateChunkSizeLF:
			switch {
			case c == '\n':
				p++
			case !f.lenient(lenientOptionalLFAfterCR):
				return f.fail(reasonExpectedLFAfterChunkSize, p)
			}
			f.Private.State = stateChunkHeader

		case stateChunkDataStart:
			f.open(cbBody, p)
			f.Private.State = stateChunkData
		case stateChunkDataEnd:
			switch {
			case c == '\r':
				p++
				f.Private.State = stateChunkDataLF
				continue
			case c == '\n':
				p++
				if !f.lenient(lenientOptionalCRBeforeLF) {
					return f.fail(reasonMissingCRAfterChunkData, p)
				}
			case !f.lenient(lenientOptionalCRLFAfterChunk):
				return f.fail(reasonExpectedLFAfterChunkData, p)
			}
			f.Private.State = stateChunkComplete
		case stateChunkDataLF:
			switch {
			case c == '\n':
				p++
			case !f.lenient(lenientOptionalCRLFAfterChunk):
				return f.fail(reasonExpectedLFAfterChunkData, p)
			}
			f.Private.State = stateChunkComplete

		case stateExtension:
			if c == '\r' || c == ' ' {
				return f.fail(reasonInvalidCharInChunkExtensions, p+1)
			}
			if f.rule(ruleStrictChunkExtensions) && !in(c, asm.Token) {
				return f.fail(reasonInvalidCharInChunkExtensionName, p)
			}
			f.open(cbChunkExtensionName, p)
			f.Private.State = stateExtensionName
		case stateExtensionName:
			p = asm.Skip(p, f.End, asm.Token)
			if p == f.End {
				return f.wait(p)
			}
			switch load8(p) {
			case '=':
				return f.closeSkip(p, stateExtensionValueStart)
			case ';':
				return f.closeSkip(p, stateExtensionNameCompleteNext)
			case '\r':
				return f.closeSkip(p, stateExtensionNameCompleteCR)
			case '\n':
				return f.close(p, stateExtensionNameCompleteLF)
			}
			return f.closeSkip(p, f.failLater(reasonInvalidCharInChunkExtensionName))
		case stateExtensionValueStart:
			f.open(cbChunkExtensionValue, p)
			f.Private.State = stateExtensionNameCompleteValue
		case stateExtensionValue:
			p = asm.Skip(p, f.End, asm.Token)
			if p == f.End {
				return f.wait(p)
			}
			switch load8(p) {
			case '"':
				p++
				f.Private.State = stateExtensionQuoted
				continue
			case ';':
				return f.closeSkip(p, stateExtensionValueCompleteNext)
			case '\r':
				return f.closeSkip(p, stateExtensionValueCompleteCR)
			case '\n':
				return f.close(p, stateExtensionValueCompleteLF)
			}
			return f.closeSkip(p, f.failLater(reasonInvalidCharInChunkExtensionValue))
		case stateExtensionQuoted:
			p = asm.Skip(p, f.End, asm.QuotedText)
			if p == f.End {
				return f.wait(p)
			}
			switch load8(p) {
			case '"':
				return f.close(p+1, stateExtensionQuotedComplete)
			case '\\':
				p++
				f.Private.State = stateExtensionQuotedPair
				continue
			}
			return f.closeSkip(p, f.failLater(reasonInvalidCharInChunkExtensionQuotedValue))
		case stateExtensionQuotedPair:
			if !in(c, asm.FieldValue) {
				return f.closeSkip(p, f.failLater(reasonInvalidQuotedPair))
			}
			p++
			f.Private.State = stateExtensionQuoted
		case stateExtensionQuotedEnd:
			switch {
			case c == ';':
				p++
				f.Private.State = stateExtension
			case c == '\r':
				p++
				f.Private.State = stateChunkSizeLF
			case c == '\n' && f.lenient(lenientOptionalCRBeforeLF):
				f.Private.State = stateChunkSizeLF
			case c == '\n':
				return f.fail(reasonMissingCRAfterChunkExtensionValue, p)
			default:
				return f.fail(reasonInvalidCharAfterChunkExtensionQuotedValue, p)
			}
		}
	}
}
