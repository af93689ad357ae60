package docs

// Links inside the repository: the file is there, and if the link goes to a heading (#like-this), so is the heading.

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

var (
	fence   = regexp.MustCompile("(?ms)^```.*?^```$")
	comment = regexp.MustCompile(`(?s)<!--.*?-->`)
	code    = regexp.MustCompile("`[^`\n]*`")
	// [text](target "title"), [label]: target, <img src="target">, <source srcset="target">
	inline    = regexp.MustCompile(`\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)`)
	reference = regexp.MustCompile(`(?m)^ {0,3}\[[^\]]+\]:\s+<?(\S+?)>?(?:\s+"[^"]*")?$`)
	attribute = regexp.MustCompile(`\s(?:src|srcset|href)="([^"]+)"`)
	heading   = regexp.MustCompile(`(?m)^#{1,6} +(.+?)(?: +#+)?$`)
	named     = regexp.MustCompile(`<[a-z]+ (?:id|name)="([^"]+)"`)
)

// links lists what a Markdown text links to. Code is left out, that in blocks and that in lines.
func links(t *testing.T, text string) []*url.URL {
	t.Helper()
	text = comment.ReplaceAllString(fence.ReplaceAllString(text, ""), "")
	// The text of a link may be code; its target is kept.
	text = code.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("x", len(s)) })
	var targets []*url.URL
	for _, pattern := range []*regexp.Regexp{inline, reference, attribute} {
		for _, match := range pattern.FindAllStringSubmatch(text, -1) {
			target, err := url.Parse(match[1])
			if err != nil {
				t.Fatalf("link %q: %v", match[1], err)
			}
			if target.Scheme == "" && target.Host == "" {
				targets = append(targets, target)
			}
		}
	}
	return targets
}

// anchors are the names of the headings of a Markdown text, as GitHub makes them, and of elements with an id.
func anchors(text string) map[string]bool {
	text = fence.ReplaceAllString(text, "")
	names := map[string]bool{}
	for _, match := range heading.FindAllStringSubmatch(text, -1) {
		// Of a link, its text is in the heading.
		title := regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(match[1], "$1")
		var b strings.Builder
		for _, c := range strings.ToLower(title) {
			switch {
			case c == ' ':
				b.WriteByte('-')
			case c == '-' || c == '_' || unicode.IsLetter(c) || unicode.IsNumber(c):
				b.WriteRune(c)
			}
		}
		name := b.String()
		for i := 1; names[name]; i++ {
			name = b.String() + "-" + strconv.Itoa(i)
		}
		names[name] = true
	}
	for _, match := range named.FindAllStringSubmatch(text, -1) {
		names[match[1]] = true
	}
	return names
}

func TestLinks(t *testing.T) {
	count := 0
	for _, path := range find(t, ".md") {
		for _, target := range links(t, read(t, path)) {
			count++
			file := path
			if target.Path != "" {
				file = filepath.Join(filepath.Dir(path), filepath.FromSlash(target.Path))
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s links to %s, which is not there", path, target)
			} else if strings.HasSuffix(file, ".md") && target.Fragment != "" && !anchors(read(t, file))[target.Fragment] {
				t.Errorf("%s links to %s, which has no such heading", path, target)
			}
		}
	}
	if count < 20 {
		t.Errorf("found %d links only", count)
	}
}

func TestLinksAreFound(t *testing.T) {
	const text = "# A `b` & [c](d.md)!\n## Twice\n## Twice\n<a id=\"here\"></a>\n" +
		"[one](a.md#x) ![two](b.svg \"title\") [`three`](c.md) `[no](no.md)` [web](https://example.com/)\n" +
		"[four]: d.md\n<source srcset=\"e.svg\">\n```md\n[no](no.md)\n```\n<!-- [no](no.md) -->\n"
	var found []string
	for _, target := range links(t, text) {
		found = append(found, target.String())
	}
	if got, want := strings.Join(found, " "), "d.md a.md#x b.svg c.md d.md e.svg"; got != want {
		t.Errorf("links: %s, want %s", got, want)
	}
	names := anchors(text)
	for _, name := range []string{"a-b--c", "twice", "twice-1", "here"} {
		if !names[name] {
			t.Errorf("no anchor %s in %v", name, names)
		}
	}
}
