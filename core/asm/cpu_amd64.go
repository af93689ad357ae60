//go:build !purego

package asm

import "golang.org/x/sys/cpu"

// lowest is the level that every CPU has which the build is for.
const lowest = baseline

// detect gives the levels above Generic that the CPU and the operating system have. The C library asks the compiler's
// runtime the same questions; a test compares the answers.
func detect() (levels []Level) {
	if cpu.X86.HasSSSE3 {
		levels = append(levels, SSE42)
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 {
		levels = append(levels, AVX2)
	}
	return levels
}
