package core

import (
	"fmt"
	"math/rand"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"llhttpgo/core/asm"
	"llhttpgo/tests/guard"
)

// The grammar of a field value's inside, over U+0000 to U+00FF (RFC 9110, Sections 5.5, 5.6.1, 5.6.4, 5.6.6).
var (
	quotedString   = `"(?:[\t !\x23-\x5b\x5d-\x7e\x{80}-\x{ff}]|\\[\t -\x7e\x{80}-\x{ff}])*"`
	listMember     = regexp.MustCompile(`^(?:[\t !\x23-\x2b\x2d-\x7e\x{80}-\x{ff}]|` + quotedString + `)*`)
	memberName     = regexp.MustCompile(`^(?:[\t !\x23-\x3a\x3c-\x7e\x{80}-\x{ff}]|` + quotedString + `)*`)
	quotedAtStart  = regexp.MustCompile(`^` + quotedString)
	quotedIsOpen   = regexp.MustCompile(`^"(?:[\t !\x23-\x5b\x5d-\x7e\x{80}-\x{ff}]|\\[\t -\x7e\x{80}-\x{ff}])*\\?$`)
	quotedIsBroken = regexp.MustCompile(`^"(?:[\t !\x23-\x5b\x5d-\x7e\x{80}-\x{ff}]|\\[\t -\x7e\x{80}-\x{ff}])*\\?`)
	tokenAtStart   = regexp.MustCompile(`^[!#$%&'*+.^_` + "`" + `|~0-9A-Za-z-]+`)
)

// wide has each byte as the character of that number, so that a regular expression can tell one from the other; narrow
// makes an offset in it one in the bytes.
func wide(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteRune(rune(text[i]))
	}
	return b.String()
}

func narrow(text string) int { return len([]rune(text)) }

// quotedFault says what is wrong with a quoted string that has no match, and at which offset.
func quotedFault(text string) (int, int) {
	if quotedIsOpen.MatchString(text) {
		return ValueUnterminated, 0
	}
	return ValueInvalid, narrow(quotedIsBroken.FindString(text))
}

// membersOracle gives the members of a list, as "offset text", and what ends it.
func membersOracle(value string) (members []string) {
	text := wide(value)
	for at := 0; ; {
		m := listMember.FindString(text)
		rest := text[len(m):]
		if rest != "" && rest[0] != ',' {
			err, off := ValueInvalid, 0
			if rest[0] == '"' {
				err, off = quotedFault(rest)
			}
			return append(members, fmt.Sprintf("error %d at %d", err, at+narrow(m)+off))
		}
		inner := strings.TrimLeft(m, " \t")
		offset := at + narrow(m) - narrow(inner)
		if inner = strings.TrimRight(inner, " \t"); inner != "" {
			members = append(members, fmt.Sprintf("%d %q", offset, value[offset:offset+narrow(inner)]))
		}
		if rest == "" {
			return members
		}
		at += narrow(m) + 1
		text = rest[1:]
	}
}

func members(b []byte) (members []string) {
	l := List{Value: guard.Address(b), Length: uintptr(len(b))}
	for {
		switch result := ListNext(&l); result {
		case ValueFound:
			members = append(members, fmt.Sprintf("%d %q", l.Offset, b[l.Offset:l.Offset+l.Size]))
		case ValueEnd:
			if again := ListNext(&l); again != ValueEnd {
				members = append(members, fmt.Sprintf("then %d", again))
			}
			return members
		default:
			members = append(members, fmt.Sprintf("error %d at %d", result, l.Next))
			if again := ListNext(&l); again != result {
				members = append(members, fmt.Sprintf("then %d", again))
			}
			return members
		}
	}
}

// parametersOracle gives the parameters, as "offset name offset value flags", and what ends them.
func parametersOracle(value string) (found []string) {
	text := wide(value)
	at := 0
	take := func(s string) {
		at += narrow(s)
		text = text[len(s):]
	}
	fail := func(err, off int) []string { return append(found, fmt.Sprintf("error %d at %d", err, at+off)) }
	take(memberName.FindString(text))
	if text != "" && text[0] != ';' {
		if text[0] == '"' {
			return fail(quotedFault(text))
		}
		return fail(ValueInvalid, 0)
	}
	for {
		take(text[:len(text)-len(strings.TrimLeft(text, "; \t"))])
		if text == "" {
			return found
		}
		name, nameAt := tokenAtStart.FindString(text), at
		if name == "" {
			return fail(ValueInvalid, 0)
		}
		take(name)
		inner, innerAt, flags := "", 0, 0
		if strings.HasPrefix(text, "=") {
			take("=")
			flags = ParameterHasValue
			innerAt = at
			inner = tokenAtStart.FindString(text)
			if strings.HasPrefix(text, `"`) {
				inner = quotedAtStart.FindString(text)
				if inner == "" {
					return fail(quotedFault(text))
				}
				take(inner)
				innerAt++
				inner = inner[1 : len(inner)-1]
				flags |= ParameterQuoted
				if strings.Contains(inner, `\`) {
					flags |= ParameterEscaped
				}
			} else if inner == "" {
				return fail(ValueInvalid, 0)
			} else {
				take(inner)
			}
		}
		take(text[:len(text)-len(strings.TrimLeft(text, " \t"))])
		if text != "" && text[0] != ';' {
			return fail(ValueInvalid, 0)
		}
		found = append(found, fmt.Sprintf("%d %q %d %q %d", nameAt, name, innerAt, value[innerAt:innerAt+narrow(inner)], flags))
	}
}

func parameters(b []byte) (found []string) {
	l := Parameters{Value: guard.Address(b), Length: uintptr(len(b))}
	for {
		switch result := ParametersNext(&l); result {
		case ValueFound:
			found = append(found, fmt.Sprintf("%d %q %d %q %d", l.NameOffset, b[l.NameOffset:l.NameOffset+l.NameLength],
				l.ValueOffset, b[l.ValueOffset:l.ValueOffset+l.ValueLength], l.Flags))
		case ValueEnd:
			return found
		default:
			found = append(found, fmt.Sprintf("error %d at %d", result, l.Next))
			if again := ParametersNext(&l); again != result {
				found = append(found, fmt.Sprintf("then %d", again))
			}
			return found
		}
	}
}

// ended gives the members alone, and the error.
func ended(value string) (texts []string, err int) {
	for _, m := range membersOracle(value) {
		if n, ok := strings.CutPrefix(m, "error "); ok {
			fmt.Sscan(n, &err)
			return texts, err
		}
		_, quoted, _ := strings.Cut(m, " ")
		text, _ := strconv.Unquote(quoted)
		texts = append(texts, text)
	}
	return texts, 0
}

// lowerOracle changes ASCII letters alone.
func lowerOracle(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func tokenOracle(value, token string) int {
	texts, err := ended(value)
	if err != 0 {
		return err
	}
	result := ValueEnd
	for i, text := range texts {
		if lowerOracle(text) == lowerOracle(token) {
			result = ValueFound
			if i == len(texts)-1 {
				result = ValueFoundLast
			}
		}
	}
	return result
}

// lengthOracle looks at one member after the other, as errors are told in their order.
func lengthOracle(value string) (uint64, int) {
	texts, err := ended(value)
	var first uint64
	for i, text := range texts {
		digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
		n, tooLarge := strconv.ParseUint("0"+text[:digits], 10, 64)
		switch {
		case tooLarge != nil:
			return 0, ValueTooLarge
		case digits < len(text):
			return 0, ValueInvalid
		case i > 0 && n != first:
			return 0, ValueDifferent
		}
		first = n
	}
	if err == 0 && len(texts) == 0 {
		err = ValueInvalid
	}
	if err != 0 {
		return 0, err
	}
	return first, ValueFound
}

// valueDifference gives what differs between the functions and their oracles on one value, at every level and at either end
// of the region, or nothing.
func valueDifference(t testing.TB, region []byte, value, token string) (diff string) {
	wantMembers, wantParameters := membersOracle(value), parametersOracle(value)
	wantToken := tokenOracle(value, token)
	wantLength, wantResult := lengthOracle(value)
	defer guard.FaultAsText(&diff)()
	atLevels(t, func(level string) {
		for _, end := range ends(value) {
			b := guard.At(region, value, end)
			p, n := guard.Address(b), uintptr(len(b))
			length := uint64(1<<64 - 7)
			result := ContentLengths(p, n, &length)
			if result != ValueFound {
				if length != 1<<64-7 {
					diff = "a length is written beside an error"
				}
				length = 0
			}
			switch {
			case !slices.Equal(members(b), wantMembers):
				diff = fmt.Sprintf("%s: members are %v, want %v", level, members(b), wantMembers)
			case !slices.Equal(parameters(b), wantParameters):
				diff = fmt.Sprintf("%s: parameters are %v, want %v", level, parameters(b), wantParameters)
			case length != wantLength || result != wantResult:
				diff = fmt.Sprintf("%s: length is %d, %d, want %d, %d", level, length, result, wantLength, wantResult)
			}
			if got := HasToken(p, n, uintptr(unsafe.Pointer(unsafe.StringData(token))), uintptr(len(token))); got != wantToken {
				diff = fmt.Sprintf("%s: token %q: %d, want %d", level, token, got, wantToken)
			}
		}
	})
	return diff
}

// ends gives the ends of the region to put an input to: both if it is short, one or the other by what it is if it is longer,
// as there are many.
func ends(text string) []bool {
	if len(text) < 8 {
		return []bool{false, true}
	}
	sum := 0
	for _, c := range []byte(text) {
		sum += int(c)
	}
	return []bool{sum&1 == 0}
}

// atLevels runs f with the kernels of every level.
func atLevels(t testing.TB, f func(level string)) {
	before := asm.Current()
	for _, l := range asm.Available() {
		if err := asm.Set(l); err != nil {
			t.Fatal(err)
		}
		f(l.String())
	}
	if err := asm.Set(before); err != nil {
		t.Fatal(err)
	}
}

// What values are made of.
var valueParts = []string{
	"a", "close", "Keep-Alive", "chunked", "text/html", "100-continue", ",", ", ", " , ,", ";", "; ", "=", " ", "\t", "\"", "\\", "\\\"", "\"a, b\"", "q=0.5",
	"name=value", "n=\"v\"", "n=\"\\\\\"", "n=", "flag", "\x00", "\x1f", "\x7f", "\x80", "\xff", "(", "0", "7", "42", "18446744073709551615", "18446744073709551616",
	"a-longer-member-of-more-than-one-block-of-sixty-four-bytes-in-all-and-then-some-more",
}

func TestValues(t *testing.T) {
	region := guard.New(t, 4096)
	check := func(value, token string) {
		t.Helper()
		if diff := valueDifference(t, region, value, token); diff != "" {
			t.Fatalf("%q: %s", value, diff)
		}
	}
	for _, a := range valueParts {
		for _, b := range valueParts {
			for _, c := range []string{"", ",", ";", "=", "\"", "\\", " ", "a"} {
				check(a+b+c, "close")
			}
		}
	}
	// Every byte everywhere.
	for _, value := range []string{`a, "b,\c" ;d=e;f="g\"";h`, "12, 12"} {
		for i := range value {
			for c := range 256 {
				check(value[:i]+string([]byte{byte(c)})+value[i+1:], "a")
			}
		}
	}
	rng := rand.New(rand.NewSource(1))
	for range 3000 {
		value := ""
		for range rng.Intn(20) {
			value += valueParts[rng.Intn(len(valueParts))]
		}
		check(value, valueParts[rng.Intn(6)])
	}
}

// What the RFCs show, and what a careless reader gets wrong.
func TestValuesExamples(t *testing.T) {
	for _, c := range []struct {
		value, token string
		want         int
	}{
		{"close", "close", ValueFoundLast},
		{"Keep-Alive, CLOSE , upgrade", "close", ValueFound},
		{"closed, not-close, close-", "close", ValueEnd},
		{`"close"`, "close", ValueEnd},
		{`x="a, close, b"`, "close", ValueEnd},
		{"gzip;q=0, deflate", "gzip", ValueEnd},
		{"gzip, chunked", "chunked", ValueFoundLast},
		{"chunked, gzip", "chunked", ValueFound},
		{"chunked, chunked", "chunked", ValueFoundLast},
		{", ,", "", ValueEnd},
		{"", "close", ValueEnd},
		{"close, \"open", "close", ValueUnterminated},
		{"close, a\x00", "close", ValueInvalid},
		{"\xe3lose", "Close", ValueEnd},
		{"clo{e", "clo[e", ValueEnd}, // differ in the bit that tells the case of letters
		{"\x00", "\x00", ValueInvalid},
	} {
		if got := HasToken(addressOf(c.value), uintptr(len(c.value)), addressOf(c.token), uintptr(len(c.token))); got != c.want {
			t.Errorf("%q in %q: %d, want %d", c.token, c.value, got, c.want)
		}
	}
	for _, c := range []struct {
		value string
		want  []string
	}{
		{`text/html;level=1, text/html;level=2;q=0.4`, []string{`0 "text/html;level=1"`, `19 "text/html;level=2;q=0.4"`}},
		{`foo , ,bar,charlie`, []string{`0 "foo"`, `7 "bar"`, `11 "charlie"`}},
		{`"http://example.com/a.html,foo", apples`, []string{`0 "\"http://example.com/a.html,foo\""`, `33 "apples"`}},
	} {
		if got := members([]byte(c.value)); !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, want %v", c.value, got, c.want)
		}
	}
	for _, c := range []struct {
		value string
		want  []string
	}{
		{`text/html;charset="utf-8"`, []string{`10 "charset" 19 "utf-8" 3`}},
		{`text/html; charset=utf-8;q`, []string{`11 "charset" 19 "utf-8" 1`, `25 "q" 0 "" 0`}},
		{`a;b = c`, []string{"error -1 at 4"}},
		{`a;b=c d`, []string{"error -1 at 6"}},
		{`a;b=/`, []string{"error -1 at 4"}},
		{`form-data; filename="a;b\".txt"`, []string{`11 "filename" 21 "a;b\\\".txt" 7`}},
	} {
		if got := parameters([]byte(c.value)); !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, want %v", c.value, got, c.want)
		}
	}
}

func addressOf(s string) uintptr { return uintptr(unsafe.Pointer(unsafe.StringData(s))) }

func FuzzValues(f *testing.F) {
	for _, part := range valueParts {
		f.Add(part+", "+part+";a=\"b\"", "close")
	}
	region := guard.New(f, 4096)
	f.Fuzz(func(t *testing.T, value, token string) {
		value = value[:min(len(value), len(region))]
		if diff := valueDifference(t, region, value, token); diff != "" {
			t.Fatalf("%q: %s", value, diff)
		}
	})
}
