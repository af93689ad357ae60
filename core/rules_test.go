package core

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"llhttpgo/core/asm"
)

// What a rule does shows in tests/cases; here are the parts of which rules are made, and that nothing depends on
// where the input is cut.

type ruledInput struct {
	kind uint8
	text string
}

var ruledInputs = []ruledInput{
	{typeRequest, "GET / HTTP/1.1\r\nHost: a\r\nA: b\r\nContent-Length: 03\r\n\r\nabcGET / HTTP/1.1\r\nA: b\r\nHOST:\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"},
	{typeRequest, "GET / HTTP/1.1\r\nHost: a\r\nConnection: x\r\nA: b\r\nHost: c\r\nD: e\r\n\r\n"},
	{typeRequest, "PUT / HTTP/1.1\r\nA: b\r\nHost: c\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nHost: d\r\nHost:\r\nConnection: close\r\nContent-Length: 1\r\n\r\nGET / HTTP/1.1\r\n\r\n"},
	{typeResponse, "HTTP/1.1 200 OK\r\nA: b\r\n\r\nHTTP/1.1 204  N\r\nHost:\r\nHost:\r\nA: b\r\n\r\nHTTP/1.0 204 N\r\nConnection: keep-alive, close\r\n\r\n"},
	{typeRequest, "GET / HTTP/1.0\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: b\r\nConnection: keep-alive\r\n\r\nGET / HTTP/1.0\r\n\r\n"},
	{typeRequest, "POST /\xc3\xbc?\xe2\x82\xac#\xf0\x9f\x98\x80 HTTP/1.1\r\nHost: a\r\nX Y: z\r\nContent-Length: 3\r\nContent-Length: 3, 03\r\n\r\nabcBREW / HTTP/1.0\r\n" +
		"Connection: close, keep-alive, upgrade\r\nUpgrade: x\r\n\r\n"},
	{typeRequest, "GETS / HTTP/1.0\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n1;a;=b\r\na\r\n0\r\nConnection: close\r\n(x): y\r\nHost:\r\n\r\nHEAD /\r\n\r\n"},
	{typeRequest, "CONNECT [::1]:443 HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n"},
	{typeRequest, "CONNECT a.b HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n"},
	{typeRequest, "GET / HTTP/1.1\r\nX: a\x01b\r\n: c\r\nA\x02: d\r\nX\x0bHost: y\r\n\r\n"},
	{typeResponse, "HTTP/1.1   200   OK\r\nTransfer-Encoding: ,chunked\t, ,\r\nTransfer-Encoding: ,\r\n\r\n0\r\nTransfer-Encoding: x\r\n\r\nHTTP/0.9 200 OK\r\n\r\n"},
	{typeBoth, "HEADS / HTTP/1.1\r\nno colon\r\n\r\n"},
	{typeBoth, "HTT / HTTP/1.1\r\n\r\nHEAD / HTTP/1.1\r\n\r\n"},
}

func TestRulesSplits(t *testing.T) {
	sets := []uint32{0, math.MaxUint32}
	for bit := uint32(1); bit <= ruleTolerateBadFieldLines; bit <<= 1 {
		if bit <= ruleStrictContentLength || bit >= ruleTolerateRepeatedContentLength {
			sets = append(sets, bit)
		}
	}
	inputs := ruledInputs
	for _, m := range messages {
		if m.lenient == 0 {
			inputs = append(inputs, ruledInput{m.kind, m.input})
		}
	}
	for i, input := range inputs {
		for _, rules := range sets {
			limits := []uint32{1, 3, ByUnits, Lines}
			if rules != math.MaxUint32 {
				if limits = limits[3:]; i >= len(ruledInputs) {
					continue
				}
			}
			run := func(limit uint32, pieces ...string) *replayer {
				r := newReplayer(input.kind, 0)
				r.limit, r.rules = limit, rules
				for _, piece := range pieces {
					if !r.feed(t, piece) {
						break
					}
				}
				return r
			}
			want := run(ByUnits, input.text)
			for cut := range len(input.text) {
				for _, limit := range limits {
					r := run(limit, input.text[:cut], input.text[cut:])
					if r.log() != want.log() || r.public != want.public {
						t.Fatalf("%q, rules %#x, cut at %d, limit %d:\n%s\nwhole:\n%s", input.text, rules, cut, limit, r.log(), want.log())
					}
				}
			}
			for _, limit := range []uint32{ByUnits, Lines} {
				if r := run(limit, strings.Split(input.text, "")...); r.log() != want.log() || r.public != want.public {
					t.Fatalf("%q, rules %#x, byte by byte:\n%s\nwhole:\n%s", input.text, rules, r.log(), want.log())
				}
			}
		}
	}
}

// Names are found anywhere in a text.
func TestWatch(t *testing.T) {
	var words []string
	for word := range tries[trieRuledField] {
		words = append(words, word)
	}
	random := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 30000 {
		var text string
		for range 1 + random.IntN(4) {
			word := words[random.IntN(len(words))]
			from := random.IntN(len(word))
			text += word[from : from+1+random.IntN(len(word)-from)]
		}
		if random.IntN(2) == 0 {
			text = strings.ToUpper(text)
		}
		f := new(Frame)
		f.startWatch()
		for i := range len(text) {
			f.watch(text[i])
			want := false
			for _, word := range words {
				want = want || strings.Contains(strings.ToLower(text[:i+1]), word)
			}
			if got := f.Private.Seen&seenWord != 0; got != want {
				t.Fatalf("%q, %d bytes: found %v, want %v", text, i+1, got, want)
			}
		}
		if f.Private.Seen&seenWord != 0 {
			found++
		}
	}
	if found < 300 {
		t.Errorf("only %d texts with a name", found)
	}
}

// What is taken as UTF-8 is what package unicode/utf8 takes, without ASCII and C1 controls.
func TestUTF8(t *testing.T) {
	taken := func(text []byte) bool {
		f := &Frame{Rules: ruleTolerateUTF8Target}
		for _, c := range text {
			if f.inUTF8() {
				if !f.endsUTF8(c) {
					return false
				}
			} else if !f.startsUTF8(c) {
				return false
			}
		}
		return !f.inUTF8()
	}
	check := func(text ...byte) {
		r, size := utf8.DecodeRune(text)
		if want := size == len(text) && r >= 0xa0 && (r != utf8.RuneError || size > 1); taken(text) != want {
			t.Errorf("% x: taken %v", text, !want)
		}
	}
	for a := range 256 {
		check(byte(a))
		for b := range 256 {
			check(byte(a), byte(b))
			for _, c := range []byte{0, 0x7f, 0x80, 0x9f, 0xa0, 0xbf, 0xc0, 0xff} {
				check(byte(a), byte(b), c)
				for _, d := range []byte{0x7f, 0x80, 0xbf, 0xc0} {
					check(byte(a), byte(b), c, d)
				}
			}
		}
	}
	if f := (&Frame{}); f.startsUTF8(0xc3) {
		t.Error("taken without the rule")
	}
}

func TestAuthority(t *testing.T) {
	const name = `[-A-Za-z0-9._~!$&'()*+,;=%]`
	form := regexp.MustCompile(`^(` + name + `+|\[(` + name + `|:)+\]):([0-9]+)$`)
	random := rand.New(rand.NewPCG(3, 4))
	pieces := []string{"a", "a.example", "[", "]", ":", "::1", "1", "0", "443", "65535", "65536", "99999", "@", "/", "?", "%41", "[::1]", "\x80", "#", "\"", "A-_~"}
	good := 0
	for range 100000 {
		text := ""
		for range 1 + random.IntN(5) {
			text += pieces[random.IntN(len(pieces))]
		}
		f := &Frame{Private: Private{State: stateAuthority}}
		got := true
		for i := 0; i < len(text) && got; i++ {
			got = f.authority(text[i])
		}
		got = got && f.Private.State == stateAuthorityPort && f.Private.Node != 0
		want := false
		if m := form.FindStringSubmatch(text); m != nil {
			port, err := strconv.ParseUint(m[len(m)-1], 10, 64)
			want = err == nil && 1 <= port && port <= 65535
		}
		if got != want {
			t.Fatalf("%q: %v", text, got)
		}
		if got {
			good++
		}
	}
	if good < 100 {
		t.Errorf("only %d good ones", good)
	}
	for c := range 256 {
		if isRegName(uint8(c)) != regexp.MustCompile(`^`+name+`$`).MatchString(string(rune(c))) {
			t.Errorf("%#x", c)
		}
	}
}

// A length that is there again is the same number, whatever it is.
func TestRepeatsLength(t *testing.T) {
	lengths := []uint64{0, 1, 9, 10, 11, 12, 100, 101, 123, 1 << 32, math.MaxUint64 - 1, math.MaxUint64, 1e19, 1e19 - 1}
	for _, length := range lengths {
		for _, other := range lengths {
			for _, zeros := range []string{"", "0", "00"} {
				for _, strict := range []bool{false, true} {
					f := &Frame{Public: Public{ContentLength: length}}
					if strict {
						f.Rules = ruleStrictContentLength
					}
					text := zeros + strconv.FormatUint(other, 10)
					got := true
					for i := 0; i < len(text) && got; i++ {
						got = f.repeatsDigit(text[i])
					}
					got = got && f.repeatsLength()
					if want := length == other && (zeros == "" || !strict); got != want {
						t.Errorf("%s after %d, strict %v: %v", text, length, strict, got)
					}
				}
			}
		}
	}
}

// The usual is taken as a whole also with rules, but nothing from within a line.
func TestRulesTakeLinesAsAWhole(t *testing.T) {
	for _, test := range []struct {
		kind  uint8
		text  string
		lines int
	}{
		{typeRequest, "GET / HTTP/1.1\r\nHost: a\r\nA: b\r\nContent-Length: 0\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 4},
		{typeResponse, "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 0\r\n\r\n", 2},
		{typeRequest, "BREW / HTTP/1.1\r\nHost: a\r\nA b\r\nC: d\r\nE: f\r\n\r\n", 3},
	} {
		r := newReplayer(test.kind, 0)
		r.limit, r.rules = Lines, math.MaxUint32
		r.feed(t, test.text)
		if r.stopped || r.whole != test.lines {
			t.Errorf("%q: %d lines taken as a whole, want %d: %q", test.text, r.whole, test.lines, r.units)
		}
	}
	f := &Frame{Limit: Lines}
	if f.whole() || !f.wholeLines() {
		t.Error("a limit of Lines is not between Unlimited and ByUnits")
	}
	if f.Limit = ByUnits; f.wholeLines() {
		t.Error("lines are taken as a whole with a limit of ByUnits")
	}
	for _, w := range tries[trieRuledField] {
		if w == fieldGeneral {
			t.Error("a name without a kind")
		}
	}
	for c := range 256 {
		if in(uint8(c), asm.Token) && (c <= ' ' || c >= 0x7f) {
			t.Errorf("%#x is part of a name: skipLine takes it for a line end", c)
		}
	}
}
