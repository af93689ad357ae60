//go:build purego

package asm

const lowest = Generic

// detect gives nothing: the tag asks for portable code alone.
func detect() []Level { return nil }
