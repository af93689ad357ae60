package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// read makes a document of a text, in which ~ stands for a fence, and reads it.
func read(t *testing.T, text string) ([]*testCase, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "topic.md")
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "~", "```")), 0o600); err != nil {
		t.Fatal(err)
	}
	return readDocument(path)
}

const blocks = "~http\nGET /\n~\n~log\n~\n"

func TestHeadings(t *testing.T) {
	text := "# Topic\n## One\n" + blocks + "## Part\nAbout it.\n### Two\n" + blocks + "### Three\n" + blocks +
		"## Four\n" + blocks
	cases, err := read(t, text)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range cases {
		names = append(names, c.name)
	}
	if got, want := strings.Join(names, "; "), "One; Part: Two; Part: Three; Four"; got != want {
		t.Errorf("cases %q, want %q", got, want)
	}
}

// A document that leaves something out must not pass as one with fewer cases.
func TestDocumentErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"## One\n## Two\n" + blocks, "lacks its http block"},
		{"## One\n~http\nGET /\n~\n", "lacks its http block or its log block"},
		{"## Part\n### One\n~log\n~\n", "lacks its http block"},
		{"## One\n" + blocks + "## One\n" + blocks, "a second case"},
		{"## Part\n### One\n" + blocks + "### One\n" + blocks, "a second case"},
		{"## One\n" + blocks + "~meta\nverdict: taken 1\n~\n", "cites no section"},
		{"## One\nRFC 9112, Section 3.\n" + blocks + "## Two\n" + blocks + "~meta\nverdict: taken 1\n~\n",
			"cites no section"},
		{"## One\n" + blocks + "~meta\nverdict: good\n~\n", "unknown word"},
		{"## One\n" + blocks + "~meta\nverdict:\n~\n", "verdict: empty"},
		{"## One\n" + blocks + "~meta\nverdict: refused\n~\n", "does not go with"},
		{"## One\n" + blocks + "~meta\nverdict: stricter 1\n~\n", "does not go with"},
		{"## One\n" + blocks + "~meta\nverdict: taken HPE_STRICT\n~\n", "does not go with"},
		{"## One\n" + blocks + "~meta\nverdict: laxer 1 HPE_STRICT 2\n~\n", "does not go with"},
		{"## One\n" + blocks + "~meta\nverdicts: taken\n~\n", "unknown key"},
	} {
		if _, err := read(t, test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: error %v, want one with %q", test.text, err, test.want)
		}
	}
	over := "## One\nSee RFC\n9112, Sections 3 and 4.\n" + blocks + "~meta\nverdict: laxer 1 HPE_STRICT\n~\n"
	if _, err := read(t, over); err != nil {
		t.Errorf("a citation over the end of a line: %v", err)
	}
}

func TestVerdict(t *testing.T) {
	const log = "0       message_begin\n9       message_complete close\n" +
		"10      error HPE_CLOSED_CONNECTION: Data after `Connection: close`"
	for _, test := range []struct {
		verdict string
		agrees  bool
	}{
		{"laxer 1 HPE_CLOSED_CONNECTION", true},
		{"refused 1 HPE_CLOSED_CONNECTION", true},
		{"refused HPE_CLOSED_CONNECTION", false},
		{"refused 2 HPE_CLOSED_CONNECTION", false},
		{"refused 1 HPE_STRICT", false},
		{"taken 1", false},
		{"laxer 1", false},
	} {
		var v verdict
		if err := v.read(strings.Fields(test.verdict)); err != nil {
			t.Errorf("%s: %v", test.verdict, err)
		} else if wrong := v.against(log); (wrong == "") != test.agrees {
			t.Errorf("%s: %q", test.verdict, wrong)
		}
	}
	taken := verdict{word: "taken", messages: 1}
	const upgrade = "9       message_complete keep-alive\n9       upgrade HPE_PAUSED_UPGRADE: Pause on CONNECT/Upgrade"
	if wrong := taken.against(upgrade); wrong != "" {
		t.Errorf("an upgrade counts as an error: %s", wrong)
	}
}
