// Command bench holds package llhttpgo's Head against net/http's and fasthttp's header parsing.
//
//	go run . [--check] [--rounds N]
//
// Samples of all parsers alternate, so that what disturbs one disturbs the others, and what counts is the median of the
// ratios within a round. --check fails unless each message is parsed so many times as fast as is promised. `go test
// -bench .` gives the times themselves.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"time"
)

// promised is how many times as fast as which parser.
var promised = map[string]float64{"net/http": 3, "fasthttp": 1.5}

func main() {
	check := flag.Bool("check", false, "fail if a promise is missed")
	rounds := flag.Int("rounds", 41, "samples of each")
	flag.Parse()
	if missed := run(*rounds); missed && *check {
		os.Exit(1)
	}
}

func run(rounds int) (missed bool) {
	all := parsers()
	fmt.Printf("%-10s", "message")
	for _, p := range all {
		fmt.Printf("%12s ns", p.name)
	}
	for _, p := range all[1:] {
		fmt.Printf("   against %-8s", p.name)
	}
	fmt.Println()
	for _, m := range messages {
		in := newInput(m.text)
		times := make([][]float64, len(all))
		for range rounds {
			for i, p := range all {
				times[i] = append(times[i], sample(in, p))
			}
		}
		fmt.Printf("%-10s", m.name)
		for i := range all {
			fmt.Printf("%15.0f", median(times[i]))
		}
		for i, p := range all[1:] {
			var ratios []float64
			for round := range rounds {
				ratios = append(ratios, times[i+1][round]/times[0][round])
			}
			verdict := ""
			if r := median(ratios); r < promised[p.name] {
				verdict = " MISSED"
				missed = true
			}
			fmt.Printf("   %16s", fmt.Sprintf("%.2f%s", median(ratios), verdict))
		}
		fmt.Println()
	}
	return missed
}

// sample gives nanoseconds for a message.
func sample(in *input, p parser) float64 {
	const least = 2 * time.Millisecond
	for n := 64; ; n *= 2 {
		start := time.Now()
		for range n {
			if err := p.parse(in.again()); err != nil {
				panic(err)
			}
		}
		if took := time.Since(start); took >= least {
			return float64(took.Nanoseconds()) / float64(n)
		}
	}
}

func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}
