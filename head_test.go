package llhttpgo

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// headLog is what a Head says, as lines.
func headLog(h *Head, n int, err error) []string {
	var e *Error
	if errors.As(err, &e) {
		return []string{e.Error()}
	}
	if err != nil {
		return []string{err.Error()}
	}
	major, minor := h.Version()
	lines := []string{fmt.Sprintf("%d bytes, version %d.%d, flags %x, length %d, upgrade %v, keep-alive %v", n, major, minor, h.Flags(), h.ContentLength(),
		h.Upgrade(), h.KeepAlive())}
	if h.Type() == TypeResponse {
		lines = append(lines, fmt.Sprintf("status %d %q", h.StatusCode(), h.Reason()))
	} else {
		lines = append(lines, fmt.Sprintf("%v %q", h.Method(), h.Target()))
	}
	for _, f := range h.Fields() {
		lines = append(lines, fmt.Sprintf("%v %q: %q", f.ID, f.Name, f.Value))
	}
	return lines
}

// parserLog is the same from a Parser, up to the end of the first section.
func parserLog(kind Type, lenient Lenient, input string) []string {
	p := NewParser(kind)
	p.SetLenient(lenient)
	var target, reason string
	var fields []string
	var name, value string
	for e, err := range p.Parse([]byte(input)) {
		if err != nil {
			return []string{err.Error()}
		}
		switch e.Kind() {
		case EventURL:
			target = string(e.Data())
		case EventStatus:
			reason = string(e.Data())
		case EventHeaderField:
			name, value = string(e.Data()), ""
		case EventHeaderValue:
			value += string(e.Data())
		case EventHeaderValueComplete:
			fields = append(fields, fmt.Sprintf("%v %q: %q", LookupFieldString(name), name, strings.Trim(value, " \t")))
		case EventHeadersComplete:
			major, minor := e.Version()
			lines := []string{fmt.Sprintf("%d bytes, version %d.%d, flags %x, length %d, upgrade %v, keep-alive %v", e.Offset(), major, minor, e.Flags(),
				e.Length(), e.Upgrade(), e.KeepAlive())}
			if p.Type() == TypeResponse {
				lines = append(lines, fmt.Sprintf("status %d %q", e.StatusCode(), reason))
			} else {
				lines = append(lines, fmt.Sprintf("%v %q", e.Method(), target))
			}
			return append(lines, fields...)
		}
	}
	return []string{ErrPartial.Error()}
}

// A Head says what a Parser says, if the bytes are there at once, and if they come in two pieces.
func TestHead(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		for _, m := range messages {
			if m.name == "fold" {
				continue // TestHeadFold
			}
			want := parserLog(m.kind, m.lenient, m.input)
			h := NewHead(m.kind)
			h.SetLenient(m.lenient)
			n, err := h.Parse([]byte(m.input))
			same(t, m.name, headLog(h, n, err), want)
			for cut := range min(len(m.input), 300) {
				h.Reset()
				if n, err = h.Parse([]byte(m.input[:cut])); err != ErrPartial {
					same(t, fmt.Sprintf("%s, %d bytes", m.name, cut), headLog(h, n, err), want)
					continue
				}
				n, err = h.Parse([]byte(m.input)) // elsewhere
				same(t, fmt.Sprintf("%s, %d bytes, then all", m.name, cut), headLog(h, n, err), want)
				// It goes on with another one without Reset.
				n, err = h.Parse([]byte("GET / HTTP/1.1\r\nA: b\r\n\r\n"))
				if m.kind == TypeRequest && m.lenient == 0 {
					same(t, m.name+", another one", headLog(h, n, err), parserLog(TypeRequest, 0, "GET / HTTP/1.1\r\nA: b\r\n\r\n"))
				}
			}
		}
	})
}

// A head that forgets its section has no fields, and one whose bytes have become fewer begins with another section.
func TestHeadForgets(t *testing.T) {
	const input = "GET /a HTTP/1.1\r\nHost: b\r\nX-Custom: c\r\nX-Other: d\r\n\r\n"
	h := NewHead(TypeRequest)
	if _, err := h.Parse([]byte(input)); err != nil || h.Find("x-custom") != 1 {
		t.Fatal(err, h.Find("x-custom"))
	}
	h.Reset()
	for _, name := range []string{"Host", "X-Custom", "X-Other", "none", ""} {
		if i := h.Find(name); i != -1 {
			t.Errorf("%q is field %d of no section", name, i)
		}
		for range h.ValuesOf(name) {
			t.Errorf("%q has a value in no section", name)
		}
	}
	if h.Len() != 0 || h.Has(FieldHost) || h.Target() != nil {
		t.Errorf("%d fields, %v, target %q of no section", h.Len(), h.Has(FieldHost), h.Target())
	}
	for more := range input {
		for less := range more {
			h.Reset()
			for _, n := range []int{more, less} {
				if _, err := h.Parse(slices.Clone([]byte(input[:n]))); err != ErrPartial {
					t.Fatalf("%d bytes, then %d: %v", more, less, err)
				}
			}
			if n, err := h.Parse([]byte(input)); err != nil || n != len(input) || h.Len() != 3 {
				t.Fatalf("%d bytes, then %d, then all: %d bytes, %d fields, %v", more, less, n, h.Len(), err)
			}
		}
	}
}

func TestHeadByteByByte(t *testing.T) {
	for _, m := range messages[:5] {
		want := parserLog(m.kind, m.lenient, m.input)
		h := NewHead(m.kind)
		var n int
		var err error
		for end := 0; end <= len(m.input); end++ {
			if n, err = h.Parse([]byte(m.input[:end])); err != ErrPartial {
				break
			}
		}
		same(t, m.name, headLog(h, n, err), want)
	}
}

func TestHeadFold(t *testing.T) {
	h := NewHead(TypeRequest)
	h.SetLenient(LenientHeaders)
	if _, err := h.Parse([]byte("GET / HTTP/1.1\r\nA: b\r\n c\r\n\td \r\nContent-Length : 1\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	if v := h.Field(0).Value; string(v) != "b\r\n c\r\n\td" {
		t.Errorf("%q", v)
	}
	if h.Body() != BodyLength || h.ContentLength() != 1 {
		t.Errorf("%v, %d", h.Body(), h.ContentLength())
	}
}

func collect(values iter.Seq[[]byte]) (list []string) {
	for v := range values {
		list = append(list, string(v))
	}
	return list
}

func TestHeadLookups(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		h := NewHead(TypeResponse)
		input := "HTTP/1.1 200 OK\r\nSet-Cookie: a\r\nX-Own: 1\r\nset-cookie: b\r\nServer:\r\nx-own: 2\r\nSET-COOKIE: c\r\nX-OWN: 3 \r\n\r\n"
		if n, err := h.Parse([]byte(input)); n != len(input) || err != nil {
			t.Fatal(n, err)
		}
		if got := collect(h.Values(FieldSetCookie)); !slices.Equal(got, []string{"a", "b", "c"}) {
			t.Errorf("%q", got)
		}
		if got := collect(h.ValuesOf("x-Own")); !slices.Equal(got, []string{"1", "2", "3"}) {
			t.Errorf("%q", got)
		}
		if got := collect(h.ValuesOf("set-cookie")); !slices.Equal(got, []string{"a", "b", "c"}) {
			t.Errorf("%q", got)
		}
		if got := collect(h.Values(FieldHost)); got != nil {
			t.Errorf("%q", got)
		}
		if h.Value(FieldServer) == nil || len(h.Value(FieldServer)) != 0 || h.Value(FieldHost) != nil || h.Has(FieldHost) || !h.Has(FieldServer) {
			t.Error("Value, Has")
		}
		if h.Find("x-ow") != -1 || h.Find("") != -1 || h.Find("x-own") != 1 || h.Find("server") != 3 || h.First(FieldID(60000)) != -1 {
			t.Error("Find")
		}
		if h.Next(6) != -1 || h.Next(-1) != -1 || h.Next(100) != -1 || h.Next(0) != 2 {
			t.Error("Next")
		}
		if h.Len() != 7 || string(h.Field(6).Value) != "3" || h.Field(6).ID != 0 || h.Field(0).ID != FieldSetCookie {
			t.Error("Field")
		}
		for range h.Values(FieldSetCookie) {
			break
		}
	})
}

// Links and lookups of many random names are those that a map finds.
func TestHeadManyNames(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(1, 2))
		h := NewHead(TypeRequest)
		for range 30 {
			var input strings.Builder
			input.WriteString("GET / HTTP/1.1\r\n")
			want := map[string][]string{}
			for i := range random.IntN(1000) {
				name := fmt.Sprintf("X-%d-Name", random.IntN(1+random.IntN(1000)))
				if i%10 == 0 {
					name = FieldID(64 + random.IntN(50)).String()
				}
				value := fmt.Sprint(i)
				want[strings.ToLower(name)] = append(want[strings.ToLower(name)], value)
				if random.IntN(2) == 0 {
					name = strings.ToUpper(name)
				}
				fmt.Fprintf(&input, "%s: %s\r\n", name, value)
			}
			input.WriteString("\r\n")
			if _, err := h.Parse([]byte(input.String())); err != nil {
				t.Fatal(err)
			}
			for name, values := range want {
				if got := collect(h.ValuesOf(name)); !slices.Equal(got, values) {
					t.Fatalf("%s: %q, want %q", name, got, values)
				}
			}
			if h.Find("X-1001-Name") != -1 {
				t.Fatal("a name that there is not")
			}
		}
	})
}

func TestHeadFraming(t *testing.T) {
	for _, test := range []struct {
		kind      Type
		input     string
		body      BodyKind
		length    uint64
		keepAlive bool
		upgrade   bool
	}{
		{TypeRequest, "GET / HTTP/1.1\r\n\r\n", BodyNone, 0, true, false},
		{TypeRequest, "GET / HTTP/1.0\r\n\r\n", BodyNone, 0, false, false},
		{TypeRequest, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", BodyNone, 0, false, false},
		{TypeRequest, "PUT / HTTP/1.1\r\nContent-Length: 5000000000\r\n\r\n", BodyLength, 5000000000, true, false},
		{TypeRequest, "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", BodyChunked, 0, true, false},
		{TypeRequest, "CONNECT a:1 HTTP/1.1\r\n\r\n", BodyUpgrade, 0, true, true},
		{TypeRequest, "GET / HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n", BodyUpgrade, 0, true, true},
		{TypeResponse, "HTTP/1.1 200 OK\r\n\r\n", BodyUntilEOF, 0, false, false},
		{TypeResponse, "HTTP/1.1 204 No Content\r\n\r\n", BodyNone, 0, true, false},
		{TypeResponse, "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n", BodyUpgrade, 0, true, true},
		{TypeBoth, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n", BodyLength, 1, true, false},
	} {
		h := NewHead(test.kind)
		n, err := h.Parse([]byte(test.input))
		if n != len(test.input) || err != nil || h.Body() != test.body || h.ContentLength() != test.length || h.KeepAlive() != test.keepAlive ||
			h.Upgrade() != test.upgrade || h.Chunked() != (test.body == BodyChunked) {
			t.Errorf("%q: %d, %v, %v, %d, %v, %v", test.input, n, err, h.Body(), h.ContentLength(), h.KeepAlive(), h.Upgrade())
		}
	}
}

func TestHeadErrors(t *testing.T) {
	h := NewHead(TypeRequest)
	_, err := h.Parse([]byte("GET / HTTP/1.1\r\nA: b\r\nC\x00: d\r\n\r\n"))
	var e *Error
	if !errors.As(err, &e) || *e != (Error{Errno: ErrInvalidHeaderToken, Reason: "Invalid header token", Offset: 23, Type: TypeRequest}) || h.Len() != 1 {
		t.Errorf("%v, %d fields", err, h.Len())
	}
	if _, err = h.Parse([]byte("PUT / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n")); !errors.Is(err, ErrInvalidTransferEncoding) {
		t.Error(err)
	}
	for _, empty := range [][]byte{nil, {}} {
		if n, err := h.Parse(empty); n != 0 || err != ErrPartial {
			t.Error(n, err)
		}
	}
	h.Reset()
	if h.Len() != 0 || h.Target() != nil || h.Find("a") != -1 {
		t.Error("something is left after Reset")
	}
}

func TestHeadMaxFields(t *testing.T) {
	input := func(n int) []byte {
		return []byte("GET / HTTP/1.1\r\n" + strings.Repeat("A: b\r\n", n) + "\r\n")
	}
	for _, most := range []int{1, 5, 64, 100, 1000} {
		h := NewHead(TypeRequest)
		h.MaxFields = most
		if _, err := h.Parse(input(most)); err != nil || h.Len() != most || len(collect(h.ValuesOf("a"))) != most {
			t.Errorf("%d fields: %v, %d", most, err, h.Len())
		}
		if _, err := h.Parse(input(most + 1)); err != ErrTooManyFields {
			t.Errorf("%d fields of %d: %v", most+1, most, err)
		}
		if _, err := h.Parse(input(1)); err != nil || h.Len() != 1 {
			t.Errorf("after too many: %v", err)
		}
		// In pieces.
		whole := input(most + 1)
		err := ErrPartial
		for end := 0; end <= len(whole) && err == ErrPartial; end += 3 {
			_, err = h.Parse(whole[:end])
		}
		if err == ErrPartial {
			_, err = h.Parse(whole)
		}
		if err != ErrTooManyFields {
			t.Errorf("%d fields of %d in pieces: %v", most+1, most, err)
		}
	}
	h := NewHead(TypeRequest)
	if _, err := h.Parse(input(MostFields)); err != nil || h.Len() != MostFields {
		t.Error(err, h.Len())
	}
	if _, err := h.Parse(input(MostFields + 1)); err != ErrTooManyFields {
		t.Error(err)
	}
}

// A Parser goes on behind a Head, whatever body follows.
func TestResetAfterHead(t *testing.T) {
	for _, m := range messages {
		data := []byte(m.input)
		h := NewHead(m.kind)
		h.SetLenient(m.lenient)
		n, err := h.Parse(data)
		if err != nil {
			continue
		}
		p := NewParser(TypeRequest)
		p.ResetAfterHead(h)
		rest := log{base: n, keep: true}
		rest.run(p, m.input[n:])
		all := log{keep: true}
		p.Init(m.kind)
		p.SetLenient(m.lenient)
		all.run(p, m.input)
		first := slices.IndexFunc(all.lines, func(line string) bool { return strings.HasPrefix(line, "headers_complete") })
		same(t, m.name, rest.lines, all.lines[first+1:])
	}
}

func TestHeadLifetime(t *testing.T) {
	input := []byte("GET /target HTTP/1.1\r\nName: value\r\nEmpty:\r\n\r\n")
	h := NewHead(TypeRequest)
	if _, err := h.Parse(input); err != nil {
		t.Fatal(err)
	}
	for _, part := range [][]byte{h.Target(), h.Field(0).Name, h.Field(0).Value, h.Field(1).Value} {
		if cap(part) != len(part) || len(part) != 0 && &part[0] != &input[bytes.Index(input, part)] {
			t.Errorf("%q, capacity %d", part, cap(part))
		}
	}
}
