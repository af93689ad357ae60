package main

import (
	"bufio"
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// This file reads a shared library: its symbols, its static data with the relocations that fill it, and, through
// objdump, its instructions.

type library struct {
	file   *elf.File
	funcs  map[uint64]*function // by first address
	data   []elf.Symbol         // data symbols by address
	fixups map[uint64]uint64    // address of a pointer in static data -> what the loader makes it point to
	relro  [2]uint64
	insns  []insn // of all executable sections, by address
}

// insn is one line of objdump: addresses in text are resolved, raw bytes left out.
type insn struct {
	addr     uint64
	text     string
	mnemonic string
	operands []string
	comment  string // after '#' or "//"
}

func openLibrary(path string) (*library, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	if f.Machine != elf.EM_X86_64 && f.Machine != elf.EM_AARCH64 {
		return nil, fmt.Errorf("%s: no rules for %v", path, f.Machine)
	}
	l := &library{file: f, funcs: map[uint64]*function{}, fixups: map[uint64]uint64{}}
	symbols, err := f.Symbols()
	if err != nil {
		return nil, fmt.Errorf("%s: the local symbols are needed: %w", path, err)
	}
	for _, s := range symbols {
		if s.Section == elf.SHN_UNDEF || s.Section >= elf.SHN_LORESERVE {
			continue
		}
		switch elf.ST_TYPE(s.Info) {
		case elf.STT_FUNC:
			// Of two names for one address keep the one that has a size.
			if old := l.funcs[s.Value]; old == nil || old.end == old.start {
				l.funcs[s.Value] = &function{name: s.Name, start: s.Value, end: s.Value + s.Size}
			}
		case elf.STT_OBJECT:
			l.data = append(l.data, s)
		}
	}
	sort.SliceStable(l.data, func(i, j int) bool { return l.data[i].Value < l.data[j].Value })
	for _, p := range f.Progs {
		if p.Type == elf.PT_GNU_RELRO {
			l.relro = [2]uint64{p.Vaddr, p.Vaddr + p.Memsz}
		}
	}
	return l, l.readFixups()
}

func (l *library) readFixups() error {
	dynamic, err := l.file.DynamicSymbols()
	if err != nil {
		return err
	}
	for _, s := range l.file.Sections {
		if s.Type != elf.SHT_RELA {
			continue
		}
		b, err := s.Data()
		if err != nil {
			return err
		}
		for ; len(b) >= 24; b = b[24:] {
			at, info, addend := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b[16:])
			sym := int(info >> 32)
			switch t := uint32(info); {
			case l.file.Machine == elf.EM_X86_64 && t == uint32(elf.R_X86_64_RELATIVE),
				l.file.Machine == elf.EM_AARCH64 && t == uint32(elf.R_AARCH64_RELATIVE):
				l.fixups[at] = addend
			case l.file.Machine == elf.EM_X86_64 && t == uint32(elf.R_X86_64_64),
				l.file.Machine == elf.EM_AARCH64 && t == uint32(elf.R_AARCH64_ABS64):
				if sym > 0 && sym <= len(dynamic) && dynamic[sym-1].Value != 0 {
					l.fixups[at] = dynamic[sym-1].Value + addend
				}
			}
		}
	}
	return nil
}

// readOnly says that nobody can write to addr once the library is loaded.
func (l *library) readOnly(addr uint64) bool {
	s := l.section(addr)
	return s != nil && (s.Flags&elf.SHF_WRITE == 0 || l.relro[0] <= addr && addr < l.relro[1])
}

func (l *library) section(addr uint64) *elf.Section {
	for _, s := range l.file.Sections {
		if s.Flags&elf.SHF_ALLOC != 0 && s.Flags&elf.SHF_TLS == 0 && s.Addr <= addr && addr < s.Addr+s.Size {
			return s
		}
	}
	return nil
}

// object gives the data symbol at addr: the one that spans it, else the nearest one before it that has no size of its
// own, as the Go linker groups strings and func values under one such name.
func (l *library) object(addr uint64) (elf.Symbol, bool) {
	sec := l.section(addr)
	i := sort.Search(len(l.data), func(i int) bool { return l.data[i].Value > addr })
	group := -1
	for i--; i >= 0 && sec != nil && l.data[i].Value >= sec.Addr; i-- {
		if s := l.data[i]; addr < s.Value+s.Size {
			return s, true
		} else if s.Size == 0 && group < 0 && s.Name != "" {
			group = i
		} else if s.Size != 0 && group < 0 {
			break // a sized symbol lies between: addr is behind its end
		}
	}
	if group >= 0 {
		return l.data[group], true
	}
	return elf.Symbol{}, false
}

var (
	prefix    = regexp.MustCompile(`^((lock|rep|repz|repnz|repe|repne|data16|addr32|cs|ds|es|ss|notrack|bnd|rex(\.\w+)?)\s+)+`)
	insnLine  = regexp.MustCompile(`^\s*([0-9a-f]+):\t(.*)$`)
	machines  = map[elf.Machine]string{elf.EM_X86_64: "amd64", elf.EM_AARCH64: "arm64"}
	binutils  = map[string]string{"amd64": "x86_64-linux-gnu-objdump", "arm64": "aarch64-linux-gnu-objdump"}
	symbolRef = regexp.MustCompile(`\s*<[^\t]*>$`)
)

// disassemble runs objdump over the executable sections. It starts anew at each symbol, so that padding cannot shift
// the instructions that follow.
func (l *library) disassemble(path string) error {
	arch := machines[l.file.Machine]
	tool := os.Getenv("OBJDUMP")
	if tool == "" {
		tool = binutils[arch]
		if _, err := exec.LookPath(tool); err != nil {
			tool = "objdump"
		}
	}
	cmd := exec.Command(tool, "-d", "-w", "-z", "--no-show-raw-insn", path)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		m := insnLine.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		addr, err := strconv.ParseUint(m[1], 16, 64)
		if err != nil {
			return err
		}
		in := insn{addr: addr, text: strings.Join(strings.Fields(m[2]), " ")}
		rest := m[2]
		for _, mark := range []string{" # ", "\t// ", " // "} {
			if body, comment, ok := strings.Cut(rest, mark); ok {
				rest, in.comment = body, strings.TrimSpace(comment)
			}
		}
		rest = prefix.ReplaceAllString(strings.TrimSpace(rest), "")
		mnemonic, operands, _ := strings.Cut(strings.Join(strings.Fields(rest), " "), " ")
		in.mnemonic, in.operands = mnemonic, splitOperands(symbolRef.ReplaceAllString(operands, ""))
		l.insns = append(l.insns, in)
	}
	if len(l.insns) == 0 {
		return fmt.Errorf("%s printed no instructions of %s", tool, path)
	}
	sort.SliceStable(l.insns, func(i, j int) bool { return l.insns[i].addr < l.insns[j].addr })
	return lines.Err()
}

func splitOperands(s string) []string {
	var out []string
	depth, from := 0, 0
	for i, c := range s {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
	}
	if rest := strings.TrimSpace(s[from:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

// code gives the instructions in [start, end).
func (l *library) code(start, end uint64) []insn {
	i := sort.Search(len(l.insns), func(i int) bool { return l.insns[i].addr >= start })
	j := sort.Search(len(l.insns), func(i int) bool { return l.insns[i].addr >= end })
	return l.insns[i:j]
}

var (
	textLine  = regexp.MustCompile(`(?m)^\s*TEXT\s+([^\s,(<]+)`)
	entryLine = regexp.MustCompile(`(?m)^\s*X\((\w+), `) // of core's entry trampolines, which a macro makes
)

// entryNames gives the functions of the core that C calls.
func (l *library) entryNames(root string) ([]string, error) {
	file := filepath.Join(root, "core", "entry_"+machines[l.file.Machine]+".s")
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, m := range entryLine.FindAllStringSubmatch(string(text), -1) {
		names = append(names, m[1])
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: no entries", file)
	}
	return names, nil
}

// assemblyNames gives the symbols that the assembly files of the core define. A name that another macro puts together is not
// found; its function is then held to the stricter rules for compiled code.
func assemblyNames(root string) (map[string]bool, error) {
	names := map[string]bool{}
	for _, pkg := range packages {
		dir := strings.TrimPrefix(pkg, module+"/")
		files, err := filepath.Glob(filepath.Join(root, dir, "*.s"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			for _, m := range textLine.FindAllStringSubmatch(string(text), -1) {
				name := m[1]
				if local, ok := strings.CutPrefix(name, "·"); ok {
					name = pkg + "." + local
				}
				names[name] = true
			}
			for _, m := range entryLine.FindAllStringSubmatch(string(text), -1) {
				names[m[1]] = true
			}
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no assembly found below %s: is it the repository?", root)
	}
	return names, nil
}
