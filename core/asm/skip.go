package asm

import "unsafe"

// shortestScan is the length from which a kernel is worth the call.
const shortestScan = 8

// skipGeneric is the reference of Skip, which gives the first address in [p, end) whose byte is not in the class, or end.
//
//go:nosplit
func skipGeneric(p, end uintptr, class Class) uintptr {
	for p != end && Classes[load8(p)]&(1<<class) != 0 {
		p++
	}
	return p
}

// stop gives a class's tables without a bounds check.
//
//go:nosplit
func stop(class Class) *Stop {
	return (*Stop)(unsafe.Add(unsafe.Pointer(&Stops), uintptr(class)*unsafe.Sizeof(Stop{})))
}

//go:nosplit
func load8(p uintptr) uint8 { return *(*uint8)(unsafe.Pointer(p)) }
