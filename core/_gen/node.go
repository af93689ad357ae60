package main

import (
	"regexp"
	"strings"
)

// Names and texts as the package for Node.js has them: camelCase, and JavaScript's words for C's.

// lowerCamel turns a C name into a JavaScript one: url_complete to urlComplete, KEEP_ALIVE to keepAlive.
func lowerCamel(name string) string {
	upper := upperCamel(name)
	return strings.ToLower(upper[:1]) + upper[1:]
}

// upperCamel is lowerCamel with a capital in front.
func upperCamel(name string) string {
	var b strings.Builder
	for _, word := range strings.Split(strings.ToLower(name), "_") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// Event is the name of the callback's event in JavaScript, Function that of the callback: headerField, onHeaderField.
func (c callback) Event() string    { return lowerCamel(c.Name) }
func (c callback) Function() string { return "on" + upperCamel(c.Name) }

// Option is the flag's name in JavaScript.
func (f lenientFlag) Option() string { return lowerCamel(f.Name) }

// nodeWords says what C's names in the header's texts are in JavaScript: the prefix, and the form of what the pattern
// catches.
var nodeWords = []struct {
	pattern *regexp.Regexp
	prefix  string
	form    func(string) string
}{
	{regexp.MustCompile(`\bllhttp_(?:get_|set_lenient_)?(\w+)`), "", lowerCamel},
	{regexp.MustCompile(`\bon_(\w+)`), "on", upperCamel},
	{regexp.MustCompile(`\bHTTP_([A-Z_]+)`), "HTTPParser.", strings.ToUpper},
	{regexp.MustCompile(`\bF_([A-Z_]+)`), "FLAGS.", strings.ToUpper},
	{regexp.MustCompile(`\b([a-z]+(?:_[a-z]+)+)\b`), "", lowerCamel},
}

// nodeText is a text of the header in JavaScript's words.
func nodeText(text string) string {
	for _, w := range nodeWords {
		text = w.pattern.ReplaceAllStringFunc(text, func(name string) string {
			return w.prefix + w.form(w.pattern.FindStringSubmatch(name)[1])
		})
	}
	return text
}

// jsDoc sets text as a documentation comment, each line behind indent.
func jsDoc(indent, text string) string {
	return strings.Replace(comment(indent, nodeText(text)), "/*", "/**", 1)
}
