//go:build !linux

package asm

import "testing"

// guarded tells whether regions have guard pages.
const guarded = false

// newRegion gives memory; pages that must not be touched there are only on Linux.
func newRegion(tb testing.TB, size int) []byte {
	tb.Helper()
	const page = 4096
	size = (size + page - 1) / page * page
	return make([]byte, size+1)[:size]
}
