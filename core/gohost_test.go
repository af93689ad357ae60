package core

import (
	"runtime"
	"testing"
	"unsafe"
)

// After a section that came in two pieces, HeadParse begins with another one.
func TestHeadParseAfterPartial(t *testing.T) {
	memory := make([]uint64, HeadMemory(8)/8+1)
	h := new(Head)
	h.Public().Type = typeRequest
	SetMemory(h, uintptr(unsafe.Pointer(&memory[0])), 8)
	input := []byte("GET / HTTP/1.1\r\nA: b\r\n\r\n")
	parse := func(n int) int { return HeadParse(h, uintptr(unsafe.Pointer(&input[0])), uintptr(n)) }
	for range 2 {
		for n, want := range map[int]int{0: HeadPartial, 7: HeadPartial, 20: HeadPartial} {
			if got := parse(n); got != want {
				t.Fatalf("%d bytes: %d", n, got)
			}
			if got := parse(len(input)); got != HeadComplete || h.Count != 1 || h.Size != uint64(len(input)) {
				t.Fatalf("after %d bytes: %d, %d fields, %d bytes", n, got, h.Count, h.Size)
			}
		}
	}
	runtime.KeepAlive(memory)
	runtime.KeepAlive(input)
}
