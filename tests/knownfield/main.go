// Knownfield writes names with the ids that core.FieldID gives them, for tests/c/knownfield.c, which holds the library's own
// function against it: each name is a line of id, length and bytes, in binary: two bytes, one byte, the bytes.
//
//	go run ./tests/knownfield >build/knownfield.bin
package main

import (
	"bufio"
	"math/rand"
	"os"
	"strings"

	"llhttpgo/core"
	"llhttpgo/tests/guard"
)

func main() {
	w := bufio.NewWriter(os.Stdout)
	write := func(name []byte) {
		id := core.FieldID(guard.Address(name), uintptr(len(name)))
		w.Write([]byte{byte(id), byte(id >> 8), byte(len(name))})
		w.Write(name)
	}
	rng := rand.New(rand.NewSource(1))
	for id := range core.FieldCount {
		name := core.FieldName(uint16(id))
		for _, n := range []string{name, strings.ToLower(name), strings.ToUpper(name), name + "x"} {
			write([]byte(n))
		}
		// Some bytes everywhere: those that differ in one bit, one by chance.
		for i := range name {
			b := []byte(name)
			for bit := range 8 {
				b[i] = name[i] ^ 1<<bit
				write(b)
			}
			b[i] = byte(rng.Intn(256))
			write(b)
		}
	}
	// Names of other lengths that begin and end as one does and go on as the table of all names does.
	all := ""
	for id := range core.FieldCount {
		all += core.FieldName(uint16(id))
	}
	first := 0
	for id := range core.FieldCount {
		name := core.FieldName(uint16(id))
		for n := 16; n < 256 && len(name) >= 8 && first+n-8 <= len(all); n++ {
			write([]byte(all[first:first+n-8] + name[len(name)-8:]))
		}
		first += len(name)
	}
	for range 100000 {
		b := make([]byte, rng.Intn(60))
		rng.Read(b)
		write(b)
	}
	if err := w.Flush(); err != nil {
		os.Exit(1)
	}
}
