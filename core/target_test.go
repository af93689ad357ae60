package core

import (
	"regexp"
	"strings"
	"testing"
)

// RFC 9112, Section 3.2: the four forms; the target is handed on as it stands.
func TestTargetForms(t *testing.T) {
	for _, test := range []struct{ method, target string }{
		{"GET", "/"}, // 3.2.1
		{"GET", "/where?q=now"},
		{"GET", "//a//b/../c;d=e"},
		{"GET", "/?"},
		{"GET", "/?a?b/c"},
		{"GET", "/#"},
		{"GET", "/p?q#f#f?f"}, // no such form has a fragment
		{"GET", "/%zz{}|\\^\"<>`"},
		{"GET", "http://www.example.org/pub/WWW/TheProject.html"}, // 3.2.2
		{"GET", "h://"},
		{"GET", "http://user:pw@[::1]:8080?q"},
		{"CONNECT", "www.example.com:80"}, // 3.2.3
		{"CONNECT", "[::1]:443"},
		{"OPTIONS", "*"}, // 3.2.4
		{"GET", "*x/y"},
	} {
		input := test.method + " " + test.target + " HTTP/1.1\r\n"
		r := everySplit(t, typeRequest, 0, input)
		r.stops(t, input, 0, 0)
		if !strings.Contains(r.log(), "\nurl="+test.target+"\nurl_complete@") {
			t.Errorf("%q:\n%s", input, r.log())
		}
	}
}

// Every byte, at every place of a target: it belongs to it, ends it, or is refused.
func TestTargetBytes(t *testing.T) {
	const ends = ` \r\n`
	tests := []struct {
		before, in string // in: a regular expression of bytes
		reason     uint8
		blanks     string // bytes refused with reasonInvalidCharactersInURL, behind them
	}{
		{"GET ", `[/*A-Za-z ]`, reasonUnexpectedStartCharInURL, "\r\n\t\f"},
		{"GET h", `[A-Za-z:]`, reasonUnexpectedCharInURLSchema, " \r\n\t\f"},
		{"GET h:", `/`, reasonUnexpectedCharInURLSchema, " \r\n\t\f"},
		{"GET h:/", `/`, reasonUnexpectedCharInURLSchema, ""},
		{"GET h://", `[!$%&'()*+,./:;=?@0-9A-Z\[\]_a-z~` + ends + `-]`, reasonUnexpectedCharInURLServer, "\t\f"},
		{"GET h://u@", `[!$%&'()*+,./:;=?0-9A-Z\[\]_a-z~` + ends + `-]`, reasonUnexpectedCharInURLServer, "\t\f"},
		{"CONNECT ", `[!$%&'()*+,./:;=?@0-9A-Z\[\]_a-z~` + ends + `-]`, reasonUnexpectedCharInURLServer, "\t\f"},
		{"GET /", `[!-~` + ends + `]`, reasonInvalidCharInURLPath, "\t\f"},
		{"GET /long-enough-for-a-kernel-of-32-bytes", `[!-~` + ends + `]`, reasonInvalidCharInURLPath, "\t\f"},
		{"GET /?", `[!-~` + ends + `]`, reasonInvalidCharInURLQuery, "\t\f"},
		{"GET /#", `[!-~` + ends + `]`, reasonInvalidCharInURLFragmentStart, "\t\f"},
	}
	for _, test := range tests {
		in := regexp.MustCompile("^" + test.in + "$")
		for c := range 256 {
			input := test.before + string([]byte{byte(c)})
			reason, at := test.reason, len(test.before)
			switch {
			case test.before == "CONNECT " && c == ' ': // more than one space is one
				reason = 0
			case test.before == "GET h://u@" && c == '@':
				reason, at = reasonDoubleAtInURL, at+1
			case strings.IndexByte(test.blanks, byte(c)) >= 0:
				reason, at = reasonInvalidCharactersInURL, at+1
			case in.MatchString(string(rune(c))):
				reason = 0
			}
			for _, limit := range []uint32{1 << 20, Unlimited} {
				r := newReplayer(typeRequest, 0)
				r.limit = limit
				r.feed(t, input)
				r.stops(t, input, reason, at)
			}
		}
	}
}

// A line end right after the target is that of HTTP/0.9, whose responses alone have no version.
func TestTargetLineEnd(t *testing.T) {
	for _, test := range []struct {
		input  string
		reason uint8
		at     int
	}{
		{"GET /\r\nA: b\r\n", 0, 0},
		{"GET /\nA: b\r\n", 0, 0},
		{"GET /\rA", reasonExpectedCRLFInURL, 6},
		{"GET /\r\r", reasonExpectedCRLFInURL, 6},
		{"GET /\r\n\t", reasonInvalidCharactersInURL, 8},
		{"GET /\n\f", reasonInvalidCharactersInURL, 7},
		{"GET / \t", reasonInvalidCharactersInURL, 7},
	} {
		r := everySplit(t, typeRequest, 0, test.input)
		r.stops(t, test.input, test.reason, test.at)
		if test.reason == 0 && (r.public.Major != 0 || r.public.Minor != 9) {
			t.Errorf("%q: version %d.%d", test.input, r.public.Major, r.public.Minor)
		}
	}
}

// The callback of the target may pause, and the host go on with another byte than the one that ended it.
func TestTargetEndAgain(t *testing.T) {
	for _, test := range []struct {
		state  uint8
		input  string
		reason uint8
		at     int
	}{
		{stateTargetSP, "xHTTP", 0, 0},
		{stateTargetSP, "\t", reasonInvalidCharactersInURL, 1},
		{stateTargetLF, "\f", reasonInvalidCharactersInURL, 1},
		{stateTargetCR, "\t", reasonInvalidCharactersInURL, 1},
		{stateTargetCR, "x", reasonExpectedCRLFInURL, 0},
	} {
		r := newReplayer(typeRequest, 0)
		r.private.State = test.state
		r.feed(t, test.input)
		r.stops(t, test.input, test.reason, test.at)
	}
}
