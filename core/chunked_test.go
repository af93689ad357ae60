package core

import (
	"math"
	"regexp"
	"strings"
	"testing"
)

const chunkedHead = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"

// RFC 9112, Section 7.1: hexadecimal in any case, any number that fits. What the field shows after an overflow is what
// llhttp shows.
func TestChunkSize(t *testing.T) {
	for _, test := range []struct {
		size   string
		length uint64
		reason uint8
		at     int
	}{
		{"0", 0, 0, 0},
		{"1", 1, 0, 0},
		{"aF", 0xaf, 0, 0},
		{"0123456789", 0x123456789, 0, 0},
		{"ABCDEF", 0xabcdef, 0, 0},
		{"abcdef", 0xabcdef, 0, 0},
		{"FFFFFFFF", 1<<32 - 1, 0, 0},
		{"100000000", 1 << 32, 0, 0},
		{"FFFFFFFFFFFFFFFF", math.MaxUint64, 0, 0},
		{"0000000000FFFFFFFFFFFFFFFF", math.MaxUint64, 0, 0},
		{"10000000000000000", 1 << 60, reasonChunkSizeOverflow, 17},
		{"FFFFFFFFFFFFFFFF0", math.MaxUint64, reasonChunkSizeOverflow, 17},
	} {
		input := chunkedHead + test.size + "\r\n"
		r := everySplit(t, typeRequest, 0, input)
		r.stops(t, input, test.reason, len(chunkedHead)+test.at)
		if r.public.ContentLength != test.length {
			t.Errorf("%q: length %#x, want %#x", input, r.public.ContentLength, test.length)
		}
	}
}

// Every byte at every place of the framing of a chunk.
func TestChunkBytes(t *testing.T) {
	const token = `[!#$%&'*+.^_|~0-9A-Za-z` + "`" + `-]`
	for _, test := range []struct {
		before, in string // in: a regular expression of bytes
		reason     uint8
		after      string // bytes refused one byte later
	}{
		{"", `[0-9A-Fa-f]`, reasonInvalidCharInChunkSize, ""},
		{"1", `[0-9A-Fa-f;\r]`, reasonInvalidCharInChunkSize, " \t"},
		{"1\r", `\n`, reasonExpectedLFAfterChunkSize, ""},
		{"1\r\na", `\r`, reasonExpectedLFAfterChunkData, ""},
		{"1\r\na\r", `\n`, reasonExpectedLFAfterChunkData, ""},
		// RFC 9112, Section 7.1.1
		{"1;a", token + `|[=;\r]`, reasonInvalidCharInChunkExtensionName, "*"},
		{"1;a=b", token + `|[;"\r]`, reasonInvalidCharInChunkExtensionValue, "*"},
		{"1;a=\"b", `[\t -~\x{80}-\x{ff}]`, reasonInvalidCharInChunkExtensionQuotedValue, "*"},
		{"1;a=\"b\\", `[\t -~\x{80}-\x{ff}]`, reasonInvalidQuotedPair, "*"},
		{"1;a=\"b\"", `[;\r]`, reasonInvalidCharAfterChunkExtensionQuotedValue, ""},
		{"1;a\r", `\n`, reasonExpectedLFAfterChunkSize, ""},
		{"1;a=b\r", `\n`, reasonExpectedLFAfterChunkSize, ""},
	} {
		in := regexp.MustCompile("^(" + test.in + ")$")
		for c := range 256 {
			input := chunkedHead + test.before + string([]byte{byte(c)})
			reason, at := test.reason, len(input)-1
			if test.after == "*" || strings.IndexByte(test.after, byte(c)) >= 0 {
				at++
			}
			switch {
			case in.MatchString(string(rune(c))):
				reason = 0
			case c == '\n' && test.before == "1":
				reason, at = reasonMissingCRAfterChunkSize, len(input)
			case c == '\n' && test.before == "1\r\na":
				reason, at = reasonMissingCRAfterChunkData, len(input)
			case c == '\n' && test.before == "1;a":
				reason, at = reasonMissingCRAfterChunkExtensionName, len(input)-1
			case c == '\n' && test.before == "1;a=b":
				reason, at = reasonMissingCRAfterChunkExtensionValue, len(input)-1
			case c == '\n' && test.before == "1;a=\"b\"":
				reason = reasonMissingCRAfterChunkExtensionValue
			}
			for _, limit := range []uint32{1 << 20, Unlimited} {
				r := newReplayer(typeRequest, 0)
				r.limit = limit
				r.feed(t, input)
				r.stops(t, input, reason, at)
			}
		}
	}
	for _, c := range "\r " {
		input := chunkedHead + "1;" + string(c)
		everySplit(t, typeRequest, 0, input).stops(t, input, reasonInvalidCharInChunkExtensions, len(input))
	}
}

// RFC 9112, Sections 7.1 to 7.1.2: what is said about chunks, their extensions, and the trailer section.
func TestChunks(t *testing.T) {
	const last = " chunk_header chunk_complete message_complete"
	const ext = "chunk_extension_"
	for _, test := range []struct{ body, want string }{
		{"0\r\n\r\n", last},
		{"000\r\n\r\n", last},
		{"3\r\nabc\r\n0\r\n\r\n", " chunk_header body=abc chunk_complete" + last},
		{"03\r\nabc\r\n1\r\nd\r\n0\r\n\r\n", " chunk_header body=abc chunk_complete chunk_header body=d chunk_complete" + last},
		{"2\r\n\r\n\r\n0\r\n\r\n", " chunk_header body=\r\n chunk_complete" + last},
		{"0;a\r\n\r\n", " " + ext + "name=a " + ext + "name_complete" + last},
		{"0;a=b\r\n\r\n", " " + ext + "name=a " + ext + "name_complete " + ext + "value=b " + ext + "value_complete" + last},
		{"0;a=\"b;\\\"c\"\r\n\r\n", " " + ext + "name=a " + ext + "name_complete " + ext + "value=\"b;\\\"c\" " + ext + "value_complete" + last},
		{"0;a;b\r\n\r\n", " " + ext + "name=a " + ext + "name_complete " + ext + "name=b " + ext + "name_complete" + last},
		{"0\r\nA: b\r\n\r\n", " chunk_header header_field=A header_field_complete header_value=b header_value_complete chunk_complete message_complete"},
	} {
		input := chunkedHead + test.body
		r := everySplit(t, typeRequest, 0, input)
		r.stops(t, input, 0, 0)
		if _, after, _ := strings.Cut(r.names(), " headers_complete"); after != test.want {
			t.Errorf("%q:\n%q\nwant\n%q", input, after, test.want)
		}
	}
}

// RFC 9110, Section 6.5.1: fields of the trailer section frame nothing; those that would conflict are refused.
func TestTrailerFraming(t *testing.T) {
	for line, reason := range map[string]uint8{
		"Content-Length: 3":          reasonContentLengthWithTransferEncoding,
		"Transfer-Encoding: chunked": reasonInvalidTransferEncodingValue,
		"Connection: close":          0,
		"Upgrade: a":                 0,
	} {
		input := chunkedHead + "0\r\n" + line + "\r\n\r\n"
		r := everySplit(t, typeRequest, 0, input)
		if r.reason != reason || (reason == 0) != strings.HasSuffix(r.names(), " message_complete") {
			t.Errorf("%q: reason %d: %s", input, r.reason, r.names())
		}
	}
}
