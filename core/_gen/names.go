package main

import "strings"

// Words that Go writes in capitals inside a name.
var initialisms = map[string]bool{"OK": true, "LF": true, "CR": true, "CRLF": true, "EOF": true, "H2": true, "CB": true,
	"URL": true, "HTTP10": true, "UTF8": true}

// camel turns a C constant's name into the rest of a Go one: LF_EXPECTED to LFExpected, url_complete to URLComplete.
func camel(name string) string {
	var b strings.Builder
	for _, word := range strings.Split(strings.ToUpper(name), "_") {
		if !initialisms[word] {
			word = word[:1] + strings.ToLower(word[1:])
		}
		b.WriteString(word)
	}
	return b.String()
}
