// Package guard has memory for tests that must not touch what lies beside their bytes.
package guard

import (
	"os"
	"syscall"
	"testing"
)

// Pages tells whether regions have guard pages.
const Pages = true

// New gives memory of at least size bytes, whole pages, between two pages that must not be touched.
func New(tb testing.TB, size int) []byte {
	tb.Helper()
	page := os.Getpagesize()
	size = (size + page - 1) / page * page
	all, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		tb.Fatal(err)
	}
	for _, guard := range [][]byte{all[:page], all[page+size:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			tb.Fatal(err)
		}
	}
	tb.Cleanup(func() {
		if err := syscall.Munmap(all); err != nil {
			tb.Error(err)
		}
	})
	return all[page : page+size] // with the capacity, so that a slice of no bytes at the end has an address
}
