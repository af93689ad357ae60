package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every rule cites what it rests on, and has a case in which an input is parsed with it alone and another in which the
// same input is parsed in another way without it. tests/cases/runner runs them; here is that they are there.
func TestRulesHaveCases(t *testing.T) {
	type setting struct {
		rules []string
		log   string
	}
	settings := map[string][]setting{} // by what is parsed
	block := func(part, name string) string {
		_, text, _ := strings.Cut(part, "\n```"+name+"\n")
		text, _, _ = strings.Cut(text, "\n```")
		return text
	}
	ruled := regexp.MustCompile(`(?m)^rules: (.*)\n?`)
	for _, page := range []string{"rules-strict", "rules-tolerant"} {
		text, err := os.ReadFile("../../tests/cases/" + page + ".md")
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(string(text), "\n## ")[1:] {
			meta := block(part, "meta")
			var s setting
			if found := ruled.FindStringSubmatch(meta); found != nil {
				s.rules = strings.Fields(found[1])
			}
			s.log = block(part, "log")
			what := strings.TrimSpace(ruled.ReplaceAllString(meta, "")) + "\n\n" + block(part, "http")
			settings[what] = append(settings[what], s)
		}
	}
	for _, r := range rules {
		if len(cited(r.Section)) == 0 {
			t.Errorf("%s cites no section", r.Name)
		}
		both := false
		for _, all := range settings {
			for _, with := range all {
				for _, without := range all {
					both = both || slices.Equal(with.rules, []string{r.Word()}) &&
						!slices.Contains(without.rules, r.Word()) && with.log != without.log
				}
			}
		}
		if !both {
			t.Errorf("%s has no input that is parsed with it and without it", r.Word())
		}
	}
}

// What Go programs read of the rules has Go's names.
func TestRulesInGo(t *testing.T) {
	foreign := regexp.MustCompile(`(?i)llhttp_\w+|\bon_\w+|\b(strict|tolerate|lenient)_\w+`)
	for _, r := range rules {
		for _, text := range []string{r.Default, r.Rule, r.Why} {
			if found := foreign.FindAllString(goText(text), -1); found != nil {
				t.Errorf("%s: %q", r.Word(), found)
			}
		}
	}
}
