// Command extract cuts the code and data that C entries reach out of the object of a Go c-archive, and prints
// them as input for the GNU assembler. What the entries never reach, the Go runtime above all, is left behind.
//
//	extract go.o llhttp_core_step... > core.s
//
// What must hold, or it fails: everything reached is part of the parser's packages and has static content.
package main

import (
	"bufio"
	"cmp"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"
)

type reloc struct {
	off    uint64
	typ    uint32
	sym    int // index into syms
	addend int64
}

type object struct {
	f      *elf.File
	syms   []elf.Symbol
	data   map[elf.SectionIndex][]byte
	relocs map[elf.SectionIndex][]reloc // sorted by offset
	frames map[uint64][]row             // by the function's address
}

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: extract go.o entry...")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "extract:", err)
		os.Exit(1)
	}
}

// open reads the symbols, content and relocations of what is loaded, and the table of frames.
func open(path string) (*object, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	o := &object{f: f, data: map[elf.SectionIndex][]byte{}, relocs: map[elf.SectionIndex][]reloc{}}
	if o.syms, err = f.Symbols(); err != nil {
		return nil, err
	}
	for i, s := range f.Sections {
		if s.Flags&elf.SHF_ALLOC != 0 && s.Type != elf.SHT_NOBITS {
			if o.data[elf.SectionIndex(i)], err = s.Data(); err != nil {
				return nil, err
			}
		}
		if s.Type != elf.SHT_RELA || f.Sections[s.Info].Flags&elf.SHF_ALLOC == 0 && f.Sections[s.Info].Name != frameSection {
			continue
		}
		b, err := s.Data()
		if err != nil {
			return nil, err
		}
		var rs []reloc
		for ; len(b) >= 24; b = b[24:] {
			info := binary.LittleEndian.Uint64(b[8:])
			rs = append(rs, reloc{binary.LittleEndian.Uint64(b), uint32(info), int(info>>32) - 1, int64(binary.LittleEndian.Uint64(b[16:]))})
		}
		sort.Slice(rs, func(i, j int) bool { return rs[i].off < rs[j].off })
		o.relocs[elf.SectionIndex(s.Info)] = rs
	}
	o.frames, err = o.readFrames()
	return o, err
}

// between gives a section's relocations in [lo, hi).
func (o *object) between(sec elf.SectionIndex, lo, hi uint64) []reloc {
	rs := o.relocs[sec]
	i := sort.Search(len(rs), func(i int) bool { return rs[i].off >= lo })
	j := sort.Search(len(rs), func(i int) bool { return rs[i].off >= hi })
	return rs[i:j]
}

func (o *object) relocName(t uint32) string {
	if o.f.Machine == elf.EM_AARCH64 {
		return elf.R_AARCH64(t).String()
	}
	return elf.R_X86_64(t).String()
}

// pkg gives the import path in a Go symbol; "" for C's and for assembly's file-local ones.
func pkg(symbol string) string {
	slash := strings.LastIndexByte(symbol, '/') + 1
	if paren := strings.IndexAny(symbol, "([{"); paren >= 0 && paren < slash {
		slash = strings.LastIndexByte(symbol[:paren], '/') + 1
	}
	dot := strings.IndexByte(symbol[slash:], '.')
	if dot < 0 {
		return ""
	}
	return symbol[:slash+dot]
}

// ours tells whether a symbol belongs to the parser, or may: assembly's local names have no package.
func ours(name string) bool {
	p := pkg(name)
	return p == "llhttpgo/core" || p == "llhttpgo/core/asm" || p == "" && !strings.ContainsAny(name, ":*") || strings.HasPrefix(name, "$")
}

// isInit tells whether a function runs before main in a Go program, and never in the library.
func isInit(name string) bool {
	rest, ok := strings.CutPrefix(name, pkg(name)+".")
	rest = strings.TrimPrefix(rest, "map.")
	return ok && ours(name) && (rest == "init" || strings.HasPrefix(rest, "init."))
}

// calls gives the functions that fn jumps to without a relocation. Bytes that only look like a call and hit the first byte
// of a function by chance would add a function, never lose one.
func (o *object) calls(fn elf.Symbol, starts map[uint64]int) []int {
	var out []int
	b := o.data[fn.Section][fn.Value : fn.Value+fn.Size]
	add := func(target uint64) {
		if i, ok := starts[target]; ok && target != fn.Value {
			out = append(out, i)
		}
	}
	if o.f.Machine == elf.EM_AARCH64 {
		for i := 0; i+4 <= len(b); i += 4 {
			if in := binary.LittleEndian.Uint32(b[i:]); in&0x7c000000 == 0x14000000 { // B, BL
				add(fn.Value + uint64(i) + uint64(int64(int32(in<<6))>>4))
			}
		}
		return out
	}
	for i := 0; i+5 <= len(b); i++ {
		if b[i] == 0xe8 || b[i] == 0xe9 || b[i]&0xf0 == 0x80 && i > 0 && b[i-1] == 0x0f { // CALL, JMP, Jcc
			if at := fn.Value + uint64(i) + 1; len(o.between(fn.Section, at, at+1)) == 0 {
				add(at + 4 + uint64(int64(int32(binary.LittleEndian.Uint32(b[i+1:])))))
			}
		}
	}
	return out
}

// funcValue gives the function that a word among the linker's func values points to, and what the relocation adds to
// the word's address: relative ones count from behind the field.
func (o *object) funcValue(r reloc) (sym int, bias int64, err error) {
	if o.f.Machine == elf.EM_X86_64 && r.typ == uint32(elf.R_X86_64_PC32) {
		bias = -4
	}
	t := o.syms[r.sym]
	at := t.Value + uint64(r.addend-bias)
	fv := o.between(t.Section, at, at+8)
	if len(fv) != 1 || fv[0].off != at || fv[0].addend != 0 {
		return 0, 0, fmt.Errorf("no func value at %#x", at)
	}
	return fv[0].sym, bias, nil
}

// group is what the linker calls all func values together: one word each, a code pointer.
const group = "go:funcdescrel"

// reach gives the functions and data that the entries reach, in the order of their addresses.
func (o *object) reach(entries []string) (funcs, data, values []int, err error) {
	starts := map[uint64]int{}
	var queue []int
	for i, s := range o.syms {
		if elf.ST_TYPE(s.Info) != elf.STT_FUNC || s.Section >= elf.SHN_LORESERVE || s.Section == elf.SHN_UNDEF {
			continue
		}
		starts[s.Value] = i
		if slices.Contains(entries, s.Name) {
			queue = append(queue, i)
		}
	}
	if len(queue) != len(entries) {
		return nil, nil, nil, fmt.Errorf("not all of %v are there", entries)
	}
	from := map[int]int{}
	for _, i := range queue {
		from[i] = -1
	}
	value := map[int]bool{}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		s := o.syms[i]
		isFunc := elf.ST_TYPE(s.Info) == elf.STT_FUNC
		if !ours(s.Name) || s.Section == elf.SHN_UNDEF || s.Size == 0 {
			path := s.Name
			for j := from[i]; j >= 0; j = from[j] {
				path = o.syms[j].Name + " > " + path
			}
			return nil, nil, nil, fmt.Errorf("%s is not part of the parser: %s", s.Name, path)
		}
		var next []int
		if isFunc {
			funcs = append(funcs, i)
			next = o.calls(s, starts)
		} else {
			data = append(data, i)
		}
		for _, r := range o.between(s.Section, s.Value, s.Value+s.Size) {
			if r.sym < 0 {
				return nil, nil, nil, fmt.Errorf("%s: relocation without symbol", s.Name)
			}
			t := r.sym
			if o.syms[t].Name == group {
				if t, _, err = o.funcValue(r); err != nil {
					return nil, nil, nil, err
				}
				if !value[t] {
					value[t] = true
					values = append(values, t)
				}
			}
			next = append(next, t)
		}
		for _, t := range next {
			if _, ok := from[t]; !ok {
				from[t] = i
				queue = append(queue, t)
			}
		}
	}
	// No init runs in the library: what one refers to and the entries reach would have another content there.
	for _, s := range o.syms {
		if !isInit(s.Name) || elf.ST_TYPE(s.Info) != elf.STT_FUNC {
			continue
		}
		for _, r := range o.between(s.Section, s.Value, s.Value+s.Size) {
			if r.sym >= 0 && slices.Contains(data, r.sym) && o.f.Sections[o.syms[r.sym].Section].Type != elf.SHT_NOBITS {
				return nil, nil, nil, fmt.Errorf("%s is reached, and %s changes it", o.syms[r.sym].Name, s.Name)
			}
		}
	}
	for _, list := range [][]int{funcs, data, values} {
		slices.Sort(list)
	}
	slices.SortFunc(funcs, func(i, j int) int { return cmp.Compare(o.syms[i].Value, o.syms[j].Value) })
	return funcs, data, values, nil
}

// run prints the functions as one piece, then the data, piece by piece. Whatever has static content becomes read-only.
func run(path string, entries []string) error {
	o, err := open(path)
	if err != nil {
		return err
	}
	funcs, data, values, err := o.reach(entries)
	if err != nil {
		return err
	}
	p := printer{bufio.NewWriter(os.Stdout), o}
	defer p.w.Flush()
	if err := p.functions(funcs, entries); err != nil {
		return err
	}
	for _, i := range data {
		if err := p.variable(o.syms[i]); err != nil {
			return err
		}
	}
	for _, i := range values {
		p.funcValue(o.syms[i].Name)
	}
	p.printf("\t.section .note.GNU-stack,\"\",%%progbits\n")
	return nil
}
