package core

import "llhttpgo/core/asm"

// This file says in which states a byte may change nothing.

// continues gives for a state the class of the bytes that leave it and all else as it is: those of the span that is open,
// or bytes that are passed over.
// The driver has a copy (capi/_gen): a short piece within a span needs no batch.
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
