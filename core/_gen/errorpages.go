package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// The pages of docs/errors: one per errno, made of the tables of errors.go and explain.go, and of the cases of
// tests/cases/errors.md, which have an input for each reason and are run by tests/cases/runner.

const (
	examplesFile = "tests/cases/errors.md"
	pagesFolder  = "docs/errors"
)

type example struct {
	Type  string // request, response or both
	Rules string // of llhttp_ext.h, without which it is taken; may be empty
	Input string // a block http, as tests/cases/README.md describes it
	Last  string // the last line of its log: offset and error
}

var fencedBlock = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

// readExamples returns the cases by "HPE_<errno>: <reason>".
func readExamples(root string) (map[string]example, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(examplesFile)))
	if err != nil {
		return nil, err
	}
	examples := map[string]example{}
	for _, section := range strings.Split(string(text), "\n## ")[1:] {
		name, rest, _ := strings.Cut(section, "\n")
		e := example{Type: "request"}
		for _, block := range fencedBlock.FindAllStringSubmatch(rest, -1) {
			switch block[1] {
			case "meta":
				for _, line := range strings.Split(block[2], "\n") {
					if kind, ok := strings.CutPrefix(line, "type: "); ok {
						e.Type = kind
					}
					if rules, ok := strings.CutPrefix(line, "rules: "); ok {
						e.Rules = rules
					}
				}
			case "http":
				e.Input = block[2]
			case "log":
				lines := strings.Split(strings.TrimSpace(block[2]), "\n")
				e.Last = lines[len(lines)-1]
			}
		}
		examples[name] = e
	}
	return examples, nil
}

// errorPage is what error_page.md.tmpl is filled with.
type errorPage struct {
	errno
	examples map[string]example
}

// Example is the case for a reason, or nil.
func (p errorPage) Example(reason string) *example {
	if e, ok := p.examples["HPE_"+p.Name+": "+reason]; ok {
		return &e
	}
	return nil
}

// answer is a status for people: "400 Bad Request"; 0 is none.
func answer(code int) (string, error) {
	if code == 0 {
		return "none", nil
	}
	for _, s := range statuses {
		if s.Value == code {
			words := strings.Fields(strings.ToLower(strings.ReplaceAll(s.Name, "_", " ")))
			for i, w := range words {
				words[i] = strings.ToUpper(w[:1]) + w[1:]
			}
			return fmt.Sprintf("%d %s", code, strings.ReplaceAll(strings.Join(words, " "), "Uri", "URI")), nil
		}
	}
	return "", fmt.Errorf("status %d has no name", code)
}

// setters names flags as functions of the header, in code.
func setters(names []string) string {
	var list []string
	for _, name := range names {
		for _, f := range lenientFlags {
			if f.Name == name {
				list = append(list, "`"+f.Setter()+"`")
			}
		}
	}
	return strings.Join(list, " with ")
}

// errorPages returns the pages, and their list, by file.
func errorPages(root string) (map[string][]byte, error) {
	examples, err := readExamples(root)
	if err != nil {
		return nil, err
	}
	for _, r := range reasons {
		if _, ok := examples["HPE_"+r.Errno+": "+r.Text]; !ok {
			return nil, fmt.Errorf("%s has no case for HPE_%s: %s", examplesFile, r.Errno, r.Text)
		}
	}
	pages := map[string][]byte{}
	for _, e := range errnos {
		page, err := fill("error_page.md.tmpl", errorPage{e, examples})
		if err != nil {
			return nil, err
		}
		pages[pagesFolder+"/HPE_"+e.Name+".md"] = append(bytes.TrimRight(page, "\n"), '\n')
	}
	pages[pagesFolder+"/README.md"], err = fill("error_list.md.tmpl", errnos)
	return pages, err
}

// pausing are the callbacks that may pause and then have a reason.
func pausing() (list []callback) {
	for _, c := range callbacks {
		if c.Pause != "" {
			list = append(list, c)
		}
	}
	return list
}
