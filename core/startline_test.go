package core

import (
	"fmt"
	"strings"
	"testing"
)

// methodWords is in the order of llhttp_method_t: a method's number is its place.
const methodWords = "DELETE GET HEAD POST PUT CONNECT OPTIONS TRACE COPY LOCK MKCOL MOVE PROPFIND PROPPATCH SEARCH UNLOCK " +
	"BIND REBIND UNBIND ACL REPORT MKACTIVITY CHECKOUT MERGE M-SEARCH NOTIFY SUBSCRIBE UNSUBSCRIBE PATCH PURGE " +
	"MKCALENDAR LINK UNLINK SOURCE PRI DESCRIBE ANNOUNCE SETUP PLAY PAUSE TEARDOWN GET_PARAMETER SET_PARAMETER " +
	"REDIRECT RECORD FLUSH QUERY"

// methodsOf has the methods that each protocol name may stand with: for RTSP those of RFC 2326, Section 10, with GET and POST
// for its tunnel through HTTP, and FLUSH; for ICE Icecast's SOURCE; for HTTP all others, and those that are HTTP's as well.
var methodsOf = map[string]string{
	"RTSP": "OPTIONS DESCRIBE ANNOUNCE SETUP PLAY PAUSE TEARDOWN GET_PARAMETER SET_PARAMETER REDIRECT RECORD FLUSH GET POST",
	"ICE":  "SOURCE",
	"HTTP": "DELETE GET HEAD POST PUT CONNECT OPTIONS TRACE COPY LOCK MKCOL MOVE PROPFIND PROPPATCH SEARCH UNLOCK BIND REBIND " +
		"UNBIND ACL REPORT MKACTIVITY CHECKOUT MERGE M-SEARCH NOTIFY SUBSCRIBE UNSUBSCRIBE PATCH PURGE MKCALENDAR LINK " +
		"UNLINK SOURCE PRI QUERY",
}

func TestMethodProtocols(t *testing.T) {
	refusal := map[string]uint8{
		"HTTP": reasonInvalidMethodForHTTP, "RTSP": reasonInvalidMethodForRTSP, "ICE": reasonExpectedSourceMethodForICE,
	}
	for number, word := range strings.Fields(methodWords) {
		for protocol, words := range methodsOf {
			input := word + " /x " + protocol + "/1.0\r\n"
			reason := refusal[protocol]
			if strings.Contains(" "+words+" ", " "+word+" ") {
				reason = 0
			}
			r := everySplit(t, typeRequest, 0, input)
			r.stops(t, input, reason, strings.Index(input, "/1.0"))
			if r.public.Method != uint8(number) || !strings.Contains(r.names(), "method="+word+" method_complete ") {
				t.Errorf("%q: method %d, want %d: %s", input, r.public.Method, number, r.names())
			}
		}
	}
}

// RFC 9110, Section 9.1: a method is case-sensitive, and no part of one is another.
func TestMethodNearMisses(t *testing.T) {
	all := " " + methodWords + " "
	for _, word := range strings.Fields(methodWords) {
		for n := range word {
			if n != 0 && !strings.Contains(all, " "+word[:n]+" ") {
				input := word[:n] + " / HTTP/1.1\r\n"
				everySplit(t, typeRequest, 0, input).stops(t, input, reasonInvalidMethod, n)
			}
			input := word[:n] + strings.ToLower(word[n:]) + " / HTTP/1.1\r\n"
			at := n
			reason := reasonInvalidMethod
			for at < len(word) && input[at] == word[at] { // '-' and '_' have no case
				at++
			}
			if strings.Contains(all, " "+word[:at]+" ") { // GET before _PARAMETER
				reason = reasonExpectedSpaceAfterMethod
				if word[at-1] == '_' {
					reason = reasonInvalidMethod
				}
			}
			everySplit(t, typeRequest, 0, input).stops(t, input, reason, at)
		}
		input := word + "X / HTTP/1.1\r\n"
		everySplit(t, typeRequest, 0, input).stops(t, input, reasonExpectedSpaceAfterMethod, len(word))
	}
}

// RFC 9112, Section 2.3: of all versions, those that exist are read; the others if lenient.
func TestVersions(t *testing.T) {
	for major := range 10 {
		for minor := range 10 {
			version := fmt.Sprintf("%d.%d", major, minor)
			for kind, line := range map[uint8][2]string{typeRequest: {"GET / HTTP/", ""}, typeResponse: {"HTTP/", " 200 OK"}} {
				input := line[0] + version + line[1] + "\r\n"
				var reason uint8 = reasonInvalidHTTPVersion
				switch version {
				case "0.9", "1.0", "1.1", "2.0":
					reason = 0
				}
				everySplit(t, kind, 0, input).stops(t, input, reason, len(line[0])+3)
				r := parse(t, kind, lenientVersion, input)
				r.stops(t, input, 0, 0)
				if r.public.Major != uint8(major) || r.public.Minor != uint8(minor) {
					t.Errorf("%q: version %d.%d", input, r.public.Major, r.public.Minor)
				}
			}
		}
	}
}

func TestStartLineRefused(t *testing.T) {
	tests := []struct {
		kind   uint8
		input  string
		reason uint8
		at     int
	}{
		// RFC 9112, Section 3
		{typeRequest, " GET / HTTP/1.1\r\n", reasonInvalidMethod, 0},
		{typeRequest, "GET\t/ HTTP/1.1\r\n", reasonExpectedSpaceAfterMethod, 3},
		{typeRequest, "GET / FTP/1.1\r\n", reasonExpectedProtocol, 6},
		{typeRequest, "GET / http/1.1\r\n", reasonExpectedProtocol, 6},
		{typeRequest, "GET / HTT/1.1\r\n", reasonExpectedProtocol, 9},
		{typeRequest, "GET / HTTPS/1.1\r\n", reasonExpectedProtocol, 10},
		{typeRequest, "GET / \r\n", reasonExpectedProtocol, 6},
		{typeRequest, "GET / HTTP/x.1\r\n", reasonInvalidMajorVersion, 11},
		{typeRequest, "GET / HTTP/11.1\r\n", reasonExpectedDot, 12},
		{typeRequest, "GET / HTTP/1\r\n", reasonExpectedDot, 12},
		{typeRequest, "GET / HTTP/1.\r\n", reasonInvalidMinorVersion, 13},
		{typeRequest, "GET / HTTP/1.10\r\n", reasonExpectedCRLFAfterVersion, 14},
		{typeRequest, "GET / HTTP/1.1 \r\n", reasonExpectedCRLFAfterVersion, 14},
		{typeRequest, "GET / HTTP/1.1\n", reasonExpectedCRLFAfterVersion, 15},
		{typeRequest, "GET / HTTP/1.1\rA", reasonExpectedCRLFAfterVersionStrict, 15},
		// RFC 9113, Section 3.4
		{typeRequest, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", reasonPRIUpgrade, 24},
		{typeRequest, "PRI * HTTP/2.0\r\n\r\nSX\r\n\r\n", reasonExpectedPreface, 19},
		{typeRequest, "PRI * HTTP/2.0\r\nHost: a\r\n", reasonExpectedPreface, 16},
		// RFC 9112, Section 4
		{typeResponse, "http/1.1 200 OK\r\n", reasonExpectedProtocol, 0},
		{typeResponse, "HTTP/1.1\r\n", reasonExpectedSpaceAfterVersion, 8},
		{typeResponse, "HTTP/1.1\t200 OK\r\n", reasonExpectedSpaceAfterVersion, 8},
		{typeResponse, "HTTP/1.1  200 OK\r\n", reasonInvalidStatusCode, 9},
		{typeResponse, "HTTP/1.1 20 OK\r\n", reasonInvalidStatusCode, 11},
		{typeResponse, "HTTP/1.1 x00 OK\r\n", reasonInvalidStatusCode, 9},
		{typeResponse, "HTTP/1.1 2000 OK\r\n", reasonInvalidResponseStatus, 12},
		{typeResponse, "HTTP/1.1 200\tOK\r\n", reasonInvalidResponseStatus, 12},
		{typeResponse, "HTTP/1.1 200\n", reasonInvalidResponseStatus, 13},
		{typeResponse, "HTTP/1.1 200\rA", reasonExpectedLFAfterCR, 13},
		{typeResponse, "HTTP/1.1 200 OK\n", reasonMissingCRAfterResponseLine, 16},
		{typeResponse, "HTTP/1.1 200 OK\rA", reasonExpectedLFAfterCR, 16},
		// neither
		{typeBoth, "HTTX/1.1 200 OK\r\n", reasonInvalidWord, 3},
		{typeBoth, "HTTP 1.1 200 OK\r\n", reasonInvalidWord, 4},
		{typeBoth, "HEAT / HTTP/1.1\r\n", reasonInvalidWord, 3},
		{typeBoth, "RTSX/1.0 200 OK\r\n", reasonInvalidMethod, 1},
	}
	for _, test := range tests {
		everySplit(t, test.kind, 0, test.input).stops(t, test.input, test.reason, test.at)
	}
}

// RFC 9112, Section 3: more than one space is read as one.
func TestRequestLineSpaces(t *testing.T) {
	for _, input := range []string{"GET / HTTP/1.1\r\n", "GET   / HTTP/1.1\r\n", "GET /   HTTP/1.1\r\n"} {
		const want = "message_begin method=GET method_complete url=/ url_complete protocol=HTTP protocol_complete version=1.1 version_complete"
		if r := everySplit(t, typeRequest, 0, input); r.names() != want {
			t.Errorf("%q: %s", input, r.names())
		}
	}
}

// RFC 9112, Section 4: three digits and any reason phrase, or none.
func TestStatusLine(t *testing.T) {
	for code := range 1000 {
		input := fmt.Sprintf("HTTP/1.1 %03d OK\r\nA", code)
		for _, limit := range []uint32{1 << 20, Unlimited} {
			r := newReplayer(typeResponse, 0)
			r.limit = limit
			if !r.feed(t, input) || r.public.StatusCode != uint16(code) {
				t.Errorf("%q, limit %d: reason %d, status code %d", input, limit, r.reason, r.public.StatusCode)
			}
		}
	}
	for _, test := range []struct{ rest, want string }{
		{"", ""},
		{" ", " status="},
		{" OK", " status=OK"},
		{"  OK ", " status= OK "},
		{" \t\x00\x7f\x80\xff", " status=\t\x00\x7f\x80\xff"},
	} {
		input := "HTTP/1.1 200" + test.rest + "\r\n"
		want := "message_begin protocol=HTTP protocol_complete version=1.1 version_complete" + test.want + " status_complete"
		if r := everySplit(t, typeResponse, 0, input); r.names() != want {
			t.Errorf("%q: %q", input, r.names())
		}
	}
}

// The host may write the field between two digits; it overflows as a uint16 of llhttp's does.
func TestStatusCodeOverflow(t *testing.T) {
	for _, test := range []struct {
		host uint16
		next string
		code uint16
		ok   bool
	}{
		{6553, "5", 65535, true},
		{6553, "6", 65530, false},
		{6554, "0", 6554, false},
	} {
		r := parse(t, typeResponse, 0, "HTTP/1.1 2")
		r.public.StatusCode = test.host
		if ok := r.feed(t, test.next); ok != test.ok || r.public.StatusCode != test.code {
			t.Errorf("%d, then %s: %v, status code %d", test.host, test.next, ok, r.public.StatusCode)
		}
		if !test.ok {
			r.stops(t, test.next, reasonInvalidStatusCode, 11)
		}
	}
}

// A parser for both takes the type of its first message and keeps it.
func TestBothTypes(t *testing.T) {
	for input, want := range map[string]uint8{
		"HTTP/1.1 200 OK\r\n":     typeResponse,
		"HEAD / HTTP/1.1\r\n":     typeRequest,
		"GET / HTTP/1.1\r\n":      typeRequest,
		"DESCRIBE / RTSP/1.0\r\n": typeRequest,
	} {
		r := everySplit(t, typeBoth, 0, input)
		r.stops(t, input, 0, 0)
		if r.public.Type != want {
			t.Errorf("%q: type %d", input, r.public.Type)
		}
	}
	const mixed = "HEAD / HTTP/1.1\r\n\r\nHTTP/1.1 200 OK\r\n"
	everySplit(t, typeBoth, 0, mixed).stops(t, mixed, reasonInvalidMethod, 20)
}

// RFC 9112, Section 2.2: empty lines before a message are ignored; a message after the first says reset.
func TestEmptyLinesBeforeMessage(t *testing.T) {
	const input = "\r\n\n\rGET /1 HTTP/1.1\r\n\r\n\r\n\r\nGET /2 HTTP/1.1\r\n\r\n"
	r := everySplit(t, typeRequest, 0, input)
	r.stops(t, input, 0, 0)
	if r.units[0][:15] != "message_begin@4" || !strings.Contains(r.log(), "\nreset@27 ") || strings.Count(r.log(), "reset") != 1 {
		t.Errorf("%q:\n%s", input, r.log())
	}
}
