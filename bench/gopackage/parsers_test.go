package main

import (
	"testing"

	"llhttpgo"
)

// All parsers find the same.
func TestParsers(t *testing.T) {
	for _, m := range messages {
		in := newInput(m.text)
		var want summary
		for i, p := range parsers() {
			if err := p.parse(in.again()); err != nil || in.reader.Buffered() != 0 {
				t.Fatalf("%s, %s: %v, %d bytes left", m.name, p.name, err, in.reader.Buffered())
			}
			if i == 0 {
				want = p.summary()
			}
			if got := p.summary(); got != want || got.host == "" || got.fields == 0 {
				t.Errorf("%s, %s: %+v, want %+v", m.name, p.name, got, want)
			}
		}
	}
}

// One number for each message and parser, for benchstat: -col /parser.
func BenchmarkHead(b *testing.B) {
	for _, m := range messages {
		for _, p := range parsers() {
			b.Run("message="+m.name+"/parser="+p.name, func(b *testing.B) {
				in := newInput(m.text)
				b.SetBytes(int64(len(m.text)))
				b.ReportAllocs()
				for b.Loop() {
					if err := p.parse(in.again()); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// The events of a message, all of them and those that a server needs.
func BenchmarkParser(b *testing.B) {
	some := llhttpgo.Events(llhttpgo.EventMethodComplete, llhttpgo.EventURL, llhttpgo.EventHeaderField, llhttpgo.EventHeaderValue,
		llhttpgo.EventHeadersComplete, llhttpgo.EventBody, llhttpgo.EventMessageComplete)
	for _, m := range messages {
		for _, set := range []struct {
			name   string
			events llhttpgo.EventSet
		}{{"all", llhttpgo.AllEvents}, {"some", some}} {
			b.Run("message="+m.name+"/events="+set.name, func(b *testing.B) {
				p := llhttpgo.NewParser(llhttpgo.TypeRequest)
				p.SetEvents(set.events)
				data := []byte(m.text)
				b.SetBytes(int64(len(data)))
				b.ReportAllocs()
				for b.Loop() {
					for _, err := range p.Parse(data) {
						if err != nil {
							b.Fatal(err)
						}
					}
				}
			})
		}
	}
}
