package core

import (
	"strings"
	"testing"
)

// bodyFrame has what framing decides by; the version is 1.1.
func bodyFrame(kind uint8, status, flags uint16, length uint64) *Frame {
	return &Frame{Public: Public{Type: kind, Method: MethodGET, Major: 1, Minor: 1, StatusCode: status, Flags: flags, ContentLength: length}}
}

// RFC 9112, Section 6.3, rule by rule.
func TestBodyState(t *testing.T) {
	const te, cl = flagTransferEncoding, flagContentLength
	const both = lenientChunkedLength | lenientTransferEncoding
	for _, test := range []struct {
		kind          uint8
		status, flags uint16
		length        uint64
		lenient       uint16
		want          uint8
	}{
		// 1: a response to HEAD (the host sets the flag), and 1xx, 204, 304
		{typeResponse, 200, flagSkipBody | cl, 5, 0, stateEmptyComplete},
		{typeResponse, 200, flagSkipBody | te | flagChunked, 0, 0, stateEmptyComplete},
		{typeResponse, 100, cl, 5, 0, stateEmptyComplete},
		{typeResponse, 102, cl, 5, 0, stateEmptyComplete},
		{typeResponse, 103, te | flagChunked, 0, 0, stateEmptyComplete},
		{typeResponse, 204, cl, 5, 0, stateEmptyComplete},
		{typeResponse, 304, cl, 5, 0, stateEmptyComplete},
		{typeResponse, 304, te | flagChunked, 0, 0, stateEmptyComplete},
		{typeResponse, 199, 0, 0, 0, stateEmptyComplete},
		{typeResponse, 199, cl, 5, 0, stateBodyStart}, // as llhttp does
		{typeResponse, 205, cl, 5, 0, stateBodyStart},
		{typeResponse, 101, 0, 0, 0, stateUpgradeComplete},
		{typeResponse, 101, cl, 5, 0, stateUpgradeComplete},
		{typeRequest, 204, cl, 5, 0, stateBodyStart}, // a status left by nobody
		// 4: Transfer-Encoding; a request must end in chunked, a response may end with the connection
		{typeRequest, 0, te | flagChunked, 0, 0, stateChunkSizeStart},
		{typeResponse, 200, te | flagChunked, 0, 0, stateChunkSizeStart},
		{typeRequest, 0, te | cl | flagChunked, 5, lenientChunkedLength, stateChunkSizeStart}, // 3: it overrides Content-Length
		{typeRequest, 0, te, 0, 0, StateError},
		{typeRequest, 0, te, 0, ^uint16(both), StateError},
		{typeRequest, 0, te, 0, lenientChunkedLength, stateBodyUntilEOFStart},
		{typeRequest, 0, te, 0, lenientTransferEncoding, stateBodyUntilEOFStart},
		{typeResponse, 200, te, 0, 0, stateBodyUntilEOFStart},
		{typeResponse, 200, te | cl, 5, lenientChunkedLength, stateBodyUntilEOFStart},
		// 6: Content-Length
		{typeRequest, 0, cl, 5, 0, stateBodyStart},
		{typeRequest, 0, cl, 0, 0, stateEmptyComplete},
		{typeResponse, 200, cl, 1, 0, stateBodyStart},
		{typeResponse, 200, cl, 0, 0, stateEmptyComplete},
		// 7: any other request has no body; 8: any other response ends with the connection
		{typeRequest, 0, 0, 0, 0, stateEmptyComplete},
		{typeResponse, 200, 0, 0, 0, stateBodyUntilEOFStart},
		{typeResponse, 404, 0, 0, 0, stateBodyUntilEOFStart},
	} {
		f := bodyFrame(test.kind, test.status, test.flags, test.length)
		f.Public.Lenient = test.lenient
		if got := f.bodyState(); got != test.want {
			t.Errorf("%+v: state %d", test, got)
		}
		finish := finishSafe
		if test.want == stateBodyUntilEOFStart {
			finish = finishSafeWithCallback
		}
		if f.Public.Finish != finish {
			t.Errorf("%+v: finish %d", test, f.Public.Finish)
		}
	}
}

// An upgrade is made after the message's body, if it has one; CONNECT has none (RFC 9110, Sections 7.8 and 9.3.6).
func TestBodyStateUpgrade(t *testing.T) {
	for _, test := range []struct {
		method uint8
		flags  uint16
		length uint64
		want   uint8
	}{
		{MethodGET, 0, 0, stateUpgradeComplete},
		{MethodGET, flagContentLength, 0, stateUpgradeComplete},
		{MethodGET, flagContentLength, 5, stateBodyStart},
		{MethodGET, flagTransferEncoding | flagChunked, 0, stateChunkSizeStart},
		{MethodGET, flagContentLength | flagSkipBody, 5, stateUpgradeComplete},
		{MethodCONNECT, flagContentLength, 5, stateUpgradeComplete},
		{MethodCONNECT, flagTransferEncoding | flagChunked, 0, stateUpgradeComplete},
	} {
		f := bodyFrame(typeRequest, 0, test.flags, test.length)
		f.Public.Method, f.Public.Upgrade = test.method, 1
		if got := f.bodyState(); got != test.want {
			t.Errorf("%+v: state %d", test, got)
		}
	}
}

// RFC 9110, Section 7.8: Upgrade counts with its option in Connection, and in a response only with status 101.
func TestUpgrades(t *testing.T) {
	for _, test := range []struct {
		kind, method  uint8
		status, flags uint16
		want          uint8
	}{
		{typeRequest, MethodGET, 0, flagUpgrade | flagConnectionUpgrade, 1},
		{typeRequest, MethodGET, 0, flagUpgrade, 0},
		{typeRequest, MethodGET, 0, flagConnectionUpgrade, 0},
		{typeRequest, MethodGET, 0, 0, 0},
		{typeRequest, MethodCONNECT, 0, 0, 1},
		{typeRequest, MethodCONNECT, 0, flagUpgrade | flagConnectionUpgrade, 1},
		{typeResponse, MethodDELETE, 101, flagUpgrade | flagConnectionUpgrade, 1},
		{typeResponse, MethodDELETE, 200, flagUpgrade | flagConnectionUpgrade, 0},
		{typeResponse, MethodDELETE, 101, flagUpgrade, 0},
	} {
		f := bodyFrame(test.kind, test.status, test.flags, 0)
		f.Public.Method = test.method
		if got := f.upgrades(); got != test.want {
			t.Errorf("%+v: %d", test, got)
		}
	}
}

// RFC 9112, Section 6.3, rule 8, and the rules before it.
func TestNeedsEOF(t *testing.T) {
	for _, test := range []struct {
		kind          uint8
		status, flags uint16
		want          bool
	}{
		{typeRequest, 0, 0, false},
		{typeRequest, 0, flagTransferEncoding, false},
		{typeResponse, 200, 0, true},
		{typeResponse, 200, flagContentLength, false},
		{typeResponse, 200, flagTransferEncoding | flagChunked, false},
		{typeResponse, 200, flagTransferEncoding, true},
		{typeResponse, 200, flagTransferEncoding | flagContentLength, true},
		{typeResponse, 200, flagSkipBody, false},
		{typeResponse, 200, flagSkipBody | flagTransferEncoding, false},
		{typeResponse, 100, 0, false}, {typeResponse, 101, 0, false}, {typeResponse, 150, 0, false}, {typeResponse, 199, 0, false},
		{typeResponse, 99, 0, true}, {typeResponse, 203, 0, true}, {typeResponse, 204, 0, false}, {typeResponse, 205, 0, true},
		{typeResponse, 303, 0, true}, {typeResponse, 304, 0, false}, {typeResponse, 305, 0, true},
	} {
		if got := bodyFrame(test.kind, test.status, test.flags, 0).Public.needsEOF(); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

// RFC 9112, Section 9.3. llhttp takes any version with a minor of 0 as it takes 1.0.
func TestPersists(t *testing.T) {
	const keepAlive, closes = flagConnectionKeepAlive, flagConnectionClose
	for _, test := range []struct {
		kind, major, minor uint8
		flags              uint16
		want               bool
	}{
		{typeRequest, 1, 1, 0, true},
		{typeRequest, 1, 1, keepAlive, true},
		{typeRequest, 1, 1, closes, false},
		{typeRequest, 1, 1, closes | keepAlive, false},
		{typeRequest, 1, 0, 0, false},
		{typeRequest, 1, 0, keepAlive, true},
		{typeRequest, 1, 0, closes, false},
		{typeRequest, 1, 0, closes | keepAlive, true}, // as llhttp does
		{typeRequest, 0, 9, 0, false},
		{typeRequest, 0, 9, keepAlive, true},
		{typeRequest, 2, 0, 0, false},
		{typeRequest, 2, 0, keepAlive, true},
		{typeResponse, 1, 1, 0, false}, // ends with the connection
		{typeResponse, 1, 1, flagContentLength, true},
		{typeResponse, 1, 1, flagContentLength | closes, false},
		{typeResponse, 1, 1, flagTransferEncoding | flagChunked, true},
		{typeResponse, 1, 0, flagContentLength, false},
		{typeResponse, 1, 0, flagContentLength | keepAlive, true},
		{typeResponse, 1, 0, keepAlive, false},
	} {
		f := bodyFrame(test.kind, 200, test.flags, 0)
		f.Public.Major, f.Public.Minor = test.major, test.minor
		if got := f.Public.persists(); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

// What comes after the header section, and where it stops.
func TestFraming(t *testing.T) {
	const get, ok = "GET / HTTP/1.1\r\n", "HTTP/1.1 200 OK\r\n"
	for _, test := range []struct {
		kind   uint8
		input  string
		after  string // callbacks from headers_complete on
		reason uint8
		left   int // bytes behind the error position
	}{
		{typeRequest, get + "\r\n", "message_complete", 0, 0},
		{typeRequest, get + "Content-Length: 0\r\n\r\n", "message_complete", 0, 0},
		{typeRequest, get + "Content-Length: 3\r\n\r\nabc", "body=abc message_complete", 0, 0},
		{typeRequest, get + "Content-Length: 3\r\n\r\nab", "body~ab", 0, 0},
		{typeRequest, get + "Transfer-Encoding: gzip\r\n\r\nabc", "", reasonRequestInvalidTransferEncoding, 3},
		{typeRequest, get + "Connection: close\r\n\r\n\r\n\nx", "message_complete", reasonDataAfterClose, 0},
		{typeRequest, "GET / HTTP/1.0\r\n\r\nGET", "message_complete", reasonDataAfterClose, 2},
		{typeRequest, get + "Connection: upgrade\r\nUpgrade: a\r\n\r\nabc", "message_complete", reasonPauseOnUpgrade, 3},
		{typeRequest, get + "Connection: upgrade\r\nUpgrade: a\r\nContent-Length: 1\r\n\r\nabc", "body=a message_complete", reasonPauseOnUpgrade, 2},
		{typeRequest, "CONNECT a:1 HTTP/1.1\r\nContent-Length: 1\r\n\r\nabc", "message_complete", reasonPauseOnUpgrade, 3},
		{typeResponse, ok + "\r\nabc", "body~abc", 0, 0},
		{typeResponse, ok + "Transfer-Encoding: gzip\r\n\r\nabc", "body~abc", 0, 0},
		{typeResponse, ok + "Content-Length: 2\r\n\r\nab", "body=ab message_complete", 0, 0},
		{typeResponse, "HTTP/1.1 204 N\r\nContent-Length: 2\r\n\r\n", "message_complete", 0, 0},
		{typeResponse, "HTTP/1.1 101 S\r\n\r\nabc", "message_complete", reasonPauseOnUpgrade, 3},
	} {
		r := everySplit(t, test.kind, 0, test.input)
		r.stops(t, test.input, test.reason, len(test.input)-test.left)
		_, after, _ := strings.Cut(r.names(), " headers_complete")
		if strings.TrimPrefix(after, " ") != test.after {
			t.Errorf("%q: %s", test.input, after)
		}
	}
}

// RFC 9112, Section 9.3: what is kept from one message to the next.
func TestEndMessage(t *testing.T) {
	for _, test := range []struct {
		flags, lenient uint16
		state          uint8
		length         uint64
	}{
		{0, 0, stateStart, 0},
		{flagConnectionClose, 0, stateClosed, 5},
		{flagConnectionClose, lenientKeepAlive, stateStart, 5}, // as llhttp does
	} {
		f := bodyFrame(typeResponse, 204, flagContentLength|test.flags, 5) // a length without a body
		f.Public.Lenient, f.Public.Finish = test.lenient, finishUnsafe
		f.endMessage()
		completed := uint8(0)
		if test.state == stateStart {
			completed = 1
		}
		if f.Private.State != test.state || f.Public.ContentLength != test.length || f.Public.Flags != 0 ||
			f.Public.Finish != finishSafe || f.Public.InitialMessageCompleted != completed {
			t.Errorf("%+v: state %d, %+v", test, f.Private.State, f.Public)
		}
	}
}
