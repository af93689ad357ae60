package main

import "strings"

// comment sets text as a C comment, each line behind indent and at most 108 columns wide.
func comment(indent, text string) string {
	lines := wrap(text, 108-len(indent)-len(" * "))
	if len(lines) == 1 && len(indent)+len(lines[0]) <= 108-len("/*  */") {
		return indent + "/* " + lines[0] + " */"
	}
	return indent + "/* " + strings.Join(lines, "\n"+indent+" * ") + "\n" + indent + " */"
}

// indented sets text in lines of at most 108 columns, each behind indent.
func indented(indent, text string) string {
	return indent + strings.Join(wrap(text, 108-len(indent)), "\n"+indent)
}

// wrap breaks text at spaces into lines of at most width bytes; an empty line in text stays one.
func wrap(text string, width int) (lines []string) {
	for _, paragraph := range strings.Split(text, "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			if line != "" && len(line)+1+len(word) > width {
				lines = append(lines, line)
				line = ""
			}
			if line != "" {
				line += " "
			}
			line += word
		}
		lines = append(lines, line)
	}
	return lines
}

// enumerator writes one value of a C enum, with its comma unless it is the last.
func enumerator(name, value string, last bool) string {
	if last {
		return name + " = " + value
	}
	return name + " = " + value + ","
}
