// Freestanding walks the machine code that C reaches in the built library, from the entries of the core on, and fails on
// anything that needs the Go runtime: it is never started there, and the code runs on a thread without a goroutine.
//
//	go run ./tests/freestanding build/lib/libllhttp.so
//	go run ./tests/freestanding -self-test .
//
// The disassembler is binutils' objdump (OBJDUMP names another one): it knows every instruction that a kernel may use.
// The rules are in rules.go; -self-test shows on a copy of the repository that each of them can fail (plants.go).
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	entries := flag.String("entry", "", "assembly functions that C calls, with commas between (default: all of core/entry_*.s)")
	maxStack := flag.Int("max-stack", 2048, "bytes of stack that the whole call tree may use")
	src := flag.String("src", ".", "repository root; its .s files tell which functions are assembly")
	verbose := flag.Bool("v", false, "list the functions and data that are reached")
	selfTest := flag.String("self-test", "", "repository to copy and to plant faults in")
	target := flag.String("target", "", "architecture for which -self-test builds, by build.sh's --target (default: this one)")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: freestanding [flags] LIBRARY | freestanding -self-test REPOSITORY")
		flag.PrintDefaults()
	}
	flag.Parse()
	if *selfTest != "" {
		os.Exit(runPlants(*selfTest, *target))
	}
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	w, err := check(flag.Arg(0), *src, strings.FieldsFunc(*entries, func(r rune) bool { return r == ',' }), *maxStack)
	if err != nil {
		fmt.Fprintln(os.Stderr, "freestanding:", err)
		os.Exit(2)
	}
	if !w.report(*verbose) {
		os.Exit(1)
	}
}

// check walks one library, from all entries if none is named.
func check(path, src string, entries []string, maxStack int) (*walk, error) {
	lib, err := openLibrary(path)
	if err != nil {
		return nil, err
	}
	if err := lib.disassemble(path); err != nil {
		return nil, err
	}
	asm, err := assemblyNames(src)
	if err != nil {
		return nil, err
	}
	if len(entries) == 0 {
		if entries, err = lib.entryNames(src); err != nil {
			return nil, err
		}
	}
	w := newWalk(lib, asm, entries)
	if err := w.run(); err != nil {
		return nil, err
	}
	w.sumStack(maxStack)
	return w, nil
}

// report prints what was found, and whether nothing is wrong.
func (w *walk) report(verbose bool) bool {
	failed, instructions := 0, 0
	for _, f := range w.reached {
		instructions += len(f.code)
		if verbose {
			kind := "compiled"
			if f.assembly {
				kind = "assembly"
			}
			fmt.Printf("     %s: %s, %d instructions, %d bytes of stack\n", f.name, kind, len(f.code), f.depth)
		}
		if len(f.faults) > 0 {
			failed++
		}
		for _, v := range f.faults {
			fmt.Printf("FAIL %s: %s\n", v.kind, v.text)
			if v.at != nil {
				fmt.Printf("     %s, %x: %s\n", f.name, v.at.addr, v.at.text)
			}
			fmt.Printf("     path: %s\n", f.path())
		}
	}
	if verbose {
		for _, name := range w.dataNames() {
			fmt.Printf("     %s: data\n", name)
		}
	}
	fmt.Printf("%s: %d functions, %d instructions\n", strings.Join(w.entries, ", "), len(w.reached), instructions)
	fmt.Printf("deepest stack: %d bytes: %s\n", w.deepest, w.deepestPath)
	fmt.Printf("%d passed, %d failed\n", len(w.reached)-failed, failed)
	return failed == 0
}
