package core

import (
	"regexp"
	"strings"
	"testing"
)

// framingFields are the fields that frame a message, each with a value and the flags that it sets then.
var framingFields = []struct {
	name, value string
	flags       uint16
}{
	{"Connection", "close", flagConnectionClose},
	{"Content-Length", "7", flagContentLength},
	{"Proxy-Connection", "keep-alive", flagConnectionKeepAlive},
	{"Transfer-Encoding", "chunked", flagTransferEncoding | flagChunked},
	{"Upgrade", "h2c", flagUpgrade},
}

// anyCase gives a name in upper-case, lower-case, and both mixed.
func anyCase(name string) []string {
	mixed := []byte(strings.ToLower(name))
	for i := 0; i < len(mixed); i += 2 {
		mixed[i] = strings.ToUpper(name)[i]
	}
	return []string{name, strings.ToUpper(name), strings.ToLower(name), string(mixed)}
}

// RFC 9110, Section 5.1: field names are case-insensitive.
func TestFieldNameFraming(t *testing.T) {
	for _, field := range framingFields {
		for _, name := range anyCase(field.name) {
			input := "POST / HTTP/1.1\r\n" + name + ": " + field.value + "\r\nA"
			r := everySplit(t, typeRequest, 0, input)
			r.stops(t, input, 0, 0)
			if r.public.Flags != field.flags || !strings.Contains(r.names(), " header_field="+name+" ") {
				t.Errorf("%q: flags %#x: %s", input, r.public.Flags, r.names())
			}
		}
	}
}

// A name that is nearly one of those is any other field's.
func TestFieldNameNearMisses(t *testing.T) {
	const tchar = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	check := func(name string, split bool, value string) {
		t.Helper()
		input := "POST / HTTP/1.1\r\n" + name + ": " + value + "\r\nA"
		r := parse(t, typeRequest, 0, input)
		whole := newReplayer(typeRequest, 0)
		whole.limit = Unlimited
		whole.feed(t, input)
		if split {
			everySplit(t, typeRequest, 0, input)
		}
		if whole.log() != r.log() || r.stopped || r.public.Flags != 0 || !strings.Contains(r.names(), " header_field="+name+" ") {
			t.Errorf("%q: flags %#x:\n%s\ntaken as a whole:\n%s", input, r.public.Flags, r.log(), whole.log())
		}
	}
	for _, field := range framingFields {
		for i := range len(field.name) {
			before, after := field.name[:i], field.name[i+1:]
			check(before+after, true, field.value) // one less
			if i > 0 {
				check(before, true, field.value)
			}
			for _, c := range tchar { // one changed, one more
				if changed := before + string(c) + after; !strings.EqualFold(changed, field.name) {
					check(changed, false, field.value)
				}
				check(before+string(c)+field.name[i:], false, field.value)
			}
		}
		for _, name := range anyCase(field.name) {
			for _, c := range "-Ss" {
				check(name+string(c), true, field.value)
				check(string(c)+name, true, field.value)
			}
		}
	}
}

// RFC 9112, Section 5; RFC 9110, Section 5.6.2: a name is a token with its colon right behind it.
func TestFieldNameBytes(t *testing.T) {
	token := regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]$")
	for c := range 256 {
		for _, name := range []string{"A", "Content", "Content-Len", "Connection", "A-name-longer-than-a-kernel's-32-bytes"} {
			input := "GET / HTTP/1.1\r\n" + name + string([]byte{byte(c)})
			reason, at := reasonInvalidHeaderToken, len(input)-1
			switch {
			case c == ':' || token.MatchString(string(rune(c))):
				reason = 0
			case c == ' ' && name == "Connection": // RFC 9112, Section 5.1: fields that frame a message have a reason of their own
				reason, at = reasonInvalidHeaderFieldChar, len(input)
			}
			everyWay(t, typeRequest, 0, input).stops(t, input, reason, at)
		}
		for _, before := range []string{"GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nA: b\r\n"} {
			input := before + string([]byte{byte(c)})
			reason, at := reasonInvalidHeaderToken, len(before)
			switch {
			case c == '\r' || token.MatchString(string(rune(c))):
				reason = 0
			case c == '\n':
				reason, at = reasonInvalidHeaderFieldChar, len(input)
			case len(before) > 20 && (c == ' ' || c == '\t'): // RFC 9112, Section 5.2: obs-fold
				reason = reasonUnexpectedWhitespaceAfterHeaderValue
			case c == ' ': // RFC 9112, Section 2.2
				reason, at = reasonUnexpectedSpaceAfterStartLine, len(input)
			}
			everyWay(t, typeRequest, 0, input).stops(t, input, reason, at)
		}
	}
}

// RFC 9112, Section 5.1: no whitespace between name and colon.
func TestFieldNameSpace(t *testing.T) {
	for _, field := range framingFields {
		for _, name := range anyCase(field.name) {
			input := "POST / HTTP/1.1\r\n" + name + " : " + field.value + "\r\n"
			everySplit(t, typeRequest, 0, input).stops(t, input, reasonInvalidHeaderFieldChar, 17+len(name)+1)
			input = "POST / HTTP/1.1\r\n" + name + "\t: " + field.value + "\r\n"
			everySplit(t, typeRequest, 0, input).stops(t, input, reasonInvalidHeaderToken, 17+len(name))
		}
	}
	const input = "POST / HTTP/1.1\r\nHost : a\r\n"
	everySplit(t, typeRequest, 0, input).stops(t, input, reasonInvalidHeaderToken, 21)
}

// RFC 9112, Section 2.1: an empty line ends the section, and CR alone does not.
func TestFieldsEnd(t *testing.T) {
	const input = "GET / HTTP/1.1\r\nA: b\r\n\rX"
	everySplit(t, typeRequest, 0, input).stops(t, input, reasonExpectedLFAfterHeaders, len(input)-1)
}
