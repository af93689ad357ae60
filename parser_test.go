package llhttpgo

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// everyLevel runs a test with each level that there is here.
func everyLevel(t *testing.T, test func(t *testing.T)) {
	before := SIMD()
	defer SetSIMD(before)
	for _, level := range SIMDLevels() {
		t.Run(level, func(t *testing.T) {
			if err := SetSIMD(level); err != nil {
				t.Fatal(err)
			}
			test(t)
		})
	}
}

// messages are inputs for tests that hold two ways of parsing against each other.
var messages = []struct {
	name    string
	kind    Type
	lenient Lenient
	input   string
}{
	{"browser", TypeRequest, 0, "GET /a/path?with=a&query HTTP/1.1\r\nHost: www.example.com\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\n" +
		"Accept: text/html,application/xhtml+xml\r\nAccept-Language: en\r\nCookie: a=b; c=d\r\nX-Custom: 1 \r\nEmpty:\r\n\r\n"},
	{"pipelined", TypeRequest, 0, "GET / HTTP/1.1\r\nHost: a\r\n\r\nPOST /b HTTP/1.1\r\nContent-Length: 5\r\n\r\nhelloHEAD * HTTP/1.0\r\n" +
		"Connection: keep-alive\r\n\r\n\r\nGET /c HTTP/1.1\r\nConnection: close\r\n\r\n"},
	{"chunked", TypeRequest, 0, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;a=b;c=\"d e\"\r\n world\r\n0\r\nTrailer: x\r\n\r\n" +
		"PUT / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"},
	{"responses", TypeResponse, 0, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\nSet-Cookie: a\r\nSet-Cookie: b\r\n\r\nabc" +
		"HTTP/1.1 304 \r\n\r\nHTTP/1.1 200 OK\r\n\r\nuntil the end"},
	{"both", TypeBoth, 0, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"},
	{"upgrade", TypeRequest, 0, "GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\nnot HTTP"},
	{"connect", TypeRequest, 0, "CONNECT a.example:443 HTTP/1.1\r\n\r\nnot HTTP"},
	{"preface", TypeRequest, 0, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
	{"fold", TypeRequest, LenientHeaders, "GET / HTTP/1.1\r\nA: b\r\n c\r\n\td\r\nE : f\r\n\r\n"},
	{"bare LF", TypeRequest, LenientOptionalCRBeforeLF | LenientOptionalLFAfterCR, "GET / HTTP/1.1\nA: b\nC: d\n\nGET / HTTP/1.1\r\n\r\n"},
	{"bad method", TypeRequest, 0, "GETS / HTTP/1.1\r\n\r\n"},
	{"bad value", TypeRequest, 0, "GET / HTTP/1.1\r\nA: b\x00c\r\n\r\n"},
	{"two lengths", TypeRequest, 0, "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n"},
	{"after close", TypeRequest, 0, "GET / HTTP/1.0\r\n\r\nGET / HTTP/1.0\r\n\r\n"},
	{"many fields", TypeRequest, 0, "GET / HTTP/1.1\r\n" + strings.Repeat("Some-Name: a value of some length\r\nB: c\r\n", 100) + "\r\n"},
	{"nothing", TypeRequest, 0, ""},
}

// describe makes a line of an event; base is where the input begins.
func describe(e Event, base int) string {
	at := base + e.Offset()
	switch e.Kind() {
	case EventMethodComplete:
		return fmt.Sprintf("%v@%d %v", e.Kind(), at, e.Method())
	case EventVersionComplete:
		major, minor := e.Version()
		return fmt.Sprintf("%v@%d %d.%d", e.Kind(), at, major, minor)
	case EventStatusComplete:
		return fmt.Sprintf("%v@%d %d", e.Kind(), at, e.StatusCode())
	case EventChunkHeader:
		return fmt.Sprintf("%v@%d %d", e.Kind(), at, e.Length())
	case EventHeadersComplete, EventMessageComplete:
		major, minor := e.Version()
		return fmt.Sprintf("%v@%d %v %d %d.%d [%v] length=%d upgrade=%v keep-alive=%v", e.Kind(), at, e.Method(), e.StatusCode(), major, minor, e.Flags(),
			e.Length(), e.Upgrade(), e.KeepAlive())
	}
	if e.Kind().IsSpan() {
		return fmt.Sprintf("%v=%s", e.Kind(), e.Data())
	}
	return fmt.Sprintf("%v@%d", e.Kind(), at)
}

// log gathers what a parser says. Spans that come in pieces are joined.
type log struct {
	lines []string
	base  int  // of the input under way
	keep  bool // spans right before an error
}

func (l *log) event(e Event) {
	line := describe(e, l.base)
	if last := len(l.lines) - 1; e.Kind().IsSpan() && last >= 0 && strings.HasPrefix(l.lines[last], e.Kind().String()+"=") {
		l.lines[last] += string(e.Data())
		return
	}
	l.lines = append(l.lines, line)
}

// fail notes an error. What is there of a span before it may depend on where the input was cut; it is left out.
func (l *log) fail(err error) {
	var e *Error
	if !errors.As(err, &e) {
		panic(err)
	}
	if last := len(l.lines) - 1; last >= 0 && !l.keep && strings.Contains(l.lines[last], "=") && !strings.Contains(l.lines[last], "@") {
		l.lines = l.lines[:last]
	}
	l.lines = append(l.lines, fmt.Sprintf("%v at %d: %s", e.Errno, l.base+e.Offset, e.Reason))
}

// feed gives a piece to the parser; false when it has stopped.
func (l *log) feed(p *Parser, piece []byte) bool {
	for e, err := range p.Parse(piece) {
		if err != nil {
			l.fail(err)
			return false
		}
		l.event(e)
	}
	l.base += len(piece)
	return true
}

// run gives pieces to a parser, and ends the connection.
func (l *log) run(p *Parser, pieces ...string) []string {
	for _, piece := range pieces {
		if !l.feed(p, []byte(piece)) {
			return l.lines
		}
	}
	l.finish(p)
	return l.lines
}

func (l *log) finish(p *Parser) {
	l.base = 0
	for e, err := range p.Finish() {
		if err != nil {
			l.fail(err)
		} else {
			l.event(e)
		}
	}
}

// parse gives pieces to a new parser, and ends the connection.
func parse(kind Type, lenient Lenient, pieces ...string) []string {
	p := NewParser(kind)
	p.SetLenient(lenient)
	return new(log).run(p, pieces...)
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%s:\n%s\nwant:\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestParse(t *testing.T) {
	got := parse(TypeRequest, 0, "POST /a HTTP/1.1\r\nHost: b\r\nContent-Length: 2\r\n\r\nhi")
	same(t, "events", got, []string{
		"message_begin@0",
		"method=POST", "method_complete@4 POST",
		"url=/a", "url_complete@8",
		"protocol=HTTP", "protocol_complete@12",
		"version=1.1", "version_complete@16 1.1",
		"header_field=Host", "header_field_complete@23", "header_value=b", "header_value_complete@27",
		"header_field=Content-Length", "header_field_complete@42", "header_value=2", "header_value_complete@46",
		"headers_complete@48 POST 3 1.1 [content_length] length=2 upgrade=false keep-alive=true",
		"body=hi",
		"message_complete@50 POST 3 1.1 [content_length] length=0 upgrade=false keep-alive=true",
	})
}

// However the input is cut, and at every level, the events are the same.
func TestSplits(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		for _, m := range messages {
			want := parse(m.kind, m.lenient, m.input)
			for cut := range len(m.input) {
				if len(m.input) > 1000 && cut%37 != 0 {
					continue
				}
				same(t, fmt.Sprintf("%s, cut at %d", m.name, cut), parse(m.kind, m.lenient, m.input[:cut], m.input[cut:]), want)
			}
			same(t, m.name+", byte by byte", parse(m.kind, m.lenient, strings.Split(m.input, "")...), want)
		}
	})
}

// However many events a run of the core may give, and wherever the loop over them ends, they are the same.
func TestPause(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		for _, m := range messages {
			want := parse(m.kind, m.lenient, m.input)
			for every := range 40 {
				var l log
				p := NewParser(m.kind)
				p.SetLenient(m.lenient)
				data := []byte(m.input)
			again:
				for count := 0; ; count = 0 {
					for e, err := range p.Parse(data[l.base:]) {
						if err != nil {
							l.fail(err)
							break again
						}
						l.event(e)
						if count++; count > every {
							break
						}
					}
					if l.base += p.Consumed(); l.base == len(data) && count <= every {
						l.finish(p)
						break
					}
				}
				same(t, fmt.Sprintf("%s, pause after %d", m.name, every+1), l.lines, want)
			}
		}
	})
}

// A panic in the loop leaves the parser as break does.
func TestPanic(t *testing.T) {
	p := NewParser(TypeRequest)
	data := []byte("GET / HTTP/1.1\r\n\r\n")
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		for e := range p.Parse(data) {
			if e.Kind() == EventURL {
				panic("in the loop")
			}
		}
	}()
	if p.Consumed() != 5 {
		t.Errorf("%d bytes consumed", p.Consumed())
	}
	for e, err := range p.Parse(data[p.Consumed():]) {
		if e.Kind() != EventURLComplete || err != nil {
			t.Errorf("goes on with %v, %v", e.Kind(), err)
		}
		break
	}
}

// Only the events that are asked for come, in the same order.
func TestSetEvents(t *testing.T) {
	set := Events(EventURL, EventHeaderField, EventHeaderValue, EventHeadersComplete, EventChunkHeader, EventBody, EventMessageComplete)
	for _, m := range messages {
		p := NewParser(m.kind)
		p.SetLenient(m.lenient)
		all := log{keep: true}
		var want []string
		for _, line := range all.run(p, m.input) {
			name, _, _ := strings.Cut(strings.ReplaceAll(line, "@", "="), "=")
			if k := slices.Index(kindNames[:], name); k < 0 || set.Has(Kind(k)) {
				want = append(want, line)
			}
		}
		p.Reset()
		p.SetEvents(set)
		some := log{keep: true}
		same(t, m.name, some.run(p, m.input), want)
	}
}

func TestSkipBody(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		p := NewParser(TypeResponse)
		input := []byte("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
		var body []string
		complete := 0
		for e, err := range p.Parse(input) {
			if err != nil {
				t.Fatal(err)
			}
			switch e.Kind() {
			case EventStatus: // not there: no effect
				p.SkipBody()
			case EventHeadersComplete:
				if complete == 0 {
					p.SkipBody()
				}
			case EventBody:
				body = append(body, string(e.Data()))
			case EventMessageComplete:
				complete++
			}
		}
		if complete != 2 || !slices.Equal(body, []string{"ok"}) {
			t.Errorf("%d messages, bodies %q", complete, body)
		}
	})
}

// The choice made at the last event before a break counts, too.
func TestSkipBodyAndBreak(t *testing.T) {
	p := NewParser(TypeResponse)
	input := []byte("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n")
	for e := range p.Parse(input) {
		if e.Kind() == EventHeadersComplete {
			p.SkipBody()
			break
		}
	}
	complete := 0
	for e, err := range p.Parse(input[p.Consumed():]) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind() == EventMessageComplete {
			complete++
		}
	}
	if complete != 2 {
		t.Errorf("%d messages", complete)
	}
}

func TestSwitchProtocols(t *testing.T) {
	p := NewParser(TypeRequest)
	input := []byte("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nxyz")
	n, err := p.Execute(input, HandlerFunc(func(e Event) error {
		if e.Kind() == EventHeadersComplete {
			p.SwitchProtocols()
		}
		return nil
	}))
	if !errors.Is(err, ErrPausedUpgrade) || string(input[n:]) != "xyz" {
		t.Errorf("%v, rest %q", err, input[n:])
	}
	for range p.Finish() {
		t.Error("Finish says something after an upgrade")
	}
	p.ResumeAfterUpgrade()
	if p.Err() != nil {
		t.Error(p.Err())
	}
}

// Lenient flags that change in the loop count from that event on.
func TestSetLenientInLoop(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		input := []byte("GET / HTTP/1.1\r\nA: \x01\r\nB: \x01\r\nC: \x01\r\n\r\n")
		p := NewParser(TypeRequest)
		p.SetLenient(LenientHeaders)
		var last error
		for e, err := range p.Parse(input) {
			last = err
			if e.Kind() == EventHeaderField && string(e.Data()) == "B" {
				p.SetLenient(0)
			}
		}
		var e *Error
		if !errors.As(last, &e) || e.Errno != ErrInvalidHeaderToken || e.Offset != strings.Index(string(input), "B: ")+3 {
			t.Errorf("%v", last)
		}
		if p.Lenient() != 0 {
			t.Error("flags are still set")
		}
	})
}

func TestErrors(t *testing.T) {
	p := NewParser(TypeRequest)
	n, err := p.Execute([]byte("GET\x00/ HTTP/1.1\r\n\r\n"), HandlerFunc(func(Event) error { return nil }))
	var e *Error
	if n != 3 || !errors.As(err, &e) || *e != (Error{Errno: ErrInvalidMethod, Reason: "Expected space after method", Offset: 3, Type: TypeRequest}) {
		t.Errorf("%d, %v", n, err)
	}
	if !errors.Is(err, ErrInvalidMethod) || errors.Is(err, ErrInvalidURL) {
		t.Error("errors.Is")
	}
	if want := "llhttpgo: HPE_INVALID_METHOD: Expected space after method, at byte 3"; err.Error() != want {
		t.Errorf("%q", err.Error())
	}
	// Again and again, until Reset.
	if n, again := p.Execute([]byte("GET / HTTP/1.1\r\n\r\n"), HandlerFunc(func(Event) error { return nil })); n != 0 || again != err || p.Err() != err {
		t.Errorf("%d, %v", n, again)
	}
	for _, again := range p.Finish() {
		if again != err {
			t.Error(again)
		}
	}
	p.Reset()
	if n, err := p.Execute([]byte("GET / HTTP/1.1\r\n\r\n"), HandlerFunc(func(Event) error { return nil })); n != 18 || err != nil || p.Err() != nil {
		t.Errorf("%d, %v", n, err)
	}
}

// What is small and has a meaning prints it.
func TestNames(t *testing.T) {
	for want, value := range map[string]fmt.Stringer{
		"none": HostNone, "name": HostName, "IPv4": HostIPv4, "IPv6": HostIPv6, "IPvFuture": HostIPFuture, "<unknown>": HostKind(9),
		"origin": TargetOrigin, "absolute": TargetAbsolute, "authority": TargetAuthority, "asterisk": TargetAsterisk,
		"length": BodyLength, "chunked": BodyChunked, "until EOF": BodyUntilEOF, "upgrade": BodyUpgrade,
		"response": TypeResponse, "skipped_line": EventSkippedLine, "GET": MethodGET, "Host": FieldHost,
	} {
		if value.String() != want {
			t.Errorf("%v, want %s", value, want)
		}
	}
}

// The zero values are of TypeBoth.
func TestZeroValues(t *testing.T) {
	var p Parser
	for _, input := range []string{"HTTP/1.1 204 No Content\r\n\r\n", "GET / HTTP/1.1\r\n\r\n"} {
		p.Reset()
		same(t, input, new(log).run(&p, input), parse(TypeBoth, 0, input))
		var h Head
		if n, err := h.Parse([]byte(input)); n != len(input) || err != nil || h.Type() != p.Type() {
			t.Errorf("%q: %d, %v", input, n, err)
		}
	}
}

// Each error number has a name, and is an error of its own.
func TestErrnos(t *testing.T) {
	for _, r := range reasons[1:] {
		err := error(newError(&r, 7, TypeRequest))
		if !errors.Is(err, r.errno) || !strings.HasPrefix(r.errno.Error(), "HPE_") || !strings.Contains(err.Error(), r.text) {
			t.Errorf("%v", err)
		}
	}
	if Errno(200).Error() != "<unknown>" || Method(200).String() != "<unknown>" || Kind(200).String() != "<unknown>" {
		t.Error("names that there are not")
	}
}

func TestFinish(t *testing.T) {
	for _, test := range []struct {
		kind  Type
		input string
		event Kind
		err   error
	}{
		{TypeRequest, "", 0, nil},
		{TypeRequest, "GET / HTTP/1.1\r\n\r\n", 0, nil},
		{TypeRequest, "GET / HT", 0, ErrInvalidEOFState},
		{TypeRequest, "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nx", 0, ErrInvalidEOFState},
		{TypeResponse, "HTTP/1.1 200 OK\r\n\r\nbody", EventMessageComplete, nil},
	} {
		p := NewParser(test.kind)
		for _, err := range p.Parse([]byte(test.input)) {
			if err != nil {
				t.Fatal(err)
			}
		}
		var event Kind
		var failure error
		for e, err := range p.Finish() {
			event, failure = e.Kind(), err
			if err == nil && (e.StatusCode() != 200 || e.KeepAlive()) {
				t.Errorf("%+v", e)
			}
		}
		if event != test.event || !errors.Is(failure, test.err) {
			t.Errorf("%q: %v, %v", test.input, event, failure)
		}
	}
}

// A handler's error is returned as it is, and the parse goes on behind the event.
func TestExecute(t *testing.T) {
	input := []byte("GET / HTTP/1.1\r\nA: b\r\n\r\n")
	stop := errors.New("stop")
	p := NewParser(TypeRequest)
	n, err := p.Execute(input, HandlerFunc(func(e Event) error {
		if e.Kind() == EventHeaderField {
			return stop
		}
		return nil
	}))
	if err != stop || string(input[n:]) != " b\r\n\r\n" { // behind the colon
		t.Fatalf("%v, rest %q", err, input[n:])
	}
	var kinds []Kind
	if n, err = p.Execute(input[n:], HandlerFunc(func(e Event) error { kinds = append(kinds, e.Kind()); return nil })); err != nil || n != 6 {
		t.Errorf("%d, %v", n, err)
	}
	if want := []Kind{EventHeaderFieldComplete, EventHeaderValue, EventHeaderValueComplete, EventHeadersComplete, EventMessageComplete}; !slices.Equal(kinds, want) {
		t.Errorf("%v", kinds)
	}
}

// A loop over a parser's events cannot be in another one, but may reset the parser.
func TestReentry(t *testing.T) {
	p := NewParser(TypeRequest)
	input := []byte("GET / HTTP/1.1\r\n\r\n")
	events := 0
	for range p.Parse(input) {
		if events++; events > 2 {
			continue
		}
		for _, err := range p.Parse(input) {
			if !errors.Is(err, ErrUser) {
				t.Error(err)
			}
		}
		for _, err := range p.Finish() {
			if !errors.Is(err, ErrUser) {
				t.Error(err)
			}
		}
	}
	if events != 11 {
		t.Errorf("%d events", events)
	}
	p.SetLenient(LenientVersion)
	events = 0
	for range p.Parse(input) {
		events++
		p.Reset()
	}
	if events != 1 || p.Lenient() != LenientVersion || p.Consumed() != 0 {
		t.Errorf("%d events", events)
	}
	same(t, "after Reset", func() []string { var l log; l.feed(p, input); return l.lines }(), parse(TypeRequest, 0, string(input)))
}

func TestTypeBoth(t *testing.T) {
	p := NewParser(TypeBoth)
	if p.Type() != TypeBoth || p.Type().String() != "both" {
		t.Error(p.Type())
	}
	for range p.Parse([]byte("HTTP/1.1 200 OK\r\n\r\n")) {
		if p.Type() != TypeResponse {
			t.Error(p.Type())
		}
	}
	p.Reset()
	if p.Type() != TypeBoth {
		t.Error(p.Type())
	}
}

// Input beyond what 32 bits can count is taken in pieces.
func TestMostAtOnce(t *testing.T) {
	defer func(most int) { mostAtOnce = most }(mostAtOnce)
	for _, m := range messages {
		mostAtOnce = 1<<32 - 1
		want := parse(m.kind, m.lenient, m.input)
		for _, mostAtOnce = range []int{1, 5, 16, 100} {
			p := NewParser(m.kind)
			p.SetLenient(m.lenient)
			var got []string
			for e, err := range p.Parse([]byte(m.input)) {
				if err != nil {
					got = append(got, "error", fmt.Sprint(err.(*Error).Offset))
				} else if e.Kind().IsSpan() {
					got = append(got, string(e.Data()))
				} else {
					got = append(got, "\n")
				}
			}
			if text := strings.Join(got, ""); p.Err() == nil && p.Consumed() != len(m.input) || p.Err() != nil && p.Err().(*Error).Offset != p.Consumed() ||
				strings.Contains(text, "\n") && len(want) == 0 {
				t.Errorf("%s, %d at once: %q", m.name, mostAtOnce, text)
			}
		}
	}
}

// What an event gives is a part of the input, and has no room for more.
func TestLifetime(t *testing.T) {
	input := []byte("POST /path HTTP/1.1\r\nName: value\r\nContent-Length: 4\r\n\r\nbody")
	for e, err := range NewParser(TypeRequest).Parse(input) {
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case !e.Kind().IsSpan():
			if e.Data() != nil {
				t.Errorf("%v has data", e.Kind())
			}
		case len(e.Data()) == 0 || &e.Data()[0] != &input[e.Offset()] || cap(e.Data()) != len(e.Data()):
			t.Errorf("%v: %q, capacity %d", e.Kind(), e.Data(), cap(e.Data()))
		}
	}
	for e := range NewParser(TypeRequest).Parse([]byte("GET / HTTP/1.1\r\nEmpty:\r\n\r\n")) {
		if e.Kind() == EventHeaderValue && (e.Data() == nil || len(e.Data()) != 0) {
			t.Errorf("empty value: %#v", e.Data())
		}
	}
}

func TestEventFieldID(t *testing.T) {
	var ids []FieldID
	for e := range NewParser(TypeRequest).Parse([]byte("GET / HTTP/1.1\r\nHOST: a\r\nsome-name: b\r\nset-cookie: c\r\n\r\n")) {
		if e.Kind() == EventHeaderField {
			ids = append(ids, e.FieldID())
		} else if e.FieldID() != 0 {
			t.Errorf("%v has an id", e.Kind())
		}
	}
	if !slices.Equal(ids, []FieldID{FieldHost, 0, FieldSetCookie}) {
		t.Errorf("%v", ids)
	}
}

func TestEmptyInput(t *testing.T) {
	p := NewParser(TypeRequest)
	for _, empty := range [][]byte{nil, {}, make([]byte, 0, 8)} {
		for e, err := range p.Parse(empty) {
			t.Errorf("%v, %v", e, err)
		}
	}
	var l log
	l.feed(p, []byte("GET /half"))
	for _, empty := range [][]byte{nil, {}} {
		l.feed(p, empty)
	}
	l.feed(p, []byte("/rest HTTP/1.1\r\n\r\n"))
	same(t, "with empty pieces", l.lines, parse(TypeRequest, 0, "GET /half/rest HTTP/1.1\r\n\r\n"))
}
