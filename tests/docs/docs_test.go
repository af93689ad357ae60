// Package docs checks what the documents of the repository say about the repository: that what they link to is there
// (links_test.go), that their code compiles or runs (code_test.go), that each promise of SECURITY.md names a test which
// is run, and that each case of request smuggling has a verdict.
package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

// find lists the files of the repository whose name ends so, without what is built or fetched.
func find(t *testing.T, end string) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "build" || name == "node_modules"):
			return filepath.SkipDir
		case !entry.IsDir() && strings.HasSuffix(name, end):
			paths = append(paths, path)
		}
		return nil
	})
	if err != nil || len(paths) == 0 {
		t.Fatalf("no file *%s: %v", end, err)
	}
	return paths
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// items are the entries of the list below a heading of the second level, each in one piece.
func items(text, heading string) []string {
	_, text, _ = strings.Cut(text, "\n## "+heading+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	var list []string
	for _, part := range strings.Split(text, "\n- ")[1:] {
		part, _, _ = strings.Cut(part, "\n\n")
		list = append(list, part)
	}
	return list
}

func TestPromises(t *testing.T) {
	var scripts strings.Builder
	for _, path := range find(t, ".sh") {
		scripts.WriteString(read(t, path))
	}
	promises := items(read(t, filepath.Join(root, "SECURITY.md")), "Promises")
	if len(promises) < 15 {
		t.Errorf("found %d promises only", len(promises))
	}
	for _, promise := range promises {
		targets := links(t, promise)
		if len(targets) == 0 {
			t.Errorf("no test for %q", promise)
		}
		for _, link := range targets {
			target := link.Path
			// Other folders are run as a whole: go test ./core/..., tests/cases/*.md, tests/diff/*.c.
			name, isProgram := strings.CutPrefix(target, "tests/c/")
			name = strings.TrimSuffix(strings.TrimSuffix(name, ".cpp"), ".c")
			if isProgram && !regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\b`).MatchString(scripts.String()) {
				t.Errorf("no script runs %s", target)
			}
		}
	}
}

func TestSmugglingVerdicts(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(root, "tests/cases/smuggling-*.md"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	for _, path := range paths {
		for _, section := range strings.Split(read(t, path), "\n## ")[1:] {
			if name, _, _ := strings.Cut(section, "\n"); !strings.Contains(section, "\nverdict: ") {
				t.Errorf("%s: case %q has no verdict", path, name)
			}
		}
	}
}
