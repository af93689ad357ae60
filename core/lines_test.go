package core

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"llhttpgo/core/asm"
)

// eachLevel runs a test with every level's kernels.
func eachLevel(t *testing.T, f func(t *testing.T)) {
	defer asm.Set(asm.Current())
	for _, level := range asm.Available() {
		if err := asm.Set(level); err != nil {
			t.Fatal(err)
		}
		t.Run(level.String(), f)
	}
}

// kinds gives the kinds of events that the pieces are told in, those of a batch behind each other, pieces apart by "|".
func kinds(kind uint8, pieces ...string) string {
	var events [1024]uint64
	f := Frame{Public: Public{Type: kind}}
	var all []string
	for _, piece := range pieces {
		buf := []byte(piece + ".")
		f.Buf = uintptr(unsafe.Pointer(&buf[0]))
		f.Pos, f.Span, f.End = f.Buf, f.Buf, f.Buf+uintptr(len(piece))
		first := uintptr(unsafe.Pointer(&events))
		for f.Status = More; f.Status == More; {
			f.Top, f.Room, f.Limit = first, first+unsafe.Sizeof(events), Unlimited
			Step(&f)
			for i := 0; i < int(f.Top-first)/8; i += 2 {
				switch head := events[i]; uint8(head) {
				case EventNotify:
					all = append(all, callbackNames[uint8(head>>8)])
				case EventSpan, EventSpanSkip:
					all = append(all, "="+callbackNames[uint8(head>>8)])
				case EventPublic:
					i += 2
				case EventRequest:
					all = append(all, "Request")
					i += 2
				case EventStatus:
					all = append(all, "Status")
					i += 2
				case EventFields:
					all = append(all, fmt.Sprintf("Fields(%d,%d)", head>>32, head>>16&0xffff))
					i += 2 * int(head>>32+head>>16&0xffff)
				case EventChunk:
					all = append(all, "Chunk")
				case EventLastChunk:
					all = append(all, "LastChunk")
				case EventName:
					all = append(all, "Name")
				case EventValue:
					all = append(all, "Value")
				case EventMessage:
					all = append(all, "Message")
					i += 2
				}
			}
		}
		all = append(all, "|")
	}
	return strings.TrimSuffix(strings.Join(all, " "), " |")
}

// The usual is told in as few events as there are.
func TestLinesUsual(t *testing.T) {
	const get, ok = "GET / HTTP/1.1\r\n", "HTTP/1.1 200 OK\r\n"
	for _, test := range []struct {
		kind   uint8
		pieces []string
		want   string
	}{
		{typeRequest, []string{get + "Host: a\r\nAccept: */*\r\n\r\n"}, "Request Fields(2,0) Message"},
		{typeRequest, []string{"\r\nPOST /a?b#c HTTP/1.0\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nab"}, "Request Fields(2,2) Message"},
		{typeRequest, []string{"DELETE * HTTP/1.1\r\nA:\r\nB: \t\r\nC: \x80\xff\r\nUpgrade: a\r\n\r\n"}, "Request Fields(4,1) Message"},
		{typeRequest, []string{"UNSUBSCRIBE /a HTTP/1.1\r\nHost: a\r\n\r\nM-SEARCH * HTTP/1.1\r\nHost: a\r\n\r\n"}, "Request Fields(1,0) Message Request Fields(1,0) Message"},
		{typeRequest, []string{get + "Host: a\r\n\r\n" + get + "Host"}, "Request Fields(1,0) Message Request"},
		{typeRequest, []string{get + "Proxy-Connection: upgrade\r\n\r\n"}, "Request Fields(1,1) Message"},
		{typeResponse, []string{ok + "Server: a\r\nContent-Length: 3\r\n\r\nabc" + ok + "Content-Length: 0\r\n\r\n"}, "Status Fields(2,1) Message Status Fields(1,1) Message"},
		{typeResponse, []string{"HTTP/1.1 304 Not Modified\r\nServer: a\r\n\r\n"}, "Status Fields(1,0) Message"},
		{typeResponse, []string{"HTTP/1.0 200 \r\nServer: a\r\n\r\n"}, "Status Fields(1,0) headers_complete"},
		{typeRequest, []string{get + "TE: a\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0A\r\n0123456789\r\n0\r\n\r\n" + get + "Host: a\r\n\r\n"},
			"Request Fields(2,1) headers_complete Chunk Chunk LastChunk Request Fields(1,0) Message"},
		{typeRequest, []string{get + "Host: a\r\nConnection: close\r\n\r\n"}, "Request Fields(2,1) headers_complete message_complete"},
		{typeRequest, []string{get + strings.Repeat("Upgrade: a\r\n", maxEffects+1) + "\r\n"},
			"Request Fields(8,8) =header_field header_field_complete Value headers_complete message_complete"},
		// what is not all there
		{typeRequest, []string{get + "Host: a\r\nX-A: b", "c\r\nAccept: d\r\n\r\n"}, "Request Fields(1,0) Name | Value Fields(1,0) Message"},
		{typeRequest, []string{get + "Host: a\r\nX-", "A: bc\r\nAccept: d\r\n\r\n"}, "Request Fields(1,0) | Name Value Fields(1,0) Message"},
		{typeRequest, []string{get + "Host: a\r\nX-A:", " bc\r\nAccept: d\r\n\r\n"}, "Request Fields(1,0) Name | Value Fields(1,0) Message"},
		{typeRequest, []string{get + "Host: a\r\nA", "ccept: d\r\nX: a long enough value\r\n\r\n"}, "Request Fields(1,0) | Name Value Fields(1,0) Message"},
		{typeRequest, []string{get + "Host: a\r\n", "Accept: d\r\nX: y\r\n\r\n"}, "Request Name =header_value | header_value_complete Fields(2,0) Message"},
		{typeRequest, []string{get + "Host: a\r\nX-", "A: \r\nAccept: d\r\nB: c\r\n\r\n"}, "Request Fields(1,0) | Name =header_value header_value_complete Fields(2,0) Message"},
		{typeRequest, []string{get + "Host: a\r\nConnection: kee", "p-alive\r\nAccept: d\r\nX: y\r\n\r\n"},
			"Request Fields(1,0) =header_field header_field_complete | =header_value header_value_complete Fields(2,0) Message"},
		{typeRequest, []string{get + "Host: a\r\nConnexion: kee", "p-alive\r\nAccept: d\r\nX: y\r\n\r\n"}, "Request Fields(1,0) Name | Value Fields(2,0) Message"},
		{typeRequest, []string{get + "Host: a\r\nContent-Length: 3\r\n\r\na", "bc"}, "Request Fields(2,1) headers_complete | =body message_complete"},
	} {
		eachLevel(t, func(t *testing.T) {
			if got := kinds(test.kind, test.pieces...); got != test.want {
				t.Errorf("%q:\n%s\nwant\n%s", test.pieces, got, test.want)
			}
		})
		everySplit(t, test.kind, 0, strings.Join(test.pieces, ""))
	}
}

// Near the usual, what is said is what the machine says, wherever the input is cut.
func TestLinesNearlyUsual(t *testing.T) {
	const get, ok, host = "GET / HTTP/1.1\r\n", "HTTP/1.1 200 OK\r\n", "Host: a\r\n"
	eachLevel(t, func(t *testing.T) {
		for _, request := range []string{
			"GET  / HTTP/1.1\r\n" + host, "GET /  HTTP/1.1\r\n" + host, "GET / HTTP/1.1\n" + host, "get / HTTP/1.1\r\n" + host,
			"GET / HTTP/1.2\r\n" + host, "GET / HTTP/2.0\r\n" + host, "GET / HTTP/1.1 \r\n" + host, "GET / HTTP/1.1\r\n " + host,
			"GET / HTTP/1.1\rHost: a\r\n", "GETX / HTTP/1.1\r\n" + host, "GE / HTTP/1.1\r\n" + host, "GET_PARAMETER / RTSP/1.0\r\n" + host,
			"GET_PARAMETER / HTTP/1.1\r\n" + host, "PRI / HTTP/1.1\r\n" + host, "CONNECT /a HTTP/1.1\r\n" + host, "CONNECT *\" HTTP/1.1\r\n" + host, "SOURCE /a ICE/1.0\r\n" + host,
			"GET /a\x80b HTTP/1.1\r\n" + host, "GET /a\tb HTTP/1.1\r\n" + host, "GET a: HTTP/1.1\r\n" + host, "GET http://a HTTP/1.1\r\n" + host,
			"GET /\r\n" + host, "GET / http/1.1\r\n" + host,
			get + "A: b\nC: d\r\n", get + "A:b\rC: d\r\n", get + "A: b\r\n c\r\n", get + "A:\r\n c\r\n", get + "A : b\r\n", get + "A b\r\n", get + ": b\r\n",
			get + "A: \x00\r\n", get + "A: b\x7f\r\n",
			get + "Content-Length: 1\r\nContent-Length: 1\r\n", get + "Content-Length: 1, 1\r\n", get + "Content-Length:\r\n", get + "Content-Length: 1 \r\n",
			get + "Content-Length: 00000000000000000001\r\n", get + "Content-Length: 9999999999999999999\r\n", get + "Content-Length: 18446744073709551616\r\n",
			get + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", get + "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n",
			get + "Transfer-Encoding: gzip, chunked\r\n", get + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
			get + "Transfer-Encoding: chunkee\r\n", get + "Transfer-Encoding: chunked \r\n", get + "Transfer-Encoding:\r\n",
			get + "Connection: close, upgrade\r\n", get + "Connection: keep-alive \r\n", get + "Connection: x\r\n", get + "Connection:\r\n",
			get + "Connection: keep\ralive\r\n", get + "Content\rLength: 1\r\n", get + "Upgrade: a\r\nConnection: upgrade\r\n",
			get + "Upgrade:\r\nConnection: upgrade\r\n", get + "Connection: close\r\n" + host,
			get + strings.Repeat("Upgrade: a\r\n", maxEffects), get + strings.Repeat("Upgrade: a\r\n", maxEffects+1), // nine effects
		} {
			for _, end := range []string{"\r\n", "\n", "\r\nx", "\r\nGET /2 HTTP/1.1\r\n\r\n", "\r\n1\r\na\r\n0\r\n\r\n"} {
				for _, lenient := range []uint16{0, 1<<11 - 1} {
					everyWay(t, typeRequest, lenient, request+end)
				}
			}
			everySplit(t, typeRequest, 0, request+"\r\n")
		}
		for _, response := range []string{
			"HTTP/1.1 200\r\n", "HTTP/1.1  200 OK\r\n", "HTTP/1.1 20 OK\r\n", "HTTP/1.1 200 OK\n", "HTTP/1.1 200 OK\rA", "HTTP/1.2 200 OK\r\n",
			"HTTP/1.1 200 OK\r\n ", "HTTP/1.1 2000 OK\r\n", "RTSP/1.0 200 OK\r\n", "http/1.1 200 OK\r\n",
			"HTTP/1.1 101 S\r\nConnection: upgrade\r\nUpgrade: a\r\n", "HTTP/1.1 101 S\r\nContent-Length: 0\r\n", "HTTP/1.1 101 S\r\n", "HTTP/1.1 204 N\r\nContent-Length: 3\r\n",
			"HTTP/1.1 199 N\r\nContent-Length: 1\r\n", ok + "Upgrade: a\r\nConnection: upgrade\r\nContent-Length: 1\r\n", ok + "Transfer-Encoding: chunked, gzip\r\n",
		} {
			for _, end := range []string{"\r\n", "\r\nx" + ok, "\r\n" + ok} {
				everyWay(t, typeResponse, 0, response+host+end)
			}
			everySplit(t, typeResponse, 0, response+"\r\n")
		}
		for _, body := range []string{
			"1\r\na\r\n0\r\nA: b\r\n\r\n", "1;x\r\na\r\n0\r\n\r\n", "1\na\r\n0\r\n\r\n", "1\r\na\n0\r\n\r\n", "1\r\nab\r\n0\r\n\r\n", "1 \r\na\r\n0\r\n\r\n",
			"00000001\r\na\r\n0\r\n\r\n", "000000001\r\na\r\n0\r\n\r\n", "00000000\r\n\r\n", "g\r\n", "\r\n\r\n", "0\r\n\r\n\r\n" + get + "\r\n", "0\r\n\rx", "0\r\nA",
			"FFFFFFFF\r\na\r\n", "FFFFFFFFFFFFFFFF\r\na\r\n", "FFFFFFFFFFFFFFFE\r\na\r\n", "10000000000000000\r\n\r\n", "10000000000000001\r\na\r\n",
		} {
			everySplit(t, typeRequest, 0, chunkedHead+body)
		}
	})
}

// More lines than one call of FieldLines takes, or than there is room for, and effects spread over them.
func TestLinesMany(t *testing.T) {
	for _, count := range []int{asm.MaxLines - 1, asm.MaxLines, asm.MaxLines + 1, 2*asm.MaxLines + 1} {
		for _, every := range []int{count, 16, 7} {
			var b strings.Builder
			b.WriteString("POST / HTTP/1.1\r\n")
			for i := range count {
				if i%every == every-1 {
					b.WriteString("Connection: keep-alive\r\n")
				} else {
					fmt.Fprintf(&b, "N%d: v\r\n", i)
				}
			}
			b.WriteString("Content-Length: 1\r\n\r\nxGET / HTTP/1.1\r\n\r\n")
			everyWay(t, typeRequest, 0, b.String())
			want := parse(t, typeRequest, 0, b.String())
			r := newReplayer(typeRequest, 0)
			r.limit, r.room = Unlimited, MinRoom
			r.feed(t, b.String())
			if r.log() != want.log() {
				t.Errorf("%d lines, effect every %d, least room:\n%s", count, every, r.log())
			}
		}
	}
}

// Any two lines of these, one after the other, say what the machine says, in requests and responses, under any flag.
func TestLinesPairs(t *testing.T) {
	lines := []string{
		"", "Host: a\r\n", "X:\r\n", "Connection: close\r\n", "Connection: keep-alive\r\n", "Connection: upgrade\r\n", "Connection: a, close\r\n",
		"Upgrade: a\r\n", "Content-Length: 0\r\n", "Content-Length: 2\r\n", "content-length: 3 \r\n", "Content-Length: x\r\n",
		"Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip\r\n", "Transfer-Encoding: gzip, CHUNKED\r\n", "A: b\r\n c\r\n", "A: b\n", "A: \x01\r\n",
	}
	for _, first := range lines {
		for _, second := range lines {
			for kind, line := range map[uint8]string{typeRequest: "PUT / HTTP/1.1\r\n", typeResponse: "HTTP/1.1 200 OK\r\n"} {
				for lenient := uint16(0); lenient <= lenientHeaderValueRelaxed; lenient = max(1, lenient<<1) {
					input := line + first + second + "\r\n0\r\n\r\n" + line + "\r\n"
					want := parse(t, kind, lenient, input)
					r := newReplayer(kind, lenient)
					r.limit = Unlimited
					r.feed(t, input)
					if r.log() != want.log() || r.public != want.public {
						t.Fatalf("%q, flag %#x:\n%s\nthe machine:\n%s", input, lenient, r.log(), want.log())
					}
				}
			}
		}
	}
}

// Whatever room there is for events, short messages and chunks say the same.
func TestLinesRoom(t *testing.T) {
	for kind, input := range map[uint8]string{
		typeRequest: strings.Repeat("GET / HTTP/1.1\r\nA: b\r\n\r\n", 5) + chunkedHead + strings.Repeat("1\r\na\r\n", 40) + "0\r\n\r\n" +
			chunkedHead + "0\r\n\r\n" + strings.Repeat("GET / HTTP/1.1\r\n\r\n", 20) + "GET / HTTP/1.1\r\n" + strings.Repeat("Connection: keep-alive\r\n", 3*maxEffects) + "\r\n",
		typeResponse: strings.Repeat("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na", 9) + strings.Repeat("HTTP/1.1 204 \r\n\r\n", 20) + "HTTP",
	} {
		want := parse(t, kind, 0, input)
		for room := uintptr(MinRoom); room < MinRoom+40*eventSize; room += eventSize {
			r := newReplayer(kind, 0)
			r.limit, r.room = Unlimited, room
			r.feed(t, input)
			if r.log() != want.log() || r.public != want.public {
				t.Fatalf("room for %d bytes:\n%s\nwant:\n%s", room, r.log(), want.log())
			}
		}
	}
}

// The states that EventMessage hands to its callbacks are those that the machine has when they are due.
func TestLinesMessageStates(t *testing.T) {
	for _, input := range []string{
		"PUT / HTTP/1.1\r\nContent-Length: 1\r\n\r\nx", "PUT / HTTP/1.1\r\nContent-Length: 0\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
	} {
		buf := []byte(input)
		var events [64]uint64
		batch := func(f *Frame, limit uint32) uintptr {
			first := uintptr(unsafe.Pointer(&events))
			f.Top, f.Room, f.Limit = first, first+unsafe.Sizeof(events), limit
			Step(f)
			return (f.Top - first) / 8
		}
		begin := func() *Frame {
			p := uintptr(unsafe.Pointer(&buf[0]))
			return &Frame{Buf: p, Pos: p, End: p + uintptr(len(buf)), Public: Public{Type: typeRequest}}
		}
		n := batch(begin(), Unlimited)
		message := *(*MessageEvent)(unsafe.Pointer(&events[n-4]))
		if uint8(message.Head) != EventMessage {
			t.Fatalf("%q: the last event is no message", input)
		}
		due := map[uint8]uint8{}
		for f := begin(); f.Status == More; {
			if n := batch(f, 1); n >= 2 && uint8(events[n-2]) == EventNotify {
				due[uint8(events[n-2]>>8)] = f.Private.State
				if private := *(*Private)(unsafe.Pointer(&events[n-1])); private != f.Private {
					t.Errorf("%q: the event says %+v, the frame %+v", input, private, f.Private)
				}
			}
		}
		if message.AfterHeaders.State != due[cbHeadersComplete] || message.AfterComplete.State != due[cbMessageComplete] {
			t.Errorf("%q: %+v, %+v, want states %v", input, message.AfterHeaders, message.AfterComplete, due)
		}
	}
}

// The host may have written anything to the field that says whether a message came before.
func TestLinesAfterHostWrites(t *testing.T) {
	const input = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
	for completed := range uint8(4) {
		var logs []string
		for _, limit := range []uint32{1 << 20, Unlimited} {
			r := newReplayer(typeRequest, 0)
			r.limit = limit
			r.public.InitialMessageCompleted = completed
			r.feed(t, input)
			logs = append(logs, r.log())
		}
		if logs[0] != logs[1] || strings.HasPrefix(logs[0], "reset") != (completed == 1) {
			t.Errorf("%d messages before:\n%s\ntaken as a whole:\n%s", completed, logs[0], logs[1])
		}
	}
}
