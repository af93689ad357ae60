// Command extract cuts the code and data that C entries reach out of the object of a Go c-archive, and prints
// them as input for the GNU assembler. What the entries never reach, the Go runtime above all, is left behind.
//
//	extract go.o llhttp_core_step > core.s
//
// What must hold, or it fails: everything reached is part of the parser's packages and has static content.
package main

import (
	"bufio"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"maps"
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

// open reads the symbols, and content and relocations of what is loaded.
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
		if s.Type != elf.SHT_RELA || f.Sections[s.Info].Flags&elf.SHF_ALLOC == 0 {
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
	return o, nil
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

// ours tells whether a symbol belongs to the parser.
func ours(name string) bool {
	return strings.HasPrefix(name, "llhttpgo/core.") || strings.HasPrefix(name, "llhttpgo/core/asm.") || strings.HasPrefix(name, "llhttp_core_")
}

// run prints the text of the parser's packages as one piece, then the data it refers to, piece by piece.
func run(path string, entries []string) error {
	o, err := open(path)
	if err != nil {
		return err
	}
	// Calls inside .text carry no relocation, so the functions must keep their distances: one slice from the first to the last.
	text, lo, hi := elf.SectionIndex(0), ^uint64(0), uint64(0)
	var funcs []elf.Symbol
	for _, s := range o.syms {
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC && ours(s.Name) {
			text, lo, hi = s.Section, min(lo, s.Value), max(hi, s.Value+s.Size)
			funcs = append(funcs, s)
		}
	}
	if hi == 0 {
		return fmt.Errorf("no function of the core in %s", path)
	}
	align := o.f.Sections[text].Addralign
	lo &^= align - 1
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	seen := map[int]bool{}
	descs := map[string]string{} // func values by function: type of the relocation that holds the address
	var queue []int
	emit := func(sec elf.SectionIndex, from, to uint64) error {
		b := o.data[sec][from:to]
		for i := 0; i < len(b); i += 16 {
			fmt.Fprintf(w, "\t.byte ")
			for j, c := range b[i:min(i+16, len(b))] {
				if j > 0 {
					w.WriteByte(',')
				}
				fmt.Fprintf(w, "%d", c)
			}
			w.WriteByte('\n')
		}
		for _, r := range o.between(sec, from, to) {
			if r.sym < 0 {
				return fmt.Errorf("relocation without symbol")
			}
			if t := o.syms[r.sym]; t.Name == "go:funcdescrel" {
				// The linker groups func values under one name: one word each, a code pointer.
				at := t.Value + uint64(r.addend)
				fv := o.between(t.Section, at, at+8)
				if len(fv) != 1 || fv[0].off != at || fv[0].addend != 0 {
					return fmt.Errorf("no func value at %#x", at)
				}
				fn := o.syms[fv[0].sym].Name
				fmt.Fprintf(w, "\t.reloc . - %d, %s, %q\n", to-r.off, o.relocName(r.typ), fn+"·f")
				descs[fn] = o.relocName(fv[0].typ)
				continue
			}
			fmt.Fprintf(w, "\t.reloc . - %d, %s, %q%+d\n", to-r.off, o.relocName(r.typ), o.syms[r.sym].Name, r.addend)
			if t := o.syms[r.sym]; elf.ST_TYPE(t.Info) != elf.STT_FUNC && !seen[r.sym] {
				seen[r.sym] = true
				queue = append(queue, r.sym)
			} else if t.Section != text || t.Value < lo || t.Value >= hi {
				if elf.ST_TYPE(t.Info) == elf.STT_FUNC {
					return fmt.Errorf("%s is reached and is not part of the core", t.Name)
				}
			}
		}
		return nil
	}
	sort.Slice(funcs, func(i, j int) bool { return funcs[i].Value < funcs[j].Value })
	fmt.Fprintf(w, "\t.text\n\t.balign %d\n", align)
	pos := lo
	for _, s := range funcs {
		for ; pos < s.Value; pos++ {
			fmt.Fprintf(w, "\t.byte 0xcc\n")
		}
		for _, e := range entries {
			if e == s.Name {
				fmt.Fprintf(w, "\t.globl %q\n\t.hidden %q\n", s.Name, s.Name)
			}
		}
		fmt.Fprintf(w, "\t.type %q, %%function\n\t.size %q, %d\n%q:\n", s.Name, s.Name, s.Size, s.Name)
		if err := emit(text, s.Value, s.Value+s.Size); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		pos = s.Value + s.Size
	}
	for len(queue) > 0 {
		s := o.syms[queue[0]]
		queue = queue[1:]
		if s.Section == elf.SHN_UNDEF || s.Size == 0 {
			return fmt.Errorf("%s is reached and has no content", s.Name)
		}
		sec := o.f.Sections[s.Section]
		switch {
		case sec.Type == elf.SHT_NOBITS:
			fmt.Fprintf(w, "\t.bss\n")
		case sec.Flags&elf.SHF_WRITE == 0:
			fmt.Fprintf(w, "\t.section .rodata\n")
		case strings.HasPrefix(sec.Name, ".data.rel.ro"):
			fmt.Fprintf(w, "\t.section .data.rel.ro,\"aw\"\n")
		default:
			fmt.Fprintf(w, "\t.data\n")
		}
		a := min(64, s.Value&-s.Value)
		if s.Value == 0 {
			a = 64
		}
		fmt.Fprintf(w, "\t.balign %d\n\t.type %q, %%object\n\t.size %q, %d\n%q:\n", a, s.Name, s.Name, s.Size, s.Name)
		if sec.Type == elf.SHT_NOBITS {
			fmt.Fprintf(w, "\t.zero %d\n", s.Size)
		} else if err := emit(s.Section, s.Value, s.Value+s.Size); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	for _, fn := range slices.Sorted(maps.Keys(descs)) {
		typ := descs[fn]
		fmt.Fprintf(w, "\t.section .data.rel.ro,\"aw\"\n\t.balign 8\n\t.type %q, %%object\n\t.size %q, 8\n%q:\n\t.zero 8\n\t.reloc . - 8, %s, %q\n", fn+"·f", fn+"·f", fn+"·f", typ, fn)
	}
	fmt.Fprintf(w, "\t.section .note.GNU-stack,\"\",%%progbits\n")
	return nil
}
