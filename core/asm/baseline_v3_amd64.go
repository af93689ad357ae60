//go:build amd64.v3 && !purego

package asm

// baseline is the level that every CPU has which this build is for: what is above it is chosen at run time.
const baseline = AVX2
