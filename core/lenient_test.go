package core

import "testing"

// Each flag accepts what is refused without it, and no other flag does, but for those in also.
func TestLenientFlags(t *testing.T) {
	const (
		get  = "GET / HTTP/1.1\r\n"
		end  = "\r\n"
		next = "A: b\r\n\r\n"
		ok   = "HTTP/1.1 200 OK\r\n"
	)
	for _, test := range []struct {
		flag, also uint16
		kind       uint8
		input      string
		reason     uint8
	}{
		{lenientHeaders, 0, typeRequest, get + " " + next, reasonUnexpectedSpaceAfterStartLine},
		{lenientHeaders, 0, typeRequest, get + "Content-Length : 0\r\n\r\n", reasonInvalidHeaderFieldChar},
		{lenientHeaders, 0, typeRequest, get + "Connection  : close\r\n\r\n", reasonInvalidHeaderFieldChar},
		{lenientHeaders, 0, typeRequest, get + "A: b\r\n c\r\n\r\n", reasonUnexpectedWhitespaceAfterHeaderValue},
		{lenientHeaders, 0, typeRequest, get + "A:\r\n b\r\n\r\n", reasonInvalidHeaderValueChar},
		{lenientHeaders, 0, typeRequest, get + "A:\rB: c\r\n\r\n", reasonExpectedLFAfterCR},
		{lenientHeaders, 0, typeRequest, get + "A: b\x00c\r\n\r\n", reasonInvalidHeaderValueChar},
		{lenientHeaders, lenientHeaderValueRelaxed, typeRequest, get + "A: b\x01c\x7f\r\n\r\n", reasonInvalidHeaderValueChar},
		{lenientHeaders, lenientHeaderValueRelaxed, typeRequest, get + "Connection: close\x01\r\n\r\n", reasonInvalidHeaderValueChar},
		{lenientChunkedLength, 0, typeRequest, get + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", reasonTransferEncodingWithContentLength},
		{lenientChunkedLength, 0, typeRequest, get + "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n0\r\n\r\n", reasonContentLengthWithTransferEncoding},
		{lenientChunkedLength, 0, typeResponse, ok + "Content-Length: 1\r\nTransfer-Encoding: gzip\r\n\r\nab", reasonTransferEncodingWithContentLength},
		{lenientChunkedLength, lenientTransferEncoding, typeRequest, get + "Transfer-Encoding: gzip\r\n\r\nab", reasonRequestInvalidTransferEncoding},
		{lenientTransferEncoding, 0, typeRequest, get + "Transfer-Encoding: chunked, gzip\r\n\r\nab", reasonInvalidTransferEncodingValue},
		{lenientTransferEncoding, 0, typeRequest, get + "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n\r\nab", reasonInvalidTransferEncodingValue},
		{lenientKeepAlive, lenientDataAfterClose, typeRequest, "GET / HTTP/1.0\r\n\r\n" + get + end, reasonDataAfterClose},
		{lenientKeepAlive, lenientDataAfterClose, typeRequest, get + "Connection: close\r\n\r\n" + get + end, reasonDataAfterClose},
		{lenientDataAfterClose, 0, typeRequest, get + "Connection: close\r\n\r\n\x00no message", reasonDataAfterClose},
		{lenientVersion, 0, typeRequest, "GET / HTTP/1.2\r\n\r\n", reasonInvalidHTTPVersion},
		{lenientVersion, 0, typeResponse, "HTTP/3.0 200 OK\r\nContent-Length: 0\r\n\r\n", reasonInvalidHTTPVersion},
		{lenientOptionalLFAfterCR, 0, typeRequest, "GET / HTTP/1.1\r" + next, reasonExpectedCRLFAfterVersionStrict},
		{lenientOptionalLFAfterCR, 0, typeResponse, "HTTP/1.1 200 OK\r" + next, reasonExpectedLFAfterCR},
		{lenientOptionalLFAfterCR, 0, typeResponse, "HTTP/1.1 200\r" + next, reasonExpectedLFAfterCR},
		{lenientOptionalLFAfterCR, 0, typeRequest, get + "A: b\r\n\r" + get + end, reasonExpectedLFAfterHeaders},
		{lenientOptionalLFAfterCR, 0, typeRequest, chunkedHead + "1\ra\r\n0\r\n\r\n", reasonExpectedLFAfterChunkSize},
		{lenientOptionalLFAfterCR, 0, typeRequest, chunkedHead + "1;a\rb\r\n0\r\n\r\n", reasonExpectedLFAfterChunkSize},
		{lenientOptionalCRLFAfterChunk, 0, typeRequest, chunkedHead + "1\r\na0\r\n\r\n", reasonExpectedLFAfterChunkData},
		{lenientOptionalCRLFAfterChunk, 0, typeRequest, chunkedHead + "1\r\na\r0\r\n\r\n", reasonExpectedLFAfterChunkData},
		{lenientOptionalCRBeforeLF, 0, typeResponse, "HTTP/1.1 200 OK\n" + next, reasonMissingCRAfterResponseLine},
		{lenientOptionalCRBeforeLF, 0, typeResponse, "HTTP/1.1 200\n" + next, reasonInvalidResponseStatus},
		{lenientOptionalCRBeforeLF, 0, typeRequest, get + "A: b\nC: d\r\n\r\n", reasonMissingCRAfterHeaderValue},
		{lenientOptionalCRBeforeLF, 0, typeRequest, get + "A:\nC: d\r\n\r\n", reasonInvalidHeaderValueChar},
		{lenientOptionalCRBeforeLF, 0, typeRequest, get + "A: b\r\n\n", reasonInvalidHeaderFieldChar},
		{lenientOptionalCRBeforeLF, 0, typeRequest, chunkedHead + "1;a\na\r\n0\r\n\r\n", reasonMissingCRAfterChunkExtensionName},
		{lenientOptionalCRBeforeLF, 0, typeRequest, chunkedHead + "1;a=b\na\r\n0\r\n\r\n", reasonMissingCRAfterChunkExtensionValue},
		{lenientOptionalCRBeforeLF, 0, typeRequest, chunkedHead + "1;a=\"b\"\na\r\n0\r\n\r\n", reasonMissingCRAfterChunkExtensionValue},
		{lenientSpacesAfterChunkSize, 0, typeRequest, chunkedHead + "1 \t\r\na\r\n0\r\n\r\n", reasonInvalidCharInChunkSize},
		{lenientSpacesAfterChunkSize, 0, typeRequest, chunkedHead + "1 ;a\r\na\r\n0\r\n\r\n", reasonInvalidCharInChunkSize},
		{lenientHeaderValueRelaxed, lenientHeaders, typeRequest, get + "A: \x02\r\n\r\n", reasonInvalidHeaderValueChar},
		{lenientOptionalCRBeforeLF, 0, typeRequest, chunkedHead + "1\r\na\n0\r\n\r\n", reasonMissingCRAfterChunkData},
	} {
		r := everySplit(t, test.kind, 0, test.input)
		if r.reason != test.reason {
			t.Errorf("%q: reason %d, want %d", test.input, r.reason, test.reason)
		}
		for flag := uint16(1); flag <= lenientHeaderValueRelaxed; flag <<= 1 {
			r := everyWay(t, test.kind, flag, test.input)
			if accepts := flag&(test.flag|test.also) != 0; r.stopped == accepts {
				t.Errorf("%q with flag %#x: stopped %v, reason %d", test.input, flag, r.stopped, r.reason)
			}
		}
		everySplit(t, test.kind, test.flag, test.input)
		if r := everyWay(t, test.kind, ^test.flag&^test.also&(1<<11-1), test.input); !r.stopped {
			t.Errorf("%q: accepted with all flags but %#x", test.input, test.flag|test.also)
		}
	}
}

// Bare LF after a request-line and a chunk-size is taken for the CR that it stands for, as llhttp does: the LF after it may be
// missing only with a second flag.
func TestLenientBareLF(t *testing.T) {
	for _, test := range []struct {
		input         string
		strict, alone uint8
	}{
		{"GET / HTTP/1.1\nA: b\r\n\r\n", reasonExpectedCRLFAfterVersion, reasonExpectedCRLFAfterVersionStrict},
		{chunkedHead + "1\na\r\n0\r\n\r\n", reasonMissingCRAfterChunkSize, reasonExpectedLFAfterChunkSize},
	} {
		for lenient, reason := range map[uint16]uint8{
			0: test.strict, lenientOptionalLFAfterCR: test.strict, lenientOptionalCRBeforeLF: test.alone,
			lenientOptionalCRBeforeLF | lenientOptionalLFAfterCR: 0,
		} {
			if r := everySplit(t, typeRequest, lenient, test.input); r.reason != reason {
				t.Errorf("%q with flags %#x: reason %d, want %d", test.input, lenient, r.reason, reason)
			}
		}
	}
}

// No flag accepts these.
func TestLenientNever(t *testing.T) {
	const all = 1<<11 - 1
	for input, reason := range map[string]uint8{
		"GET / HTTP/1.1\r\nA: b\rC: d\r\n\r\n":                             reasonMissingLFAfterHeaderValue,
		"GET / HTTP/1.1\r\nA : b\r\n\r\n":                                  reasonInvalidHeaderToken,
		"GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n": reasonDuplicateContentLength,
		"GET / HTTP/1.1\r\nContent-Length: 1, 1\r\n\r\n":                   reasonInvalidCharInContentLength,
		"GET / HTTP/1.1\r\nContent-Length: 18446744073709551616\r\n\r\n":   reasonContentLengthOverflow,
		chunkedHead + "10000000000000000\r\n":                              reasonChunkSizeOverflow,
		"GET /\x80 HTTP/1.1\r\n\r\n":                                       reasonInvalidCharInURLPath,
		"get / HTTP/1.1\r\n\r\n":                                           reasonInvalidMethod,
	} {
		if r := everySplit(t, typeRequest, all, input); r.reason != reason {
			t.Errorf("%q: reason %d, want %d", input, r.reason, reason)
		}
	}
}

// lenientKeepAlive parses what comes after the close; lenientDataAfterClose drops it.
func TestLenientAfterClose(t *testing.T) {
	const input = "GET / HTTP/1.0\r\n\r\nGET / HTTP/1.0\r\n\r\n"
	for flag, want := range map[uint16]int{lenientKeepAlive: 2, lenientDataAfterClose: 1, lenientKeepAlive | lenientDataAfterClose: 2} {
		r := everySplit(t, typeRequest, flag, input)
		count := 0
		for _, unit := range r.units {
			if len(unit) > 16 && unit[:16] == "message_complete" {
				count++
			}
		}
		if count != want {
			t.Errorf("flags %#x: %d messages", flag, count)
		}
	}
}
