package core

import "llhttpgo/core/asm"

// knowFunc is knowLines, called through the register ABI: core/asm/kernels_amd64.go says why.
var knowFunc func(h *Head, line, top uintptr)

// knowLines is knowGeneric; the declaration is for vet, not for calls.
//
//lint:ignore U1000 only assembly reaches it
func knowLines()

// know: knowGeneric has the contract.
//
//go:nosplit
func (h *Head) know(line, top uintptr) {
	if asm.Portable() {
		h.knowGeneric(line, top)
		return
	}
	knowFunc(h, line, top)
}
