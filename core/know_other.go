//go:build !amd64

package core

// know: knowGeneric has the contract.
//
//go:nosplit
func (h *Head) know(line, top uintptr) { h.knowGeneric(line, top) }
