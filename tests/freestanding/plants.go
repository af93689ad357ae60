package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// This file shows that the rules can fail: it builds a copy of the repository with faults planted in the core, and expects
// each to be found where it was planted. Where faults are named, all of them are planted in one build; a form of the
// build that stops at the first gets one after the other.

// hook is the line in Step that the call of a planted function takes the place of.
const hook = "//freestanding:hook"

// A plant is a function "planted", called from Step, and the kinds of faults that it must bring.
type plant struct {
	name  string
	kinds []string
	src   string
	asm   string
	only  string // this architecture; "" for all
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
	{name: "a direct call of assembly", kinds: []string{faultG, faultTLS}, only: "amd64", src: `
func plantedAssembly(f *Frame)

//go:nosplit
//go:noinline
func planted(f *Frame) { plantedAssembly(f) }
`, asm: `
// func plantedAssembly(f *Frame)
TEXT ·plantedAssembly(SB), 4, $0-8
	RET
`},
	{name: "a system call", kinds: []string{faultInstruction}, only: "amd64", src: `
func plantedAssembly(f *Frame)

//go:nosplit
//go:noinline
func planted(f *Frame) { plantedAssembly(f) }
`, asm: `
// func plantedAssembly(f *Frame)
TEXT ·plantedAssembly(SB), 4, $0-8
	SYSCALL
	RET
`},
}

// runPlants gives the exit code.
func runPlants(repo, target string) int {
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
		w, err := form.build(dir, target)
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
	var chosen []plant
	for _, p := range plants {
		if p.only == "" || p.only == arch {
			chosen = append(chosen, p)
		}
	}
	g := garden{dir, target, arch, step, text}
	for _, form := range forms {
		for i, said := range g.try(form, chosen) {
			if said.err != nil {
				failed++
				fmt.Printf("FAIL %s, %s: %v\n", form.name, chosen[i].name, said.err)
				continue
			}
			passed++
			fmt.Printf("ok   %s, %s\n%s", form.name, chosen[i].name, said.what)
		}
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

// A garden is the copy of the repository.
type garden struct {
	dir, target, arch, step string
	text                    []byte // of the file step, with the hook
}

// An outcome is what was found of a plant, or what is wrong with that.
type outcome struct {
	what string
	err  error
}

// try builds with all plants at once, or with one after the other.
func (g garden) try(b form, all []plant) (outcomes []outcome) {
	groups := [][]plant{all}
	if b.refuses != "" {
		groups = slices.Collect(slices.Chunk(all, 1))
	}
	for _, group := range groups {
		w, err := g.build(b, group)
		for i, p := range group {
			o := outcome{err: err}
			if err == nil {
				o.what, o.err = p.found(w, i)
			} else if line := lineWith(err.Error(), b.refuses); b.refuses != "" && strings.Contains(line, p.word(i)) {
				o = outcome{what: fmt.Sprintf("     the build refuses it: %s\n", line)}
			}
			outcomes = append(outcomes, o)
		}
	}
	return outcomes
}

// word is what takes the place of "planted" for the plant at place i of a build.
func (p plant) word(i int) string { return "planted" + string(rune('A'+i)) }

// build plants, builds, and takes the plants away.
func (g garden) build(b form, group []plant) (*walk, error) {
	files := map[string]string{}
	calls := ""
	for i, p := range group {
		named := strings.NewReplacer("planted", p.word(i)).Replace
		name := filepath.Join(g.dir, "core", p.word(i))
		files[name+".go"] = "package core\n" + named(p.src)
		if p.asm != "" {
			files[name+"_"+g.arch+".s"] = named(p.asm)
		}
		calls += named("planted(f)\n")
	}
	files[g.step] = strings.Replace(string(g.text), hook, calls, 1)
	defer os.WriteFile(g.step, g.text, 0o666)
	for name, content := range files {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			return nil, err
		}
		if name != g.step {
			defer os.Remove(name)
		}
	}
	return b.build(g.dir, g.target)
}

// found says which faults were found of the plant at place i.
func (p plant) found(w *walk, i int) (what string, err error) {
	found := w.faults("." + p.word(i))
	for _, kind := range p.kinds {
		v, ok := found[kind]
		if !ok {
			return "", fmt.Errorf("no fault of kind %q was found", kind)
		}
		what += fmt.Sprintf("     %s: %s\n", kind, v.text)
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
	refuses       string // an error with this and the plant's name in one line is as good as a fault found
}

var forms = []form{
	// All of the Go runtime is in this one, so that faults can be named.
	{"conventional", "conventional/lib/libllhttp.so", []string{"lib", "--conventional"}, ""},
	{"freestanding", "lib/libllhttp.so", []string{"lib"}, "extract: "},
}

func (b form) build(dir, target string) (*walk, error) {
	options := b.options
	if target != "" {
		options = append(slices.Clone(options), "--target", target)
	}
	cmd := exec.Command("./build.sh", options...)
	cmd.Dir = dir
	// From GOAMD64=v2 on math/bits has no run-time choice that a plant could show.
	cmd.Env = append(os.Environ(), "GOAMD64=v1")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build.sh %s: %w\n%s", strings.Join(options, " "), err, out)
	}
	return check(filepath.Join(dir, "build", target, b.library), dir, nil, 2048)
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
