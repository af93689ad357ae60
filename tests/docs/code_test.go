package docs

// Code in the documents compiles, and runs if it can. A block's info string is its language and then words:
//
//	file=PATH         it is that file of the repository, byte by byte
//	run               sh: it is run, in a copy of the repository whose build folder is the one that is tested
//	compile           C, C++, Go: a program that is not run, since it waits for a peer
//	not-run=REASON    it is not even compiled, and REASON-IN-ONE-WORD says why
//
// C and C++ without main are declarations or statements; statements find `parser`, `settings`, `data` and `length`
// declared. A program's output is the block ```text behind it, if there is one; for Python and JavaScript, which are
// only compiled here, the packages' own tests see to that.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// unchecked are the languages of blocks that are left alone here, each with the reason.
var unchecked = map[string]string{
	"cmake":   "tests/consumers has a project for each way to use it",
	"http":    "data; in documents with cases, which tests/cases/runner runs",
	"log":     "what a case must say",
	"make":    "tests/consumers has a Makefile",
	"meta":    "how a case is run",
	"mermaid": "a picture",
	"text":    "output",
}

type block struct {
	path     string // of the document, from the root
	line     int
	language string
	words    []string
	text     string
	output   *string // the block ```text behind it
}

func (b block) String() string { return fmt.Sprintf("%s:%d", b.path, b.line) }

// word gives what follows NAME= in the info string; a word without a value is its own.
func (b block) word(name string) string {
	for _, w := range b.words {
		if w == name {
			return w
		}
		if value, found := strings.CutPrefix(w, name+"="); found {
			return value
		}
	}
	return ""
}

var fenced = regexp.MustCompile("(?ms)^```([^\n]*)\n(.*?)^```$")

// blocks are the code blocks with a language in a document.
func blocks(path, text string) []block {
	var list []block
	end := 0
	for _, m := range fenced.FindAllStringSubmatchIndex(text, -1) {
		info, body := strings.Fields(text[m[2]:m[3]]), text[m[4]:m[5]]
		if len(info) == 0 {
			continue
		}
		if info[0] == "text" && len(list) != 0 && strings.TrimSpace(text[end:m[0]]) == "" {
			list[len(list)-1].output = &body
		}
		list = append(list, block{path, 1 + strings.Count(text[:m[0]], "\n"), info[0], info[1:], body, nil})
		end = m[1]
	}
	return list
}

// documents are those that have code for their readers.
func documents(t *testing.T) []string {
	t.Helper()
	var paths []string
	for _, path := range find(t, ".md") {
		name, err := filepath.Rel(root, path)
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.ToSlash(name)
		if !strings.HasPrefix(name, "tests/") {
			paths = append(paths, name)
		}
	}
	return paths
}

// command runs a program, with a time limit; its output is what it says.
func command(dir string, environment []string, name string, arguments ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, name, arguments...)
	c.Dir = dir
	c.Env = append(os.Environ(), environment...)
	// What it starts and leaves behind is not waited for.
	c.WaitDelay = time.Second
	var out, complaints bytes.Buffer
	c.Stdout, c.Stderr = &out, &complaints
	if err := c.Run(); err != nil {
		return out.String(), fmt.Errorf("%s: %w\n%s%s", name, err, out.String(), complaints.String())
	}
	return out.String(), nil
}

// A workbench is what blocks are tried with.
type workbench struct {
	build string // with the library
	work  string
	copy  func() (string, error) // the copy of the repository
}

func newWorkbench(t *testing.T) workbench {
	t.Helper()
	build := os.Getenv("LLHTTP_BUILD_DIR")
	if build == "" {
		t.Skip("LLHTTP_BUILD_DIR does not name a build folder with the library")
	}
	build, err := filepath.Abs(build)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(build, "lib", "libllhttp.so")); err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	return workbench{build, work, sync.OnceValues(func() (string, error) {
		to := filepath.Join(work, "repository")
		if err := os.Mkdir(to, 0o777); err != nil {
			return "", err
		}
		_, err := command(root, nil, "sh", "-c", `tar -cf - --exclude=./build --exclude=./.git --exclude=node_modules \
			--exclude=_llhttp . | tar -xf - -C "$1"`, "-", to)
		if err != nil {
			return "", err
		}
		return to, os.Symlink(build, filepath.Join(to, "build"))
	})}
}

func (w workbench) write(name, text string) (string, error) {
	path := filepath.Join(w.work, name)
	return path, os.WriteFile(path, []byte(text), 0o666)
}

// checks has a function for each language that is checked.
var checks = map[string]func(w workbench, b block, name string) error{
	"c": func(w workbench, b block, name string) error {
		return w.compiled(b, name+".c", "CC", "gcc", "-std=gnu11")
	},
	"cpp": func(w workbench, b block, name string) error {
		return w.compiled(b, name+".cpp", "CXX", "g++", "-std=gnu++17")
	},
	"go":     workbench.goCode,
	"js":     workbench.javaScript,
	"json":   func(_ workbench, b block, _ string) error { return jsonLines(b.text) },
	"python": workbench.python,
	"sh":     workbench.shell,
}

const headers = `#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "llhttp.h"
#include "llhttp_ext.h"
`

// compiled is a program in C or C++, which is run, or a part of one.
func (w workbench) compiled(b block, name, variable, compiler, standard string) error {
	if named := os.Getenv(variable); named != "" {
		compiler = named
	}
	c := append(strings.Fields(compiler), standard, "-Wall", "-Wextra", "-Werror", "-I"+filepath.Join(w.build, "include"))
	lib := filepath.Join(w.build, "lib")
	if regexp.MustCompile(`\bmain\(`).MatchString(b.text) {
		source, err := w.write(name, b.text)
		if err != nil {
			return err
		}
		program := source + ".out"
		c = append(c, source, "-o", program, "-L"+lib, "-lllhttp", "-Wl,-rpath,"+lib, "-pthread")
		if _, err := command(w.work, nil, c[0], c[1:]...); err != nil || b.word("compile") != "" {
			return err
		}
		return b.said(command(w.work, nil, program))
	}
	const function = "void block(llhttp_t* parser, llhttp_settings_t* settings, const char* data, size_t length);\n" +
		"void block(llhttp_t* parser, llhttp_settings_t* settings, const char* data, size_t length) {\n%s\n" +
		"(void)parser; (void)settings; (void)data; (void)length;\n}\n"
	c = append(c, "-Wno-unused-function", "-Wno-unused-variable", "-Wno-unused-const-variable", "-fsyntax-only")
	var errs []error
	for _, text := range []string{headers + "#line 1\n" + b.text, headers + fmt.Sprintf(function, "#line 1\n"+b.text)} {
		source, err := w.write(name, text)
		if err != nil {
			return err
		}
		if _, err = command(w.work, nil, c[0], append(c[1:], source)...); err == nil {
			return nil
		}
		errs = append(errs, err)
	}
	return fmt.Errorf("as declarations: %w\nas statements: %w", errs[0], errs[1])
}

// said compares a program's output with what the document says.
func (b block) said(output string, err error) error {
	if err == nil && b.output != nil && output != *b.output {
		err = fmt.Errorf("it says\n%s, not\n%s", output, *b.output)
	}
	return err
}

// goCode is a program in the module, which is run, or a part of one, which is only formatted.
func (w workbench) goCode(b block, name string) error {
	if !strings.Contains(b.text, "package ") {
		_, err := format.Source([]byte(b.text))
		return err
	}
	repository, err := w.copy()
	if err != nil {
		return err
	}
	dir := filepath.Join(repository, name)
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(b.text), 0o666); err != nil {
		return err
	}
	if _, err := command(dir, nil, "go", "vet", "."); err != nil || b.word("compile") != "" {
		return err
	}
	return b.said(command(dir, nil, "go", "run", "."))
}

func (w workbench) javaScript(b block, name string) error {
	if regexp.MustCompile(`(?m)^(import|export) `).MatchString(b.text) {
		name += ".mjs"
	} else {
		name += ".cjs"
	}
	source, err := w.write(name, b.text)
	if err != nil {
		return err
	}
	_, err = command(w.work, nil, "node", "--check", source)
	return err
}

func (w workbench) python(b block, name string) error {
	source, err := w.write(name+".py", b.text)
	if err != nil {
		return err
	}
	_, err = command(w.work, nil, "python3", "-W", "error", "-c",
		"import sys; compile(open(sys.argv[1]).read(), 'block', 'exec')", source)
	return err
}

func (w workbench) shell(b block, name string) error {
	source, err := w.write(name+".sh", b.text)
	if err != nil {
		return err
	}
	if _, err := command(w.work, nil, "bash", "-n", source); err != nil || b.word("run") == "" {
		return err
	}
	repository, err := w.copy()
	if err != nil {
		return err
	}
	// The build folder is found as it is for a reader: build below the root.
	return b.said(command(repository, []string{"LLHTTP_BUILD_DIR="}, "bash", "-eu", source))
}

// jsonLines is one value, or one in each line.
func jsonLines(text string) error {
	if json.Valid([]byte(text)) {
		return nil
	}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		var value any
		if err := json.Unmarshal([]byte(line), &value); err != nil {
			return fmt.Errorf("%q: %w", line, err)
		}
	}
	return nil
}

func TestCode(t *testing.T) {
	w := newWorkbench(t)
	ran := 0
	for _, path := range documents(t) {
		for _, b := range blocks(path, read(t, filepath.Join(root, path))) {
			check := checks[b.language]
			if file := b.word("file"); file != "" && b.text != read(t, filepath.Join(root, file)) {
				t.Errorf("%s: the block is not what %s is", b, file)
			}
			if check == nil && unchecked[b.language] == "" {
				t.Errorf("%s: there is no check for the language %s", b, b.language)
			}
			if check == nil || b.word("not-run") != "" {
				continue
			}
			ran++
			name := "block_" + strings.NewReplacer("/", "_", ".", "_", ":", "_").Replace(b.String())
			if err := check(w, b, name); err != nil {
				t.Errorf("%s: %s: %v", b, b.language, err)
			}
		}
	}
	t.Logf("%d blocks", ran)
	if ran < 10 {
		t.Errorf("found %d blocks with code only", ran)
	}
}

// TestCodeCanFail: each check fails on what is wrong.
func TestCodeCanFail(t *testing.T) {
	w := newWorkbench(t)
	output := "two\n"
	for i, bad := range []block{
		{language: "c", text: "int x = y;\n"},
		{language: "c", text: "llhttp_execute(parser, data);\n"},
		{language: "c", text: "int main(void) { return 3; }\n"},
		{language: "c", text: "#include <stdio.h>\nint main(void) { puts(\"one\"); return 0; }\n", output: &output},
		{language: "cpp", text: "auto x = no_such_name;\n"},
		{language: "go", text: "func {"},
		{language: "go", text: "package main\n\nfunc main() { panic(1) }\n"},
		{language: "js", text: "const = 1;\n"},
		{language: "json", text: "{\"a\": 1}\n{\"a\"\n"},
		{language: "python", text: "def f(:\n"},
		{language: "sh", text: "if true; then\n"},
		{language: "sh", words: []string{"run"}, text: "test -e build/lib/libllhttp.so\nfalse\n"},
		{language: "sh", words: []string{"run"}, text: "echo one\n", output: &output},
	} {
		if err := checks[bad.language](w, bad, fmt.Sprintf("bad_%d", i)); err == nil {
			t.Errorf("%s block %q is taken", bad.language, bad.text)
		}
	}
	good := block{language: "sh", words: []string{"run"}, text: "test -e build/lib/libllhttp.so\necho two\n", output: &output}
	if err := checks["sh"](w, good, "good"); err != nil {
		t.Error(err)
	}
}
