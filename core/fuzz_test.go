package core

// This file has the fuzz target of Step, and what it holds to be true of any input: what Step says depends neither on
// where the input is cut, nor on how the units are batched, nor on the room for events, the kernels' level, or what lies
// behind, whichever rules are set.

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"llhttpgo/core/asm"
)

// A shape is one of the ways in which stepDifference gives an input to the parser.
type shape struct {
	cut   uint16 // where the input is cut in two
	size  uint8  // of pieces
	limit uint8  // units in a batch
	room  uint8  // for so many events more than must be
}

// stepDifference gives what differs between the machine alone on the whole input and all other ways, or nothing. Each other
// way's parser goes through plant before it is compared.
func stepDifference(t testing.TB, kind uint8, lenient uint16, rules uint32, input string, s shape,
	plant func(*replayer)) string {
	t.Helper()
	const machine, roomy = 1 << 20, 2400
	lines := uint32(Unlimited)
	if rules != 0 {
		lines = Lines
	}
	want := newReplayer(kind, lenient)
	want.rules = rules
	want.feed(t, input)
	whole := []string{input}
	inTwo := whole
	if cut := int(s.cut); cut < len(input) {
		inTwo = []string{input[:cut], input[cut:]}
	}
	var pieces []string
	for piece := range slices.Chunk([]byte(input), 1+int(s.size)%80) {
		pieces = append(pieces, string(piece))
	}
	few, small := 1+uint32(s.limit)%24, MinRoom+uintptr(s.room)%12*eventSize
	for _, way := range []struct {
		what    string
		limit   uint32
		room    uintptr
		behind  string
		pieces  []string
		private bool // the parser's own state is the same as well: without it a rewind would not be exact
	}{
		{"lines", lines, roomy, "\r\n\r\n", whole, false},
		{"lines, other bytes behind", lines, roomy, ": x, chunked\r\n", whole, false},
		{"lines, little room", lines, small, "\r\n\r\n", whole, false},
		{"lines, cut in two", lines, roomy, "\r\n\r\n", inTwo, false},
		{"lines, in pieces", lines, small, "\r\nA: b\r\n", pieces, false},
		{"few units a batch", few, roomy, "\r\n\r\n", whole, true},
		{"machine, cut in two", machine, roomy, "\n", inTwo, false},
		{"machine, in pieces", machine, small, " x", pieces, false},
	} {
		r := newReplayer(kind, lenient)
		r.limit, r.rules, r.room, r.behind = way.limit, rules, way.room, way.behind
		for _, piece := range way.pieces {
			if !r.feed(t, piece) {
				break
			}
		}
		plant(r)
		if r.log() != want.log() || r.public != want.public || way.private && r.private != want.private {
			return fmt.Sprintf("%s, rules %#x, kernels %v: %q\n%s\n%+v %+v\nthe machine, whole:\n%s\n%+v %+v", way.what, rules, asm.Current(),
				way.pieces, r.log(), r.public, r.private, want.log(), want.public, want.private)
		}
	}
	return ""
}

func FuzzStep(f *testing.F) {
	for i, m := range messages {
		f.Add([]byte(m.input), m.kind, m.lenient, uint32(0), uint16(7*i), uint8(i), uint8(i), uint8(i))
	}
	for _, m := range crowded {
		f.Add([]byte(m.input), m.kind, m.lenient, uint32(0), uint16(30), uint8(15), uint8(3), uint8(0))
	}
	const strict = uint32(ruleTolerateRepeatedContentLength - 1)
	for i, m := range ruledInputs {
		for _, rules := range []uint32{strict, ^strict, math.MaxUint32} {
			f.Add([]byte(m.text), m.kind, uint16(0), rules, uint16(7*i), uint8(i), uint8(i), uint8(i))
		}
	}
	levels := asm.Available()
	f.Fuzz(func(t *testing.T, data []byte, kind uint8, lenient uint16, rules uint32, cut uint16, size, limit, room uint8) {
		data = data[:min(len(data), 2048)]
		forEachLevel(t, levels, func() {
			s := shape{cut, size, limit, room}
			if diff := stepDifference(t, kind%3, lenient&(1<<11-1), rules, string(data), s, func(*replayer) {}); diff != "" {
				t.Error(diff)
			}
		})
	})
}

// forEachLevel runs f with each level in turn, and leaves the one in use as it was.
func forEachLevel(tb testing.TB, levels []asm.Level, f func()) {
	tb.Helper()
	before := asm.Current()
	defer asm.Set(before)
	for _, level := range levels {
		if err := asm.Set(level); err != nil {
			tb.Fatal(err)
		}
		f()
	}
}

// The fuzz target would notice a difference in anything that it compares.
func TestStepDifference(t *testing.T) {
	const input = "POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
	s := shape{cut: 20, size: 3, limit: 4}
	for name, plant := range map[string]func(*replayer){
		"flags":        func(r *replayer) { r.public.Flags ^= 1 },
		"unit lost":    func(r *replayer) { r.units = r.units[1:] },
		"unit changed": func(r *replayer) { r.units[len(r.units)/2] += "x" },
		"stop":         func(r *replayer) { r.stopped = true },
		"state": func(r *replayer) {
			if r.limit == 5 {
				r.private.Aux++
			}
		},
	} {
		if stepDifference(t, typeRequest, 0, 0, input, s, plant) == "" {
			t.Errorf("%s: not noticed", name)
		}
	}
	if diff := stepDifference(t, typeRequest, 0, 0, input, s, func(*replayer) {}); diff != "" {
		t.Error(diff)
	}
}
