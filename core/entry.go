//go:build amd64 || arm64

package core

// This file holds what the entry trampoline needs: entry_*.s documents it.

// stepFunc lets the trampoline call Step in the register ABI, which assembly cannot name.
//
//lint:ignore U1000 only assembly reaches it
var stepFunc = Step

// Entry gives the address of the trampoline, and keeps the linker from dropping it.
func Entry() uintptr
