package docs

import (
	"path/filepath"
	"strings"
	"testing"
)

// A block with `from=PATH` in its info string is an excerpt of that file: it has the same lines, perhaps not as deep.

// unindented takes the white space off both ends of each line.
func unindented(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return strings.Join(lines, "\n")
}

func TestExcerpts(t *testing.T) {
	count := 0
	for _, path := range documents(t) {
		for _, b := range blocks(path, read(t, filepath.Join(root, path))) {
			file := b.word("from")
			if file == "" {
				continue
			}
			count++
			if !strings.Contains(unindented(read(t, filepath.Join(root, file))), unindented(b.text)) {
				t.Errorf("%s: this is not in %s:\n%s", b, file, b.text)
			}
		}
	}
	if count == 0 {
		t.Error("there are no excerpts")
	}
}
