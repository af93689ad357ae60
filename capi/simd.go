package main

// #include <stdint.h>
// uint8_t llhttp_simd_choose(unsigned levels);
// #include "llhttp_ext.h"
import "C"

import "llhttpgo/core/asm"

// This file is Go's part of the levels, for simd.c where that is not built for the direct entry.

// What package asm has taken for a Go program gives way to what llhttp_ext.h promises to a C program.
func init() {
	var levels C.unsigned
	for _, l := range asm.Available() {
		levels |= 1 << l
	}
	// Only what is available is chosen.
	_ = asm.Set(asm.Level(C.llhttp_simd_choose(levels)))
}

//export llhttp_core_set_level_cgo
func llhttp_core_set_level_cgo(level C.uint8_t) {
	// simd.c has checked that it is available.
	_ = asm.Set(asm.Level(level))
}

//export llhttp_core_get_level_cgo
func llhttp_core_get_level_cgo() C.uint8_t { return C.uint8_t(asm.Current()) }

// As in main.go: these compile only if the two sides agree.
var _ = [1]int{}[asm.Generic-C.LLHTTP_EXT_SIMD_GENERIC]
var _ = [1]int{}[asm.SSE42-C.LLHTTP_EXT_SIMD_SSE42]
var _ = [1]int{}[asm.AVX2-C.LLHTTP_EXT_SIMD_AVX2]
var _ = [1]int{}[asm.NEON-C.LLHTTP_EXT_SIMD_NEON]
