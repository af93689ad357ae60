//go:build !linux

package guard

import "testing"

// Pages tells whether regions have guard pages.
const Pages = false

// New gives memory; pages that must not be touched there are only on Linux.
func New(tb testing.TB, size int) []byte {
	tb.Helper()
	const page = 4096
	size = (size + page - 1) / page * page
	return make([]byte, size+1)[:size]
}
