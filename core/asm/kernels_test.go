package asm

import (
	"math/rand"
	"strings"
	"testing"
	"unsafe"

	"llhttpgo/tests/guard"
)

// This file has what the suites of FieldLines and Skip share. Each runs for every level that the machine has: the level is
// forced, and what its kernels say is held against the reference. The reference itself is held against an oracle that is made
// from the grammar and knows nothing of the code.

// block is the most that a kernel looks at together.
const block = 64

type (
	fieldLinesFunc func(base, p, end, out, room uintptr, start Start) (next, top uintptr, framing uint64, name, stop uintptr)
	skipFunc       func(p, end uintptr, class Class) uintptr
)

// A kernel is functions and those that they must agree with.
type kernel struct {
	name           string
	level          Level // to be forced
	reference      bool  // compared with the oracle
	fieldLines     fieldLinesFunc
	wantFieldLines fieldLinesFunc
	skip           skipFunc
	wantSkip       skipFunc
}

// kernels gives the reference, then a kernel for each level that the CPU and the build have.
func kernels() []kernel {
	all := []kernel{{"reference", lowest, true, fieldLinesGeneric, fieldLinesOracle, skipGeneric, skipOracle}}
	for _, l := range Available() {
		all = append(all, kernel{l.String(), l, false, FieldLines, fieldLinesGeneric, Skip, skipGeneric})
	}
	return all
}

// force makes the kernel the one in use until the test is over.
func (k kernel) force(tb testing.TB) {
	tb.Helper()
	before := Current()
	tb.Cleanup(func() { setLevel(before) })
	if err := Set(k.level); err != nil {
		tb.Fatal(err)
	}
}

// eachKernel runs a subtest for each kernel.
func eachKernel(t *testing.T, run func(t *testing.T, k kernel)) {
	for _, k := range kernels() {
		t.Run(k.name, func(t *testing.T) {
			k.force(t)
			run(t, k)
		})
	}
}

// step makes a sweep coarser with the oracle, which is slow, and with -short, for emulated CPUs. Odd steps have no factor in
// common with the sizes of blocks.
func (k kernel) step(oracle int) int {
	step := 1
	if k.reference {
		step = oracle
	}
	if testing.Short() {
		step *= 7
	}
	return step
}

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// at gives size bytes of a region: those at its end, or those at its start.
func at(region []byte, size int, end bool) []byte {
	if end {
		return region[len(region)-size:]
	}
	return region[:size]
}

// soup gives bytes that have something of a field section. Most kinds of damage are rare, so that it goes on for some lines.
func soup(rng *rand.Rand, pieces int) []byte {
	var b []byte
	for range pieces {
		switch n := rng.Intn(100); {
		case n < 70:
			b = append(b, whole[rng.Intn(len(whole))]...)
		case n < 90:
			b = append(b, scraps[rng.Intn(len(scraps))]...)
		case n < 95:
			b = append(b, strings.Repeat("n", rng.Intn(150))+":"+strings.Repeat(" ", rng.Intn(3))...)
		case n < 99:
			b = append(b, strings.Repeat("v", rng.Intn(150))+"\r\n"...)
		default:
			b = append(b, byte(rng.Intn(256)))
		}
	}
	return b
}

var whole = []string{
	"Host: example.org\r\n", "A:\r\n", "B: c\r\n", "X-Y:z\r\n", "C:  \t\r\n", "D:\td\t\r\n", "Connection: close\r\n",
	"CONTENT-LENGTH: 12\r\n", "transfer-encoding:chunked\r\n", "Upgrade: x\r\n", "Proxy-Connection: keep-alive\r\n",
	"Some-Longer-Field-Name: Some longer value; with, things=1234567890\r\n", "O: \x80\xff\r\n", "Colons: a:b:c\r\n",
	"Accept-Language: en-US,en;q=0.9,de-AT;q=0.8,de;q=0.7\r\n",
}

var scraps = []string{
	"path", " HTTP/1.1\r\n", "?query HTTP/1.0\r\n", " HTTP/1.1\r\n\t",
	"Host", ":", ": ", "\r\n", " ", "\t", "a", "value with spaces", "\x00", "\x01", "\x7f", "\x80\xff", "\r", "\n", "\r\n ", "\r\n\t",
	"\r\n\r\n", "(", "\"", ": x\r\n", ":\r\n",
	"Content-Length", "0123456789012345678901234567890123456789",
}

// The suites and fuzz targets would notice a kernel that is wrong in any one thing that it says.
func TestKernelDifference(t *testing.T) {
	wrong := kernel{"wrong", lowest, false, nil, fieldLinesGeneric, nil, skipGeneric}
	for i := range 5 {
		wrong.fieldLines = func(base, p, end, out, room uintptr, start Start) (uintptr, uintptr, uint64, uintptr, uintptr) {
			next, top, framing, name, stop := fieldLinesGeneric(base, p, end, out, room, start)
			switch {
			case i == 0:
				next++
			case i == 1 && top != out:
				top -= fieldLineSize
			case i == 2 && top != out:
				framing ^= 1
			case i == 3:
				name++
			case i == 4 && top != out:
				(*FieldLine)(unsafe.Pointer(top-fieldLineSize)).ValueLength++
			}
			return next, top, framing, name, stop
		}
		if newComparison(t, wrong).run([]byte(sections[0]), 0, allRoom) == "" {
			t.Errorf("FieldLines, result %d: not noticed", i)
		}
	}
	wrong.skip = func(p, end uintptr, class Class) uintptr {
		if next := skipGeneric(p, end, class); next != end || class != Line {
			return next
		}
		return end - 1
	}
	if skipSuite(wrong, guard.New(t, 1)) == "" {
		t.Error("Skip: not noticed")
	}
}

// TestRegion shows that the pages around a region do fault.
func TestRegion(t *testing.T) {
	if !guard.Pages {
		t.Skip("regions have no guard pages here")
	}
	region := guard.New(t, 1)
	for _, p := range []uintptr{address(region) - 1, address(region) + uintptr(len(region))} {
		var fault string
		func() {
			defer guard.FaultAsText(&fault)()
			load8(p)
		}()
		if fault == "" {
			t.Errorf("offset %d: no fault", int(p-address(region)))
		}
	}
}
