package asm

import (
	"fmt"
	"math/rand"
	"regexp"
	"slices"
	"testing"
	"unsafe"

	"llhttpgo/tests/guard"
)

// classPatterns has the classes again, as regular expressions over U+0000 to U+00FF. Those of the request-target are what
// llhttp accepts.
var classPatterns = [classCount]string{
	Token:           "[!#$%&'*+.^_`|~0-9A-Za-z-]",
	FieldValue:      "[\\t\\x20-\\x7e\\x{80}-\\x{ff}]",
	ConnectionToken: "[\\t\\x20-\\x2b\\x2d-\\x7e\\x{80}-\\x{ff}]",
	TargetPath:      "[!\"$%&'()*+,\\-./0-9:;<=>@A-Z\\[\\\\\\]^_`a-z{|}~]",
	TargetQuery:     "[!\"$%&'()*+,\\-./0-9:;<=>?@A-Z\\[\\\\\\]^_`a-z{|}~]",
	TargetFragment:  "[\\x21-\\x7e]",
	TargetServer:    "[!$%&'()*+,\\-.0-9:;=A-Z\\[\\]_a-z~]",
	QuotedText:      "[\\t !\\x23-\\x5b\\x5d-\\x7e\\x{80}-\\x{ff}]",
	Line:            "[^\\r\\n]",
	RelaxedValue:    "[^\\x00\\r\\n]",
	OWS:             "[\\t ]",
	ValueStart:      "[!-~\\x80-\\xff]",
	LF:              "\\n",
	Alpha:           "[A-Za-z]",
	ListText:        "[\\t !\\x23-\\x2b\\x2d-\\x7e\\x{80}-\\x{ff}]",
	TargetForbidden: "[\\t\\f]",
}

var classMembers = func() (members [classCount][256]bool) {
	for class, pattern := range classPatterns {
		re := regexp.MustCompile("^" + pattern + "$")
		for c := range 256 {
			members[class][c] = re.MatchString(string(rune(c)))
		}
	}
	return members
}()

func skipOracle(p, end uintptr, class Class) uintptr {
	for i, c := range unsafe.Slice((*byte)(unsafe.Pointer(p)), end-p) {
		if !classMembers[class][c] {
			return p + uintptr(i)
		}
	}
	return end
}

func TestClasses(t *testing.T) {
	for class := range Class(classCount) {
		for c, want := range classMembers[class] {
			if got := Classes[c]&(1<<class) != 0; got != want {
				t.Errorf("class %d: %q: %v in Classes, want %v", class, rune(c), got, want)
			}
			s := stop(class)
			if got := s.Low[c&15]&s.High[c>>4] == 0; got != want {
				t.Errorf("class %d: %q: %v in Stops, want %v", class, rune(c), got, want)
			}
			if s.Most != 0 && uint8(c)+s.Add <= s.Most && !want {
				t.Errorf("class %d: %q is taken for text of the class", class, rune(c))
			}
		}
	}
}

// classBytes has for each class the bytes that are in it, and those that are not.
var classBytes = func() (bytes [classCount]struct{ in, out []byte }) {
	for class := range bytes {
		for c, member := range classMembers[class] {
			if member {
				bytes[class].in = append(bytes[class].in, byte(c))
			} else {
				bytes[class].out = append(bytes[class].out, byte(c))
			}
		}
	}
	return bytes
}()

// fill fills b with bytes of the class, all of them in turn, and gives one that is not in it.
func fill(b []byte, class Class, turn int) (other byte) {
	return fillWith(b, classBytes[class].in, classBytes[class].out, turn)
}

// fillText does the same with those that are text, of which long runs are usual; if there are none, with all.
func fillText(b []byte, class Class, turn int) (other byte) {
	in := slices.DeleteFunc(slices.Clone(classBytes[class].in), func(c byte) bool { return c < ' ' || c > '~' })
	if len(in) == 0 {
		return fill(b, class, turn)
	}
	return fillWith(b, in, classBytes[class].out, turn)
}

func fillWith(b, in, out []byte, turn int) (other byte) {
	turn %= len(in)
	for n := copy(b, in[turn:]); n < len(b); {
		n += copy(b[n:], in)
	}
	return out[turn%len(out)]
}

// skipSuite gives what is wrong with a kernel, or nothing.
func skipSuite(k kernel, region []byte) (diff string) {
	const most = 2*block + 1
	var why string
	var class Class
	var b []byte
	var fault string
	defer func() {
		if fault != "" {
			diff = fmt.Sprintf("%s, class %d, %d bytes %q: %s", why, class, len(b), b, fault)
		}
	}()
	defer guard.FaultAsText(&fault)()
	wrong := func(from, want int) bool {
		p := address(b) + uintptr(from)
		got := k.skip(p, address(b)+uintptr(len(b)), class)
		if got == p+uintptr(want) {
			return false
		}
		diff = fmt.Sprintf("%s, class %d, %d bytes %q: stops at %d, want %d", why, class, len(b)-from, b[from:], int(got-p), want)
		return true
	}
	// b filled, without a byte to stop at and then with one at each step-th place.
	wrongWith := func(fill func([]byte, Class, int) byte, first, step int) bool {
		other := fill(b, class, len(b))
		if wrong(0, len(b)) {
			return true
		}
		for i := first; i < len(b); i += step {
			was := b[i]
			b[i] = other
			if wrong(0, i) {
				return true
			}
			b[i] = was
		}
		return false
	}
	for class = range Class(classCount) {
		for _, end := range []bool{false, true} {
			why = fmt.Sprintf("every byte value everywhere, at the region's end: %v", end)
			b = at(region, most, end)
			for i := 0; i < most; i += k.step(1) {
				fill(b, class, i)
				for c := range 256 {
					b[i] = byte(c)
					want := i
					if classMembers[class][c] {
						want = most
					}
					if wrong(0, want) {
						return
					}
				}
			}
			why = fmt.Sprintf("every length, start and stop, at the region's end: %v", end)
			for n := range most + 1 {
				b = at(region, n, end)
				other := fill(b, class, n)
				if wrong(0, n) {
					return
				}
				for i := 0; i < n; i += k.step(1) {
					was := b[i]
					b[i] = other
					if wrong(0, i) || wrong(i/2, i-i/2) || wrong(i+1, n-i-1) {
						return
					}
					b[i] = was
				}
			}
		}
		why = "every alignment"
		for shift := range block {
			for n := 0; n <= most; n += k.step(1) {
				b = region[shift : shift+n]
				if wrongWith(fill, shift%5, 5*k.step(1)) {
					return
				}
			}
		}
	}
	// Kernels take larger steps where much is left, still larger ones where it is text: every length up to three of those, and
	// every stop, between them all.
	why = "long"
	for class = range Class(classCount) {
		for n := most + 1; n <= 8*block; n += k.step(3) {
			for _, fill := range []func([]byte, Class, int) byte{fill, fillText} {
				b = at(region, n, n%2 == 0)
				if wrongWith(fill, n%3, 3*k.step(1)) {
					return
				}
			}
		}
	}
	why = "random"
	rng := rand.New(rand.NewSource(1))
	for range 300000 / k.step(1) {
		class = Class(rng.Intn(classCount))
		b = at(region, rng.Intn(8*block), rng.Intn(2) == 0)
		if rng.Intn(2) == 0 {
			fill(b, class, rng.Intn(256))
		} else {
			fillText(b, class, rng.Intn(256))
		}
		for range rng.Intn(4) {
			if len(b) > 0 {
				b[rng.Intn(len(b))] = byte(rng.Intn(256))
			}
		}
		p := address(b)
		if wrong(0, int(k.wantSkip(p, p+uintptr(len(b)), class)-p)) {
			return
		}
	}
	return
}

func TestSkip(t *testing.T) {
	eachKernel(t, func(t *testing.T, k kernel) {
		if diff := skipSuite(k, guard.New(t, 1)); diff != "" {
			t.Error(diff)
		}
	})
}

func FuzzSkip(f *testing.F) {
	for class := range uint8(classCount) {
		f.Add([]byte("GET /path?query#fragment HTTP/1.1\r\n"), class)
		f.Add([]byte("Some-Longer-Field-Name: Some longer value; with, things=\"1234567890\", \x80\xff\t\r\n"), class)
	}
	region := guard.New(f, 1<<16)
	f.Fuzz(func(t *testing.T, data []byte, number uint8) {
		class := Class(number % classCount)
		data = data[:min(len(data), len(region))]
		for _, k := range kernels() {
			k.force(t)
			for _, end := range []bool{false, true} {
				b := at(region, len(data), end)
				copy(b, data)
				p := address(b)
				var fault string
				func() {
					defer guard.FaultAsText(&fault)()
					want := k.wantSkip(p, p+uintptr(len(b)), class)
					if got := k.skip(p, p+uintptr(len(b)), class); got != want {
						fault = fmt.Sprintf("stops at %d, want %d", int(got-p), int(want-p))
					}
				}()
				if fault != "" {
					t.Errorf("%s, class %d: %s", k.name, class, fault)
				}
			}
		}
	})
}

func BenchmarkSkip(b *testing.B) {
	for _, k := range kernels()[1:] {
		for _, size := range []int{8, 16, 32, 64, 256, 4096} {
			b.Run(fmt.Sprintf("%s/%d", k.name, size), func(b *testing.B) {
				k.force(b)
				region := guard.New(b, size)
				data := at(region, size, true)
				data[size-1] = fill(data, FieldValue, 0)
				p := address(data)
				if got := Skip(p, p+uintptr(size), FieldValue); got != p+uintptr(size)-1 {
					b.Fatalf("stops at %d", int(got-p))
				}
				b.SetBytes(int64(size))
				for b.Loop() {
					Skip(p, p+uintptr(size), FieldValue)
				}
			})
		}
	}
}
