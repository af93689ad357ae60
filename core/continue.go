package core

import "llhttpgo/core/asm"

// This file says in which states a byte may change nothing, and in which nothing but the state. The driver has a copy
// (capi/_gen): a short piece within a span, and a piece of one such byte, needs no batch.

// continues gives for a state the class of the bytes that leave it and all else as it is: those of the span that is open,
// or bytes that are passed over.
var continues = [256]uint16{
	stateReason:           1 << asm.Line,
	stateTargetScheme:     1 << asm.Alpha,
	stateTargetServer:     1 << asm.TargetServer,
	stateTargetPath:       1 << asm.TargetPath,
	stateTargetQuery:      1 << asm.TargetQuery,
	stateTargetFragment:   1 << asm.TargetFragment,
	stateFieldNameGeneral: 1 << asm.Token,
	stateValueOWS:         1 << asm.OWS,
	stateValue:            1 << asm.FieldValue,
	stateValueLenient:     1 << asm.Line,
	stateValueRelaxed:     1 << asm.RelaxedValue,
	stateConnectionToken:  1 << asm.ConnectionToken,
	stateCodingToken:      1 << asm.ConnectionToken,
	stateExtensionName:    1 << asm.Token,
	stateExtensionValue:   1 << asm.Token,
	stateExtensionQuoted:  1 << asm.QuotedText,
}

// Continues gives the classes of such bytes for a state, a bit each.
func Continues(state uint8) uint16 { return continues[state] }

// A Move is a change of state by one byte of a class that no unit and no public field goes with. Field must be general.
type Move struct {
	Class asm.Class
	Next  uint8
	Open  uint8 // callback of the span that begins with the byte; 0 for none
}

// Moves gives the move of a state; ok is false if it has none.
func Moves(state uint8) (move Move, ok bool) {
	switch state {
	case stateValueOWS:
		return Move{asm.ValueStart, stateValue, cbHeaderValue}, true
	case stateValueLF:
		return Move{asm.LF, stateValueFold, 0}, true
	}
	return Move{}, false
}
