//go:build !amd64 && !arm64

package asm

// This file chooses the portable kernels, where there are no others.

// FieldLines: fieldlines.go has the contract.
//
//go:nosplit
func FieldLines(base, p, end, out, room uintptr, start Start) (next, top uintptr, framing uint64, name, stop uintptr) {
	return fieldLinesGeneric(base, p, end, out, room, start)
}

// Skip: skip.go has the contract.
//
//go:nosplit
func Skip(p, end uintptr, class Class) uintptr { return skipGeneric(p, end, class) }
