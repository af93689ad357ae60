package llhttpgo

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

func TestLookupField(t *testing.T) {
	for id := FieldID(1); id < FieldCount; id++ {
		name := []byte(id.String())
		for _, fold := range []byte{0, 0x20} {
			for i, c := range name {
				if c|0x20 >= 'a' && c|0x20 <= 'z' {
					name[i] = c&^0x20 | fold
				}
			}
			if got := LookupField(name); got != id || LookupFieldString(string(name)) != id {
				t.Errorf("%s: %d, want %d", name, got, id)
			}
		}
		if got := LookupField(append(name, 'x')); got == id {
			t.Errorf("%s: %d", name, got)
		}
	}
	for _, name := range []string{"", "X", "Hosts", "Hos", "h\u00f6st", "Content_Length"} {
		if got := LookupFieldString(name); got != 0 {
			t.Errorf("%q: %v", name, got)
		}
	}
	if LookupField(nil) != 0 || FieldID(0).String() != "" || FieldID(60000).String() != "" {
		t.Error("names that there are not")
	}
}

// failure is an error's place and reason.
func failure(err error, reason error, offset int) bool {
	var e *SyntaxError
	return errors.As(err, &e) && errors.Is(err, reason) && e.Offset == offset && e.Error() == fmt.Sprintf("llhttpgo: %v, at byte %d", reason, offset)
}

func TestList(t *testing.T) {
	for _, test := range []struct {
		value  string
		want   []string
		reason error
		offset int
	}{
		{"", nil, nil, 0},
		{" , ,", nil, nil, 0},
		{"a", []string{"a"}, nil, 0},
		{" a ,\tb;q=1 , \"c,d\\\",\" e,", []string{"a", "b;q=1", "\"c,d\\\",\" e"}, nil, 0},
		{"a, \"b", []string{"a"}, ErrUnterminatedString, 3},
		{"a, b\x00", []string{"a"}, ErrInvalidByte, 4},
	} {
		var got []string
		var failed error
		for m, err := range List([]byte(test.value)) {
			if err != nil {
				failed = err
			} else if got = append(got, string(m)); cap(m) != len(m) {
				t.Errorf("%q: there is room behind %q", test.value, m)
			}
		}
		if !slices.Equal(got, test.want) || failed != nil && !failure(failed, test.reason, test.offset) || (failed == nil) != (test.reason == nil) {
			t.Errorf("%q: %q, %v", test.value, got, failed)
		}
	}
	for range List([]byte("a, b")) {
		break
	}
	for range List(nil) {
		t.Error("a member of nothing")
	}
}

func TestParameters(t *testing.T) {
	for _, test := range []struct {
		member string
		want   []string
		reason error
		offset int
	}{
		{"text/html", nil, nil, 0},
		{"a; b=c ;d=\"e;f\\\"\"; g; h=\"\"", []string{"b=c", "d=e;f\"", "g", "h="}, nil, 0},
		{"a; b= c", nil, ErrInvalidByte, 5},
		{"a; b=\"c", nil, ErrUnterminatedString, 5},
	} {
		var got []string
		var failed error
		for p, err := range Parameters([]byte(test.member)) {
			if err != nil {
				failed = err
				continue
			}
			text := string(p.Name)
			if p.Value != nil {
				text += "="
			}
			got = append(got, text+string(p.AppendValue(nil)))
		}
		if !slices.Equal(got, test.want) || failed != nil && !failure(failed, test.reason, test.offset) || (failed == nil) != (test.reason == nil) {
			t.Errorf("%q: %q, %v", test.member, got, failed)
		}
	}
	for p := range Parameters([]byte("a;b")) {
		if p.Quoted || p.HasPairs || p.Value != nil {
			t.Errorf("%+v", p)
		}
		break
	}
}

func TestHasToken(t *testing.T) {
	for _, test := range []struct {
		value, token string
		found, last  bool
		err          error
	}{
		{"keep-alive, Upgrade", "upgrade", true, true, nil},
		{"Upgrade, keep-alive", "upgrade", true, false, nil},
		{"upgraded", "upgrade", false, false, nil},
		{"\"upgrade\"", "upgrade", false, false, nil},
		{"", "upgrade", false, false, nil},
		{"upgrade", "", false, false, nil},
		{"upgrade, \"x", "upgrade", false, false, ErrUnterminatedString},
		{"upgrade\x01", "upgrade", false, false, ErrInvalidByte},
	} {
		if found, last, err := HasToken([]byte(test.value), test.token); found != test.found || last != test.last || err != test.err {
			t.Errorf("%q: %v, %v, %v", test.value, found, last, err)
		}
	}
}

func TestContentLength(t *testing.T) {
	for _, test := range []struct {
		value string
		want  uint64
		err   error
	}{
		{"0", 0, nil},
		{"18446744073709551615", 1<<64 - 1, nil},
		{"18446744073709551616", 0, ErrLengthTooLarge},
		{"5, 5,5", 5, nil},
		{"5, 6", 0, ErrLengthsDiffer},
		{"", 0, ErrInvalidByte},
		{"+5", 0, ErrInvalidByte},
	} {
		if n, err := ContentLength([]byte(test.value)); n != test.want || err != test.err {
			t.Errorf("%q: %d, %v", test.value, n, err)
		}
	}
}

func TestParseTarget(t *testing.T) {
	for _, test := range []struct {
		target string
		method Method
		want   string
	}{
		{"/", MethodGET, "1 0 0 path=/"},
		{"/a/b?c=d", MethodGET, "1 0 0 path=/a/b query=c=d"},
		{"/?", MethodGET, "1 0 0 path=/ query="},
		{"*", MethodOPTIONS, "4 0 0 path=*"},
		{"http://u:p@host.example:8080/p?q#f", MethodGET, "2 1 8080 scheme=http userinfo=u:p host=host.example port=8080 path=/p query=q fragment=f"},
		{"http://192.0.2.1", MethodGET, "2 2 0 scheme=http host=192.0.2.1"},
		{"http://[2001:db8::1]:/", MethodGET, "2 3 0 scheme=http host=2001:db8::1 port= path=/"},
		{"host.example:443", MethodCONNECT, "3 1 443 host=host.example port=443"},
	} {
		got, err := ParseTarget([]byte(test.target), test.method)
		text := fmt.Sprintf("%d %d %d", got.Form, got.HostKind, got.PortNumber)
		for _, part := range []struct {
			name string
			text []byte
		}{{"scheme", got.Scheme}, {"userinfo", got.Userinfo}, {"host", got.Host}, {"port", got.Port}, {"path", got.Path}, {"query", got.Query},
			{"fragment", got.Fragment}} {
			if part.text != nil {
				text += fmt.Sprintf(" %s=%s", part.name, part.text)
			}
		}
		if err != nil || text != test.want {
			t.Errorf("%q: %s, %v", test.target, text, err)
		}
	}
	for _, test := range []struct {
		target string
		method Method
		reason error
		offset int
	}{
		{"", MethodGET, ErrTargetForm, 0},
		{"/a b", MethodGET, ErrInvalidByte, 2},
		{"host:443", MethodGET, ErrTargetForm, 4},
		{"host", MethodCONNECT, ErrTargetPort, 4},
		{"http://:80/", MethodGET, ErrTargetHost, 7},
		{"http://a:65536/", MethodGET, ErrTargetPort, 9},
	} {
		if got, err := ParseTarget([]byte(test.target), test.method); !failure(err, test.reason, test.offset) || got.Form != 0 {
			t.Errorf("%q: %v", test.target, err)
		}
	}
	if _, err := ParseTarget(nil, MethodGET); !errors.Is(err, ErrTargetForm) {
		t.Error(err)
	}
}

func TestSIMD(t *testing.T) {
	defer SetSIMD(SIMD())
	levels := SIMDLevels()
	if !slices.Contains(levels, SIMD()) || SIMDError() != nil {
		t.Errorf("%s of %q, %v", SIMD(), levels, SIMDError())
	}
	for _, level := range levels {
		if err := SetSIMD(level); err != nil || SIMD() != level {
			t.Errorf("%s: %v, %s", level, err, SIMD())
		}
	}
	if err := SetSIMD("avx9"); err == nil || SIMD() != levels[len(levels)-1] {
		t.Errorf("%v, %s", err, SIMD())
	}
}
