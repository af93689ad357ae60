package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// sections matches what a rule cites: the number of an RFC, then one section or a list of them.
var (
	sections = regexp.MustCompile(`RFC (\d+), Sections? ([\d.]+(?:(?:, | and )[\d.]+)*)`)
	section  = regexp.MustCompile(`\d+(?:\.\d+)*`)
)

// cited lists the sections that a text cites, as "9112, 2.2".
func cited(text string) map[string]bool {
	found := map[string]bool{}
	for _, match := range sections.FindAllStringSubmatch(strings.Join(strings.Fields(text), " "), -1) {
		for _, number := range section.FindAllString(match[2], -1) {
			found[match[1]+", "+number] = true
		}
	}
	return found
}

// docs/lenient.md has a part for every flag of the table, in its order, and for no other. Each says what the page promises,
// cites what the table cites, and has an example, which tests/cases/runner runs.
func TestLenientPage(t *testing.T) {
	text, err := os.ReadFile("../../docs/lenient.md")
	if err != nil {
		t.Fatal(err)
	}
	const heading = "\n## llhttp_set_lenient_"
	parts := strings.Split(string(text), heading)[1:]
	if len(parts) != len(lenientFlags) {
		t.Fatalf("%d flags on the page, %d in the table", len(parts), len(lenientFlags))
	}
	for i, flag := range lenientFlags {
		part, _, _ := strings.Cut(parts[i], "\n## ") // what is not about one flag comes last
		name, part, _ := strings.Cut(part, "\n")
		if "llhttp_set_lenient_"+name != flag.Setter() {
			t.Errorf("place %d has llhttp_set_lenient_%s, want %s", i, name, flag.Setter())
			continue
		}
		example := "\n```meta\nlenient: " + name + "\nwithout: HPE_"
		for _, want := range []string{"\n**Rule.** ", "\n**Attack.** ", "\n**When.** ", example} {
			if !strings.Contains(part, want) {
				t.Errorf("%s: no %q", name, strings.TrimSpace(want))
			}
		}
		has := cited(part)
		for want := range cited(flag.Rule) {
			if !has[want] {
				t.Errorf("%s: RFC %s, which the table cites, is not on the page", name, want)
			}
		}
	}
}

func TestCited(t *testing.T) {
	got := cited("RFC 9110, Section 5.5; RFC 9112,\nSections 2.2, 5.1 and 5.2. RFC 9113.")
	for _, want := range []string{"9110, 5.5", "9112, 2.2", "9112, 5.1", "9112, 5.2"} {
		if !got[want] {
			t.Errorf("%s is not found in %v", want, got)
		}
	}
	if len(got) != 4 {
		t.Errorf("found %v", got)
	}
}
