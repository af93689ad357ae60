package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// This file shows that the rules can fail: it builds a copy of the repository with one fault after another planted in
// the core, and expects each to be found where it was planted.

// hook is the line in Step that the call of a planted function takes the place of.
const hook = "//freestanding:hook"

// A plant is a function "planted", called from Step, and the kinds of faults that it must bring.
type plant struct {
	name   string
	kinds  []string
	src    string
	asm    string
	only   string // this architecture; "" for all
	inStep bool   // the fault shows in the caller
}

var plants = []plant{
	{name: "an allocation", kinds: []string{faultCall}, src: `
var plantedList []uintptr

//go:nosplit
//go:noinline
func planted(f *Frame) { plantedList = append(plantedList, f.Pos) }
`},
	{name: "a bounds check", kinds: []string{faultCall}, src: `
var plantedTable = [4]uint8{1, 2, 3, 4}

//go:nosplit
//go:noinline
func planted(f *Frame) { f.Reason += plantedTable[f.Pos] }
`},
	{name: "a function that is not nosplit", kinds: []string{faultStackCheck, faultCall}, src: `
//go:noinline
func planted(f *Frame) {
	var room [512]uint8
	for i := range room {
		room[i] = uint8(f.Pos >> (i & 63))
	}
	f.Reason += room[f.Pos&511]
}
`},
	{name: "a variable that an init sets", kinds: []string{faultInit}, src: `
var plantedWord uint64

func init() { plantedWord = uint64(len(plantedArguments())) }

//go:noinline
func plantedArguments() []int { return make([]int, 3) }

//go:nosplit
//go:noinline
func planted(f *Frame) { f.Reason += uint8(plantedWord) }
`},
	{name: "a static table that an init changes", kinds: []string{faultInit}, src: `
var plantedTable = [4]uint8{1, 2, 3, 4}

func init() {
	for i := range plantedTable {
		plantedTable[i] += 7
	}
}

//go:nosplit
//go:noinline
func planted(f *Frame) { f.Reason += plantedTable[f.Pos&3] }
`},
	{name: "a write to a static table", kinds: []string{faultWrite}, src: `
var plantedTable = [4]uint8{1, 2, 3, 4}

//go:nosplit
//go:noinline
func planted(f *Frame) { plantedTable[f.Pos&3]++ }
`},
	{name: "a variable of the runtime (math/bits.OnesCount64)", kinds: []string{faultData}, only: "amd64", src: `
import "math/bits"

//go:nosplit
//go:noinline
func planted(f *Frame) { f.Reason += uint8(bits.OnesCount64(uint64(f.Pos))) }
`},
	{name: "a call of an interface's method", kinds: []string{faultIndirectCall}, src: `
type plantedInterface interface{ step(uintptr) uint8 }

type plantedOne struct{}

//go:nosplit
//go:noinline
func (plantedOne) step(p uintptr) uint8 { return uint8(p) }

type plantedTwo struct{}

//go:nosplit
//go:noinline
func (plantedTwo) step(p uintptr) uint8 { return uint8(p >> 1) }

//go:nosplit
//go:noinline
func planted(f *Frame) {
	var i plantedInterface = plantedOne{}
	if f.Pos&1 != 0 {
		i = plantedTwo{}
	}
	f.Reason += i.step(f.Pos)
}
`},
	{name: "a call through a variable", kinds: []string{faultIndirectCall, faultInit}, src: `
var PlantedValue func(p uintptr) uint8

//go:nosplit
//go:noinline
func planted(f *Frame) { f.Reason += PlantedValue(f.Pos) }
`},
	// The compiler loads g from thread-local storage after each call of assembly in the stack ABI.
	{name: "a direct call of assembly", kinds: []string{faultG, faultTLS}, only: "amd64", inStep: true, src: `
func planted(f *Frame)
`, asm: `
// func planted(f *Frame)
TEXT ·planted(SB), 4, $0-8
	RET
`},
	{name: "a system call", kinds: []string{faultInstruction}, only: "amd64", asm: `
// func planted(f *Frame)
TEXT ·planted(SB), 4, $0-8
	SYSCALL
	RET
`, src: `
func planted(f *Frame)
`},
}

// runPlants gives the exit code.
func runPlants(repo string) int {
	dir, err := os.MkdirTemp("", "freestanding")
	if err != nil {
		return fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := copyTree(repo, dir); err != nil {
		return fatal(err)
	}
	step, text, err := findHook(filepath.Join(dir, "core"))
	if err != nil {
		return fatal(err)
	}
	arch := ""
	passed, failed := 0, 0
	for _, form := range forms {
		w, err := form.build(dir)
		if err != nil {
			return fatal(err)
		}
		arch = machines[w.lib.file.Machine]
		if clean := w.report(false); clean {
			passed++
		} else {
			fmt.Printf("FAIL no plant, %s\n", form.name)
			failed++
		}
	}
	for _, p := range plants {
		if p.only != "" && p.only != arch {
			continue
		}
		what, err := p.try(dir, arch, step, text)
		if err != nil {
			failed++
			fmt.Printf("FAIL %s: %v\n", p.name, err)
			continue
		}
		passed++
		fmt.Printf("ok   %s\n%s", p.name, what)
	}
	fmt.Printf("%d passed, %d failed\n", passed, failed)
	if failed > 0 {
		return 1
	}
	return 0
}

func fatal(err error) int {
	fmt.Fprintln(os.Stderr, "freestanding:", err)
	return 2
}

// try plants p, builds, and says what was found.
func (p plant) try(dir, arch, step string, text []byte) (string, error) {
	files := map[string]string{
		step:                                strings.Replace(string(text), hook, "planted(f)", 1),
		filepath.Join(dir, "core/plant.go"): "package core\n" + p.src,
	}
	if p.asm != "" {
		files[filepath.Join(dir, "core/plant_"+arch+".s")] = p.asm
	}
	for name, content := range files {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			return "", err
		}
		if name != step {
			defer os.Remove(name)
		}
	}
	defer os.WriteFile(step, text, 0o666)
	in := ".planted"
	if p.inStep {
		in = ".Step"
	}
	what := ""
	for _, form := range forms {
		w, err := form.build(dir)
		if err != nil && form.refuses != "" && strings.Contains(err.Error(), form.refuses) {
			what += fmt.Sprintf("     %s: the build refuses it: %s\n", form.name, lineWith(err.Error(), form.refuses))
			continue
		} else if err != nil {
			return "", err
		}
		found := w.faults(in)
		for _, kind := range p.kinds {
			v, ok := found[kind]
			if !ok {
				return "", fmt.Errorf("%s: no fault of kind %q was found", form.name, kind)
			}
			what += fmt.Sprintf("     %s: %s: %s\n", form.name, kind, v.text)
		}
	}
	return what, nil
}

// lineWith gives the first line of text with s in it.
func lineWith(text, s string) string {
	for line := range strings.SplitSeq(text, "\n") {
		if strings.Contains(line, s) {
			return strings.TrimSpace(line)
		}
	}
	return text
}

// faults gives one fault of each kind in the functions whose names contain s.
func (w *walk) faults(s string) map[string]fault {
	out := map[string]fault{}
	for _, f := range w.reached {
		if strings.Contains(f.name, s) {
			for _, v := range f.faults {
				out[v.kind] = v
			}
		}
	}
	return out
}

// A form is one way to build the library.
type form struct {
	name, library string
	options       []string
	refuses       string // an error with this in it is as good as a fault found
}

var forms = []form{
	// All of the Go runtime is in this one, so that faults can be named.
	{"conventional", "build/conventional/lib/libllhttp.so", []string{"lib", "--conventional"}, ""},
	{"freestanding", "build/lib/libllhttp.so", []string{"lib"}, "extract: "},
}

func (b form) build(dir string) (*walk, error) {
	cmd := exec.Command("./build.sh", b.options...)
	cmd.Dir = dir
	// From GOAMD64=v2 on math/bits has no run-time choice that a plant could show.
	cmd.Env = append(os.Environ(), "GOAMD64=v1")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build.sh %s: %w\n%s", strings.Join(b.options, " "), err, out)
	}
	return check(filepath.Join(dir, b.library), dir, nil, 2048)
}

// findHook gives the file with the hook, and its text.
func findHook(dir string) (string, []byte, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return "", nil, err
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return "", nil, err
		}
		if bytes.Contains(text, []byte("\t"+hook+"\n")) {
			return name, text, nil
		}
	}
	return "", nil, fmt.Errorf("no line %s in %s", hook, dir)
}

// copyTree copies what git has or would add: no build products.
func copyTree(from, to string) error {
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = from
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return fmt.Errorf("git ls-files: %w", err)
	}
	for _, name := range strings.Split(strings.TrimRight(string(out), "\x00"), "\x00") {
		info, err := os.Stat(filepath.Join(from, name))
		if os.IsNotExist(err) || err == nil && !info.Mode().IsRegular() {
			continue
		} else if err != nil {
			return err
		}
		b, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, name)), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), b, info.Mode()&fs.ModePerm); err != nil {
			return err
		}
	}
	return nil
}
