package core

import (
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

// A name that is a token has the id that FieldID gives, in any case of letters, and so has every token that differs in a byte.
func TestTokenID(t *testing.T) {
	check := func(name string) {
		t.Helper()
		b := []byte(name)
		p, n := uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b))
		if got, want := tokenID(p, p, n), FieldID(p, n); got != want {
			t.Fatalf("%q: %d, want %d", name, got, want)
		}
		b = []byte("\xff\r\nA: b\r\n" + name) // as in a message
		p = uintptr(unsafe.Pointer(unsafe.SliceData(b)))
		if got, want := tokenID(p, p+9, n), FieldID(p+9, n); got != want {
			t.Fatalf("%q in a message: %d, want %d", name, got, want)
		}
		runtime.KeepAlive(b)
	}
	const tokens = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for id := uint16(1); id < FieldCount; id++ {
		name := FieldName(id)
		for _, s := range []string{name, strings.ToLower(name), strings.ToUpper(name), name + "x", name[1:], name + name} {
			if s != "" {
				check(s)
			}
		}
		for i := range name {
			for _, c := range []byte(tokens) {
				check(name[:i] + string(c) + name[i+1:])
			}
		}
	}
}
