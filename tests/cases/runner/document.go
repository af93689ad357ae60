package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// testCase is one section of a document, of the second or third level.
type testCase struct {
	path, name string
	line       int // of the heading, from 1
	meta       meta
	input      []byte
	log        string // without a final line end
	logLine    int    // index into the document's lines of the fence that opens the log
	logEnd     int    // and of the one that closes it
	seen       map[string]event
}

type meta struct {
	kind      string
	lenient   []string
	rules     []string // of llhttp_ext.h; the reference has none of these
	limits    []string // NAME=N
	options   []string // of the tool
	reference bool
	verdict   verdict
	without   string // the error without the lenient flags; empty: not said
}

// verdict is what the author of a case says by hand, of the RFC and of what the log must come to.
type verdict struct {
	word     string // a key of verdicts; empty: the case has none
	messages int    // how many are complete
	errno    string // of the error at the end; empty: there is none
}

// verdicts tells which words go with an error at the end of the log and which without one.
var verdicts = map[string]struct{ withError, withoutError bool }{
	"refused":  {withError: true},
	"taken":    {withoutError: true},
	"stricter": {withError: true},
	"laxer":    {withError: true, withoutError: true},
}

// section matches the citation that a case with a verdict must have.
var section = regexp.MustCompile(`RFC \d{4}, (Sections? \d|Appendix [A-Z])`)

func (c *testCase) String() string {
	return strings.TrimSuffix(filepath.Base(c.path), ".md") + ": " + c.name
}

func readDocument(path string) ([]*testCase, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var (
		cases []*testCase
		c     *testCase
		part  string // the last heading of the second level
		prose []string
		seen  = map[string]bool{}
		lines = strings.Split(string(text), "\n")
	)
	fail := func(line int, format string, args ...any) error {
		return fmt.Errorf("%s:%d: %s", path, line+1, fmt.Sprintf(format, args...))
	}
	// The input and the log of a case are both required; this is called at its end.
	complete := func() error {
		if c != nil && (c.input == nil || c.logLine == 0) {
			return fail(c.line-1, "case %q lacks its http block or its log block", c.name)
		}
		// A citation may go over the end of a line.
		if c != nil && c.meta.verdict.word != "" && !section.MatchString(strings.Join(prose, " ")) {
			return fail(c.line-1, "case %q has a verdict, but cites no section of an RFC", c.name)
		}
		prose = nil
		return nil
	}
	for i := 0; i < len(lines); i++ {
		name, second := strings.CutPrefix(lines[i], "## ")
		name, third := strings.CutPrefix(name, "### ")
		if second || third {
			switch {
			case second:
				part = name
			case c != nil && c.name == part && c.input == nil && c.logLine == 0:
				// The heading above was that of a part of the document, and no case.
				cases, c = cases[:len(cases)-1], nil
			}
			if third {
				name = part + ": " + name
			}
			if err := complete(); err != nil {
				return nil, err
			}
			if seen[name] {
				return nil, fail(i, "a second case %q", name)
			}
			seen[name] = true
			c = &testCase{path: path, name: name, line: i + 1, seen: map[string]event{}}
			c.meta = meta{kind: "request", reference: true}
			cases = append(cases, c)
			continue
		}
		kind, ok := strings.CutPrefix(lines[i], "```")
		if !ok {
			prose = append(prose, lines[i])
			continue
		}
		start := i
		for i++; i < len(lines) && lines[i] != "```"; i++ {
		}
		if i == len(lines) {
			return nil, fail(start, "block without an end")
		}
		body := lines[start+1 : i]
		if c == nil {
			continue // an illustration in the introduction
		}
		switch kind {
		case "meta":
			if err := c.readMeta(body); err != nil {
				return nil, fail(start, "%v", err)
			}
		case "http":
			if c.input != nil {
				return nil, fail(start, "a second http block")
			}
			if c.input, err = unescape(body); err != nil {
				return nil, fail(start, "%v", err)
			}
		case "log":
			if c.logLine != 0 {
				return nil, fail(start, "a second log block")
			}
			c.logLine, c.logEnd, c.log = start, i, strings.Join(body, "\n")
		}
	}
	return cases, complete()
}

func (c *testCase) readMeta(lines []string) error {
	for _, line := range lines {
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		words := strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })
		switch key {
		case "type":
			c.meta.kind = value
		case "lenient":
			c.meta.lenient = words
		case "rules":
			c.meta.rules = words
			c.meta.reference = false
		case "limits":
			c.meta.limits = words
			c.meta.reference = false
		case "options":
			for _, word := range words {
				c.meta.options = append(c.meta.options, "--"+word)
			}
		case "reference":
			if value != "no" {
				return fmt.Errorf("reference: the only value is no")
			}
			c.meta.reference = false
		case "verdict":
			if err := c.meta.verdict.read(words); err != nil {
				return err
			}
		case "without":
			c.meta.without = value
		default:
			return fmt.Errorf("unknown key %q", key)
		}
	}
	return nil
}

// read takes a verdict's word, the number of complete messages unless it is 0, and the error's name if there is one.
func (v *verdict) read(words []string) error {
	if len(words) == 0 {
		return fmt.Errorf("verdict: empty")
	}
	v.word, words = words[0], words[1:]
	may, known := verdicts[v.word]
	if !known {
		return fmt.Errorf("verdict: unknown word %q", v.word)
	}
	if len(words) > 0 && !strings.HasPrefix(words[0], "HPE_") {
		n, err := strconv.Atoi(words[0])
		if err != nil {
			return fmt.Errorf("verdict: %v", err)
		}
		v.messages, words = n, words[1:]
	}
	if len(words) > 0 {
		v.errno, words = words[0], words[1:]
	}
	if len(words) > 0 || !may.withError && v.errno != "" || !may.withoutError && v.errno == "" {
		return fmt.Errorf("verdict: %q does not go with what follows it", v.word)
	}
	return nil
}

// against holds a verdict against a log, and says what is wrong.
func (v *verdict) against(log string) string {
	messages := 0
	for line := range strings.Lines(log) {
		if words := strings.Fields(line); len(words) > 1 && words[1] == "message_complete" {
			messages++
		}
	}
	if errno := errorName(log); messages != v.messages || errno != v.errno {
		return fmt.Sprintf("the verdict says %d complete messages and error %q, the log %d and %q",
			v.messages, v.errno, messages, errno)
	}
	return ""
}

// errorName finds the error that a log ends in, if it does.
func errorName(log string) string {
	words := strings.Fields(log[strings.LastIndexByte(log, '\n')+1:])
	if len(words) < 3 || words[1] != "error" {
		return ""
	}
	return strings.TrimSuffix(words[2], ":")
}

// unescape turns the lines of an http block into the bytes they stand for.
func unescape(lines []string) ([]byte, error) {
	input := []byte{}
	for _, line := range lines {
		ended := false // the line brings its own line end, or has none
		for i := 0; i < len(line); i++ {
			ended = false
			if line[i] != '\\' {
				if line[i] < ' ' || line[i] > '~' {
					return nil, fmt.Errorf("write byte %#x as an escape", line[i])
				}
				input = append(input, line[i])
				continue
			}
			if i++; i == len(line) {
				ended = true
				break
			}
			switch line[i] {
			case 'r':
				input, ended = append(input, '\r'), true
			case 'n':
				input, ended = append(input, '\n'), true
			case 't':
				input = append(input, '\t')
			case '0':
				input = append(input, 0)
			case '\\':
				input = append(input, '\\')
			case 'x':
				if i+3 > len(line) {
					return nil, fmt.Errorf("\\x needs two digits")
				}
				n, err := strconv.ParseUint(line[i+1:i+3], 16, 8)
				if err != nil {
					return nil, err
				}
				input = append(input, byte(n))
				i += 2
			default:
				return nil, fmt.Errorf("unknown escape \\%c", line[i])
			}
		}
		if !ended {
			input = append(input, '\r', '\n')
		}
	}
	return input, nil
}

// updateDocuments rewrites the logs, document by document.
func updateDocuments(cases []*testCase) error {
	byPath := map[string][]*testCase{}
	var paths []string
	for _, c := range cases {
		if byPath[c.path] == nil {
			paths = append(paths, c.path)
		}
		byPath[c.path] = append(byPath[c.path], c)
	}
	changed := 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		lines := strings.Split(string(text), "\n")
		var out []string
		done := 0
		for _, c := range byPath[path] {
			runs, err := c.trace(mode{})
			if err != nil {
				return fmt.Errorf("%s:%d: %v", path, c.line, err)
			}
			log := render(runs[0].events)
			if log != c.log {
				changed++
			}
			out = append(out, lines[done:c.logLine+1]...)
			if log != "" {
				out = append(out, log)
			}
			done = c.logEnd
		}
		out = append(out, lines[done:]...)
		if err := os.WriteFile(path, []byte(strings.Join(out, "\n")), 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%d of %d logs changed\n", changed, len(cases))
	return nil
}
