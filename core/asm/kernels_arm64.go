package asm

// This file chooses the kernels of arm64. Assembly is worth having since Go has no vector instructions: 64 bytes are
// looked at in the time of two. Every CPU has NEON: only who asks for the portable kernels gets them.
//
// The kernels are called through func values that are data of the assembly files: arguments and results are passed in
// registers, in the order of Go's own calls. A direct call would go through the stack, and read the goroutine on its return.

var (
	fieldLinesNEONFunc func(base, p, end, out, room uintptr, start Start) (next, top uintptr, framing uint64, name, stop uintptr)
	skipNEONFunc       func(p, end uintptr, stop *Stop) uintptr
)

// The kernels themselves; the declarations are for vet, not for calls.

//lint:ignore U1000 only assembly reaches it
func fieldLinesNEON()

//lint:ignore U1000 only assembly reaches it
func skipNEON()

// FieldLines: fieldlines.go has the contract.
//
//go:nosplit
func FieldLines(base, p, end, out, room uintptr, start Start) (next, top uintptr, framing uint64, name, stop uintptr) {
	if level == NEON {
		return fieldLinesNEONFunc(base, p, end, out, room, start)
	}
	return fieldLinesGeneric(base, p, end, out, room, start)
}

// Skip: skip.go has the contract.
//
//go:nosplit
func Skip(p, end uintptr, class Class) uintptr {
	if end-p >= shortestScan && level == NEON {
		return skipNEONFunc(p, end, stop(class))
	}
	return skipGeneric(p, end, class)
}
