package main

import (
	"fmt"
	"regexp"
	"strings"
)

// The manual page llhttp_ext(3): llhttp_ext.h from its first line to its last. A comment that begins with the name of a
// section opens it; what follows is an item each, with its comment: functions, types with their members, macros.

// pageSection is a part of the header.
type pageSection struct {
	Title, Doc string
	Items      []headerItem
}

// headerItem is a declaration with its comment.
type headerItem struct {
	Macro   string // what mdoc calls its kind: Fn, Vt or Dv
	Name    string
	Doc     string
	Members []headerItem
	More    int // members that are left out
}

// mostMembers are shown of an enum; of a longer one those alone that have a comment.
const mostMembers = 40

var (
	sectionStart  = regexp.MustCompile(`^(Levels|Extensions of a parser|Rules|Limits|Field names|Request-targets|The tape|The head|Field values): (.)`)
	typeName      = regexp.MustCompile(`(?:^|typedef )(enum|struct) (\w+) \{`)
	aliasName     = regexp.MustCompile(`(?:^typedef \w+ \w+|\}) (\w+);$`)
	macroName     = regexp.MustCompile(`^#define (\w+(?:\(\w+\))?)`)
	functionName  = regexp.MustCompile(`(\w+)\([^()]*\);$`)
	preprocessor  = regexp.MustCompile(`(?m)^#.*\n`)
	memberPart    = regexp.MustCompile(`(?s)^\s*(?:/\*(.*?)\*/\s*)?((?:[^;,(/]|/[^*])+(?:\(\*\w+\)\([^()]*\))?)[;,]? *(?:/\*(.*?)\*/)?`)
	privateMember = regexp.MustCompile(`^\w+ _\w+`)
	insideComment = regexp.MustCompile(`\n *\* ?`)
)

// sectionsOf takes the header apart, from behind its frame on.
func sectionsOf(header string) (sections []pageSection, err error) {
	_, rest, _ := strings.Cut(header, "extern \"C\" {\n#endif\n")
	rest, _, _ = strings.Cut(rest, "#ifdef __cplusplus")
	var doc, alias string
	opened := false // by the comment in front: what it says is the section's
	for rest = strings.TrimLeft(rest, "\n"); rest != ""; rest = strings.TrimLeft(rest, "\n") {
		if comment, behind, ok := cutComment(rest); ok {
			doc, rest = plain(comment), behind
			if m := sectionStart.FindStringSubmatch(doc); m != nil {
				text := strings.ToUpper(m[2]) + doc[len(m[0]):]
				sections = append(sections, pageSection{Title: strings.ToUpper(m[1]), Doc: text})
				doc, opened = "", true
			}
			continue
		}
		var text string
		text, rest = cutDeclaration(rest)
		item, known := itemOf(text)
		if m := aliasName.FindStringSubmatch(text); m != nil && !known { // its struct comes behind it
			alias = m[1]
			continue
		}
		if known && (doc != "" || opened || item.Members != nil) {
			if len(sections) == 0 {
				return nil, fmt.Errorf("%s stands before the first section", item.Name)
			}
			if alias != "" {
				item.Name = alias
			}
			item.Doc = doc
			s := &sections[len(sections)-1]
			s.Items = append(s.Items, item)
		}
		doc, alias, opened = "", "", false
	}
	return sections, nil
}

// cutComment cuts the comment off that the text begins with.
func cutComment(text string) (comment, rest string, ok bool) {
	if !strings.HasPrefix(text, "/*") {
		return "", text, false
	}
	return strings.Cut(text[len("/*"):], "*/")
}

// cutDeclaration cuts a declaration or a line for the preprocessor off, with a comment that stands behind it.
func cutDeclaration(text string) (declaration, rest string) {
	end := strings.IndexByte(text, '\n')
	if strings.HasPrefix(text, "#") {
		for strings.HasSuffix(text[:end], `\`) {
			end += 1 + strings.IndexByte(text[end+1:], '\n')
		}
		return text[:end], text[end:]
	}
	depth, inComment := 0, false
	for i := range text {
		switch {
		case inComment:
			inComment = !strings.HasSuffix(text[:i+1], "*/")
		case strings.HasPrefix(text[i:], "/*"):
			inComment = true
		case text[i] == '{':
			depth++
		case text[i] == '}':
			depth--
		case text[i] == ';' && depth == 0:
			line, _, _ := strings.Cut(text[i+1:], "\n")
			return text[:i+1], text[i+1+len(line):]
		}
	}
	return text, ""
}

// itemOf tells what is declared; a declaration without contents is nothing to be described.
func itemOf(text string) (item headerItem, known bool) {
	if m := macroName.FindStringSubmatch(text); m != nil {
		return headerItem{Macro: "Dv", Name: m[1]}, true
	}
	if m := typeName.FindStringSubmatch(text); m != nil {
		item = headerItem{Macro: "Vt", Name: m[1] + " " + m[2]}
		if alias := aliasName.FindStringSubmatch(text); alias != nil {
			item.Name = alias[1]
		}
		_, body, _ := strings.Cut(text, "{")
		item.addMembers(body[:strings.LastIndexByte(body, '}')])
		return item, true
	}
	if m := functionName.FindStringSubmatch(text); m != nil && strings.HasPrefix(text, "LLHTTP_EXPORT") {
		return headerItem{Macro: "Fn", Name: m[1]}, true
	}
	return headerItem{}, false
}

// addMembers reads the members between a type's braces. Private ones begin with an underscore.
func (item *headerItem) addMembers(body string) {
	seen := map[string]bool{}
	for body = preprocessor.ReplaceAllString(body, ""); ; {
		m := memberPart.FindStringSubmatch(body)
		if m == nil || m[0] == "" {
			break
		}
		body = body[len(m[0]):]
		name := strings.Join(strings.Fields(m[2]), " ")
		if name == "" || seen[name] || privateMember.MatchString(name) {
			continue
		}
		seen[name] = true
		item.Members = append(item.Members, headerItem{
			Macro: map[bool]string{true: "Dv", false: "Va"}[strings.HasPrefix(item.Name, "enum ")],
			Name:  name, Doc: insideComment.ReplaceAllString(strings.TrimSpace(m[1]+m[3]), " "),
		})
	}
	if len(item.Members) > mostMembers {
		all := item.Members
		item.Members = nil
		for _, m := range all {
			if m.Doc != "" {
				item.Members = append(item.Members, m)
			}
		}
		item.More = len(all) - len(item.Members)
	}
}

// manualPageExt returns man/llhttp_ext.3.
func manualPageExt() ([]byte, error) {
	text, err := generate("llhttp_ext.h.tmpl")
	if err != nil {
		return nil, err
	}
	header := string(text)
	about, err := commentBefore(header, "\n#include <stddef.h>")
	if err != nil {
		return nil, err
	}
	sections, err := sectionsOf(header)
	if err != nil {
		return nil, err
	}
	return fill("llhttp_ext.3.tmpl", map[string]any{
		"Functions": functionsOf(header), "About": about, "Sections": sections, "Version": versionText(),
	})
}
