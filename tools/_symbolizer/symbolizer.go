package main

// This file and traceback.c become part of package capi for `./build.sh lib --symbolizer` alone, and with them the
// module that is imported here becomes part of the build. The module is not on every proxy, so it must not be in
// go.mod; a build tag would not keep it out, as `go mod tidy` looks behind all tags. symbolizer.sum has its version
// and its sums.

// extern void cgoTraceback(void*);
// extern void cgoSymbolizer(void*);
// extern void llhttp_symbolizer_context(void*);
import "C"

import (
	"runtime"
	"unsafe"

	_ "github.com/ianlancetaylor/cgosymbolizer" // names C functions in Go's crash reports and profiles
)

// The module's init has set its two functions; here comes the one that it has not. The first is traceback.c's by now.
func init() {
	runtime.SetCgoTraceback(0, unsafe.Pointer(C.cgoTraceback), unsafe.Pointer(C.llhttp_symbolizer_context),
		unsafe.Pointer(C.cgoSymbolizer))
}
