package llhttpgo

// The memory of parsers: nothing is allocated, and neither a moving stack nor the garbage collector is in the way.

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
)

const browser = "GET /path/to/page?query=1 HTTP/1.1\r\nHost: www.example.com\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0)\r\n" +
	"Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\nAccept-Language: en-US,en;q=0.5\r\n" +
	"Accept-Encoding: gzip, deflate, br\r\nConnection: keep-alive\r\nCookie: session=0123456789abcdef; theme=dark\r\nX-Own: 1\r\nx-own: 2\r\n\r\n"

func allocates(t *testing.T, want float64, f func()) {
	t.Helper()
	if raceEnabled {
		f() // the race detector's sync.Pool drops what it is given, at random
		return
	}
	if got := testing.AllocsPerRun(200, f); got != want {
		t.Errorf("%v allocations, want %v", got, want)
	}
}

func TestAllocations(t *testing.T) {
	data := []byte(browser + "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
	t.Run("Parse", func(t *testing.T) {
		p := NewParser(TypeRequest)
		names, bytes := 0, 0
		allocates(t, 0, func() {
			for e, err := range p.Parse(data) {
				if err != nil {
					t.Fatal(err)
				}
				if e.Kind() == EventHeaderField {
					names++
				}
				bytes += len(e.Data())
			}
		})
		if names == 0 || bytes == 0 {
			t.Error("nothing parsed")
		}
	})
	t.Run("pieces and breaks", func(t *testing.T) {
		p := NewParser(TypeRequest)
		allocates(t, 0, func() {
			for rest := data; len(rest) != 0; {
				piece := rest[:min(len(rest), 11)]
				for e, err := range p.Parse(piece) {
					if err != nil {
						t.Fatal(err)
					}
					if e.Kind() == EventHeadersComplete {
						break
					}
				}
				rest = rest[p.Consumed():]
			}
		})
	})
	t.Run("limits and rules", func(t *testing.T) {
		p := NewParser(TypeRequest)
		limits := Limits{8000, 8000, 100, 65536, 100, 1000, 1000}
		h := NewHead(TypeRequest)
		allocates(t, 0, func() {
			p.Reset()
			p.SetLimits(limits)
			p.SetRules(StrictAll)
			for _, err := range p.Parse(data) {
				if err != nil {
					t.Fatal(err)
				}
			}
			n, err := h.Parse(data)
			if err != nil {
				t.Fatal(err)
			}
			p.ResetAfterHead(h)
			for _, err := range p.Parse(data[n:]) {
				if err != nil {
					t.Fatal(err)
				}
			}
		})
	})
	t.Run("Execute", func(t *testing.T) {
		p := NewParser(TypeRequest)
		h := new(counter)
		allocates(t, 0, func() {
			if _, err := p.Execute(data, h); err != nil {
				t.Fatal(err)
			}
			for range p.Finish() {
			}
		})
	})
	t.Run("Head", func(t *testing.T) {
		h := NewHead(TypeRequest)
		values := 0
		allocates(t, 0, func() {
			n, err := h.Parse(data)
			if err != nil || n != len(browser) {
				t.Fatal(n, err)
			}
			for _, f := range h.Fields() {
				values += len(f.Value)
			}
			for v := range h.ValuesOf("X-own") {
				values += len(v)
			}
			if _, err := h.Parse(data[:20]); err != ErrPartial {
				t.Fatal(err)
			}
			h.Reset()
		})
	})
	t.Run("values", func(t *testing.T) {
		value := []byte("text/html;q=0.9;a=\"b,c\", application/json")
		allocates(t, 0, func() {
			for m, err := range List(value) {
				if err != nil {
					t.Fatal(err)
				}
				for p, err := range Parameters(m) {
					if err != nil || len(p.Name) != 1 {
						t.Fatal(p, err)
					}
				}
			}
			if found, last, err := HasToken(value, "application/JSON"); !found || !last || err != nil {
				t.Fatal(found, last, err)
			}
			if LookupField(value) != 0 || LookupFieldString("hoSt") != FieldHost {
				t.Fatal("ids")
			}
		})
	})
}

type counter struct{ events int }

func (c *counter) HandleEvent(Event) error { c.events++; return nil }

// deeper calls f with a stack that is used up to different degrees, so that it grows here and there in what f calls.
//
//go:noinline
func deeper(depth int, f func()) byte {
	var frame [128]byte
	frame[depth&127] = byte(depth)
	if depth == 0 {
		f()
	} else {
		frame[0] += deeper(depth-1, f)
	}
	return frame[depth&127]
}

// headOnStack parses a head that lies on the stack, from bytes that do, where the compiler lets them.
//
//go:noinline
func headOnStack() error {
	var buffer [len(browser)]byte
	copy(buffer[:], browser)
	var h Head
	n, err := h.Parse(buffer[:20])
	if err != ErrPartial {
		return fmt.Errorf("%d, %v", n, err)
	}
	deeper(40, func() {}) // the stack may move between the two calls
	if n, err = h.Parse(buffer[:]); err != nil || n != len(browser) || h.Len() != 9 || string(h.Target()) != "/path/to/page?query=1" {
		return fmt.Errorf("%d, %v, %q", n, err, h.Target())
	}
	deeper(40, func() {})
	if i := h.Find("x-own"); i != 7 || string(h.Field(h.Next(i)).Value) != "2" || string(h.Value(FieldHost)) != "www.example.com" {
		return fmt.Errorf("%d fields, x-own %d", h.Len(), i)
	}
	return nil
}

// eventsOnStack does the same with a parser, whose loop moves the stack at each event.
//
//go:noinline
func eventsOnStack() error {
	var buffer [len(browser)]byte
	copy(buffer[:], browser)
	var p Parser
	p.Init(TypeRequest)
	var text bytes.Buffer
	for e, err := range p.Parse(buffer[:]) {
		if err != nil {
			return err
		}
		deeper(20, func() {})
		text.Write(e.Data())
	}
	want := strings.NewReplacer("GET ", "GET", " HTTP/", "HTTP", ": ", "", "\r\n", "").Replace(browser)
	if text.String() != want {
		return fmt.Errorf("%q", text.String())
	}
	return nil
}

// valuesOnStack reads values that lie there.
//
//go:noinline
func valuesOnStack() error {
	var buffer [64]byte
	value := buffer[:copy(buffer[:], "gzip;q=1, \"a,b\", br, chunked")]
	var lengths int
	for m, err := range List(value) {
		if err != nil {
			return err
		}
		deeper(20, func() {})
		lengths += len(m)
	}
	if lengths != 8+5+2+7 {
		return fmt.Errorf("%d bytes", lengths)
	}
	return nil
}

// lookupsOnStack looks into bytes that do lie on the stack: none of these functions gives away what it gets.
//
//go:noinline
func lookupsOnStack() error {
	var buffer [256]byte
	value := buffer[:copy(buffer[:], "gzip;q=1, \"a,b\", br, chunked")]
	if found, last, err := HasToken(value, "chunked"); !found || !last || err != nil {
		return fmt.Errorf("%v, %v, %v", found, last, err)
	}
	value = buffer[:copy(buffer[:], "Content-Security-Policy-Report-Only")]
	if id := LookupField(value); id != FieldContentSecurityPolicyReportOnly {
		return fmt.Errorf("%v", id)
	}
	value = buffer[:copy(buffer[:], "1234567, 1234567")]
	if n, err := ContentLength(value); n != 1234567 || err != nil {
		return fmt.Errorf("%v, %v", n, err)
	}
	value = buffer[:copy(buffer[:], "http://user@host.example:81/path/to/page?query#fragment")]
	if t, err := ParseTarget(value, MethodGET); err != nil || string(t.Host) != "host.example" || t.PortNumber != 81 {
		return fmt.Errorf("%v, %v", t, err)
	}
	return nil
}

// Stacks grow, shrink and move at every place in and around the calls; the collector runs all the time.
func TestMovingStacks(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	everyLevel(t, func(t *testing.T) {
		var group sync.WaitGroup
		for depth := range 64 {
			group.Add(1)
			go func() { // a new goroutine has a small stack
				defer group.Done()
				for _, f := range []func() error{headOnStack, eventsOnStack, valuesOnStack, lookupsOnStack} {
					deeper(depth, func() {
						if err := f(); err != nil {
							t.Errorf("depth %d: %v", depth, err)
						}
					})
				}
			}()
			if depth%8 == 7 {
				runtime.GC() // shrinks stacks
			}
		}
		group.Wait()
	})
}

// The same where the runtime overwrites what it frees, and stops goroutines anywhere.
func TestClobberedMemory(t *testing.T) {
	if os.Getenv("LLHTTP_TEST_CLOBBERED") != "" {
		TestMovingStacks(t)
		return
	}
	if os.Getenv("LLHTTP_TEST_EMULATED") != "" {
		t.Skip("an emulated program cannot be started like this")
	}
	command := exec.Command(os.Args[0], "-test.run=^TestClobberedMemory$")
	command.Env = append(os.Environ(), "LLHTTP_TEST_CLOBBERED=1", "GODEBUG=clobberfree=1,adaptivestackstart=0")
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// Parsers of different goroutines have nothing in common.
func TestGoroutines(t *testing.T) {
	data := []byte(browser)
	want := parse(TypeRequest, 0, browser)
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			h := NewHead(TypeRequest)
			for range 50 {
				var l log
				p := NewParser(TypeRequest)
				if l.feed(p, data); strings.Join(l.lines, "\n") != strings.Join(want, "\n") {
					t.Error("other events")
				}
				if n, err := h.Parse(data); n != len(data) || err != nil {
					t.Error(n, err)
				}
				if LookupFieldString("Host") != FieldHost {
					t.Error("another id")
				}
			}
		}()
	}
	group.Wait()
}
