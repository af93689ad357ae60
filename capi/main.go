// Command capi is llhttp's C ABI in front of the parser core; built with -buildmode=c-archive or c-shared.
//
// driver.c calls the parser. In the library that build.sh makes it does so directly (LLHTTP_DIRECT), and
// nothing of this file runs; otherwise through the export below.
package main

// #include "frame.h"
import "C"

import (
	"unsafe"

	"llhttpgo/core"
	"llhttpgo/core/asm"
)

// llhttp_core_step_cgo is [core.Step] for C, at the price of entering the Go runtime: once per batch.
//
//export llhttp_core_step_cgo
func llhttp_core_step_cgo(frame *C.struct_llhttp_frame) {
	core.Step((*core.Frame)(unsafe.Pointer(frame)))
}

// Indexing an array of one with the difference of two constants compiles only if they are equal.
var _ = [1]int{}[unsafe.Sizeof(core.Frame{})-unsafe.Sizeof(C.struct_llhttp_frame{})]
var _ = [1]int{}[unsafe.Offsetof(core.Frame{}.Pos)-unsafe.Offsetof(C.struct_llhttp_frame{}.pos)]
var _ = [1]int{}[unsafe.Offsetof(core.Frame{}.Span)-unsafe.Offsetof(C.struct_llhttp_frame{}.span)]
var _ = [1]int{}[unsafe.Offsetof(core.Frame{}.Private)-unsafe.Offsetof(C.struct_llhttp_frame{}.priv)]
var _ = [1]int{}[unsafe.Offsetof(core.Frame{}.Public)-unsafe.Offsetof(C.struct_llhttp_frame{}.pub)]
var _ = [1]int{}[unsafe.Offsetof(core.Frame{}.Top)-unsafe.Offsetof(C.struct_llhttp_frame{}.top)]
var _ = [1]int{}[unsafe.Offsetof(core.Frame{}.Room)-unsafe.Offsetof(C.struct_llhttp_frame{}.room)]
var _ = [1]int{}[unsafe.Offsetof(core.Frame{}.Limit)-unsafe.Offsetof(C.struct_llhttp_frame{}.limit)]
var _ = [1]int{}[unsafe.Offsetof(core.Frame{}.Status)-unsafe.Offsetof(C.struct_llhttp_frame{}.status)]
var _ = [1]int{}[unsafe.Offsetof(core.Frame{}.Reason)-unsafe.Offsetof(C.struct_llhttp_frame{}.reason)]
var _ = [1]int{}[unsafe.Offsetof(core.Frame{}.Rules)-unsafe.Offsetof(C.struct_llhttp_frame{}.rules)]
var _ = [1]int{}[core.Lines-C.LLHTTP_FRAME_LINES]
var _ = [1]int{}[core.ByUnits-C.LLHTTP_FRAME_BY_UNITS]
var _ = [1]int{}[unsafe.Offsetof(core.Private{}.Open)-unsafe.Offsetof(C.struct_llhttp_private{}.open)]
var _ = [1]int{}[core.StateError-C.LLHTTP_STATE_ERROR]

func main() {
	_ = core.Entry()
	_ = asm.Entry()
}
