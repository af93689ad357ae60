package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// The structs of llhttp_ext.h are declared in its template and nowhere else; here they are read from it, for languages
// that must know the layout.

// field is a member of such a struct: Count of them if it is an array, else one.
type field struct {
	member
	Count int
}

var (
	cComment  = regexp.MustCompile(`(?s)/\*.*?\*/`)
	cMember   = regexp.MustCompile(`^((?:const )?\w+\*?) (\w+)(?:\[(\w+)(?: / (\d+))?\])?$`)
	cConstant = `(?m)^#define %s (\d+)$`
)

// extStruct gives the members of a struct, in their order.
func extStruct(name string) ([]field, error) {
	header, err := templates.ReadFile("llhttp_ext.h.tmpl")
	if err != nil {
		return nil, err
	}
	_, text, found := strings.Cut(string(header), "\ntypedef struct "+name+"_s {\n")
	text, _, closed := strings.Cut(text, "\n} "+name+"_t;")
	if !found || !closed {
		return nil, fmt.Errorf("llhttp_ext.h.tmpl declares no %s_t", name)
	}
	var fields []field
	for _, line := range strings.Split(cComment.ReplaceAllString(text, ""), ";") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		m := cMember.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("%s_t: %q is no member that is understood", name, line)
		}
		count := 1
		if m[3] != "" {
			if count, err = constant(string(header), m[3]); err != nil {
				return nil, err
			}
		}
		if m[4] != "" {
			divisor, _ := strconv.Atoi(m[4])
			count /= divisor
		}
		fields = append(fields, field{member{Type: m[1], Name: m[2]}, count})
	}
	return fields, nil
}

// constant is the value of a number, or of a macro that is one.
func constant(header, text string) (int, error) {
	if m := regexp.MustCompile(fmt.Sprintf(cConstant, text)).FindStringSubmatch(header); m != nil {
		text = m[1]
	}
	return strconv.Atoi(text)
}
