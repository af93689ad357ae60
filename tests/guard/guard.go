package guard

import (
	"fmt"
	"runtime/debug"
	"unsafe"
)

// FaultAsText makes a touch of a page that must not be touched the text, so that a test can tell what the input was:
//
//	defer guard.FaultAsText(&text)()
func FaultAsText(text *string) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		if fault := recover(); fault != nil {
			*text = fmt.Sprint(fault)
		}
	}
}

// Address gives the address of the first byte, of an empty slice as well.
func Address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// At copies data into a region, to its end or to its start.
func At[T ~string | ~[]byte](region []byte, data T, end bool) []byte {
	b := region[:len(data)]
	if end {
		b = region[len(region)-len(data):]
	}
	copy(b, data)
	return b
}
