package core

// This file runs Step over a message and writes down what it says, for the tests beside the code.

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

var callbackNames = [...]string{
	cbMessageBegin: "message_begin", cbProtocol: "protocol", cbURL: "url", cbStatus: "status", cbMethod: "method",
	cbVersion: "version", cbHeaderField: "header_field", cbHeaderValue: "header_value",
	cbChunkExtensionName: "chunk_extension_name", cbChunkExtensionValue: "chunk_extension_value",
	cbHeadersComplete: "headers_complete", cbBody: "body", cbMessageComplete: "message_complete",
	cbProtocolComplete: "protocol_complete", cbURLComplete: "url_complete", cbStatusComplete: "status_complete",
	cbMethodComplete: "method_complete", cbVersionComplete: "version_complete",
	cbHeaderFieldComplete: "header_field_complete", cbHeaderValueComplete: "header_value_complete",
	cbChunkExtensionNameComplete:  "chunk_extension_name_complete",
	cbChunkExtensionValueComplete: "chunk_extension_value_complete",
	cbChunkHeader:                 "chunk_header", cbChunkComplete: "chunk_complete", cbReset: "reset",
	cbSkippedLine: "skipped_line", cbSkippedLineComplete: "skipped_line_complete",
}

// replayer keeps a parser between pieces and gathers what it says. A span that comes in pieces is joined.
type replayer struct {
	private Private
	public  Public
	limit   uint32 // units in a batch; Unlimited takes lines as a whole
	rules   uint32
	room    uintptr // bytes for events
	behind  string  // what is in memory behind a piece, and must not matter
	base    int     // offset of the piece in the whole input
	units   []string
	whole   int // field lines taken as a whole
	reason  uint8
	stopped bool
	at      int // error position
}

func newReplayer(kind uint8, lenient uint16) *replayer {
	return &replayer{public: Public{Type: kind, Lenient: lenient}, limit: 1 << 20, room: 2400, behind: "\r\n\r\n"}
}

// span appends a piece of a span, or joins it to the piece before it.
func (r *replayer) span(callback uint8, text string, open bool) {
	last := len(r.units) - 1
	name := callbackNames[callback]
	if last >= 0 && strings.HasPrefix(r.units[last], name+"~") {
		text = strings.TrimPrefix(r.units[last], name+"~") + text
		r.units = r.units[:last]
	}
	mark := "="
	if open {
		mark = "~"
	}
	r.units = append(r.units, name+mark+text)
}

// feed gives the parser one piece; false when it has stopped.
func (r *replayer) feed(t testing.TB, piece string) bool {
	t.Helper()
	buf := []byte(piece + r.behind)
	const canary = 0xfeedfacecafebeef
	events := make([]uint64, r.room/8+8)
	for i := r.room / 8; i < uintptr(len(events)); i++ {
		events[i] = canary
	}
	f := new(Frame)
	f.Buf = uintptr(unsafe.Pointer(unsafe.SliceData(buf)))
	f.Pos, f.Span, f.End = f.Buf, f.Buf, f.Buf+uintptr(len(piece))
	f.Private, f.Public, f.Rules = r.private, r.public, r.rules
	first := uintptr(unsafe.Pointer(&events[0]))
	for f.Status = More; f.Status == More; {
		seen := f.Public
		f.Top, f.Room, f.Limit = first, first+r.room, r.limit
		Step(f)
		notify := func(callback uint8, at int) {
			r.units = append(r.units, fmt.Sprintf("%s@%d %d/%d.%d s%d f%x l%d u%d", callbackNames[callback], r.base+at,
				seen.Method, seen.Major, seen.Minor, seen.StatusCode, seen.Flags, seen.ContentLength, seen.Upgrade))
		}
		span := func(callback uint8, at, length int) { r.span(callback, piece[at:at+length], false) }
		begin := func(head uint64, at int) {
			if head>>8&0xff != 0 {
				notify(cbReset, at)
			}
			notify(cbMessageBegin, at)
		}
		version := func(head uint64, at int) {
			span(cbProtocol, at, 4)
			notify(cbProtocolComplete, at+4)
			seen.Major, seen.Minor = 1, uint8(head>>24)
			span(cbVersion, at+5, 3)
			notify(cbVersionComplete, at+8)
		}
		for i := 0; i < int(f.Top-first)/8; i += 2 {
			head, length := events[i], events[i+1]
			at, callback := int(head>>16), uint8(head>>8)
			switch uint8(head) {
			case EventPublic:
				*(*[3]uint64)(unsafe.Pointer(&seen)) = [3]uint64{length, events[i+2], events[i+3]}
				i += 2
			case EventNotify:
				notify(callback, at)
			case EventSpan, EventSpanSkip:
				span(callback, at, int(length))
			case EventRequest:
				e := (*RequestEvent)(unsafe.Pointer(&events[i]))
				begin(head, int(e.MethodOffset))
				seen.Method = uint8(head >> 16)
				end := int(e.MethodOffset) + int(head>>32)
				span(cbMethod, int(e.MethodOffset), int(head>>32))
				notify(cbMethodComplete, end)
				span(cbURL, int(e.TargetOffset), int(e.TargetLength))
				notify(cbURLComplete, int(e.ProtocolOffset))
				version(head, int(e.ProtocolOffset))
				i += 2
			case EventStatus:
				e := (*StatusEvent)(unsafe.Pointer(&events[i]))
				begin(head, int(e.ProtocolOffset))
				version(head, int(e.ProtocolOffset))
				seen.StatusCode = uint16(head >> 32)
				span(cbStatus, int(e.ReasonOffset), int(e.ReasonLength))
				notify(cbStatusComplete, int(e.ReasonOffset+e.ReasonLength)+2)
				i += 2
			case EventFields:
				count := int(head >> 32)
				lines := i + 2
				effect := lines + 2*count
				i = effect + 2*int(head>>16&0xffff) - 2
				for n := range count {
					line := (*FieldLine)(unsafe.Pointer(&events[lines+2*n]))
					span(cbHeaderField, int(line.NameOffset), int(line.NameLength))
					notify(cbHeaderFieldComplete, int(line.NameOffset+line.NameLength)+1)
					var e Effect
					if effect <= i && int((*Effect)(unsafe.Pointer(&events[effect])).Line) == n {
						e = *(*Effect)(unsafe.Pointer(&events[effect]))
						effect += 2
					}
					seen.Flags |= e.Before
					if e.HasLength != 0 {
						seen.ContentLength = e.Length
					}
					span(cbHeaderValue, int(line.ValueOffset), int(line.ValueLength))
					seen.Flags |= e.After
					after := int(line.ValueOffset + line.ValueLength)
					if line.ValueLength != 0 {
						after += 2
					}
					notify(cbHeaderValueComplete, after)
				}
				r.whole += count
			case EventChunk:
				seen.ContentLength = length
				notify(cbChunkHeader, at)
				seen.ContentLength = 0
				span(cbBody, at, int(length))
				notify(cbChunkComplete, at+int(length)+2)
			case EventLastChunk:
				notify(cbChunkHeader, at)
				seen.Flags |= flagTrailing
				notify(cbChunkComplete, at+2)
				notify(cbMessageComplete, at+2)
				seen.Flags, seen.Finish, seen.InitialMessageCompleted = 0, finishSafe, 1
			case EventName:
				span(callback, at, int(length))
				notify(cbHeaderFieldComplete, at+int(length)+1)
			case EventValue:
				span(callback, at, int(length))
				notify(cbHeaderValueComplete, at+int(length)+2)
			case EventMessage:
				notify(cbHeadersComplete, at)
				seen.ContentLength = 0
				if length != 0 {
					span(cbBody, at, int(length))
				}
				notify(cbMessageComplete, at+int(length))
				seen.Flags, seen.Finish, seen.InitialMessageCompleted = 0, finishSafe, 1
				i += 2
			default:
				t.Fatalf("event of unknown kind %d", uint8(head))
			}
		}
	}
	for _, v := range events[r.room/8:] {
		if v != canary {
			t.Fatal("events written beyond their room")
		}
	}
	r.private, r.public = f.Private, f.Public
	r.reason, r.at = f.Reason, r.base+int(f.Pos-f.Buf)
	r.stopped = f.Status == Stopped
	if !r.stopped && f.Private.Open != 0 {
		r.span(f.Private.Open, piece[f.Span-f.Buf:], true)
	}
	r.base += len(piece)
	runtime.KeepAlive(buf)
	runtime.KeepAlive(events)
	return !r.stopped
}

// log is all that was said, a span that did not end left out, as the cut decides whether it shows.
func (r *replayer) log() string {
	units := r.units
	if last := len(units) - 1; last >= 0 && strings.Contains(units[last], "~") {
		units = units[:last]
	}
	log := strings.Join(units, "\n")
	if r.stopped {
		log += fmt.Sprintf("\nstop %d at %d", r.reason, r.at)
	}
	return log
}

// names is the order of callbacks alone, spans with their text.
func (r *replayer) names() string {
	var names []string
	for _, unit := range r.units {
		name, _, _ := strings.Cut(unit, "@")
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// parse gives the whole input to a new parser.
func parse(t testing.TB, kind uint8, lenient uint16, input string) *replayer {
	t.Helper()
	r := newReplayer(kind, lenient)
	r.feed(t, input)
	return r
}

// everyWay is parse, and wants the same from the input byte by byte, and with lines taken as a whole.
func everyWay(t testing.TB, kind uint8, lenient uint16, input string) *replayer {
	t.Helper()
	return same(t, kind, lenient, input, false)
}

// everySplit is everyWay, and wants the same wherever the input is cut.
func everySplit(t testing.TB, kind uint8, lenient uint16, input string) *replayer {
	t.Helper()
	return same(t, kind, lenient, input, true)
}

func same(t testing.TB, kind uint8, lenient uint16, input string, split bool) *replayer {
	t.Helper()
	want := parse(t, kind, lenient, input)
	log := want.log()
	check := func(limit uint32, pieces ...string) {
		t.Helper()
		r := newReplayer(kind, lenient)
		r.limit = limit
		for _, piece := range pieces {
			if !r.feed(t, piece) {
				break
			}
		}
		if r.log() != log || r.public != want.public {
			t.Fatalf("%q, limit %d:\n%s\n%+v\nwhole:\n%s\n%+v", pieces, limit, r.log(), r.public, log, want.public)
		}
	}
	for _, limit := range []uint32{1 << 20, Unlimited} {
		check(limit, input)
		check(limit, strings.Split(input, "")...)
		for cut := 1; split && cut < len(input); cut++ {
			check(limit, input[:cut], input[cut:])
		}
	}
	return want
}

// stops checks where and why a parse has ended; reason 0 is not at all.
func (r *replayer) stops(t testing.TB, input string, reason uint8, at int) {
	t.Helper()
	switch {
	case reason == 0 && r.stopped:
		t.Errorf("%q: refused with reason %d at %d", input, r.reason, r.at)
	case reason != 0 && (!r.stopped || r.reason != reason || r.at != at):
		t.Errorf("%q: stopped %v, reason %d at %d; want %d at %d", input, r.stopped, r.reason, r.at, reason, at)
	}
}
