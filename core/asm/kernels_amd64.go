package asm

// This file chooses the kernels of amd64. Assembly is worth having since Go has no vector instructions: 64 bytes are
// looked at in the time of two.
//
// The kernels are called through func values that are data of the assembly files: arguments and results are passed in
// registers, in the order of Go's own calls. A direct call would go through the stack, and read the goroutine on its return.

var (
	fieldLinesAVX2Func, fieldLinesSSE42Func func(base, p, end, out, room uintptr, start Start) (next, top uintptr, framing uint64, name, stop uintptr)
	skipAVX2Func, skipSSE42Func             func(p, end uintptr, stop *Stop) uintptr
)

// The kernels themselves; the declarations are for vet, not for calls.

//lint:ignore U1000 only assembly reaches it
func fieldLinesAVX2()

//lint:ignore U1000 only assembly reaches it
func fieldLinesSSE42()

//lint:ignore U1000 only assembly reaches it
func skipAVX2()

//lint:ignore U1000 only assembly reaches it
func skipSSE42()

// FieldLines: fieldlines.go has the contract.
//
//go:nosplit
func FieldLines(base, p, end, out, room uintptr, start Start) (next, top uintptr, framing uint64, name, stop uintptr) {
	switch {
	case baseline >= AVX2 || level == AVX2:
		return fieldLinesAVX2Func(base, p, end, out, room, start)
	case baseline >= SSE42 || level == SSE42:
		return fieldLinesSSE42Func(base, p, end, out, room, start)
	}
	return fieldLinesGeneric(base, p, end, out, room, start)
}

// Skip: skip.go has the contract.
//
//go:nosplit
func Skip(p, end uintptr, class Class) uintptr {
	if end-p >= shortestScan {
		switch {
		case baseline >= AVX2 || level == AVX2:
			return skipAVX2Func(p, end, stop(class))
		case baseline >= SSE42 || level == SSE42:
			return skipSSE42Func(p, end, stop(class))
		}
	}
	return skipGeneric(p, end, class)
}

// Portable tells whether no assembly is wanted.
//
//go:nosplit
func Portable() bool { return baseline == Generic && level == Generic }
