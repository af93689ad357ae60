package llhttpgo

// Limits: each at the exact byte, however the input is cut and wherever a loop ends, beside errors and other limits. What
// they must come to is worked out from what a parser without limits says; it knows nothing of how limits.go counts.

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// said is an event with the place where the parse stood, or where its span began.
type said struct {
	kind     Kind
	at, size int
	last     bool // of a chunk header: the last chunk's
}

// outcome is what a parse comes to.
type outcome struct {
	errno  Errno
	reason string
	limit  LimitError
	at     int
	kind   Type
}

// ruled is an input, and how it is parsed.
type ruled struct {
	kind    Type
	lenient Lenient
	rules   Rules
	input   string
}

func (r *ruled) parser() *Parser {
	p := NewParser(r.kind)
	p.SetLenient(r.lenient)
	p.SetRules(r.rules)
	return p
}

// run gives pieces that end at the offsets; a loop ends after every so many events, 0 for never. Spans are joined.
func (r *ruled) run(p *Parser, ends []int, every int) (events []said, o outcome) {
	count, start := 0, 0
	for _, end := range ends {
		for left := true; left; {
			left = false
			var failure *Error
			for e, err := range p.Parse([]byte(r.input[start:end])) {
				if errors.As(err, &failure) {
					break
				}
				s := said{e.Kind(), start + e.Offset(), len(e.Data()), e.Kind() == EventChunkHeader && e.Length() == 0}
				if n := len(events) - 1; n >= 0 && s.kind.IsSpan() && events[n].kind == s.kind && events[n].at+events[n].size == s.at {
					events[n].size += s.size
				} else {
					events = append(events, s)
				}
				if count++; every != 0 && count%every == 0 {
					left = true
					break
				}
			}
			start += p.Consumed()
			if failure != nil {
				return events, outcome{failure.Errno, failure.Reason, failure.Limit, start, failure.Type}
			}
		}
	}
	return events, outcome{at: start, kind: p.Type()}
}

// pieces gives the ends of pieces of a size.
func (r *ruled) pieces(size int) (ends []int) {
	for end := size; end < len(r.input); end += size {
		ends = append(ends, end)
	}
	return append(ends, len(r.input))
}

// calm is what a parser without limits makes of an input, byte by byte.
type calm struct {
	*ruled
	events   []said
	outcome  outcome
	inTarget bool // it came to that within the request-target
}

func newCalm(r *ruled) *calm {
	c := &calm{ruled: r}
	p := r.parser()
	c.events, c.outcome = r.run(p, r.pieces(1), 0)
	// A target that is complete is so at the byte behind it.
	if n := len(c.events) - 1; n >= 0 && c.events[n].kind == EventURL {
		c.inTarget = c.events[n].at+c.events[n].size == c.outcome.at
	}
	return c
}

// element is what is under way, with its limit.
type element struct {
	on   bool
	from int
	most int
}

// strike gives the byte at which the first limit is exceeded, if any is.
func (c *calm) strike(l Limits) (limit LimitError, at int) {
	at = math.MaxInt
	strike := func(which LimitError, place int) {
		if place < at || place == at && which < limit {
			limit, at = which, place
		}
	}
	end := func(which LimitError, e *element, to int) {
		if e.on && e.most > 0 && to-e.from > e.most {
			strike(which, e.from+e.most)
		}
		e.on = false
	}
	var target, line, head, extensions, all, trailer element
	fields, extensionBytes := 0, 0
	for i := range len(c.events) + 1 {
		over := i == len(c.events) // so are all elements
		e := said{kind: math.MaxUint8, at: c.outcome.at}
		if !over {
			e = c.events[i]
		}
		// What ends here.
		if e.kind == EventURL {
			target = element{true, e.at, l.MaxTargetLength}
			to := e.at + e.size
			if c.inTarget && i == len(c.events)-1 {
				to = c.outcome.at
			}
			end(ErrMaxTargetLength, &target, to)
		}
		if over || e.kind == EventHeaderValueComplete || e.kind == EventSkippedLineComplete {
			end(ErrMaxFieldLineLength, &line, e.at)
		}
		if over || e.kind == EventHeadersComplete {
			end(ErrMaxHeaderBytes, &head, e.at)
		}
		if (over || e.kind == EventChunkHeader) && extensions.on {
			extensionBytes += e.at - extensions.from
			end(ErrMaxChunkExtensionBytes, &extensions, e.at)
			end(ErrMaxMessageChunkExtensionBytes, &all, e.at)
		}
		if over || e.kind == EventChunkComplete {
			end(ErrMaxTrailerBytes, &trailer, e.at)
		}
		// What begins here.
		switch {
		case e.kind == EventMessageBegin:
			fields, extensionBytes = 0, 0
			head = element{true, e.at, l.MaxHeaderBytes}
		case (e.kind == EventHeaderField || e.kind == EventSkippedLine) && !line.on:
			line = element{true, e.at, l.MaxFieldLineLength}
			// Unless its first byte is an error: that counts before the limit.
			if fields++; l.MaxFields > 0 && fields > l.MaxFields && c.outcome.at > e.at {
				strike(ErrMaxFields, e.at)
			}
		case e.kind == EventChunkExtensionName && !extensions.on:
			extensions = element{true, e.at, l.MaxChunkExtensionBytes}
			most := l.MaxMessageChunkExtensionBytes
			all = element{true, e.at, max(0, most-extensionBytes)}
			if most > 0 && most <= extensionBytes && c.outcome.at > e.at {
				strike(ErrMaxMessageChunkExtensionBytes, e.at)
			}
		case e.kind == EventChunkHeader && e.last:
			trailer = element{true, e.at, l.MaxTrailerBytes}
		}
	}
	return limit, at
}

// kindAt gives what is known of the kind of input from the bytes before an offset.
func (c *calm) kindAt(at int) Type {
	p := c.parser()
	for range p.Parse([]byte(c.input[:at])) {
	}
	return p.Type()
}

// want gives what a parser with the limits must come to.
func (c *calm) want(l Limits) outcome {
	if limit, at := c.strike(l); limit != 0 {
		return outcome{ErrUser, limit.Error(), limit, at, c.kindAt(at)}
	}
	return c.outcome
}

// wrong tells what is wrong with what a parser has said that must stop at a byte: it is every notification up to there and
// none behind it, and of the span in which the byte lies any part or none.
func (c *calm) wrong(got []said, at int) string {
	i := 0
	for ; i < len(got); i++ {
		if i == len(c.events) {
			return fmt.Sprintf("says more: %+v", got[i:])
		}
		g, want := got[i], c.events[i]
		if g == want && (g.kind.IsSpan() || g.at <= at) {
			continue
		}
		if i != len(got)-1 || !g.kind.IsSpan() || g.kind != want.kind || g.at != want.at || g.size > want.size || g.at+g.size > at {
			return fmt.Sprintf("says %+v, want %+v", g, want)
		}
	}
	for ; i < len(c.events); i++ {
		if e := c.events[i]; !e.kind.IsSpan() && e.at <= at {
			return fmt.Sprintf("does not say %+v", e)
		}
	}
	return ""
}

// check holds a parser with the limits to it.
func (c *calm) check(t *testing.T, l Limits, ends []int, every int) {
	t.Helper()
	p := c.parser()
	p.SetLimits(l)
	got, o := c.run(p, ends, every)
	want := c.want(l)
	wrong := c.wrong(got, want.at)
	if o != want || wrong != "" {
		t.Fatalf("%q, rules %v, %+v, cut at %v, a loop ends after %d: %+v, want %+v; %s", c.input, c.rules, l, ends, every, o, want, wrong)
	}
}

// everyWay does so in pieces of some sizes, with loops that end, and cut at every byte.
func (c *calm) everyWay(t *testing.T, l Limits, step int) {
	t.Helper()
	whole := c.pieces(len(c.input))
	for _, every := range []int{0, 1, 2, 3} {
		c.check(t, l, whole, every)
	}
	for _, size := range []int{1, 2, 3, 7} {
		c.check(t, l, c.pieces(size), 0)
		c.check(t, l, c.pieces(size), 1)
	}
	for cut := 1; cut < len(c.input); cut += step {
		c.check(t, l, []int{cut, len(c.input)}, 0)
	}
}

// numbers gives the fields of Limits, in the order of their errors.
func numbers(l *Limits) (list []*int) {
	for i := range reflect.TypeFor[Limits]().NumField() {
		list = append(list, reflect.ValueOf(l).Elem().Field(i).Addr().Interface().(*int))
	}
	return list
}

// allRules is every rule.
func allRules() (all Rules) {
	for _, r := range ruleNames {
		all |= Rules(r.bit)
	}
	return all
}

var limitedInputs = []ruled{
	{TypeRequest, 0, 0, "GET /index.html?a=b#c HTTP/1.1\r\nHost: example.org\r\nAccept:\r\nX: y\r\n\r\n"},
	{TypeRequest, 0, 0, "\r\n\r\nPOST http://u@h:80/p HTTP/1.1\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n3;name=value;q=\"x\\\"y\"\r\nabc\r\n" +
		"2;e\r\nab\r\n1\r\na\r\n0;last=1\r\nTrailer: t\r\nUu: v\r\n\r\n\r\n\nGET / HTTP/1.1\r\nLast: one\r\n\r\n"},
	{TypeRequest, 0, 0, "GET /a HTTP/1.1\r\nA: b\r\nC: d\r\n\r\nPUT /bb HTTP/1.1\r\nContent-Length: 3\r\nE: ffffff\r\n\r\nxyz" +
		"CONNECT host.example:443 HTTP/1.1\r\nG: h\r\n\r\n"},
	{TypeResponse, 0, 0, "HTTP/1.1 200 A long reason phrase\r\nTransfer-Encoding: chunked\r\nServer: s\r\n\r\n4;x;y;z=1\r\nbody\r\n0\r\n\r\n" +
		"HTTP/1.1 204 \r\nA: b\r\nCc: d\r\n\r\nHTTP/1.1 200 OK\r\nLonger-Name: longer value\r\n\r\nup to the end"},
	{TypeRequest, 0, 0, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;ab\r\na\r\n1;abcd\r\na\r\n0\r\n\r\n" +
		"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;ab\r\na\r\n1;abcde\r\na\r\n0\r\n\r\n"},
	{TypeBoth, 0, 0, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nA: b\r\n\r\n"},
	{TypeRequest, LenientHeaders, 0, "GET / HTTP/1.1\r\n A: b\r\n  folded\r\n\tmore\r\nConnection : close\r\nEmpty:\r\n x\r\nLast: \x01\r\n\r\n"},
	{TypeResponse, LenientOptionalCRBeforeLF, 0, "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nA: b\n\n2\r\nab\n0\r\nT: u\nV:\n\n"},
	{TypeRequest, LenientOptionalLFAfterCR | LenientOptionalCRLFAfterChunk | LenientSpacesAfterChunkSize, 0,
		"POST / HTTP/1.1\rTransfer-Encoding: chunked\r\n\r3 ;a=b\rabc2 \rab0;c\rT: u\r\n\r"},
	// with errors
	{TypeRequest, 0, 0, "GET /aaaa\x80 HTTP/1.1\r\n\r\n"},
	{TypeRequest, 0, 0, "GET / HTTP/1.1\r\nAaaa: b\r\nBbbb ccc: d\r\n\r\n"},
	{TypeRequest, 0, 0, "GET / HTTP/1.1\r\nAaaa: b\r\n(bad: d\r\n\r\n"},
	{TypeRequest, 0, 0, "GET / HTTP/1.1\r\nAaaa: bb\x01b\r\n\r\n"},
	{TypeRequest, 0, 0, "GET / HTTP/1.1\r\nContent-Length: 12345x\r\n\r\n"},
	{TypeRequest, 0, 0, "GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"},
	{TypeRequest, 0, 0, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;aaaa=\"b\rc\"\r\n"},
	{TypeRequest, 0, 0, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;a;b;c\r\naX"},
	{TypeRequest, 0, 0, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nAa: b\r\nCc d\r\n\r\n"},
	// with rules
	{TypeRequest, 0, TolerateBadFieldLines, "GET / HTTP/1.1\r\nA: b\r\n(bad: d\r\nC\x01D\r\nE: f\x02g\r\nH: i\r\n\r\n"},
	{TypeRequest, 0, TolerateUTF8Target | TolerateUnknownMethods, "BREW /\xc3\xbc?\xe2\x82\xac HTTP/1.1\r\nA: b\r\n\r\n"},
	{TypeRequest, 0, StrictAll, "GET /a HTTP/1.1\r\nHost: a\r\nA: b\r\nHost: c\r\n\r\n"},
}

// step gives how much of what is tried at each byte is tried.
func step() int {
	switch {
	case raceEnabled:
		return 31
	case testing.Short():
		return 7
	}
	return 1
}

// Each limit alone, at every number from 1 to one that nothing exceeds.
func TestEachLimit(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		for i := range limitedInputs {
			c := newCalm(&limitedInputs[i])
			for which := range numbers(new(Limits)) {
				for most := 1; ; most += (step() + 5) / 6 {
					var l Limits
					*numbers(&l)[which] = most
					c.everyWay(t, l, step())
					limit, _ := c.strike(l)
					if limit == 0 {
						break
					}
					if int(limit) != which+1 {
						t.Fatalf("limit %d is %v", which, limit)
					}
				}
			}
		}
	})
}

// Several together, among them equal places; with all rules, too.
func TestLimitsTogether(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		for i := range limitedInputs {
			for _, rules := range []Rules{0, StrictAll, allRules()} {
				input := limitedInputs[i]
				input.rules |= rules
				c := newCalm(&input)
				for turn := 0; turn < 40; turn += (step() + 5) / 6 {
					var l Limits
					for j, n := range numbers(&l) {
						most := 23
						switch LimitError(j + 1) {
						case ErrMaxFields:
							most = 4
						case ErrMaxHeaderBytes:
							most = 90
						}
						if k := turn*7 + j*5; k%3 != 0 {
							*n = 1 + k%most
						}
					}
					c.everyWay(t, l, 3*step())
				}
			}
		}
	})
}

// Which events are wanted makes no difference, nor that more than an array of them is there.
func TestLimitsAndEvents(t *testing.T) {
	input := "GET / HTTP/1.1\r\n" + strings.Repeat("Some-Name: a value of some length\r\nB: c\r\n", 300) + "\r\n"
	for _, set := range []EventSet{0, AllEvents, Events(EventURL, EventHeaderField), Events(EventHeaderValue, EventVersionComplete)} {
		for _, test := range []struct {
			limits Limits
			limit  LimitError
			at     int
		}{
			{Limits{MaxFields: 599}, ErrMaxFields, len(input) - len("B: c\r\n\r\n")},
			{Limits{MaxFields: 600, MaxFieldLineLength: 35}, 0, 0},
			{Limits{MaxFieldLineLength: 34}, ErrMaxFieldLineLength, 16 + 34},
			{Limits{MaxHeaderBytes: len(input)}, 0, 0},
			{Limits{MaxHeaderBytes: len(input) - 1}, ErrMaxHeaderBytes, len(input) - 1},
			{Limits{MaxHeaderBytes: 9000}, ErrMaxHeaderBytes, 9000},
		} {
			p := NewParser(TypeRequest)
			p.SetEvents(set)
			p.SetLimits(test.limits)
			var failure *Error
			for e, err := range p.Parse([]byte(input)) {
				if !errors.As(err, &failure) && !set.Has(e.Kind()) {
					t.Fatalf("%v is not wanted", e.Kind())
				}
			}
			switch {
			case test.limit == 0 && failure != nil, test.limit != 0 && (failure == nil || failure.Limit != test.limit || failure.Offset != test.at):
				t.Errorf("%+v: %v, want %v at %d", test.limits, failure, test.limit, test.at)
			case test.limit != 0 && p.Consumed() != test.at:
				t.Errorf("%+v: consumed %d", test.limits, p.Consumed())
			}
		}
	}
}

// What the numbers mean.
func TestLimitsByHand(t *testing.T) {
	const get = "GET /abc HTTP/1.1\r\nA: b\r\nCc:  d\r\n\r\n"
	const head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
	const post = head + "1;a=b\r\nx\r\n2;cc\r\nyy\r\n0\r\nT: u\r\n\r\n"
	for _, test := range []struct {
		input  string
		limits Limits
		at     int // 0: nowhere
	}{
		{get, Limits{MaxTargetLength: 4}, 0},
		{get, Limits{MaxTargetLength: 3}, 7},
		{get, Limits{MaxTargetLength: 1}, 5},
		{get, Limits{}, 0},
		{get, Limits{MaxTargetLength: -1, MaxFields: -1, MaxHeaderBytes: math.MinInt, MaxFieldLineLength: 1000}, 0},
		{get, Limits{MaxFieldLineLength: 8}, 0},
		{get, Limits{MaxFieldLineLength: 7}, 32}, // the second LF
		{get, Limits{MaxFieldLineLength: 5}, 24},
		{get, Limits{MaxFieldLineLength: math.MaxInt}, 0},
		{get, Limits{MaxFields: 2}, 0},
		{get, Limits{MaxFields: 1}, 25},
		{get, Limits{MaxHeaderBytes: len(get)}, 0},
		{get, Limits{MaxHeaderBytes: len(get) - 1}, len(get) - 1},
		{get, Limits{MaxHeaderBytes: 1}, 1},
		{get, Limits{MaxChunkExtensionBytes: 1}, 0},
		{post, Limits{MaxChunkExtensionBytes: 5}, 0},
		{post, Limits{MaxChunkExtensionBytes: 4}, len(head) + 6}, // the LF after a=b
		{post, Limits{MaxMessageChunkExtensionBytes: 9}, 0},
		{post, Limits{MaxMessageChunkExtensionBytes: 8}, len(head) + 15},
		{post, Limits{MaxMessageChunkExtensionBytes: 5}, len(head) + 12}, // the first byte of the second chunk's
		{post, Limits{MaxTrailerBytes: 8}, 0},
		{post, Limits{MaxTrailerBytes: 7}, len(head) + 30},
		{post, Limits{MaxFields: 1}, len(head) + 23}, // trailers count
	} {
		r := ruled{kind: TypeRequest, input: test.input}
		p := r.parser()
		p.SetLimits(test.limits)
		if p.Limits() != test.limits {
			t.Errorf("%+v", p.Limits())
		}
		_, o := r.run(p, r.pieces(len(r.input)), 0)
		if want := max(test.at, 0); o.limit == 0 && want != 0 || o.limit != 0 && o.at != want {
			t.Errorf("%q, %+v: %+v, want %d", test.input, test.limits, o, want)
		}
	}
}

// A parser that is reset begins to count anew and keeps its limits; Init forgets them. A limit that is changed is for what
// comes.
func TestLimitsAnew(t *testing.T) {
	const piece = "GET /ab HTTP/1.1\r\nAa: "
	feed := func(p *Parser, piece string) error {
		_, err := p.Execute([]byte(piece), HandlerFunc(func(Event) error { return nil }))
		return err
	}
	p := NewParser(TypeRequest)
	limits := Limits{MaxHeaderBytes: 30, MaxFieldLineLength: 12, MaxFields: 1}
	p.SetLimits(limits)
	for turn := range 4 {
		if err := feed(p, piece); err != nil {
			t.Fatal(err)
		}
		if turn&1 != 0 {
			err := feed(p, "bcdefghijklm")
			if !errors.Is(err, ErrMaxFieldLineLength) || feed(p, "b") != err || p.Err() != err || p.Consumed() != 0 {
				t.Error(err)
			}
			for _, again := range p.Finish() {
				if again != err {
					t.Error(again)
				}
			}
		}
		p.Reset()
		if p.Limits() != limits || p.Err() != nil {
			t.Errorf("%+v", p.Limits())
		}
	}
	if err := feed(p, piece); err != nil {
		t.Fatal(err)
	}
	limits.MaxFieldLineLength = 1 // not for the line under way
	p.SetLimits(limits)
	if err := feed(p, "b\r"); err != nil {
		t.Fatal(err)
	}
	limits.MaxFields = 0
	p.SetLimits(limits)
	if err := feed(p, "\nB"); err != nil {
		t.Fatal(err)
	}
	if err := feed(p, "B"); !errors.Is(err, ErrMaxFieldLineLength) {
		t.Error(err)
	}
	p.Init(TypeRequest)
	if p.Limits() != (Limits{}) {
		t.Errorf("%+v", p.Limits())
	}
	if err := feed(p, piece+"bcdefghijklm"); err != nil {
		t.Error(err)
	}
}

// Limits that are set in a loop count for elements to come, also where there were none; and where there are none left,
// nothing is limited.
func TestSetLimitsInLoop(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		const input = "GET / HTTP/1.1\r\nAaa: bbbbbbbb\r\nC: dddddddddddd\r\nE: f\r\nGg: h\r\n\r\n"
		for _, test := range []struct {
			before, after Limits
			limit         LimitError
			at            string // the rest of the input
		}{
			{Limits{}, Limits{MaxFieldLineLength: 10}, ErrMaxFieldLineLength, "ddddd\r\nE: f\r\nGg: h\r\n\r\n"},
			{Limits{MaxFieldLineLength: 20}, Limits{MaxFieldLineLength: 10}, ErrMaxFieldLineLength, "ddddd\r\nE: f\r\nGg: h\r\n\r\n"},
			{Limits{MaxFields: 5}, Limits{MaxFields: 3}, ErrMaxFields, "Gg: h\r\n\r\n"},
			{Limits{MaxFields: 2}, Limits{}, 0, ""},
			{Limits{MaxHeaderBytes: 20}, Limits{MaxFields: 3}, ErrMaxHeaderBytes, " bbbbbbbb\r\nC: dddddddddddd\r\nE: f\r\nGg: h\r\n\r\n"},
			{Limits{MaxFieldLineLength: 15}, Limits{MaxHeaderBytes: 3}, 0, ""},
		} {
			for size := range len(input) {
				r := ruled{kind: TypeRequest, input: input}
				p := r.parser()
				p.SetLimits(test.before)
				for _, set := range []EventSet{AllEvents, Events(EventHeaderValueComplete)} {
					p.Reset()
					p.SetLimits(test.before)
					p.SetEvents(set)
					start := 0
					for _, end := range r.pieces(size + 1) {
						for e, err := range p.Parse([]byte(input[start:end])) {
							if err == nil && e.Kind() == EventHeaderValueComplete {
								p.SetLimits(test.after)
							}
						}
						start += p.Consumed()
					}
					if err := p.Err(); test.limit == 0 && err != nil || test.limit != 0 && !errors.Is(err, test.limit) || input[start:] != test.at {
						t.Fatalf("%+v, pieces of %d: %v, rest %q", test, size+1, err, input[start:])
					}
				}
			}
		}
	})
}

// Rules that are set in a loop count from that event on.
func TestSetRulesInLoop(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		const input = "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nX: y\r\nHost: c\r\n\r\n"
		for _, every := range []int{1, 5, len(input)} {
			p := NewParser(TypeRequest)
			r := ruled{input: input}
			start := 0
			var last error
			for _, end := range r.pieces(every) {
				for e, err := range p.Parse([]byte(input[start:end])) {
					last = err
					if e.Kind() == EventHeaderValue && string(e.Data()) == "a" {
						p.SetRules(StrictHost)
					}
					if e.Kind() == EventHeaderValue && string(e.Data()) == "y" {
						p.SetRules(0)
					}
				}
				start += p.Consumed()
			}
			// The first Host came before the rule, so the second one is the first for it.
			if last != nil || p.Rules() != 0 || start != len(input) {
				t.Errorf("%v at %d", last, start)
			}
			p.Reset()
			p.SetRules(StrictHost)
			p.Reset()
			if _, err := p.Execute([]byte(input), HandlerFunc(func(Event) error { return nil })); !errors.Is(err, ErrInvalidHeaderToken) ||
				p.Consumed() != strings.Index(input, " b") || p.Rules() != StrictHost {
				t.Errorf("%v, rules %v", err, p.Rules())
			}
		}
	})
}

// The end of a message says whether the connection goes on by the rules that are set.
func TestRulesAndKeepAlive(t *testing.T) {
	const input = "GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n"
	for _, rules := range []Rules{0, StrictClose} {
		p := NewParser(TypeRequest)
		p.SetRules(rules)
		for e, err := range p.Parse([]byte(input)) {
			if err != nil {
				t.Fatal(err)
			}
			if sections>>e.Kind()&1 != 0 && e.KeepAlive() != (rules == 0) {
				t.Errorf("%v, rules %v: keep-alive %v", e.Kind(), rules, e.KeepAlive())
			}
		}
	}
}

// So does Finish, of a request whose body lasts until the connection ends.
func TestRulesAndFinish(t *testing.T) {
	const input = "POST / HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: gzip\r\n\r\nabc"
	for _, rules := range []Rules{StrictHTTP10TransferEncoding, 0} {
		p := NewParser(TypeRequest)
		p.SetLenient(LenientTransferEncoding)
		p.SetRules(rules)
		for _, err := range p.Parse([]byte(input)) {
			if err != nil {
				t.Fatal(err)
			}
		}
		complete := false
		for range NewParser(TypeRequest).Parse([]byte("GET / HTTP/1.1\r\n\r\n")) { // another parser's rules are of no account
		}
		for e, err := range p.Finish() {
			complete = true
			if err != nil || e.Kind() != EventMessageComplete || e.KeepAlive() != (rules == 0) {
				t.Errorf("rules %v: %v, %v, keep-alive %v", rules, err, e.Kind(), e.KeepAlive())
			}
		}
		if !complete {
			t.Error("not complete")
		}
	}
}

// What comes after a Head is limited, and its fields count.
func TestLimitsAfterHead(t *testing.T) {
	const input = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n1\r\na\r\n0\r\nT: u\r\nV: w\r\n\r\n"
	h := NewHead(TypeRequest)
	n, err := h.Parse([]byte(input))
	if err != nil {
		t.Fatal(err)
	}
	var p Parser
	p.SetLimits(Limits{MaxFields: 3})
	p.SetRules(StrictAll)
	p.SetEvents(Events(EventBody))
	for range 2 {
		p.ResetAfterHead(h)
		var last error
		for e, err := range p.Parse([]byte(input[n:])) {
			if last = err; err == nil && e.Kind() != EventBody {
				t.Errorf("%v is not wanted", e.Kind())
			}
		}
		if !errors.Is(last, ErrMaxFields) || n+p.Consumed() != strings.Index(input, "V: w") || p.Rules() != StrictAll {
			t.Errorf("%v, rules %v", last, p.Rules())
		}
	}
}

// Places go on over pieces of the input that offsets allow, and the error counts from the input's first byte.
func TestLimitsMostAtOnce(t *testing.T) {
	defer func(most int) { mostAtOnce = most }(mostAtOnce)
	const input = "GET /abc HTTP/1.1\r\nA: b\r\nCc:  d\r\n\r\n"
	for _, mostAtOnce = range []int{1, 5, 16, 100} {
		p := NewParser(TypeRequest)
		p.SetLimits(Limits{MaxHeaderBytes: 21})
		_, err := p.Execute([]byte(input), HandlerFunc(func(Event) error { return nil }))
		var e *Error
		if !errors.As(err, &e) || e.Offset != 21 || p.Consumed() != 21 {
			t.Errorf("%d at once: %v, consumed %d", mostAtOnce, err, p.Consumed())
		}
	}
}

// Each limit is an error of its own, and has a number in its place.
func TestLimitErrors(t *testing.T) {
	fields := reflect.TypeFor[Limits]()
	if fields.NumField() != limitErrors-1 {
		t.Errorf("%d limits, %d errors", fields.NumField(), limitErrors-1)
	}
	for i := range LimitError(limitErrors - 1) {
		limit := i + 1
		p := NewParser(TypeRequest)
		p.consumed = 7
		err := fmt.Errorf("wrapped: %w", p.newError(&limitReasons[limit], limit))
		var e *Error
		var found LimitError
		if !errors.Is(err, limit) || errors.Is(err, limit+1) || !errors.Is(err, ErrUser) || !errors.As(err, &found) || found != limit ||
			!errors.As(err, &e) || e.Offset != 7 || e.Type != TypeRequest {
			t.Errorf("%v", err)
		}
		// The C name in the text is that of the field.
		name := strings.ToLower(fields.Field(int(i)).Name)
		if words := strings.Fields(limit.Error()); strings.ReplaceAll(words[len(words)-1], "_", "") != name {
			t.Errorf("%v is for %s", limit, name)
		}
	}
	if LimitError(0).Error() != "<unknown>" || LimitError(limitErrors).Error() != "<unknown>" {
		t.Error("names that there are not")
	}
	if errors.Is(&Error{Errno: ErrUser}, ErrMaxFields) {
		t.Error("an error without a limit has one")
	}
}

func TestHTTPStatus(t *testing.T) {
	want := map[Errno]int{ErrClosedConnection: 0, ErrPausedUpgrade: 0, ErrPausedH2Upgrade: 0, ErrPaused: 0, ErrUser: 500, ErrInternal: 500}
	for _, r := range reasons[1:] {
		e := &Error{Errno: r.errno, Reason: r.text}
		status := HTTPStatus(fmt.Errorf("wrapped: %w", e))
		if _, other := want[r.errno]; status != int(r.status) || !other && (status < 400 || status > 505) {
			t.Errorf("%v: %d", e, status)
		}
		e.Type = TypeResponse
		if gateway := HTTPStatus(e); (gateway == 0) != (status == 0) || gateway != 0 && gateway != 502 {
			t.Errorf("%v of a response: %d", e, gateway)
		}
	}
	for errno, status := range want {
		if got := HTTPStatus(&Error{Errno: errno}); got != status {
			t.Errorf("%v: %d", errno, got)
		}
	}
	for _, test := range []struct {
		input  string
		limits Limits
		status int
	}{
		{"GET /abcd HTTP/1.1\r\n\r\n", Limits{MaxTargetLength: 4}, 414},
		{"GET / HTTP/1.1\r\nA: b\r\n\r\n", Limits{MaxFieldLineLength: 4}, 431},
		{"GET / HTTP/1.1\r\nA: b\r\nA: b\r\n\r\n", Limits{MaxFields: 1}, 431},
		{"GET / HTTP/1.1\r\n\r\n", Limits{MaxHeaderBytes: 4}, 431},
		{"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;a\r\n", Limits{MaxChunkExtensionBytes: 1}, 413},
		{"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;a\r\n", Limits{MaxMessageChunkExtensionBytes: 1}, 413},
		{"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", Limits{MaxTrailerBytes: 1}, 431},
		{"BREW / HTTP/1.1\r\n\r\n", Limits{}, 501},
		{"GET / HTTP/7.7\r\n\r\n", Limits{}, 505},
		{"GET / HTTP/1.1\r\nA\x00: b\r\n\r\n", Limits{}, 400},
		{"GET / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", Limits{}, 413},
		{"GET / HTTP/1.0\r\n\r\nGET", Limits{}, 0},
	} {
		p := NewParser(TypeRequest)
		p.SetLimits(test.limits)
		_, err := p.Execute([]byte(test.input), HandlerFunc(func(Event) error { return nil }))
		if status := HTTPStatus(err); err == nil || status != test.status {
			t.Errorf("%v: %d, want %d", err, status, test.status)
		}
	}
	_, target := ParseTarget([]byte("a b"), MethodGET)
	_, length := ContentLength([]byte("1, 2"))
	for _, test := range []struct {
		err    error
		status int
	}{
		{nil, 0}, {ErrPartial, 0}, {ErrTooManyFields, 431}, {target, 400}, {length, 400}, {ErrTargetTooLarge, 414}, {ErrLengthTooLarge, 413},
		{errors.New("a handler's"), 500}, {&Error{Errno: 250}, 500},
	} {
		if status := HTTPStatus(test.err); status != test.status {
			t.Errorf("%v: %d, want %d", test.err, status, test.status)
		}
	}
}

// The names of rules are those of llhttp_ext.h, and each has one.
func TestRules(t *testing.T) {
	if got := (StrictHost | TolerateUTF8Target).String(); got != "strict_host|tolerate_utf8_target" {
		t.Error(got)
	}
	for _, r := range strings.Split(StrictAll.String(), "|") {
		if !strings.HasPrefix(r, "strict_") {
			t.Error(r)
		}
	}
	if strict := strings.Count(allRules().String(), "strict_"); strict != strings.Count(StrictAll.String(), "|")+1 {
		t.Errorf("%d strict rules", strict)
	}
}

// Lines that are skipped are told, in one piece or more.
func TestSkippedLines(t *testing.T) {
	const input = "GET / HTTP/1.1\r\nA: b\r\n(bad: d\r\nE: f\x02g\r\nH: i\r\n\r\n"
	everyLevel(t, func(t *testing.T) {
		for cut := range len(input) {
			p := NewParser(TypeRequest)
			p.SetRules(TolerateBadFieldLines)
			var l log
			lines := l.run(p, input[:cut], input[cut:])
			var skipped []string
			for _, line := range lines {
				if strings.HasPrefix(line, "skipped_line") {
					skipped = append(skipped, line)
				}
			}
			if want := []string{"skipped_line=(bad: d", "skipped_line_complete@31", "skipped_line=\x02g", "skipped_line_complete@39"}; !slices.Equal(skipped, want) {
				t.Fatalf("cut at %d: %q", cut, skipped)
			}
		}
	})
}
