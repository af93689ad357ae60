package core

import (
	"fmt"
	"math/rand"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"llhttpgo/tests/guard"
)

// The grammar of a target (RFC 9112, Section 3.2; RFC 3986), with VCHAR in path, query and fragment.
var (
	regName     = `(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})`
	authority   = `(?:(?P<userinfo>(?:` + regName + `|:)*)@)?(?P<host>` + regName + `+|\[[0-9A-Za-z:._~!$&'()*+,;=-]+\])(?::(?P<port>[0-9]*))?`
	pathQuery   = `(?:\?(?P<query>[!-"$-~]*))?(?:#(?P<fragment>[!-"$-~]*))?$`
	originForm  = regexp.MustCompile(`^(?P<path>/[!-"$->@-~]*)` + pathQuery)
	absoluteAt  = regexp.MustCompile(`^(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://` + authority + `(?P<path>/[!-"$->@-~]*)?` + pathQuery)
	authorityAt = regexp.MustCompile(`^` + strings.Replace(authority, `(?:(?P<userinfo>(?:`+regName+`|:)*)@)?`, "", 1) + `$`)
	ipFuture    = regexp.MustCompile(`^[vV][0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+$`)
)

// targetOracle gives what the target is made of, or "".
func targetOracle(target string, connect bool) string {
	form, re := TargetOrigin, originForm
	switch {
	case connect:
		form, re = TargetAuthority, authorityAt
	case target == "*":
		return "4 path 0+1"
	case !strings.HasPrefix(target, "/"):
		form, re = TargetAbsolute, absoluteAt
	}
	m := re.FindStringSubmatchIndex(target)
	if m == nil {
		return ""
	}
	text := fmt.Sprint(form)
	for _, name := range []string{"scheme", "userinfo", "host", "port", "path", "query", "fragment"} {
		i := re.SubexpIndex(name)
		if i < 0 || m[2*i] < 0 {
			continue
		}
		first, end := m[2*i], m[2*i+1]
		part := target[first:end]
		kind := ""
		switch {
		case name == "host" && part[0] == '[':
			first, end = first+1, end-1
			part = target[first:end]
			kind = fmt.Sprint(" kind ", HostIPv6)
			if ip, err := netip.ParseAddr(part); err != nil || !ip.Is6() || ip.Zone() != "" {
				if !ipFuture.MatchString(part) {
					return ""
				}
				kind = fmt.Sprint(" kind ", HostIPFuture)
			}
		case name == "host":
			kind = fmt.Sprint(" kind ", HostName)
			if ip, err := netip.ParseAddr(part); err == nil && ip.Is4() {
				kind = fmt.Sprint(" kind ", HostIPv4)
			}
		case name == "port":
			n, err := strconv.ParseUint("0"+part, 10, 16)
			if err != nil || connect && part == "" {
				return ""
			}
			kind = fmt.Sprint(" number ", n)
		}
		text += fmt.Sprintf(" %s %d+%d%s", name, first, end-first, kind)
	}
	if connect && !strings.Contains(text, " port ") {
		return ""
	}
	return text
}

// target does the same with ParseTarget, whose result must also be in order where it is empty.
func target(t testing.TB, b []byte, connect bool) string {
	c := uintptr(0)
	if connect {
		c = 1
	}
	var r Target
	if err := ParseTarget(guard.Address(b), uintptr(len(b)), c, &r); err != 0 {
		if r.Form != TargetNone || int(r.Error) > len(b) {
			t.Errorf("%q: form %d beside error %d at %d", b, r.Form, err, r.Error)
		}
		return ""
	}
	text := fmt.Sprint(r.Form)
	add := func(name string, s Span, there bool, more string) {
		if there {
			text += fmt.Sprintf(" %s %d+%d%s", name, s.Offset, s.Length, more)
		} else if s != (Span{}) {
			t.Errorf("%q: %s is not there, but %v", b, name, s)
		}
	}
	add("scheme", r.Scheme, r.Scheme.Length > 0, "")
	add("userinfo", r.Userinfo, r.Flags&TargetHasUserinfo != 0, "")
	add("host", r.Host, r.HostKind != HostNone, fmt.Sprint(" kind ", r.HostKind))
	add("port", r.PortText, r.Flags&TargetHasPort != 0, fmt.Sprint(" number ", r.Port))
	add("path", r.Path, r.Path.Length > 0, "")
	add("query", r.Query, r.Flags&TargetHasQuery != 0, "")
	add("fragment", r.Fragment, r.Flags&TargetHasFragment != 0, "")
	return text
}

// The grammar of http_parser's URLs.
var (
	urlAuthority = `(?:(?P<6>[A-Za-z0-9_.!~*'()%;:&=+$,-]*)@)?(?:(?P<1>[A-Za-z0-9._-]+)|\[(?P<v6>[0-9A-Fa-f:.]+(?:%[A-Za-z0-9%._~-]+)?)\])(?::(?P<2>[0-9]+))?`
	urlRest      = `(?:\?(?P<4>[!-"$-~]*))?(?:#+(?P<5>[!-~]*))?$`
	urlOrigin    = regexp.MustCompile(`^(?P<3>[/*][!-"$->@-~]*)` + urlRest)
	urlAbsolute  = regexp.MustCompile(`^(?P<0>[A-Za-z]+)://` + urlAuthority + `(?:(?P<3>/[!-"$->@-~]*)` + urlRest + `|\?(?P<4q>[!-"$-~]*)(?:#+(?P<5q>[!-~]*))?$|$)`)
	urlConnect   = regexp.MustCompile(`^` + urlAuthority + `$`)
)

func urlOracle(url string, connect bool) string {
	re := urlAbsolute
	switch {
	case len(url) > 65535:
		return ""
	case connect:
		re = urlConnect
	case strings.HasPrefix(url, "/") || strings.HasPrefix(url, "*"):
		re = urlOrigin
	}
	m := re.FindStringSubmatchIndex(url)
	if m == nil {
		return ""
	}
	found := make([]string, urlFields)
	set := 0
	port := uint64(0)
	for i, name := range re.SubexpNames() {
		if name == "" || m[2*i] < 0 || m[2*i] == m[2*i+1] && name != "v6" {
			continue
		}
		field := 1
		if name != "v6" {
			field = int(name[0] - '0')
		}
		if field == urlPort {
			var err error
			if port, err = strconv.ParseUint(url[m[2*i]:m[2*i+1]], 10, 16); err != nil {
				return ""
			}
		}
		set |= 1 << field
		// A query or fragment has its number signs skipped first.
		first := m[2*i]
		if field == urlFragment {
			for first < m[2*i+1] && url[first] == '#' {
				first++
			}
			if first == m[2*i+1] {
				set &^= 1 << field
				continue
			}
		}
		found[field] = fmt.Sprintf(" %d: %d+%d", field, first, m[2*i+1]-first)
	}
	if connect && set != 1<<urlHost|1<<urlPort {
		return ""
	}
	return fmt.Sprint(port, strings.Join(found, ""))
}

func url(b []byte, connect bool) string {
	c := uintptr(0)
	if connect {
		c = 1
	}
	var r URL
	if ParseURL(guard.Address(b), uintptr(len(b)), c, &r) != 0 {
		return ""
	}
	text := fmt.Sprint(r.Port)
	for i, f := range r.Field {
		if r.FieldSet&(1<<i) != 0 {
			text += fmt.Sprintf(" %d: %d+%d", i, f.Offset, f.Length)
		}
	}
	return text
}

// urlDifference gives what differs between the functions and their oracles on one target, or nothing.
func urlDifference(t testing.TB, region []byte, text string) (diff string) {
	for _, connect := range []bool{false, true} {
		wantTarget, wantURL := targetOracle(text, connect), urlOracle(text, connect)
		defer guard.FaultAsText(&diff)()
		atLevels(t, func(level string) {
			for _, end := range ends(text) {
				b := guard.At(region, text, end)
				if got := target(t, b, connect); got != wantTarget {
					diff = fmt.Sprintf("%s, connect %v: target is %q, want %q", level, connect, got, wantTarget)
				}
				if got := url(b, connect); got != wantURL {
					diff = fmt.Sprintf("%s, connect %v: URL is %q, want %q", level, connect, got, wantURL)
				}
			}
		})
	}
	return diff
}

var urlParts = []string{
	"/", "//", "?", "??", "#", "##", "*", ":", "://", "@", "[", "]", "http", "h2+x", "http://", "https://", "a", "example.org", "user", "user:pass@", "a_b",
	"80", ":80", ":", ":65535", ":65536", ":00080", "1.2.3.4", "01.2.3.4", "1.2.3", "256.1.1.1", "[::1]", "[::]", "[1:2:3:4:5:6:7:8]", "[1:2:3:4:5:6:1.2.3.4]",
	"[::1.2.3.4]", "[1::2::3]", "[1:2:3:4:5:6:7:8:9]", "[12345::]", "[v1.x:y]", "[v.x]", "[v1.]", "[fe80::1%25eth0]", "[]", "[:]", "[1::]", "[1:2:3:4:5:6:7::]",
	"[::1:2:3:4:5:6:7:8]", "%20", "%2", "%zz", "/path", "/path/of/more/than/one/block/of/sixty-four/bytes/so/that/kernels/loop/over/it", "?q=1", "#f", "|", "\"", "<", "^",
	" ", "\t", "\x00", "\x7f", "\x80", "\xff", "\f", "\r", "!$&'()*+,;=", "~", "-", ".",
}

func TestTargets(t *testing.T) {
	region := guard.New(t, 4096)
	check := func(text string) {
		t.Helper()
		if diff := urlDifference(t, region, text); diff != "" {
			t.Fatalf("%q: %s", text, diff)
		}
	}
	check("")
	for _, a := range urlParts {
		for _, b := range urlParts {
			check(a + b)
			check("http://" + a + b)
			check("/" + a + b)
		}
	}
	for _, text := range []string{"http://user:p%20w@example.org:8080/path?query#fragment", "http://[2001:db8::1]:80/", "/path?query#fragment", "example.org:443"} {
		for i := range text {
			for c := i % 3; c < 256; c += 3 { // over the texts and places together every byte
				check(text[:i] + string([]byte{byte(c)}) + text[i+1:])
			}
			check(text[:i])
			check(text[i:])
		}
	}
	rng := rand.New(rand.NewSource(1))
	for range 5000 {
		text := []string{"", "/", "http://"}[rng.Intn(3)]
		for range rng.Intn(8) {
			text += urlParts[rng.Intn(len(urlParts))]
		}
		check(text)
	}
}

func TestTargetErrors(t *testing.T) {
	for _, c := range []struct {
		target  string
		connect uintptr
		err, at int
	}{
		{"", 0, TargetNoForm, 0},
		{"", 1, TargetNoForm, 0},
		{"path", 0, TargetNoForm, 4},
		{"http:/a", 0, TargetNoForm, 4},
		{"?q", 0, TargetNoForm, 0},
		{"*x", 0, TargetInvalid, 1},
		{"/a b", 0, TargetInvalid, 2},
		{"/a?b\x80", 0, TargetInvalid, 4},
		{"/a#b#c", 0, TargetInvalid, 4},
		{"http://", 0, TargetBadHost, 7},
		{"http:///a", 0, TargetBadHost, 7},
		{"http://:80/", 0, TargetBadHost, 7},
		{"http://a@b@c/", 0, TargetInvalid, 10},
		{"http://a[b]/", 0, TargetInvalid, 8},
		{"http://[::1/", 0, TargetBadHost, 11},
		{"http://[::g]/", 0, TargetBadHost, 8},
		{"http://[::1]a/", 0, TargetInvalid, 12},
		{"http://a%2/", 0, TargetInvalid, 8},
		{"http://a:b/", 0, TargetBadPort, 9},
		{"http://a:65536/", 0, TargetBadPort, 9},
		{"a:80", 0, TargetNoForm, 1},
		{"a", 1, TargetBadPort, 1},
		{"a:", 1, TargetBadPort, 2},
		{"a:80/", 1, TargetInvalid, 4},
		{"u@a:80", 1, TargetInvalid, 1},
	} {
		var r Target
		if err := ParseTarget(addressOf(c.target), uintptr(len(c.target)), c.connect, &r); err != c.err || int(r.Error) != c.at {
			t.Errorf("%q: error %d at %d, want %d at %d", c.target, err, r.Error, c.err, c.at)
		}
	}
}

// Offsets of http_parser's struct have 16 bits.
func TestLongURL(t *testing.T) {
	for n, want := range map[int]int{65535: 0, 65536: 1, 65537: 1, 200000: 1} {
		var u URL
		text := "/" + strings.Repeat("a", n-1)
		if got := ParseURL(addressOf(text), uintptr(n), 0, &u); got != want {
			t.Errorf("%d bytes: %d, want %d", n, got, want)
		}
		var r Target
		if err := ParseTarget(addressOf(text), uintptr(n), 0, &r); err != 0 || r.Path != (Span{0, uint32(n)}) {
			t.Errorf("%d bytes: error %d, path %v", n, err, r.Path)
		}
	}
	var r Target
	if err := ParseTarget(addressOf("/"), 1<<32, 0, &r); err != TargetTooLarge {
		t.Errorf("4 GiB: error %d", err)
	}
}

func FuzzTarget(f *testing.F) {
	for _, part := range urlParts {
		f.Add("http://" + part + "/" + part)
		f.Add(part + ":80")
	}
	region := guard.New(f, 4096)
	f.Fuzz(func(t *testing.T, text string) {
		text = text[:min(len(text), len(region))]
		if diff := urlDifference(t, region, text); diff != "" {
			t.Fatalf("%q: %s", text, diff)
		}
	})
}
