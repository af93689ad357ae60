package asm

// A Level is a set of kernels, by the instructions that they need.
type Level uint8

const (
	Generic Level = iota // portable Go
	SSE42                // amd64 with SSSE3; named after the class of CPUs, x86-64-v2
	AVX2                 // amd64 with AVX2, BMI1, BMI2: x86-64-v3
	NEON                 // arm64
)

// level is the one in use, if the build does not fix it. It is set once per process: by the C library's constructor
// (SetLevel), in Go programs by init.
var level Level
