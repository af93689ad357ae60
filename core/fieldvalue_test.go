package core

import (
	"math"
	"regexp"
	"strings"
	"testing"
)

// fieldLine is a request with one field line, and the first byte of the next.
func fieldLine(line string) string { return "POST / HTTP/1.1\r\n" + line + "\r\nA" }

// RFC 9110, Section 5.5: HTAB, SP, VCHAR and obs-text.
func TestFieldValueBytes(t *testing.T) {
	valid := regexp.MustCompile(`^[\t -~\x{80}-\x{ff}]$`)
	for c := range 256 {
		for _, value := range []string{"x", "a value that is longer than a kernel's 32 bytes"} {
			input := fieldLine("A: " + value + string([]byte{byte(c)}) + "y")
			at := strings.Index(input, value) + len(value)
			var reason uint8 = reasonInvalidHeaderValueChar
			switch {
			case c == '\r':
				reason, at = reasonMissingLFAfterHeaderValue, at+1
			case c == '\n':
				reason = reasonMissingCRAfterHeaderValue
			case valid.MatchString(string(rune(c))):
				reason = 0
			}
			everyWay(t, typeRequest, 0, input).stops(t, input, reason, at)
		}
	}
}

// RFC 9112, Section 5.1: whitespace before a value is not part of it. What stands after it is handed on, as llhttp does.
func TestFieldValueWhitespace(t *testing.T) {
	for line, want := range map[string]string{
		"A:":             "",
		"A: ":            "",
		"A:\t \t":        "",
		"A:b":            "b",
		"A: \t b \tc \t": "b \tc \t",
		"A: :":           ":",
	} {
		input := fieldLine(line)
		r := everySplit(t, typeRequest, 0, input)
		r.stops(t, input, 0, 0)
		if !strings.Contains(r.log(), "\nheader_value="+want+"\nheader_value_complete@") {
			t.Errorf("%q:\n%s", input, r.log())
		}
	}
	for line, reason := range map[string]uint8{"A:\rb": reasonExpectedLFAfterCR, "A: \nB: c": reasonInvalidHeaderValueChar} {
		input := fieldLine(line)
		everySplit(t, typeRequest, 0, input).stops(t, input, reason, strings.IndexAny(line, "\r\n")+18)
	}
}

// RFC 9110, Section 7.6.1: Connection is a list of options, case-insensitive.
func TestConnectionOptions(t *testing.T) {
	const keepAlive, closes, upgrade = flagConnectionKeepAlive, flagConnectionClose, flagConnectionUpgrade
	for _, test := range []struct {
		value string
		flags uint16
	}{
		{"keep-alive", keepAlive}, {"Keep-Alive", keepAlive}, {"KEEP-ALIVE", keepAlive},
		{"close", closes}, {"cLoSe", closes},
		{"upgrade", upgrade}, {"Upgrade", upgrade},
		{"close, keep-alive, upgrade", keepAlive | closes | upgrade},
		{"keep-alive,Upgrade", keepAlive | upgrade},
		{"keep-alive \t,\t upgrade \t", keepAlive | upgrade},
		{",, close ,,", closes},
		{"te, close", closes}, {"close, te", closes}, {"te, trailers", 0},
		{"close, closed", closes}, {"closed, close", closes},
		// near misses
		{"", 0}, {"clos", 0}, {"closed", 0}, {"close d", 0}, {"close;q=1", 0}, {"x close", 0}, {"xclose", 0},
		{"keep-aliv", 0}, {"keep-alived", 0}, {"keep_alive", 0}, {"keepalive", 0}, {"upgrad", 0}, {"upgrades", 0},
		{"\"close\"", 0}, {"close\x80", 0}, {"timeout=5, max=100", 0},
	} {
		for _, name := range []string{"Connection", "Proxy-Connection"} {
			input := fieldLine(name + ": " + test.value)
			r := everySplit(t, typeRequest, 0, input)
			r.stops(t, input, 0, 0)
			if r.public.Flags != test.flags {
				t.Errorf("%q: flags %#x, want %#x", input, r.public.Flags, test.flags)
			}
		}
	}
	input := fieldLine("Connection: close\r\nProxy-Connection: keep-alive\r\nConnection: te\r\nConnection: upgrade")
	if r := everySplit(t, typeRequest, 0, input); r.public.Flags != keepAlive|closes|upgrade {
		t.Errorf("%q: flags %#x", input, r.public.Flags)
	}
	input = fieldLine("Connection: close\x01")
	everySplit(t, typeRequest, 0, input).stops(t, input, reasonInvalidHeaderValueChar, 34)
}

// RFC 9110, Section 8.6: digits, any number that fits. What the field shows after an overflow is what llhttp shows.
func TestContentLength(t *testing.T) {
	const max = math.MaxUint64
	for _, test := range []struct {
		value  string
		length uint64
		reason uint8
		at     int // in the value
	}{
		{"0", 0, 0, 0},
		{"42", 42, 0, 0},
		{"007", 7, 0, 0},
		{"5 \t", 5, 0, 0},
		{"9999999999999999999", 9999999999999999999, 0, 0},
		{"18446744073709551615", max, 0, 0},
		{"00018446744073709551615", max, 0, 0},
		{"18446744073709551616", 18446744073709551610, reasonContentLengthOverflow, 20}, // the sum did not fit
		{"18446744073709551619", 18446744073709551610, reasonContentLengthOverflow, 20},
		{"18446744073709551620", 1844674407370955162, reasonContentLengthOverflow, 20}, // the product did not fit
		{"99999999999999999999", 9999999999999999999, reasonContentLengthOverflow, 20},
		{"184467440737095516150", max, reasonContentLengthOverflow, 21},
		{"", 0, reasonEmptyContentLength, 2},
		{"+5", 0, reasonInvalidCharInContentLength, 0},
		{"-1", 0, reasonInvalidCharInContentLength, 0},
		{"x", 0, reasonInvalidCharInContentLength, 0},
		{"0x5", 0, reasonInvalidCharInContentLength, 1},
		{"5.0", 5, reasonInvalidCharInContentLength, 1},
		{"5, 5", 5, reasonInvalidCharInContentLength, 1},
		{"5 5", 5, reasonInvalidCharInContentLength, 2},
		{"5;a", 5, reasonInvalidCharInContentLength, 1},
		{"5\x00", 5, reasonInvalidCharInContentLength, 1},
	} {
		input := fieldLine("Content-Length: " + test.value)
		r := everySplit(t, typeRequest, 0, input)
		r.stops(t, input, test.reason, 33+test.at)
		if r.public.ContentLength != test.length {
			t.Errorf("%q: length %d, want %d", input, r.public.ContentLength, test.length)
		}
	}
}

// RFC 9112, Sections 6.1 and 6.3: what would frame a message twice is refused.
func TestConflictingLengths(t *testing.T) {
	for _, test := range []struct {
		lines  string
		reason uint8
		at     string // what stands at the error position
	}{
		{"Content-Length: 1\r\nContent-Length: 1", reasonDuplicateContentLength, "1\r\nA"},
		{"Content-Length: 0\r\nContent-Length: 0", reasonDuplicateContentLength, "0\r\nA"},
		{"Content-Length: 1\r\nTransfer-Encoding: chunked", reasonTransferEncodingWithContentLength, " chunked"},
		{"Transfer-Encoding: chunked\r\nContent-Length: 1", reasonContentLengthWithTransferEncoding, " 1\r\nA"},
		{"Transfer-Encoding: gzip\r\nX: y\r\nContent-Length: 1", reasonContentLengthWithTransferEncoding, " 1\r\nA"},
	} {
		for _, kind := range []uint8{typeRequest, typeResponse} {
			input := fieldLine(test.lines)
			if kind == typeResponse {
				input = strings.Replace(input, "POST / HTTP/1.1", "HTTP/1.1 200 OK", 1)
			}
			everySplit(t, kind, 0, input).stops(t, input, test.reason, strings.LastIndex(input, test.at))
		}
	}
}

// RFC 9112, Section 6.1: chunked frames the message only as the last coding. In a request nothing may come after it.
func TestTransferEncoding(t *testing.T) {
	const te, chunked = flagTransferEncoding, flagTransferEncoding | flagChunked
	for _, test := range []struct {
		value    string
		request  uint16 // flags; 0 for refused
		response uint16
	}{
		{"chunked", chunked, chunked}, {"Chunked", chunked, chunked}, {"CHUNKED", chunked, chunked},
		{"chunked  ", chunked, chunked},
		{"gzip, chunked", chunked, chunked}, {"gzip,chunked", chunked, chunked}, {"gzip \t,\t chunked", chunked, chunked},
		{",chunked", chunked, chunked}, {"a;b=c, chunked", chunked, chunked},
		{"gzip\r\nTransfer-Encoding: chunked", chunked, chunked},
		{"gzip", te, te}, {"identity", te, te}, {"chunke", te, te}, {"chunkedx", te, te}, {"xchunked", te, te},
		{"chunked;a", te, te}, {"chunked x", te, te}, {"\"chunked\"", te, te}, {"chunke\xe4", te, te}, {"gzip chunked", te, te},
		{"chunked, gzip", 0, te}, {"chunked,chunked", 0, chunked}, {"chunked,", 0, te}, {"gzip, chunked, br", 0, te},
		{"chunked\r\nTransfer-Encoding: gzip", 0, te}, {"chunked\r\nTransfer-Encoding: chunked", 0, chunked},
	} {
		input := fieldLine("Transfer-Encoding: " + test.value)
		r := everySplit(t, typeRequest, 0, input)
		switch {
		case test.request == 0 && (!r.stopped || r.reason != reasonInvalidTransferEncodingValue):
			t.Errorf("%q: stopped %v with reason %d", input, r.stopped, r.reason)
		case test.request != 0 && (r.stopped || r.public.Flags != test.request):
			t.Errorf("%q: stopped %v, flags %#x, want %#x", input, r.stopped, r.public.Flags, test.request)
		}
		input = strings.Replace(input, "POST / HTTP/1.1", "HTTP/1.1 200 OK", 1)
		r = everySplit(t, typeResponse, 0, input)
		r.stops(t, input, 0, 0)
		if r.public.Flags != test.response {
			t.Errorf("%q: flags %#x, want %#x", input, r.public.Flags, test.response)
		}
	}
	input := fieldLine("Transfer-Encoding: ")
	everySplit(t, typeRequest, 0, input).stops(t, input, reasonEmptyTransferEncoding, len(input)-1)
}

// Upgrade says something unless it is empty.
func TestUpgradeField(t *testing.T) {
	for value, flags := range map[string]uint16{"h2c": flagUpgrade, "a, b/1": flagUpgrade, "": 0, " \t": 0} {
		input := fieldLine("Upgrade: " + value)
		if r := everySplit(t, typeRequest, 0, input); r.public.Flags != flags {
			t.Errorf("%q: flags %#x", input, r.public.Flags)
		}
	}
}

// RFC 9112, Section 5.2: obs-fold is refused; leniently, a value comes in pieces, and a list goes on after a comma.
func TestObsFold(t *testing.T) {
	for _, test := range []struct {
		line     string
		reason   uint8
		at       int // in the line
		lenient  uint8
		flags    uint16
		contains string
	}{
		{"A: b\r\n c", reasonUnexpectedWhitespaceAfterHeaderValue, 6, 0, 0, "header_value=b header_value= c header_value_complete"},
		{"A: b\r\n\tc", reasonUnexpectedWhitespaceAfterHeaderValue, 6, 0, 0, "header_value=b header_value=\tc header_value_complete"},
		{"A:\r\n b", reasonInvalidHeaderValueChar, 5, 0, 0, "header_field_complete header_value=b header_value_complete"},
		{"Connection: close,\r\n upgrade", reasonUnexpectedWhitespaceAfterHeaderValue, 20, 0, flagConnectionClose | flagConnectionUpgrade, ""},
		{"Connection: close\r\n , upgrade", reasonUnexpectedWhitespaceAfterHeaderValue, 19, 0, flagConnectionClose, ""}, // as llhttp does
		{"Content-Length: 1\r\n 2", reasonUnexpectedWhitespaceAfterHeaderValue, 19, reasonDuplicateContentLength, flagContentLength, ""},
		{"Transfer-Encoding: chunked\r\n x", reasonUnexpectedWhitespaceAfterHeaderValue, 28, 0, flagTransferEncoding, ""},
	} {
		input := fieldLine(test.line)
		everySplit(t, typeRequest, 0, input).stops(t, input, test.reason, 17+test.at)
		r := everySplit(t, typeRequest, lenientHeaders, input)
		if r.reason != test.lenient || r.public.Flags != test.flags || !strings.Contains(r.names(), test.contains) {
			t.Errorf("%q, lenient: reason %d, flags %#x: %q", input, r.reason, r.public.Flags, r.names())
		}
	}
}
