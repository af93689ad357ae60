package core

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// taper keeps a parser between pieces and gathers the events of its tape, as text. A span that comes in pieces is joined.
type taper struct {
	private   Private
	public    Public
	base      int
	room      int // events in the array
	batch     int // bytes for the batch
	mask      uint32
	atHeaders bool
	units     []string
	stopped   bool
	reason    uint8
	at        int
	headers   int // stops at the end of a header section
}

const tapeAll = 1<<25 - 1

// tapeUnit is an event that is no span, as text.
func tapeUnit(kind uint8, at int, public *Public) string {
	s := fmt.Sprintf("%s@%d", callbackNames[kind], at)
	switch kind {
	case cbMethodComplete:
		s += fmt.Sprintf(" method %d", public.Method)
	case cbVersionComplete:
		s += fmt.Sprintf(" version %d.%d", public.Major, public.Minor)
	case cbStatusComplete:
		s += fmt.Sprintf(" status %d", public.StatusCode)
	case cbChunkHeader:
		s += fmt.Sprintf(" size %d", public.ContentLength)
	case cbHeadersComplete, cbMessageComplete:
		id := uint16(public.Method)
		if public.Type == typeResponse {
			id = public.StatusCode
		}
		s += fmt.Sprintf(" %d %d.%d f%x l%d u%d p%v", id, public.Major, public.Minor, public.Flags, public.ContentLength, public.Upgrade, public.persists())
	}
	return s
}

func (r *taper) text(t testing.TB, piece string, e TapeEvent) string {
	kind := uint8(e.Tag)
	version, id := e.Tag>>8&0xff, e.Tag>>16
	name := callbackNames[kind]
	at := r.base + int(e.Offset)
	none := version == 0 && id == 0
	switch kind {
	case cbHeaderField, cbProtocol, cbURL, cbStatus, cbMethod, cbVersion, cbHeaderValue, cbChunkExtensionName, cbChunkExtensionValue, cbBody:
		if version != 0 || e.Value != 0 || kind != cbHeaderField && id != 0 {
			t.Fatalf("%s: %x, %x", name, e.Tag, e.Value)
		}
		return name + "=" + piece[e.Offset:e.Offset+e.Length]
	case cbMethodComplete:
		if none && e.Length == 0 {
			return fmt.Sprintf("%s@%d method %d", name, at, e.Value)
		}
	case cbVersionComplete:
		if none && e.Length == 0 {
			return fmt.Sprintf("%s@%d version %d.%d", name, at, e.Value>>8, e.Value&0xff)
		}
	case cbStatusComplete:
		if none && e.Length == 0 {
			return fmt.Sprintf("%s@%d status %d", name, at, e.Value)
		}
	case cbChunkHeader:
		if none {
			return fmt.Sprintf("%s@%d size %d", name, at, uint64(e.Value)<<32|uint64(e.Length))
		}
	case cbHeadersComplete, cbMessageComplete:
		return fmt.Sprintf("%s@%d %d %d.%d f%x l%d u%d p%v", name, at, id, version>>4, version&15, e.Value&0xffff,
			uint64(e.Value>>24)<<32|uint64(e.Length), e.Value>>16&1, e.Value>>17&1 != 0)
	default:
		if none && e.Length == 0 && e.Value == 0 {
			return fmt.Sprintf("%s@%d", name, at)
		}
	}
	t.Fatalf("%s: says %x, %x, %x", name, e.Length, e.Tag, e.Value)
	return ""
}

// feed gives the parser one piece; false when it has stopped.
func (r *taper) feed(t testing.TB, piece string) bool {
	t.Helper()
	const canary = 0xdeadbeef
	buf := []byte(piece + ":\r\n\r\n") // what is behind the piece would end a name
	batch := make([]uint64, r.batch/8)
	events := make([]TapeEvent, r.room+1)
	rest := uintptr(0)
	for {
		events[r.room] = TapeEvent{canary, canary, canary, canary}
		tape := new(Tape)
		f := &tape.Frame
		f.Buf = uintptr(unsafe.Pointer(unsafe.SliceData(buf)))
		f.End = f.Buf + uintptr(len(piece))
		f.Pos, f.Span = f.Buf+rest, f.Buf+rest
		f.Private, f.Public = r.private, r.public
		if r.atHeaders {
			f.AtHeaders = 1
		}
		tape.Top = uintptr(unsafe.Pointer(&events[0]))
		tape.End = uintptr(unsafe.Pointer(&events[r.room]))
		tape.Batch = uintptr(unsafe.Pointer(&batch[0]))
		tape.Room = tape.Batch + uintptr(r.batch)
		tape.Mask = r.mask
		RunTape(tape)
		count := r.room - int(tape.End-tape.Top)/16
		if events[r.room] != (TapeEvent{canary, canary, canary, canary}) || count > r.room {
			t.Fatal("events written behind their array")
		}
		for _, e := range events[:count] {
			unit := r.text(t, piece, e)
			name, bytes, isSpan := strings.Cut(unit, "=")
			if last := len(r.units) - 1; isSpan && last >= 0 && strings.HasPrefix(r.units[last], name+"=") {
				r.units[last] += bytes
			} else {
				r.units = append(r.units, unit)
			}
		}
		rest = f.Pos - f.Buf
		r.private, r.public = f.Private, f.Public
		r.at = r.base + int(rest)
		switch tape.Result {
		case TapeFull:
			if count != r.room {
				t.Fatalf("full with %d events of %d", count, r.room)
			}
			continue
		case TapeHeaders:
			if r.private.State != stateAfterHeaders || r.mask == tapeAll && !strings.HasPrefix(r.units[len(r.units)-1], "headers_complete") {
				t.Fatalf("stopped in state %d after %q", r.private.State, r.units)
			}
			r.headers++
			continue
		case TapeStopped:
			r.stopped, r.reason = true, f.Reason
		case TapeExhausted:
			if rest != uintptr(len(piece)) {
				t.Fatalf("exhausted at %d of %d", rest, len(piece))
			}
		}
		r.base += len(piece)
		runtime.KeepAlive(buf)
		runtime.KeepAlive(batch)
		return !r.stopped
	}
}

// expected are the units of a replayer as a tape has them.
func (r *replayer) expected(kind uint8, mask uint32) (units []string, headers int) {
	for _, unit := range r.units {
		name, _, _ := strings.Cut(strings.NewReplacer("~", "=", "@", "=").Replace(unit), "=")
		callback := uint8(slices.Index(callbackNames[:], name))
		if name == "headers_complete" {
			headers++
		}
		if mask>>callback&1 == 0 {
			continue
		}
		if rest, found := strings.CutPrefix(unit, name+"@"); found {
			var p Public
			var at int
			fmt.Sscanf(rest, "%d %d/%d.%d s%d f%x l%d u%d", &at, &p.Method, &p.Major, &p.Minor, &p.StatusCode, &p.Flags, &p.ContentLength, &p.Upgrade)
			p.Type = kind
			if kind == typeBoth {
				p.Type = r.public.Type
			}
			unit = tapeUnit(callback, at, &p)
		} else if last := len(units) - 1; last >= 0 && strings.HasPrefix(units[last], name+"=") {
			units[last] += unit[len(name)+1:]
			continue
		} else {
			unit = strings.Replace(unit, "~", "=", 1)
		}
		units = append(units, unit)
	}
	return units, headers
}

// The tape says what the events of a batch say, whatever its size and wherever the input is cut.
func TestTape(t *testing.T) {
	masks := []uint32{tapeAll, 0, fieldKinds, completeKinds, 1<<cbMethodComplete | 1<<cbURL | fieldKinds | 1<<cbHeadersComplete | 1<<cbBody | 1<<cbMessageComplete}
	step := 1
	if testing.Short() { // for emulated CPUs
		step = 5
	}
	for _, m := range messages {
		t.Run(m.name, func(t *testing.T) {
			check := func(r taper, pieces ...string) {
				t.Helper()
				want := newReplayer(m.kind, m.lenient)
				r.public = Public{Type: m.kind, Lenient: m.lenient}
				for _, piece := range pieces {
					more := want.feed(t, piece)
					if got := r.feed(t, piece); got != more {
						t.Fatalf("goes on: %v, want %v", got, more)
					}
					if r.public != want.public || r.private.State != want.private.State || r.private.Open != want.private.Open {
						t.Fatalf("room %d, mask %x: %+v %+v\nwant %+v %+v", r.room, r.mask, r.public, r.private, want.public, want.private)
					}
					if !more {
						break
					}
				}
				units, headers := want.expected(m.kind, r.mask)
				if !slices.Equal(r.units, units) {
					t.Fatalf("room %d, mask %x, %q:\n%s\nwant:\n%s", r.room, r.mask, pieces, strings.Join(r.units, "\n"), strings.Join(units, "\n"))
				}
				if r.stopped && (r.reason != want.reason || r.at != want.at) {
					t.Fatalf("stops with %d at %d, want %d at %d", r.reason, r.at, want.reason, want.at)
				}
				if r.atHeaders && r.headers != headers {
					t.Fatalf("%d stops, want %d", r.headers, headers)
				}
			}
			for _, mask := range masks {
				for _, room := range []int{1, 2, 3, 7, 60, 91, 150, 400} {
					for _, batch := range []int{MinRoom, 2400} {
						for _, atHeaders := range []bool{false, true} {
							r := taper{room: room, batch: batch, mask: mask, atHeaders: atHeaders}
							check(r, m.input)
							if room != 3 && room != 150 || batch == MinRoom || mask == 0 { // every cut for some
								continue
							}
							for cut := 0; cut <= len(m.input); cut += step {
								check(r, m.input[:cut], m.input[cut:])
								check(r, m.input[:cut], "", m.input[cut:])
							}
							check(r, strings.Split(m.input, "")...)
						}
					}
				}
			}
		})
	}
}
