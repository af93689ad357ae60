package core

import (
	"unsafe"

	"llhttpgo/core/asm"
)

// This file holds what the parser keeps between two calls, what caller and Step share during one, and the
// names of the states. The layouts are part of the contract with capi/frame.h, which asserts them.

// Public is the part of llhttp_t that its users may read and change, from content_length to
// initial_message_completed, byte for byte.
type Public struct {
	ContentLength           uint64
	Type                    uint8
	Method                  uint8
	Major                   uint8
	Minor                   uint8
	HeaderState             uint8 // of llhttp's own machine; kept as found
	_                       uint8
	Lenient                 uint16
	Upgrade                 uint8
	Finish                  uint8
	Flags                   uint16
	StatusCode              uint16
	InitialMessageCompleted uint8
	_                       uint8
}

// Private is the machine's own state; all zero is a parser that has seen nothing.
type Private struct {
	State uint8
	Field uint8  // kind of the field line under way, and what its value has said so far: field*
	Open  uint8  // callback of the open span; 0 for none (callback 0 is no span)
	Aux   uint8  // stateFail: the reason; after a request's protocol name: which; for rules a place in watchTable
	Node  uint16 // place in a trie, count of bytes matched, or what else a topic has to remember
	Line  uint8  // what the start-line is: lineRequest, lineStatus
	Seen  uint8  // for rules, what the message and the field line under way have had: seen*; only with rules
}

// The state travels in events as one address-sized word: 64-bit targets only.
var _ = [1]int{}[unsafe.Sizeof(Private{})-unsafe.Sizeof(uintptr(0))]

// The two kinds of start-line.
const (
	lineRequest = iota
	lineStatus
)

// Frame is one batch: the caller fills it, Step moves Pos, Span, Private and Public on and writes events.
// All addresses are integers, as the memory is the host's.
type Frame struct {
	Buf     uintptr // offsets in events count from here
	Pos     uintptr // Buf <= Pos <= End: the next byte
	End     uintptr
	Span    uintptr // first byte of the open span, if one is open
	Private Private
	Public  Public
	Top     uintptr // where the next event goes
	Room    uintptr // the end of the events; at least MinRoom above Top at first
	Limit   uint32  // units that may still be written; Unlimited lets lines be taken as a whole
	Status  uint8   // why Step returned
	Reason  uint8   // with Stopped: id of the reason
	changed uint8   // Public differs from what the events show so far
	few     uint8   // field lines to take at most in one go, after one that was the machine's; 0 for no limit, as at first
	Rules   uint32  // rules.go
	// Not 0: the batch ends with the callback at the end of a header section.
	AtHeaders uint32
}

// Limits that the room for events undercuts. Unlimited is for a piece of which a byte is left, and for no rules. With
// Lines what is taken as a whole begins with a line or a message; with ByUnits nothing is: each unit is an event of its
// own, EventNotify, EventSpan or EventSpanSkip.
const (
	Unlimited = 1<<32 - 1
	Lines     = 1 << 31
	ByUnits   = 1 << 30
)

// Why Step returned.
const (
	More      = iota // the limit is reached: call again
	Exhausted        // the input is used up; the caller delivers the open span, if any, up to End
	Stopped          // an error or a pause: Reason says which, Pos is the error position
)

// Kinds of events. An event begins with a word of kind (8 bits), callback (8) and offset (48); records hold what
// they need instead. All are multiples of 16 bytes.
const (
	// A callback without a span is due, and the parse stands at the offset. Second word: Private after it.
	EventNotify = iota + 1
	// A span of a length, the second word. The parse stands at its end; with Skip one byte after it.
	EventSpan
	EventSpanSkip
	// No unit: the public fields from here on, in the second to fourth word.
	EventPublic
	// A whole request-line, see RequestEvent; a whole status-line, see StatusEvent; whole field lines, see
	// FieldsEvent. Their units are counted as if they had come one by one.
	EventRequest
	EventStatus
	EventFields
	// A whole chunk without an extension: the offset is that of its data, the second word its size. Units:
	// chunk_header, body, chunk_complete; the parse stands at the data, its end, and two bytes after that.
	EventChunk
	// The last chunk, no trailer section, and the end of a message after which the connection persists. Units:
	// chunk_header, chunk_complete, message_complete; the parse stands at the offset and two bytes after it. The public
	// fields have been made ready for the next message behind it.
	EventLastChunk
	// A field's name with its colon: a span and a callback that are units of their own. The parse stands after the colon
	// at both.
	EventName
	// The rest of a field's value with its line end, likewise. The parse stands after CR, then after LF.
	EventValue
	// The end of a header section, a body of known length if there is one, and the end of a message after which the
	// connection persists, see MessageEvent.
	EventMessage
)

// UnitRoom is the most that one unit takes up in the events, in bytes: an EventPublic and the unit's own.
const UnitRoom = 48

// MinRoom is the room that any one event needs, in bytes.
const MinRoom = publicSize + 2*eventSize + leastLines

// RequestEvent is a request-line in origin-form with its line end, of version 1.x.
// Units: on_reset if bit 8 of Head is set, then message_begin, and two each for method, url, protocol and version.
type RequestEvent struct {
	Head           uint64 // kind | reset<<8 | method<<16 | minor<<24 | length of the method<<32
	MethodOffset   uint32
	TargetOffset   uint32
	TargetLength   uint32
	ProtocolOffset uint32 // the version stands five bytes after it
	_              uint64
}

// StatusEvent is a status-line with its line end, of version 1.x.
// Units: on_reset if bit 8 of Head is set, then message_begin, and two each for protocol, version and status.
type StatusEvent struct {
	Head           uint64 // kind | reset<<8 | minor<<24 | status code<<32
	ProtocolOffset uint32
	ReasonOffset   uint32
	ReasonLength   uint32
	_              uint32
	_              uint64
}

// FieldsEvent begins a number of field lines, a FieldLine each, of four units each. None of them is under the influence
// of a lenient flag. Behind them are the Effects of those that change the message, in their order.
type FieldsEvent struct {
	Head uint64 // kind | number of effects<<16 | number of lines<<32
	_    uint64
}

// MessageEvent is what follows a header section when the body, if any, has a known length and is all there. The public
// fields have been made ready for the next message behind it.
// Units: headers_complete, body if Length is not zero, message_complete.
type MessageEvent struct {
	Head          uint64 // kind | offset of the body<<16
	Length        uint64 // of the body
	AfterHeaders  Private
	AfterComplete Private
}

// FieldLine is one line.
type FieldLine = asm.FieldLine

// Effect is what a line changes: flags before its value's callback, with the content length if it is one, and
// flags after it.
type Effect struct {
	Line          uint16
	Before, After uint16
	HasLength     uint16
	Length        uint64
}

// The states. A state is where the machine may stop: it waits for a byte, or a callback is due.
// The comment of a range names the function that handles it.
const (
	// startLine
	stateStart uint8 = iota // first: a zeroed parser is here
	stateMessageBegin
	stateLineType
	stateMethodStart
	stateMethod
	stateMethodComplete
	stateMethodSpace
	stateTargetSpaces
	stateBothStart
	stateBothWord
	stateBothResponse
	stateProtocolSpaces
	stateProtocolStart
	stateProtocol
	stateProtocolComplete
	stateProtocolCheck
	stateProtocolSlash
	stateVersionStart
	stateVersionMajor
	stateVersionDot
	stateVersionMinor
	stateVersionComplete
	stateVersionCheck
	stateRequestLineEnd
	stateRequestLineLF
	statePreface
	stateStatusSpace
	stateStatusDigit1
	stateStatusDigit2
	stateStatusDigit3
	stateStatusEnd
	stateReasonStart
	stateReason
	stateReasonBareLF
	stateStatusLineLF
	stateStatusComplete
	stateMethodToken // only with rules

	// target
	stateTarget
	stateTargetScheme
	stateTargetSchemeSlash1
	stateTargetSchemeSlash2
	stateTargetServer
	stateTargetServerAt
	stateTargetPath
	stateTargetQuery
	stateTargetFragment
	stateTargetSP
	stateTargetAfterSP
	stateTargetCR
	stateTargetCRLF
	stateTargetLF
	stateTargetAfterLF
	stateAuthority // from here on only with rules
	stateAuthorityHost
	stateAuthorityLiteral
	stateAuthorityLiteralEnd
	stateAuthorityPortStart
	stateAuthorityPort

	// fieldName
	stateFieldsStart
	stateFieldStart
	stateFieldName
	stateFieldNameColon
	stateFieldNameSpaces
	stateFieldNameGeneral
	stateFieldNameComplete
	stateFieldsLF
	stateFieldNameRuled // from here on only with rules
	stateSkippedLineStart
	stateSkippedLine
	stateSkippedLineLF

	// fieldValue
	stateFieldNameCheck
	stateValueOWS
	stateValueOWSLF
	stateValueEmpty
	stateValue
	stateValueLenient
	stateValueRelaxed
	stateValueBareLF
	stateValueLF
	stateValueFold
	stateValueComplete
	stateConnection
	stateConnectionWord
	stateConnectionOWS
	stateConnectionToken
	stateContentLength
	stateContentLengthOWS
	stateContentLengthNext // from here on only with rules
	stateContentLengthAgain
	stateCodingChunked
	stateCodingChunkedSP
	stateCodingToken
	stateCodingOWS

	// framing
	stateHeadersComplete
	stateAfterHeaders
	stateUpgradeComplete
	stateUpgradePause
	stateEmptyComplete
	stateMessageComplete
	stateUpgradeCheck
	stateAfterMessage
	stateClosed
	stateBodyStart
	stateBody
	stateBodyUntilEOFStart
	stateBodyUntilEOF
	stateFail

	// chunked
	stateChunkSizeStart
	stateChunkSizeFirst
	stateChunkSize
	stateChunkSizeEnd
	stateChunkSizeLF
	stateChunkHeader
	stateChunkCheck
	stateChunkDataStart
	stateChunkData
	stateChunkDataEnd
	stateChunkDataLF
	stateChunkComplete
	stateLastChunkComplete
	stateExtension
	stateExtensionName
	stateExtensionNameCompleteCR
	stateExtensionNameCompleteLF
	stateExtensionNameCompleteNext
	stateExtensionNameBareLF
	stateExtensionValueStart
	stateExtensionNameCompleteValue
	stateExtensionValue
	stateExtensionQuoted
	stateExtensionQuotedPair
	stateExtensionQuotedComplete
	stateExtensionQuotedEnd
	stateExtensionValueCompleteCR
	stateExtensionValueCompleteLF
	stateExtensionValueCompleteNext
	stateExtensionValueBareLF

	// StateError only repeats its error. The driver sets it when a callback has failed.
	StateError uint8 = 0xff
	// StateAfterHeaders is where the callback at the end of a header section is done.
	StateAfterHeaders = stateAfterHeaders

	firstTarget     = stateTarget
	firstFieldName  = stateFieldsStart
	firstFieldValue = stateFieldNameCheck
	firstFraming    = stateHeadersComplete
	firstChunked    = stateChunkSizeStart
)
