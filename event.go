package llhttpgo

// This file has what a Parser says: events, and the small types in them.

import (
	"strings"
	"unsafe"

	"llhttpgo/core"
)

// Kind is what an event says.
type Kind uint8

// String gives the name of llhttp's callback, without "on_".
func (k Kind) String() string { return name(kindNames[:], int(k)) }

// IsSpan tells whether events of this kind come with bytes.
func (k Kind) IsSpan() bool { return uint32(spanKinds)>>k&1 != 0 }

// EventSet is a set of kinds.
type EventSet uint32

// AllEvents is every kind.
const AllEvents EventSet = 1<<len(kindNames) - 1

// Events makes a set.
func Events(kinds ...Kind) EventSet {
	set := EventSet(0)
	for _, k := range kinds {
		set |= 1 << k
	}
	return set
}

// Has tells whether a kind is in the set.
func (s EventSet) Has(k Kind) bool { return s>>k&1 != 0 }

// Event is one thing that the parser says. It comes at the point in the message where llhttp makes the callback of the
// same name, in the same order.
//
// Spans are kinds with bytes: EventProtocol, EventURL, EventStatus, EventMethod, EventVersion, EventHeaderField,
// EventHeaderValue, EventChunkExtensionName, EventChunkExtensionValue, EventBody and EventSkippedLine. A span that goes over
// the end of the input comes in two or more events, one for each piece of the input; the kind that is called Complete
// follows the last of them, for all but a body. An empty field value comes as one event without bytes.
//
// EventSkippedLine, which comes under [TolerateBadFieldLines] alone, is a field line that does not parse: its bytes from the
// one that does not fit on, without the line end; there may be none. What came before that byte has been told: as
// EventHeaderField alone, or that, EventHeaderFieldComplete and EventHeaderValue.
//
// The others:
//
//   - EventReset, before all but the first message of a connection, and EventMessageBegin;
//   - EventMethodComplete, from which on there is Method; EventVersionComplete, Version; EventStatusComplete,
//     StatusCode;
//   - EventURLComplete, EventProtocolComplete, EventHeaderFieldComplete, EventHeaderValueComplete,
//     EventChunkExtensionNameComplete and EventChunkExtensionValueComplete: the span before is complete;
//   - EventHeadersComplete, with Method or StatusCode, Version, Flags, Length, Upgrade and KeepAlive. Here, and only here,
//     the parser may be told what the message itself does not say: [Parser.SkipBody], [Parser.SwitchProtocols];
//   - EventChunkHeader, with Length, the size of a chunk, 0 for the last; and EventChunkComplete;
//   - EventSkippedLineComplete: a line that was skipped ends;
//   - EventMessageComplete, with what EventHeadersComplete has. KeepAlive and Flags may be other ones, because of
//     trailers.
//
// An Event is small, so that it travels in registers; it may be kept.
type Event struct {
	at   *byte  // of a span its first byte; of a section with a length beyond its bits that length
	tag  uint64 // as in core.TapeEvent: kind | version<<8 | id<<16 | value<<32
	span uint64 // offset | length<<32
}

// Kind gives what the event says.
func (e Event) Kind() Kind { return Kind(e.tag) }

// Data gives the bytes of a span, a part of the input; nil of other events.
func (e Event) Data() []byte {
	if !e.Kind().IsSpan() {
		return nil
	}
	return unsafe.Slice(e.at, e.span>>32)
}

// Offset gives where the span begins in the input, or where the parse stands: behind the line or the body that is
// complete. The input is what the call that gave the event was given.
func (e Event) Offset() int { return int(e.span & (1<<32 - 1)) }

// FieldID gives the id of the name in EventHeaderField; 0 if it is not well-known, or is cut by the end of the input.
func (e Event) FieldID() FieldID { return FieldID(e.when(1<<EventHeaderField, e.tag>>16)) }

const (
	sections = 1<<EventHeadersComplete | 1<<EventMessageComplete
	// What the tag of a section has behind its flags.
	sectionUpgrade   = 1 << (32 + 16)
	sectionKeepAlive = 1 << (32 + 17)
	// Where the bits of the length above 32 are, and the length of a section that has no room for a longer one.
	sectionLength = 32 + 24
	sectionMost   = 1<<40 - 1
)

// Method gives the method of a request, in EventMethodComplete, EventHeadersComplete and EventMessageComplete; in a
// response it has no meaning.
func (e Event) Method() Method {
	return Method(e.when(1<<EventMethodComplete, e.tag>>32) | e.when(sections, e.tag>>16))
}

// StatusCode gives the status code of a response, in EventStatusComplete, EventHeadersComplete and
// EventMessageComplete; in a request it has no meaning.
func (e Event) StatusCode() int {
	return int(uint16(e.when(1<<EventStatusComplete, e.tag>>32) | e.when(sections, e.tag>>16)))
}

// Version gives the version of the protocol, in EventVersionComplete, EventHeadersComplete and EventMessageComplete.
func (e Event) Version() (major, minor int) {
	if e.Kind() == EventVersionComplete {
		return int(e.tag >> 40), int(e.tag >> 32 & 0xff)
	}
	v := int(e.when(sections, e.tag>>8))
	return v >> 4 & 15, v & 15
}

// Flags gives what the fields have said, in EventHeadersComplete and EventMessageComplete.
func (e Event) Flags() Flags { return Flags(e.when(sections, e.tag>>32)) }

// Length gives the size of the chunk, in EventChunkHeader; in EventHeadersComplete Content-Length, if Flags has
// FlagContentLength.
func (e Event) Length() uint64 {
	switch kind := uint32(1) << e.Kind(); {
	case kind&sections == 0:
		return e.when(1<<EventChunkHeader, e.span>>32|e.tag>>32<<32)
	case e.at != nil:
		return *(*uint64)(unsafe.Pointer(e.at))
	}
	return e.span>>32 | e.tag>>sectionLength<<32
}

// Upgrade tells in EventHeadersComplete and EventMessageComplete that another protocol follows: the message has upgrade
// fields, or is a CONNECT.
func (e Event) Upgrade() bool { return e.when(sections, e.tag&sectionUpgrade) != 0 }

// KeepAlive tells in EventHeadersComplete and EventMessageComplete whether the connection may carry another message
// (RFC 9112, Section 9.3).
func (e Event) KeepAlive() bool { return e.when(sections, e.tag&sectionKeepAlive) != 0 }

// when gives the value if the event is of one of the kinds, else 0.
func (e Event) when(kinds uint32, value uint64) uint64 {
	if kinds>>e.Kind()&1 == 0 {
		return 0
	}
	return value
}

// event makes an Event of one of the tape, which is about data.
func event(t *core.TapeEvent, data []byte) Event {
	e := Event{tag: uint64(t.Tag) | uint64(t.Value)<<32, span: uint64(t.Offset) | uint64(t.Length)<<32}
	if e.Kind().IsSpan() {
		e.at = unsafe.SliceData(data[t.Offset:][:t.Length])
	}
	return e
}

// Type is what a parser parses.
type Type uint8

// String gives the type's name.
func (t Type) String() string { return name(typeNames[:], int(t)) }

// Method is a request method.
type Method uint8

// String gives the method as it is on the wire.
func (m Method) String() string { return name(methodNames[:], int(m)) }

// Flags is a set of what the field section of a message has said.
type Flags uint16

// String gives the names of the flags, with bars between them.
func (f Flags) String() string { return names(flagNames[:], uint32(f)) }

// Rules is a set of rules by which a parser differs from llhttp: see [Parser.SetRules].
type Rules uint32

// String gives the names of the rules, with bars between them.
func (r Rules) String() string { return names(ruleNames[:], uint32(r)) }

// Lenient is a set of rules to relax.
type Lenient uint16

// String gives the names of the flags, with bars between them.
func (l Lenient) String() string { return names(lenientNames[:], uint32(l)) }

// bitName is a bit with a name.
type bitName struct {
	bit  uint32
	name string
}

// names joins the names of the bits that are set.
func names(table []bitName, bits uint32) string {
	var set []string
	for _, b := range table {
		if bits&b.bit != 0 {
			set = append(set, b.name)
		}
	}
	return strings.Join(set, "|")
}

// name gives an entry of a table, which may have gaps.
func name(table []string, i int) string {
	if i < len(table) && table[i] != "" {
		return table[i]
	}
	return "<unknown>"
}
