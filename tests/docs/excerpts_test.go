package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// An excerpt is a block of code below a comment that names the file it is from: `<!-- from examples/server.c -->`.
var excerpt = regexp.MustCompile("(?ms)^<!-- from (\\S+) -->\n\n```\\w+\n(.*?)^```$")

// unindented takes the white space off the beginnings of lines, as an excerpt may stand deeper in its file.
func unindented(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return strings.Join(lines, "\n")
}

func TestExcerpts(t *testing.T) {
	count := 0
	for _, path := range find(t, ".md") {
		for _, match := range excerpt.FindAllStringSubmatch(read(t, path), -1) {
			count++
			source, err := os.ReadFile(filepath.Join(root, match[1]))
			if err != nil {
				t.Errorf("%s: %v", path, err)
			} else if !strings.Contains(unindented(string(source)), unindented(match[2])) {
				t.Errorf("%s: this is not in %s:\n%s", path, match[1], match[2])
			}
		}
	}
	if count == 0 {
		t.Error("there are no excerpts")
	}
}
