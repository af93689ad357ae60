package asm

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
	"unsafe"

	"llhttpgo/tests/guard"
)

// Lines as FieldLines takes them, over U+0000 to U+00FF: field-name and field-value of RFC 9112, Section 5, the value with the
// whitespace at its end; the rest of a request-line, with VCHAR for the target, or of a value. Then the first byte after the
// line, which must not begin an obs-fold.
const (
	tchar      = "[!#$%&'*+.^_`|~0-9A-Za-z-]"
	valueBytes = "[\\t\\x20-\\x7e\\x{80}-\\x{ff}]*"
	lineEnd    = "\r\n[^\\t ]"
)

var lineAt = [...]*regexp.Regexp{
	AtLine:   regexp.MustCompile("^(" + tchar + "+):[\\t ]*(" + valueBytes + ")" + lineEnd),
	AtTarget: regexp.MustCompile("^()([\\x21-\\x7e]*) HTTP/1[.][01]" + lineEnd),
	AtValue:  regexp.MustCompile("^()(" + valueBytes + ")" + lineEnd),
}

// What is told of a line that is not taken: its name, and how far its value goes. A line with an obs-fold is none.
var (
	lineBegun = [...]*regexp.Regexp{
		AtLine:   regexp.MustCompile("^(" + tchar + "+):[\\t ]*(?:(" + valueBytes + ")[^\\t\\x20-\\x7e\\x{80}-\\x{ff}]|([^\\t ]" + valueBytes + ")$)"),
		AtTarget: regexp.MustCompile("^()()()never$"),
		AtValue:  regexp.MustCompile("^()(?:(" + valueBytes + ")[^\\t\\x20-\\x7e\\x{80}-\\x{ff}]|(" + valueBytes + ")$)"),
	}
	folded = regexp.MustCompile("^\r\n[\\t ]")
)

// framingNames are the fields that frame a message.
var framingNames = []string{"connection", "content-length", "proxy-connection", "transfer-encoding", "upgrade"}

// fieldLinesOracle names no field that does not frame a message; FieldLines may.
func fieldLinesOracle(base, p, end, out, room uintptr, start Start) (next, top uintptr, framing uint64, name, stop uintptr) {
	top = out
	if end-base < 16 {
		return p, top, 0, 0, 0
	}
	// Each byte as the character of that number, so that a regular expression can tell one from the other.
	var b strings.Builder
	for _, c := range unsafe.Slice((*byte)(unsafe.Pointer(p)), end-p) {
		b.WriteRune(rune(c))
	}
	text := b.String()
	bytes := func(n int) uintptr { return uintptr(utf8.RuneCountInString(text[:n])) }
	for ; ; start = AtLine {
		n := (top - out) / fieldLineSize
		if n == MaxLines || top+fieldLineSize > room {
			return p, top, framing, 0, 0
		}
		m := lineAt[start].FindStringSubmatchIndex(text)
		if m == nil {
			break
		}
		line := FieldLine{uint32(p - base + bytes(m[2])), uint32(bytes(m[3]) - bytes(m[2])), uint32(p - base + bytes(m[4])), uint32(bytes(m[5]) - bytes(m[4]))}
		if line.ValueLength == 0 && start == AtLine {
			line.ValueOffset += 2
		}
		*(*FieldLine)(unsafe.Pointer(top)) = line
		if slices.Contains(framingNames, strings.ToLower(text[m[2]:m[3]])) {
			framing |= 1 << n
		}
		top += fieldLineSize
		last := m[1] - 1 // the byte after the line is one byte of text, or the first of two
		if last > 0 && !utf8.RuneStart(text[last]) {
			last--
		}
		p += bytes(last)
		text = text[last:]
	}
	if m := lineBegun[start].FindStringSubmatchIndex(text); m != nil {
		last := max(m[5], m[7])
		if !folded.MatchString(text[last:]) {
			name, stop = bytes(m[3]), p+bytes(last)
		}
	}
	return p, top, framing, name, stop
}

// A comparison calls a kernel and what it must agree with on the same bytes, and compares.
type comparison struct {
	k           kernel
	region      []byte // the buffer is in here
	tape, other []byte // regions as well; room ends where they end
}

func newComparison(tb testing.TB, k kernel) *comparison {
	const tape = (MaxLines + 8) * int(fieldLineSize)
	return &comparison{k, guard.New(tb, 1<<16), guard.New(tb, tape), guard.New(tb, tape)}
}

// run calls both on b[from:], with room for so many bytes of tape and with each Start, and tells what differs.
func (l *comparison) run(b []byte, from, room int) string {
	for start := AtLine; start <= AtValue; start++ {
		if diff := l.runFrom(b, from, room, start); diff != "" {
			return fmt.Sprintf("start %d: %s", start, diff)
		}
	}
	return ""
}

func (l *comparison) runFrom(b []byte, from, room int, start Start) (diff string) {
	defer guard.FaultAsText(&diff)()
	base := address(b)
	end := base + uintptr(len(b))
	const canary = 0xa5a5a5a5a5a5a5a5
	got, want := at(l.tape, room, true), at(l.other, room, true)
	o, w := address(got), address(want)
	before := (*uint64)(unsafe.Pointer(o - 8))
	*before = canary
	next, top, framing, name, stop := l.k.fieldLines(base, base+uintptr(from), end, o, o+uintptr(room), start)
	wantNext, wantTop, wantFraming, wantName, wantStop := l.k.wantFieldLines(base, base+uintptr(from), end, w, w+uintptr(room), start)
	lines := int(wantTop-w) / int(fieldLineSize)
	switch {
	case next != wantNext:
		return fmt.Sprintf("stops at %d, want %d", int(next-base), int(wantNext-base))
	case top-o != wantTop-w:
		return fmt.Sprintf("takes %d bytes of tape, want %d", int(top-o), int(wantTop-w))
	case *before != canary:
		return "writes before the tape"
	case name != wantName || stop != wantStop:
		return fmt.Sprintf("ends in a name of %d bytes and a value up to %d, want %d, %d", name, int(stop-base), wantName, int(wantStop-base))
	case string(got[:wantTop-w]) != string(want[:wantTop-w]):
		for i := range lines {
			g := (*FieldLine)(unsafe.Pointer(o + uintptr(i)*fieldLineSize))
			w := (*FieldLine)(unsafe.Pointer(w + uintptr(i)*fieldLineSize))
			if *g != *w {
				return fmt.Sprintf("line %d is %v, want %v", i, *g, *w)
			}
		}
	case l.k.reference && framing&wantFraming != wantFraming, !l.k.reference && framing != wantFraming:
		return fmt.Sprintf("names %#x as framing, want %#x", framing, wantFraming)
	case lines < 64 && framing>>lines != 0:
		return fmt.Sprintf("names %#x as framing, of %d lines", framing, lines)
	}
	return ""
}

// check fails the test if the two differ, with the bytes at either end of the region, and at an odd place in it.
func (l *comparison) check(t *testing.T, why string, data []byte, from, room int) {
	t.Helper()
	for place := range 3 {
		b := at(l.region, len(data), place == 1)
		if place == 2 {
			shift := len(data) % block
			b = l.region[shift : shift+len(data)]
		}
		copy(b, data)
		if diff := l.run(b, from, room); diff != "" {
			t.Fatalf("%s: %q from %d, room %d, place %d: %s", why, data, from, room, place, diff)
		}
	}
}

const allRoom = (MaxLines + 6) * int(fieldLineSize)

// sections are the inputs of the sweeps, each of at least two blocks and one byte.
var sections = []string{
	"Host: example.org\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\nAccept: */*\r\nConnection: keep-alive\r\n" +
		"Upgrade-Insecure-Requests: 1\r\nDNT: 1\r\n\r\n",
	"Long: " + strings.Repeat("value, ", 11) + "\r\nAnother: " + strings.Repeat("0123456789", 6) + "\r\n\r\n",
	strings.Repeat("long-name", 9) + ":" + strings.Repeat("long value", 5) + "\r\nA: b\r\n\r\n",
	strings.Repeat("a:\r\nb:c\r\nd: e\r\nf: g h \r\n", 6) + "\r\n",
	"index.html?a=b&c=%20" + strings.Repeat("/path", 12) + " HTTP/1.1\r\nHost: example.org\r\nAccept: */*\r\nConnection: close\r\n\r\n",
	" HTTP/1.0\r\nHost: example.org\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\nAccept: */*\r\n\r\n" + strings.Repeat("x", 60),
	"Spaces: \t  \t" + strings.Repeat(" ", 20) + "x\r\nNone:\r\nOnly:" + strings.Repeat(" \t", 18) + "\r\nHigh: \x80\xff\xfe\r\n" +
		"Trailing: y  \t\r\nTransfer-Encoding: chunked\r\nx: y\r\n",
}

// telling has a byte of each sort that the grammar tells apart, and neighbours of those.
const telling = "\x00\x08\t\n\x0b\r\x1f !\"()/:;@Az[{~\x7f\x80\x8d\xff"

func TestFieldLines(t *testing.T) {
	eachKernel(t, func(t *testing.T, k kernel) {
		const most = 2*block + 1
		l := newComparison(t, k)
		t.Run("ByteEverywhere", func(t *testing.T) {
			for _, section := range sections {
				b := []byte(section[:most])
				for i := 0; i < most; i += k.step(7) {
					for c := range 256 {
						b[i] = byte(c)
						l.check(t, "byte", b, 0, allRoom)
					}
					b[i] = section[i]
				}
			}
		})
		t.Run("EveryLength", func(t *testing.T) {
			for _, section := range sections {
				b := []byte(section[:most])
				for n := range most + 1 {
					l.check(t, "length", b[:n], 0, allRoom)
					for i := 0; i < n; i += k.step(11) {
						for _, c := range []byte(telling) {
							b[i] = c
							copy(at(l.region, n, true), b[:n])
							if diff := l.run(at(l.region, n, true), 0, allRoom); diff != "" {
								t.Fatalf("%q: %s", b[:n], diff)
							}
						}
						b[i] = section[i]
					}
				}
			}
		})
		t.Run("EveryStart", func(t *testing.T) {
			for _, section := range sections {
				for n := 0; n <= most; n += k.step(3) {
					for from := range n + 1 {
						l.check(t, "start", []byte(section[:n]), from, allRoom)
					}
				}
			}
		})
		t.Run("EveryAlignment", func(t *testing.T) {
			for _, section := range sections {
				for shift := range block {
					for n := 0; n <= most; n += k.step(3) {
						b := l.region[shift : shift+n]
						copy(l.region[shift:], section[:most]) // lines go on behind the end
						if diff := l.run(b, 0, allRoom); diff != "" {
							t.Fatalf("alignment %d: %q: %s", shift, b, diff)
						}
					}
				}
			}
		})
		t.Run("EveryRoom", func(t *testing.T) {
			many := []byte(strings.Repeat("a: b\r\nUpgrade: c\r\n", MaxLines) + "\r\n")
			for room := range MaxLines + 7 {
				for odd := range 2 {
					for n := 0; n < len(many); n += 1 + n/40*k.step(3) {
						l.check(t, "room", many[:n], 0, room*int(fieldLineSize)+odd*15)
					}
				}
			}
		})
		t.Run("LastLine", func(t *testing.T) {
			// The last line that there is room for ends anywhere in a block, and the buffer anywhere after it.
			for _, count := range []int{1, 3, MaxLines - 1, MaxLines} {
				for pad := 0; pad < block; pad += k.step(9) {
					lines := "Upgrade: " + strings.Repeat("p", pad) + "\r\n" + strings.Repeat("Upgrade: c\r\n", count-1)
					for n := range block + 8 {
						b := []byte(lines + strings.Repeat("a:x\r\n", 15)[:n])
						l.check(t, "last line", b, 0, count*int(fieldLineSize))
						l.check(t, "last line, more room", b, 0, allRoom)
					}
				}
			}
		})
		t.Run("FarBase", func(t *testing.T) {
			for i, section := range sections {
				b := at(l.region, len(l.region), true)
				copy(b[len(b)-len(section):], section)
				if diff := l.run(b, len(b)-len(section), allRoom); diff != "" {
					t.Errorf("section %d: %s", i, diff)
				}
			}
		})
		t.Run("Framing", func(t *testing.T) {
			for _, name := range framingNames {
				for _, name := range []string{name, strings.ToUpper(name), strings.ToUpper(name[:1]) + name[1:]} {
					for pad := range block + 1 {
						line := "a:" + strings.Repeat("v", pad) + "\r\n" + name + ": x\r\n"
						l.check(t, "in the middle", []byte(line+strings.Repeat("b: c\r\n", 30)), 0, allRoom)
						l.check(t, "at the end", []byte(line+"\r\n"), 0, allRoom)
					}
				}
			}
			for c := 0; c < 256; c += k.step(3) {
				for n := range 2*block + 1 {
					name := string([]byte{byte(c)}) + strings.Repeat("n", n)
					l.check(t, "name", []byte(name+": x\r\n"+strings.Repeat("b: c\r\n", 30)), 0, allRoom)
				}
			}
		})
		t.Run("Random", func(t *testing.T) {
			rng := rand.New(rand.NewSource(1))
			for range 300000 / k.step(50) {
				b := soup(rng, rng.Intn(14))
				from, room := 0, allRoom
				if rng.Intn(3) == 0 {
					from = rng.Intn(len(b) + 1)
				}
				if rng.Intn(3) == 0 {
					room = rng.Intn(8) * int(fieldLineSize)
				}
				l.check(t, "random", b, from, room)
			}
		})
	})
}

// TestMayFrame holds the reference's table against the one that the parser's words are made from.
func TestMayFrame(t *testing.T) {
	names := generatorNames(t)
	if !slices.Equal(names, framingNames) {
		t.Errorf("the generator has %q", names)
	}
	for _, name := range names {
		for _, first := range []byte{name[0], name[0] &^ 0x20} {
			if !MayFrame(first, uintptr(len(name))) {
				t.Errorf("%s is missed with %q", name, first)
			}
		}
	}
}

// generatorNames gives the names of fieldNames in core/_gen/fields.go.
func generatorNames(t *testing.T) (names []string) {
	file, err := parser.ParseFile(token.NewFileSet(), "../_gen/fields.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || spec.Names[0].Name != "fieldNames" {
			return true
		}
		for _, e := range spec.Values[0].(*ast.CompositeLit).Elts {
			name, err := strconv.Unquote(e.(*ast.CompositeLit).Elts[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, name)
		}
		return false
	})
	return names
}

func FuzzFieldLines(f *testing.F) {
	for _, section := range sections {
		f.Add([]byte(section), uint16(0), uint8(MaxLines+6))
	}
	f.Add([]byte(strings.Repeat("a: b\r\n", MaxLines+3)), uint16(6), uint8(2))
	f.Add([]byte("index.html HTTP/1.1\r\nHost: example.org\r\n\r\n"), uint16(0), uint8(9))
	f.Add([]byte("Folded: a\r\n b\r\nC: d\r\n\te\r\nF: g\r\n"), uint16(0), uint8(9))
	var comparisons []*comparison
	for _, k := range kernels() {
		comparisons = append(comparisons, newComparison(f, k))
	}
	f.Fuzz(func(t *testing.T, data []byte, from uint16, room uint8) {
		data = data[:min(len(data), 4096)]
		for _, l := range comparisons {
			l.k.force(t)
			l.check(t, l.k.name, data, min(int(from), len(data)), int(room)%(MaxLines+7)*int(fieldLineSize))
		}
	})
}

func BenchmarkFieldLines(b *testing.B) {
	const lines = "Host: www.example.org\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:138.0) Gecko/20100101 Firefox/138.0\r\n" +
		"Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\nAccept-Language: de,en-US;q=0.7,en;q=0.3\r\n" +
		"Accept-Encoding: gzip, deflate, br\r\nDNT: 1\r\nConnection: keep-alive\r\nUpgrade-Insecure-Requests: 1\r\n" +
		"Cookie: session=0123456789abcdef0123456789abcdef; theme=light\r\nCache-Control: max-age=0\r\n"
	for _, k := range kernels()[1:] {
		for _, size := range []int{64, 256, 1024, 2048} {
			b.Run(fmt.Sprintf("%s/%d", k.name, size), func(b *testing.B) {
				k.force(b)
				l := newComparison(b, k)
				// The section's last line is whole: it has what is missing in its value.
				text := strings.Repeat(lines, 10)[:size-len(": \r\n\r\n")]
				text = text[:strings.LastIndexByte(text, '\n')+1]
				text += "Pad: "
				text += strings.Repeat("p", max(0, size-len(text)-4)) + "\r\n\r\n"
				data := at(l.region, len(text), true)
				copy(data, text)
				if diff := l.run(data, 0, allRoom); diff != "" {
					b.Fatal(diff)
				}
				base, tape := address(data), address(l.tape)
				if next, _, _, _, _ := FieldLines(base, base, base+uintptr(len(data)), tape, tape+uintptr(allRoom), AtLine); next != base+uintptr(len(data))-2 {
					b.Fatalf("stops at %d of %d", int(next-base), len(data))
				}
				b.SetBytes(int64(len(data)))
				for b.Loop() {
					FieldLines(base, base, base+uintptr(len(data)), tape, tape+uintptr(allRoom), AtLine)
				}
			})
		}
	}
}
