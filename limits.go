package llhttpgo

// This file has the limits of a Parser: for each of them the first byte that it forbids, as far as the input has come. It
// says of the tape's events what capi/ext_limits.h says of the C library's callbacks. The two are not one: what both could use
// would be package core's, and to C each of its looks at a callback, now a few instructions in place, would be a call
// through the entry. What holds them together are the documents of tests/cases, which run on both, and limits_c_test.go.
//
// Places are numbers of bytes, from anywhere. What must hold: a limit is exceeded when the parser has gone past its
// place, so an event that stands beyond a place must not be delivered; and the places are those after the last event that
// was. Events stand at the same bytes however the input is cut; where an open span begins is known when it is delivered,
// or when the input ends.

import (
	"math"
	"slices"

	"llhttpgo/core"
)

// any tells whether there is a limit.
func (l *Limits) any() bool {
	return l.MaxTargetLength > 0 || l.MaxFieldLineLength > 0 || l.MaxFields > 0 || l.MaxHeaderBytes > 0 ||
		l.MaxChunkExtensionBytes > 0 || l.MaxMessageChunkExtensionBytes > 0 || l.MaxTrailerBytes > 0
}

// Elements that have begun, bits of limiter.open.
const (
	inTarget = 1 << iota
	inFieldLine
	inChunkExtensions
)

// countedEvents are those by which limits are counted.
const countedEvents EventSet = 1<<EventMessageBegin | 1<<EventURL | 1<<EventHeaderField | 1<<EventHeaderValueComplete |
	1<<EventHeadersComplete | 1<<EventChunkExtensionName | 1<<EventChunkHeader | 1<<EventChunkComplete |
	1<<EventSkippedLine | 1<<EventSkippedLineComplete

const never = math.MaxInt64

// limiter counts for a parser. It counts nothing before clear.
type limiter struct {
	most           Limits
	at             [limitErrors]int64 // each limit's place, never if it limits nothing now
	first          int64              // the least of them, or one that has ended
	base           int64              // the place of the input's first byte
	extensionsAt   int64              // where the chunk's extensions began
	extensionBytes int64              // of the message's earlier chunks
	fields         int                // of the message
	open           uint8
}

// clear says that nothing has begun.
func (l *limiter) clear() {
	l.open = 0
	l.fields = 0
	l.extensionBytes = 0
	for i := range l.at {
		l.at[i] = never
	}
	l.first = never
}

func (l *limiter) set(limit LimitError, place int64) {
	l.at[limit] = place
	l.first = min(l.first, place)
}

// allow sets a limit for what begins at a place and may have so many bytes.
func (l *limiter) allow(limit LimitError, from int64, most int) {
	if most > 0 && int64(most) < never-from {
		l.set(limit, from+int64(most))
	}
}

func (l *limiter) end(limit LimitError) { l.at[limit] = never }

// past tells whether a limit comes before a place.
func (l *limiter) past(place int64) bool { return place > l.first && l.pastFirst(place) }

//go:noinline so that past is small enough to be inlined
func (l *limiter) pastFirst(place int64) bool {
	l.first = slices.Min(l.at[:])
	return place > l.first
}

// begin says that a span begins at a place, or goes on if its element has begun.
func (l *limiter) begin(kind Kind, place int64) {
	switch kind {
	case EventURL:
		if l.open&inTarget == 0 {
			l.open |= inTarget
			l.allow(ErrMaxTargetLength, place, l.most.MaxTargetLength)
		}
	case EventHeaderField, EventSkippedLine: // from its first byte on, if there is no name
		if l.open&inFieldLine == 0 {
			l.open |= inFieldLine
			l.fields++
			l.allow(ErrMaxFieldLineLength, place, l.most.MaxFieldLineLength)
			if l.most.MaxFields > 0 && l.fields > l.most.MaxFields {
				l.set(ErrMaxFields, place)
			}
		}
	case EventChunkExtensionName:
		if l.open&inChunkExtensions == 0 {
			l.open |= inChunkExtensions
			l.extensionsAt = place
			l.allow(ErrMaxChunkExtensionBytes, place, l.most.MaxChunkExtensionBytes)
			if most := int64(l.most.MaxMessageChunkExtensionBytes); most > l.extensionBytes {
				l.allow(ErrMaxMessageChunkExtensionBytes, place, int(most-l.extensionBytes))
			} else if most > 0 {
				l.set(ErrMaxMessageChunkExtensionBytes, place)
			}
		}
	}
}

// endSpan says that a span is complete.
func (l *limiter) endSpan(kind Kind) {
	if kind == EventURL {
		l.open &^= inTarget
		l.end(ErrMaxTargetLength)
	}
}

// notice says that an event without a span stands at a place that no limit comes before; of EventChunkHeader, whether it
// is that of the last chunk.
func (l *limiter) notice(kind Kind, place int64, last bool) {
	switch kind {
	case EventMessageBegin:
		l.clear()
		l.allow(ErrMaxHeaderBytes, place, l.most.MaxHeaderBytes)
	case EventHeaderValueComplete, EventSkippedLineComplete:
		l.open &^= inFieldLine
		l.end(ErrMaxFieldLineLength)
	case EventHeadersComplete:
		l.end(ErrMaxHeaderBytes)
	case EventChunkHeader:
		if l.open&inChunkExtensions != 0 {
			l.open &^= inChunkExtensions
			l.extensionBytes += place - l.extensionsAt
			l.end(ErrMaxChunkExtensionBytes)
			l.end(ErrMaxMessageChunkExtensionBytes)
		}
		if last {
			l.allow(ErrMaxTrailerBytes, place, l.most.MaxTrailerBytes)
		}
	case EventChunkComplete:
		l.end(ErrMaxTrailerBytes)
	}
}

// exceeded gives the limit whose place is the first.
func (l *limiter) exceeded() LimitError {
	limit := LimitError(1)
	for l.at[limit] != l.first {
		limit++
	}
	return limit
}

// place gives the place of an offset in l.data.
func (p *Parser) place(l *loop, offset int) int64 {
	return p.limiter.base + int64(l.base) + int64(offset)
}

// pastLimit looks at the event that is due, and tells whether a limit comes before it: then it must not be delivered.
func (p *Parser) pastLimit(l *loop) bool {
	lim := &p.limiter
	e := &l.s.events[l.next-1]
	kind := Kind(e.Tag)
	from := p.place(l, int(e.Offset))
	if !kind.IsSpan() {
		if lim.past(from) {
			return true
		}
		lim.notice(kind, from, e.Length|e.Value == 0)
		return false
	}
	lim.begin(kind, from)
	end := from + int64(e.Length)
	// The parse stands at the end of the span, or one byte behind it.
	past := lim.past(end + 1)
	if !past && kind != EventURL {
		return false
	}
	t := &l.s.tape
	switch {
	case past && end > lim.first:
		return true
	case l.next == l.count && t.Result == core.TapeExhausted && Kind(t.Frame.Private.Open) == kind:
		return false // it goes on in the next piece of the input
	case past && p.behind(l) > lim.first:
		return true
	}
	lim.endSpan(kind)
	return false
}

// behind gives the place where the parse stands after the event that is due. Of a span that may be the byte behind its
// end: only the parser knows. The array then ends with that event.
func (p *Parser) behind(l *loop) int64 {
	p.run(l, l.next)
	return p.place(l, int(l.s.tape.Frame.Pos))
}

// pastLimitAtEnd is pastLimit for what follows the last event, up to the end of the input or to an error.
func (p *Parser) pastLimitAtEnd(l *loop) bool {
	f := &l.s.tape.Frame
	if f.Private.Open != 0 {
		p.limiter.begin(Kind(f.Private.Open), p.place(l, int(f.Span)))
	}
	return p.limiter.past(p.place(l, int(f.Pos)))
}

// stopAtLimit ends the parse at the first limit. What is known of the message is what the bytes before it say.
func (p *Parser) stopAtLimit(l *loop) {
	lim := &p.limiter
	l.data = l.data[:lim.first-p.place(l, 0)]
	p.run(l, scratchEvents)
	l.next = 0 // there is nothing to go back to
	p.consumed = l.base + len(l.data)
	limit := lim.exceeded()
	p.err = p.newError(&limitReasons[limit], limit)
}
