package main

import (
	"fmt"
	"regexp"
	"strings"
)

// The manual page llhttp(3), in mdoc: made of the header, whose comments are the API's reference, and of the tables.

// function is one that the header declares.
type function struct {
	Result, Name string
	Arguments    []string
	Doc          string // its comment, as plain text
}

// IsLenient tells whether it sets a lenient flag: those have a section of their own.
func (f function) IsLenient() bool { return strings.HasPrefix(f.Name, "llhttp_set_lenient_") }

var (
	declaration = regexp.MustCompile(`(?m)^(?:/\*((?:[^*]|\*[^/])*)\*/\n)?LLHTTP_EXPORT\n([^;(]*?)(\w+)\(([^)]*)\);`)
	lineStart   = regexp.MustCompile(`(?m)^ \* ?`)
	item        = regexp.MustCompile(`^(HPE_\w+|\S+(?: \S+)*  ) *(\S.*)$`)
	heading     = regexp.MustCompile(`^(Memory and threads|Memory|Threads|Callbacks|Leaving without a return|Errors)\. (.*)`)
	sentenceEnd = regexp.MustCompile(`([A-Za-z0-9)"][.?!]) +([A-Z])`)
)

// plain takes the frame off a C comment.
func plain(comment string) string {
	return strings.TrimSpace(lineStart.ReplaceAllString(comment, ""))
}

// functionsOf lists what the header declares with LLHTTP_EXPORT.
func functionsOf(header string) (list []function) {
	for _, m := range declaration.FindAllStringSubmatch(header, -1) {
		f := function{Result: strings.TrimSpace(m[2]), Name: m[3], Doc: plain(m[1])}
		for _, argument := range strings.Split(m[4], ",") {
			f.Arguments = append(f.Arguments, strings.TrimSpace(argument))
		}
		list = append(list, f)
	}
	return list
}

// commentBefore is the text of the comment that ends in front of what is marked.
func commentBefore(header, mark string) (string, error) {
	end := strings.Index(header, " */\n"+mark)
	if end < 0 {
		return "", fmt.Errorf("the header has no comment in front of %q", mark)
	}
	start := strings.LastIndex(header[:end], "/*")
	return plain(header[start+len("/*") : end]), nil
}

// escapeMdoc makes text safe from the formatter.
func escapeMdoc(text string) string {
	text = strings.ReplaceAll(text, `\`, `\e`)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

// prose sets text with a sentence per line, as mdoc wants it, and lines of at most 78 columns.
func prose(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	var lines []string
	for _, sentence := range strings.Split(sentenceEnd.ReplaceAllString(text, "$1\n$2"), "\n") {
		for _, line := range wrap(sentence, 76) {
			lines = append(lines, escapeMdoc(line))
		}
	}
	return strings.Join(lines, "\n")
}

// mdoc sets a comment of the header: paragraphs, lists of "NAME  text", code, and headings at the start of a paragraph.
func mdoc(comment string) string {
	var b strings.Builder
	lines := strings.Split(comment, "\n")
	var paragraph []string
	flush := func() {
		if paragraph != nil {
			fmt.Fprintln(&b, prose(strings.Join(paragraph, " ")))
			paragraph = nil
		}
	}
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case line == "":
			flush()
			if i+1 < len(lines) && !strings.HasPrefix(lines[i+1], "    ") && !heading.MatchString(lines[i+1]) {
				b.WriteString(".Pp\n")
			}
		case strings.HasPrefix(line, "    "):
			flush()
			var block []string
			for ; i < len(lines) && strings.HasPrefix(lines[i], "    "); i++ {
				block = append(block, lines[i][4:])
			}
			i--
			b.WriteString(listing(block))
		case paragraph == nil && heading.MatchString(line):
			m := heading.FindStringSubmatch(line)
			fmt.Fprintf(&b, ".Ss %s\n", m[1])
			paragraph = []string{m[2]}
		default:
			paragraph = append(paragraph, line)
		}
	}
	flush()
	return strings.TrimSuffix(b.String(), "\n")
}

// mdocArgument sets a C declaration as mdoc has them: the star at the name.
func mdocArgument(text string) string {
	return strings.ReplaceAll(text, "* ", " *")
}

// answerSentence says which status suits an error.
func answerSentence(e errno) (string, error) {
	if e.Status == 0 {
		return "", nil
	}
	text, err := answer(e.Status)
	return " Status: " + text + ".", err
}

// listing sets an indented block: as a list if each of its lines is an item, or goes on with one; else as it is.
func listing(block []string) string {
	var names, texts []string
	for _, line := range block {
		switch m := item.FindStringSubmatch(line); {
		case m != nil:
			names, texts = append(names, strings.TrimSpace(m[1])), append(texts, m[2])
		case names != nil && strings.HasPrefix(line, "    "):
			texts[len(texts)-1] += " " + line
		default:
			code := ".Bd -literal -offset indent\n"
			for _, line := range block {
				code += escapeMdoc(line) + "\n"
			}
			return code + ".Ed\n"
		}
	}
	list := ".Bl -tag -width Ds\n"
	for i, name := range names {
		list += ".It " + name + "\n" + prose(texts[i]) + "\n"
	}
	return list + ".El\n"
}

// manualPage returns man/llhttp.3.
func manualPage() ([]byte, error) {
	text, err := generate("llhttp_compat.h.tmpl")
	if err != nil {
		return nil, err
	}
	header := string(text)
	data := map[string]any{
		"Functions": functionsOf(header), "Callbacks": callbacks, "LenientFlags": lenientFlags, "Errnos": errnos,
		"Version": versionText(),
	}
	for name, mark := range map[string]string{
		"About": "\n#define LLHTTP_VERSION_MAJOR", "Span": "typedef int (*llhttp_data_cb)",
		"Notification": "typedef int (*llhttp_cb)", "Settings": "struct llhttp_settings_s {",
		"Lenient": "\n/* RFC",
	} {
		if data[name], err = commentBefore(header, mark); err != nil {
			return nil, err
		}
	}
	return fill("llhttp.3.tmpl", data)
}
