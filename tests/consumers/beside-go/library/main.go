// A conventional Go shared library with its runtime, threads and signal handlers: what another part of a program may bring
// along. Built by go build -buildmode=c-shared.
package main

import "C"

import (
	"bytes"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
)

// beside_work keeps goroutines, the allocator and the collector busy, and returns a number that depends on its result alone.
//
//export beside_work
func beside_work(size C.int) C.long {
	const workers = 8
	sums := make([]int, workers)
	var group sync.WaitGroup
	for worker := range sums {
		group.Add(1)
		go func() {
			defer group.Done()
			words := map[string]int{}
			for i := range int(size) {
				words[strings.Repeat("x", i%50)] += i
			}
			for _, count := range words {
				sums[worker] += count
			}
		}()
	}
	group.Wait()
	runtime.GC()
	total := 0
	for _, sum := range sums {
		total += sum
	}
	return C.long(total)
}

// beside_upper returns the upper-case form of a byte.
//
//export beside_upper
func beside_upper(c C.char) C.char {
	return C.char(strings.ToUpper(string(rune(c)))[0])
}

var profile bytes.Buffer

// beside_profile_start has the process interrupted by SIGPROF, a hundred times per second of CPU time, in whatever code it is.
//
//export beside_profile_start
func beside_profile_start() C.int {
	profile.Reset()
	if pprof.StartCPUProfile(&profile) != nil {
		return -1
	}
	return 0
}

// beside_profile_stop returns the size of the profile.
//
//export beside_profile_stop
func beside_profile_stop() C.int {
	pprof.StopCPUProfile()
	return C.int(profile.Len())
}

func main() {}
