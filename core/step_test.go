package core

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

// messages reach every state between them; lenient flags make the odd ones pass.
var messages = []struct {
	name    string
	kind    uint8
	lenient uint16
	input   string
}{
	{"request", typeRequest, 0, "GET /a/b?c=d#e HTTP/1.1\r\nHost: example.com\r\nAccept:\r\nX-Long-Name: a value with spaces \t \r\n\r\n"},
	{"both request", typeBoth, 0, "\r\nPOST /x HTTP/1.1\r\nContent-Length: 5 \r\nConnection: keep-alive, Upgrade , foo\r\n\r\nhello"},
	{"both head", typeBoth, 0, "HEAD / HTTP/1.0\r\n\r\n"},
	{"both response", typeBoth, 0, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"},
	{"absolute form", typeRequest, 0, "OPTIONS http://user@host:80/p?q HTTP/1.1\r\nProxy-Connection: close\r\n\r\n"},
	{"authority form", typeRequest, 0, "CONNECT host:443 HTTP/1.1\r\nHost: host\r\n\r\n\x16\x03\x01"},
	{"asterisk form", typeRequest, 0, "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n"},
	{"get parameter", typeRequest, 0, "GET_PARAMETER rtsp://h/s RTSP/1.0\r\n\r\n"},
	{"source", typeRequest, 0, "SOURCE /m ICE/1.0\r\n\r\n"},
	{"preface", typeRequest, 0, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
	{"http 0.9 lf", typeRequest, 0, "GET /old\n\r\n"},
	{"http 0.9 crlf", typeRequest, 0, "GET /old\r\n\r\n"},
	{"upgrade", typeRequest, 0, "GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nframes"},
	{"pipelined", typeRequest, 0, "GET /1 HTTP/1.1\r\n\r\nPUT /2 HTTP/1.1\r\nContent-Length: 1\r\n\r\nxDELETE /3 HTTP/1.1\r\nConnection: close\r\n\r\n\r\n\nmore"},
	{"chunked", typeRequest, 0, "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n" +
		"3;name=value;q=\"a\\\"b\";flag\r\nabc\r\nA\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n"},
	{"response", typeResponse, 0, "HTTP/1.1 404 Not Found\r\nServer: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"},
	{"until eof", typeResponse, 0, "HTTP/1.0 200 \r\n\r\nbody without end"},
	{"no reason", typeResponse, 0, "HTTP/1.1 204\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 304 N\r\nContent-Length: 9\r\n\r\n"},
	{"switching", typeResponse, 0, "RTSP/1.0 101 S\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\nframes"},
	{"ice response", typeResponse, 0, "ICE/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n"},
	{"fold", typeRequest, lenientHeaders, "GET / HTTP/1.1\r\n A: b\r\n c\r\nConnection : close\r\nX: \x01\x7f\r\nTransfer-Encoding: chunked\r\n , y\r\n\r\n"},
	{"relaxed", typeRequest, lenientHeaderValueRelaxed, "GET / HTTP/1.1\r\nA: b\x01\x02c\r\n\r\n"},
	{"bare lf", typeRequest, lenientOptionalCRBeforeLF | lenientOptionalLFAfterCR,
		"POST / HTTP/1.1\nTransfer-Encoding: chunked\nA:\n\n2;a\nab\n1;b=c\nx\n1;d=\"e\"\ny\n0\n\n"},
	{"bare cr", typeRequest, lenientOptionalLFAfterCR, "GET / HTTP/1.1\rA: b\r\n\rGET / HTTP/1.1\r\n\r\n"},
	{"bare lf response", typeResponse, lenientOptionalCRBeforeLF, "HTTP/1.1 200 OK\nContent-Length: 0\n\nHTTP/1.1 200\n\n"},
	{"loose chunks", typeRequest, lenientOptionalCRLFAfterChunk | lenientSpacesAfterChunkSize,
		"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2 \t\r\nab1\r\nc\rd0\r\n\r\n"},
	{"versions", typeRequest, lenientVersion | lenientKeepAlive, "GET / HTTP/5.6\r\n\r\nGET / HTTP/0.9\r\n\r\n"},
	{"after close", typeRequest, lenientDataAfterClose, "GET / HTTP/1.0\r\n\r\ndropped"},
	{"two lengths", typeRequest, lenientChunkedLength | lenientTransferEncoding,
		"POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked, x\r\nTransfer-Encoding: chunked,chunked \r\n\r\n0\r\n\r\n"},
	{"bad method", typeRequest, 0, "GEX / HTTP/1.1\r\n\r\n"},
	{"bad target", typeRequest, 0, "GET /\x80 HTTP/1.1\r\n\r\n"},
	{"bad version", typeRequest, 0, "GET / HTTP/1.2\r\n\r\n"},
	{"bad protocol", typeRequest, 0, "GET / HTTX/1.1\r\n\r\n"},
	{"bad field", typeRequest, 0, "GET / HTTP/1.1\r\nContent-Length : 1\r\n\r\n"},
	{"bad value", typeRequest, 0, "GET / HTTP/1.1\r\nA: b\x00\r\n\r\n"},
	{"bad length", typeRequest, 0, "POST / HTTP/1.1\r\nContent-Length: 18446744073709551616\r\n\r\n"},
	{"bad chunk", typeRequest, 0, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1x\r\n"},
	{"bad extension", typeRequest, 0, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;a=\"\\\x00\"\r\n"},
	{"bad status", typeResponse, 0, "HTTP/1.1 2x0 OK\r\n\r\n"},
}

// All that Step says must not depend on where the input is cut, nor on whether lines are taken as a whole.
func TestStepSplits(t *testing.T) {
	for _, m := range messages {
		t.Run(m.name, func(t *testing.T) {
			whole := newReplayer(m.kind, m.lenient)
			whole.feed(t, m.input)
			if len(whole.units) == 0 {
				t.Fatalf("says too little: %q", whole.units)
			}
			check := func(what string, limit uint32, pieces ...string) {
				t.Helper()
				r := newReplayer(m.kind, m.lenient)
				r.limit = limit
				for _, piece := range pieces {
					if !r.feed(t, piece) {
						break
					}
				}
				if r.log() != whole.log() || r.public != whole.public {
					t.Fatalf("%s, limit %d:\n%s\nwhole:\n%s", what, limit, r.log(), whole.log())
				}
			}
			for _, limit := range []uint32{1 << 20, Unlimited} {
				for cut := 0; cut <= len(m.input); cut++ {
					check(fmt.Sprintf("cut at %d", cut), limit, m.input[:cut], m.input[cut:])
				}
				check("byte by byte", limit, strings.Split(m.input, "")...)
			}
		})
	}
}

// The usual is taken as a whole, or the tests above say nothing about that.
func TestStepTakesLinesAsAWhole(t *testing.T) {
	r := newReplayer(typeRequest, 0)
	r.limit = Unlimited
	r.feed(t, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX:\r\nContent-Length: 0\r\n\r\n")
	if r.whole != 4 {
		t.Fatalf("%d of 4 field lines taken as a whole: %q", r.whole, r.units)
	}
}

// With a limit of ByUnits every unit is an event of its own, whatever the input and wherever it is cut, with and without
// rules.
func TestStepByUnits(t *testing.T) {
	for _, m := range messages {
		for cut := range 2 * len(m.input) {
			rules := uint32(0)
			if cut >= len(m.input) {
				cut, rules = cut-len(m.input), ^uint32(0)
			}
			events := make([]uint64, 256+cut%2) // a length that varies: on the heap, where it stays
			f := &Frame{Public: Public{Type: m.kind, Lenient: m.lenient}, Rules: rules}
			first := uintptr(unsafe.Pointer(&events[0]))
			for _, piece := range []string{m.input[:cut], m.input[cut:]} {
				buf := make([]byte, len(piece)+1)
				copy(buf, piece)
				f.Buf = uintptr(unsafe.Pointer(&buf[0]))
				f.Pos, f.Span, f.End = f.Buf, f.Buf, f.Buf+uintptr(len(piece))
				for f.Status = More; f.Status == More; {
					f.Top, f.Room, f.Limit = first, first+256*8, ByUnits
					Step(f)
					units := uint32(0)
					for i := 0; i < int(f.Top-first)/8; i += 2 {
						switch kind := uint8(events[i]); kind {
						case EventNotify, EventSpan, EventSpanSkip:
							units++
						case EventPublic:
							i += 2
						default:
							t.Fatalf("%q cut at %d, rules %#x: an event of kind %d", m.input, cut, rules, kind)
						}
					}
					if f.Limit != ByUnits-units {
						t.Fatalf("%q cut at %d: %d events, %d units", m.input, cut, units, ByUnits-f.Limit)
					}
				}
				runtime.KeepAlive(buf)
				runtime.KeepAlive(events)
				if f.Status == Stopped {
					break
				}
			}
		}
	}
}

// A rewind is exact because the state after k units does not depend on how the units were batched.
func TestStepLimit(t *testing.T) {
	for _, m := range messages {
		whole := newReplayer(m.kind, m.lenient)
		whole.feed(t, m.input)
		for _, limit := range []uint32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11} {
			r := newReplayer(m.kind, m.lenient)
			r.limit = limit
			r.feed(t, m.input)
			if r.log() != whole.log() || r.private != whole.private || r.public != whole.public {
				t.Errorf("%s with %d units a batch:\n%s\nwhole:\n%s", m.name, limit, r.log(), whole.log())
			}
		}
	}
}

// Nothing is read that is not the caller's: an empty piece changes nothing anywhere.
func TestStepEmptyPiece(t *testing.T) {
	for _, m := range messages {
		whole := newReplayer(m.kind, m.lenient)
		whole.feed(t, m.input)
		r := newReplayer(m.kind, m.lenient)
		for i := 0; i < len(m.input); i++ {
			if !r.feed(t, "") || !r.feed(t, m.input[i:i+1]) {
				break
			}
		}
		if r.log() != whole.log() {
			t.Errorf("%s with empty pieces:\n%s\nwhole:\n%s", m.name, r.log(), whole.log())
		}
	}
}

// An error stays: the same position is not parsed a second time.
func TestStepErrorIsFinal(t *testing.T) {
	r := newReplayer(typeRequest, 0)
	if r.feed(t, "GEX") {
		t.Fatal("accepted GEX")
	}
	if r.reason != reasonInvalidMethod || r.at != 2 {
		t.Fatalf("reason %d at %d", r.reason, r.at)
	}
	if r.feed(t, "GET / HTTP/1.1\r\n\r\n") || len(r.units) != 1 {
		t.Fatalf("went on after the error: %q", r.units)
	}
}

// Events stay within the room that there is, however small and wherever the input ends, and say the same.
func TestStepRoom(t *testing.T) {
	for _, m := range append(messages, crowded...) {
		for end := len(m.input); end > 0; end -= 1 + len(m.input)/60 {
			whole := newReplayer(m.kind, m.lenient)
			whole.feed(t, m.input[:end])
			for room := uintptr(MinRoom); room < MinRoom+8*eventSize; room += eventSize {
				r := newReplayer(m.kind, m.lenient)
				r.limit, r.room = Unlimited, room
				r.feed(t, m.input[:end])
				if r.log() != whole.log() {
					t.Fatalf("%s to %d with room for %d bytes:\n%s\nwhole:\n%s", m.name, end, room, r.log(), whole.log())
				}
			}
		}
	}
}

// crowded are messages whose events fill their room in every way before something unusual comes.
var crowded = func() (list []struct {
	name    string
	kind    uint8
	lenient uint16
	input   string
}) {
	add := func(name string, lenient uint16, input string) {
		list = append(list, struct {
			name    string
			kind    uint8
			lenient uint16
			input   string
		}{name, typeRequest, lenient, input})
	}
	const chunkedHead = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n"
	for n := 1; n < 24; n++ {
		lines, chunks := strings.Repeat("A: x\r\n", n), strings.Repeat("1\r\nx\r\n", n)
		add("two lengths, chunk extension", lenientChunkedLength,
			"POST / HTTP/1.1\r\n"+lines+"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n")
		add("short trailer", 0, chunkedHead+"\r\n"+chunks+"0\r\nA:x\r")
		add("bad short trailer", 0, chunkedHead+"\r\n"+chunks+"0\r\nA:\x01")
		add("lists", 0, "GET / HTTP/1.1\r\n"+strings.Repeat("Connection: a, b\r\nB: y\r\n", n)+"\r\n")
		add("chunks after lines", 0, chunkedHead+lines+"\r\n"+chunks+"2;x\r\nab\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n")
	}
	return list
}()
