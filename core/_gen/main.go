// Command _gen writes everything that repeats a fact: methods, status codes, error numbers and their reasons, callbacks,
// byte classes, words. Each fact has one table, in a Go file of this directory; templates beside it give the outputs their
// form. Run it from the root of the repository:
//
//	go run ./core/_gen          write the generated files
//	go run ./core/_gen -check   write nothing; fail if one of them is out of date
package main

import (
	"bytes"
	"embed"
	"flag"
	"fmt"
	"go/format"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"text/template"
)

//go:embed *.tmpl
var templates embed.FS

// outputs maps each template to the file it makes, relative to the root of the repository.
var outputs = []struct{ template, file string }{
	{"core_tables.go.tmpl", "core/tables_gen.go"},
	{"asm_tables.go.tmpl", "core/asm/tables_gen.go"},
	{"go_tables.go.tmpl", "tables_gen.go"},
	{"llhttp_compat.h.tmpl", "capi/llhttp_compat.h"},
	{"llhttp_ext.h.tmpl", "capi/llhttp_ext.h"},
	{"limits.md.tmpl", "docs/limits.md"},
	{"rules.md.tmpl", "docs/rules.md"},
	{"capi_tables.h.tmpl", "capi/tables_gen.h"},
	{"core_knownfields.go.tmpl", "core/knownfields_gen.go"},
	{"capi_knownfields.h.tmpl", "capi/knownfields_gen.h"},
	{"python_tables.py.tmpl", "bindings/python/src/llhttpgo/_tables_gen.py"},
	{"node_tables.h.tmpl", "bindings/node/src/tables_gen.h"},
	{"node_tables.js.tmpl", "bindings/node/lib/tables_gen.js"},
	{"node_tables.d.ts.tmpl", "bindings/node/lib/tables_gen.d.ts"},
	{"trace_tables.h.tmpl", "tools/trace/tables_gen.h"},
}

func main() {
	check := flag.Bool("check", false, "only report generated files that are out of date")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "core/_gen:", err)
		os.Exit(1)
	}
}

func run(check bool) error {
	if err := validate(); err != nil {
		return err
	}
	root, err := findRoot()
	if err != nil {
		return err
	}
	files, err := errorPages(root)
	if err != nil {
		return fmt.Errorf("%s: %w", pagesFolder, err)
	}
	if files["man/llhttp.3"], err = manualPage(); err != nil {
		return fmt.Errorf("man/llhttp.3: %w", err)
	}
	if files["man/llhttp_ext.3"], err = manualPageExt(); err != nil {
		return fmt.Errorf("man/llhttp_ext.3: %w", err)
	}
	for _, out := range outputs {
		if files[out.file], err = generate(out.template); err != nil {
			return fmt.Errorf("%s: %w", out.template, err)
		}
	}
	var stale []string
	for _, file := range slices.Sorted(maps.Keys(files)) {
		want := files[file]
		path := filepath.Join(root, filepath.FromSlash(file))
		have, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			return err
		}
		if err == nil && bytes.Equal(have, want) {
			continue
		}
		if check {
			stale = append(stale, file)
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, want, 0o644); err != nil {
			return err
		}
	}
	if stale != nil {
		return fmt.Errorf("out of date: %s; run: go run ./core/_gen", strings.Join(stale, ", "))
	}
	return nil
}

// findRoot accepts two working directories: the root of the repository, and core, where go generate runs.
func findRoot() (string, error) {
	for _, dir := range []string{".", ".."} {
		if info, err := os.Stat(filepath.Join(dir, "core", "_gen")); err == nil && info.IsDir() {
			return dir, nil
		}
	}
	return "", fmt.Errorf("run from the root of the repository or from core")
}

// generate fills in one template with the tables, and formats the result if it is Go.
func generate(name string) ([]byte, error) {
	nodes, roots := buildTrie()
	known, fieldHash, err := buildKnownFields()
	if err != nil {
		return nil, err
	}
	data := map[string]any{
		"Callbacks":     callbacks,
		"ExtCallbacks":  extCallbacks,
		"ClassTable":    classTable(),
		"Classes":       classes,
		"Errnos":        errnos,
		"FieldKinds":    fieldKinds,
		"Finishes":      finishes,
		"Flags":         flags,
		"HexTable":      hexTable(),
		"LenientFlags":  lenientFlags,
		"Limits":        limits,
		"Members":       members,
		"Methods":       methods,
		"ParserSize":    parserSize,
		"Reasons":       reasons,
		"Rules":         rules,
		"StrictRules":   strictRules(),
		"Statuses":      statuses,
		"Trie":          nodes,
		"TrieRoots":     roots,
		"UnknownMethod": unknownMethod,
		"WatchTable":    watchTable(nodes, roots),
		"Types":         types,
		"ProtoHTTP":     protoHTTP,
		"ProtoRTSP":     protoRTSP,
		"ProtoICE":      protoICE,
		"Soname":        soname(),
		"Version":       versionText(),
		"VersionMajor":  versionMajor,
		"VersionMinor":  versionMinor,
		"VersionPatch":  versionPatch,
	}
	maps.Copy(data, map[string]any{
		"KnownFields":    known,
		"ShortWords":     shortWords(),
		"NameHashK1":     uint64(nameHashK1),
		"NameHashK2":     uint64(nameHashK2),
		"LongName":       longName,
		"FieldHash":      fieldHash,
		"FieldText":      fieldText(known, false, false),
		"FieldTextMask":  fieldText(known, false, true),
		"FieldCTextMask": fieldText(known, true, true),
	})
	text, err := fill(name, data)
	if err == nil && strings.HasSuffix(name, ".go.tmpl") {
		return format.Source(text)
	}
	return text, err
}

// fill fills in one template.
func fill(name string, data any) ([]byte, error) {
	t, err := template.New(name).Funcs(functions).ParseFS(templates, name)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, data)
	return b.Bytes(), err
}

var functions = template.FuncMap{
	"add":            func(a, b int) int { return a + b },
	"append":         func(a, b []callback) []callback { return append(append([]callback{}, a...), b...) },
	"comment":        comment,
	"enumerator":     enumerator,
	"extStruct":      extStruct,
	"cut":            func(prefix, s string) string { return strings.TrimPrefix(s, prefix) },
	"goComment":      goComment,
	"goText":         goText,
	"hex":            func(n int) string { return fmt.Sprintf("%#x", n) },
	"indented":       indented,
	"jsDoc":          jsDoc,
	"numbers":        numbers,
	"item":           func(text string) string { return strings.Join(wrap(text, 118), "\n  ") },
	"last":           func(i int, list any) bool { return i == reflect.ValueOf(list).Len()-1 },
	"paragraph":      func(text string) string { return strings.Join(wrap(text, 120), "\n") },
	"rows":           rows,
	"specials":       specials,
	"eight":          func(c int) string { return fmt.Sprintf("%#016x", uint64(c)*0x0101010101010101) },
	"status":         reason.status,
	"shift":          func(n int) int { return 1 << n },
	"answer":         answer,
	"answerSentence": answerSentence,
	"mdoc":           mdoc,
	"mdocArgument":   mdocArgument,
	"limits":         func() []limit { return limits },
	"pausing":        pausing,
	"prose":          prose,
	"setters":        setters,
}

// rows writes a table of 256 numbers as 16 lines of 16, each number with the given count of hexadecimal digits.
func rows(digits int, table [256]int) string {
	var b strings.Builder
	for i, v := range table {
		fmt.Fprintf(&b, "0x%0*x,", digits, v)
		switch {
		case i%16 == 15:
			fmt.Fprintf(&b, " // 0x%02x\n", i-15)
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// numbers writes a list, 16 to a line.
func numbers(list []int) string {
	var b strings.Builder
	for i, n := range list {
		fmt.Fprintf(&b, "%d,", n)
		if i%16 == 15 || i == len(list)-1 {
			b.WriteByte('\n')
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// validate holds the tables against each other and against the sizes that the generated types allow.
func validate() error {
	known := map[string]bool{}
	for _, e := range errnos {
		if e.Value > 0xff {
			return fmt.Errorf("errno %s does not fit a byte", e.Name)
		}
		known[e.Name] = true
	}
	pairs := map[string]bool{}
	for _, r := range reasons {
		pair := r.Errno + " " + r.Text
		if !known[r.Errno] || pairs[pair] {
			return fmt.Errorf("reason %s: unknown errno, or this errno and text already have a name", r.Name)
		}
		pairs[pair] = true
	}
	for _, c := range callbacks {
		if !known[c.Errno] {
			return fmt.Errorf("callback on_%s: unknown errno %s", c.Name, c.Errno)
		}
	}
	for i, m := range methods {
		if m.Value != i {
			return fmt.Errorf("method %s: value %d at place %d", m.Name, m.Value, i)
		}
	}
	if err := validateExplanations(); err != nil {
		return err
	}
	if len(classes) > 16 {
		return fmt.Errorf("%d byte classes do not fit 16 bits", len(classes))
	}
	for i, r := range rules {
		if r.Value&(r.Value-1) != 0 || i > 0 && r.Value <= rules[i-1].Value || r.Strict() != (r.Value < 0x10000) {
			return fmt.Errorf("rule %s: bit %#x", r.Name, r.Value)
		}
	}
	if nodes, roots := buildTrie(); len(watchTable(nodes, roots)) > 0x80 {
		return fmt.Errorf("the words of trieRuledField do not fit watchTable")
	}
	for _, k := range classes {
		s := k.Stop()
		for c := range 256 {
			if low, high := s.Low[c&15], s.High[c>>4]; low > 0xff || high > 0xff || (low&high == 0) != k.contains(byte(c)) {
				return fmt.Errorf("class %s cannot be told by the halves of byte %#02x", k.Name, c)
			}
			if !k.contains(byte(c)) && !k.Word().stops(c) {
				return fmt.Errorf("class %s: words go past byte %#02x", k.Name, c)
			}
		}
	}
	return nil
}
