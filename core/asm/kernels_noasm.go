//go:build !amd64 && !arm64

package asm

// This file chooses the portable kernels, where there are no others.

//go:nosplit
func fieldLines(base, p, end, out, room uintptr) (next, top uintptr, framing uint64) {
	return fieldLinesGeneric(base, p, end, out, room)
}

//go:nosplit
func skip(p, end uintptr, class Class) uintptr { return skipGeneric(p, end, class) }
