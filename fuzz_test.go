package llhttpgo

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
)

// onHeap keeps what a fuzz target parses with off the stack: fuzzers are built with stack checks in package core, so
// that stacks move while it runs.
var onHeap any

// FuzzParser holds a parse in one piece against one in two pieces with a pause, at another level, and against a Head.
func FuzzParser(f *testing.F) {
	for _, m := range messages {
		f.Add(uint8(m.kind), uint16(m.lenient), uint32(0), uint64(0), uint16(len(m.input)/2), uint8(3), []byte(m.input))
	}
	for i, m := range limitedInputs {
		f.Add(uint8(m.kind), uint16(m.lenient), uint32(m.rules), uint64(20)<<(8*(i%7)), uint16(len(m.input)/2), uint8(3), []byte(m.input))
	}
	levels := SIMDLevels()
	f.Fuzz(func(t *testing.T, kind uint8, lenient uint16, rules uint32, limits uint64, cut uint16, pause uint8, input []byte) {
		if kind > 2 {
			return
		}
		var most Limits // a byte for each, those of heads twice as much
		for i, n := range numbers(&most) {
			*n = int(uint8(limits >> (8 * i)))
		}
		most.MaxHeaderBytes *= 2
		ready := func() *Parser {
			p := NewParser(Type(kind))
			p.SetLenient(Lenient(lenient))
			p.SetRules(Rules(rules))
			p.SetLimits(most)
			return p
		}
		before := bytes.Clone(input)
		SetSIMD(levels[len(levels)-1])
		whole := new(log).run(ready(), string(input))

		SetSIMD(levels[int(pause)%len(levels)])
		p := ready()
		var parts log
		end := min(int(cut), len(input))
		start, stopped := 0, false
		for count := 0; !stopped; {
			left := false
			for e, err := range p.Parse(input[start:end]) {
				if err != nil {
					parts.fail(err)
					stopped = true
					break
				}
				parts.event(e)
				if count++; count == int(pause) {
					left = true
					break
				}
			}
			start += p.Consumed()
			parts.base = start
			if left {
				continue
			}
			if end == len(input) {
				break
			}
			end = len(input)
		}
		if !stopped {
			parts.finish(p)
		}
		same(t, fmt.Sprintf("cut at %d, pause after %d", cut, pause), parts.lines, whole)
		if !bytes.Equal(input, before) {
			t.Fatal("the input has changed")
		}

		if rules != 0 || limits != 0 {
			return
		}
		h := NewHead(Type(kind))
		onHeap = h
		h.SetLenient(Lenient(lenient))
		n, err := h.Parse(input[:min(int(cut), len(input))])
		if err == ErrPartial {
			n, err = h.Parse(input)
		}
		complete := slices.IndexFunc(whole, func(line string) bool { return len(line) > 17 && line[:17] == "headers_complete@" })
		if err == nil {
			if n > len(input) || complete < 0 || whole[complete][17:17+len(fmt.Sprint(n))] != fmt.Sprint(n) {
				t.Fatalf("a head of %d bytes; the parser says\n%s", n, whole)
			}
			for i, field := range h.Fields() {
				if field.ID != LookupField(field.Name) {
					t.Fatalf("field %d, %q: %v", i, field.Name, field.ID)
				}
				if first := h.Find(string(field.Name)); first < 0 || first > i {
					t.Fatalf("field %d, %q is first at %d", i, field.Name, first)
				}
			}
		} else if failure, ok := err.(*Error); complete >= 0 && (!ok || failure.Reason != "Request has invalid `Transfer-Encoding`") {
			t.Fatalf("no head: %v; the parser says\n%s", err, whole)
		}
	})
}

// FuzzLookInside looks for a value that makes one of the functions fail or go outside of it.
func FuzzLookInside(f *testing.F) {
	for _, seed := range []string{"", "a, b;c=\"d\\\"\"", "http://[::1]:80/?#", "/path?query", "5, 5", "host:1", "\"", ";="} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		inside := func(part []byte) {
			if cap(part) != len(part) || len(part) > len(value) || len(part) != 0 && !bytes.Contains(value, part) {
				t.Fatalf("%q of %q", part, value)
			}
		}
		members := 0
		for m, err := range List(value) {
			if err != nil {
				break
			}
			inside(m)
			members++
			for p, err := range Parameters(m) {
				if err == nil {
					inside(p.Name)
					inside(p.Value)
					p.AppendValue(nil)
				}
			}
		}
		if found, _, err := HasToken(value, "a"); found && (err != nil || members == 0) {
			t.Fatalf("a token in %q", value)
		}
		if _, err := ContentLength(value); err == nil && members == 0 {
			t.Fatalf("a number in %q", value)
		}
		for _, method := range []Method{MethodGET, MethodCONNECT} {
			target, err := ParseTarget(value, method)
			if (err == nil) != (target.Form != 0) {
				t.Fatalf("%q: %v, form %d", value, err, target.Form)
			}
			for _, part := range [][]byte{target.Scheme, target.Userinfo, target.Host, target.Port, target.Path, target.Query, target.Fragment} {
				inside(part)
			}
		}
	})
}
