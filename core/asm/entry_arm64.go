package asm

// Entry keeps the linker from dropping the functions that C calls.
func Entry() uintptr
