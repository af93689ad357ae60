//go:build !amd64 && !purego

package asm

import (
	"runtime"

	"golang.org/x/sys/cpu"
)

// lowest is the level that every CPU has which the build is for.
const lowest = Generic

// detect gives the levels above Generic that the CPU has.
func detect() (levels []Level) {
	if runtime.GOARCH == "arm64" && cpu.ARM64.HasASIMD {
		levels = append(levels, NEON)
	}
	return levels
}
