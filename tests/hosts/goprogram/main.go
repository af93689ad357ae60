// Command goprogram is a Go program that uses the library through cgo, as any C library: many goroutines parse while
// the garbage collector runs, goroutines that never yield are preempted by signals, stacks grow, and the profiler's
// signals come. Callbacks are functions in C, or Go functions that allocate and reschedule. Every parse must see the
// same.
package main

// #include <stdlib.h>
// #include "host.h"
import "C"

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"
)

var inputs = []string{
	"POST /path?query HTTP/1.1\r\nHost: example.org\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101\r\n" +
		"Accept: text/html,application/xhtml+xml,application/xml;q=0.9\r\nTransfer-Encoding: chunked\r\n\r\n" +
		"5;n=v;q=\"s\"\r\nhello\r\n0\r\nT: v\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
	"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nServer: s\r\n\r\nabcHTTP/1.0 404 Not Found\r\n\r\nup to the end",
	"GET / HTTP/1.1\r\nHost: " + strings.Repeat("long.", 2000) + "\r\n\r\n",
	"GET / HTTP/1.1\r\nHost: h\r\nBad Header: x\r\n\r\n",
}

const (
	goroutines = 64
	rounds     = 300
)

var garbage atomic.Pointer[[]byte]

// busy allocates, reschedules now and then, and grows the stack.
func busy(n int) {
	b := bytes.Repeat([]byte{1}, n%1000+1)
	garbage.Store(&b)
	if n%7 == 0 {
		runtime.Gosched()
	}
	if n%11 == 0 {
		deep(n % 200)
	}
}

//go:noinline
func deep(n int) int {
	var room [64]int
	if n == 0 {
		return len(room)
	}
	room[n%64] = deep(n - 1)
	return room[n%64]
}

//export goBytes
func goBytes(h *C.struct_host, at *C.char, n C.size_t) C.int {
	busy(int(n))
	h.hash = C.host_mix(h.hash, 1, at, n)
	return 0
}

//export goEvent
func goEvent(h *C.struct_host) C.int {
	busy(int(h.hash % 1000))
	h.hash = C.host_mix(h.hash, C.int(h.parser.method)+1000*C.int(h.parser.status_code), nil, 0)
	return 0
}

var passed, failed atomic.Int64

func check(ok bool, format string, arguments ...any) {
	if ok {
		passed.Add(1)
	} else if failed.Add(1) <= 20 {
		fmt.Fprintf(os.Stderr, format+"\n", arguments...)
	}
}

// text is an input in C's memory.
type text struct {
	at    *C.char
	bytes C.size_t
	want  [4]C.uint64_t // for each piece size
}

var pieces = [4]C.size_t{1 << 20, 37, 512, 3}

func parse(h *C.struct_host, inGo bool, t *text, piece int) C.uint64_t {
	kind := C.int(0)
	if inGo {
		kind = 1
	}
	return C.host_parse(h, kind, t.at, t.bytes, pieces[piece])
}

func main() {
	texts := make([]*text, len(inputs))
	h := (*C.struct_host)(C.malloc(C.sizeof_struct_host))
	for i, input := range inputs {
		texts[i] = &text{at: C.CString(input), bytes: C.size_t(len(input))}
		for p := range pieces {
			texts[i].want[p] = parse(h, false, texts[i], p)
		}
	}
	C.free(unsafe.Pointer(h))

	var profile bytes.Buffer
	err := pprof.StartCPUProfile(&profile)
	check(err == nil, "the profiler: %v", err)
	var stop atomic.Bool
	var background, group sync.WaitGroup
	background.Go(func() {
		for !stop.Load() {
			runtime.GC()
		}
	})
	var spins atomic.Int64
	background.Go(func() { // yields only when a signal makes it
		for n := 0; !stop.Load(); n++ {
			if n%(1<<20) == 0 {
				spins.Add(1)
			}
		}
	})
	for g := range goroutines {
		group.Go(func() {
			if g%4 == 0 {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
			}
			h := (*C.struct_host)(C.malloc(C.sizeof_struct_host))
			defer C.free(unsafe.Pointer(h))
			for round := range rounds {
				t, p := texts[(g+round)%len(texts)], round%len(pieces)
				inGo := round%3 == 0 && p != 3
				got := parse(h, inGo, t, p)
				check(got == t.want[p], "goroutine %d, round %d: %x, want %x", g, round, got, t.want[p])
			}
		})
	}
	group.Wait()
	stop.Store(true)
	background.Wait()
	pprof.StopCPUProfile()
	check(profile.Len() > 0, "the profile is empty")
	check(spins.Load() > 0, "nothing spun")

	fmt.Printf("%d passed, %d failed\n", passed.Load(), failed.Load())
	if failed.Load() != 0 {
		os.Exit(1)
	}
}
