package main

import (
	"bufio"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// This file writes what was reached as input for the GNU assembler: bytes, with what the linker must fill in.

type printer struct {
	w *bufio.Writer
	o *object
}

func (p printer) printf(format string, args ...any) { fmt.Fprintf(p.w, format, args...) }

func (p printer) label(name, kind string, size uint64) {
	p.printf("\t.type %q, %%%s\n\t.size %q, %d\n%q:\n", name, kind, name, size, name)
}

// functions: calls inside .text carry no relocation, so the functions keep their distances.
func (p printer) functions(funcs []int, entries []string) error {
	first := p.o.syms[funcs[0]]
	align := p.o.f.Sections[first.Section].Addralign
	p.printf("\t.text\n\t.balign %d\n", align)
	trap := 0xcc // INT3; on arm64 UDF
	if p.o.f.Machine == elf.EM_AARCH64 {
		trap = 0
	}
	pos := first.Value &^ (align - 1)
	for _, i := range funcs {
		s := p.o.syms[i]
		p.printf("\t.fill %d, 1, %#x\n", s.Value-pos, trap)
		if slices.Contains(entries, s.Name) {
			p.printf("\t.globl %q\n\t.hidden %q\n", s.Name, s.Name)
		}
		p.label(s.Name, "function", s.Size)
		if err := p.content(s); err != nil {
			return err
		}
		pos = s.Value + s.Size
	}
	return nil
}

// variable prints static data in the section that its content wants.
func (p printer) variable(s elf.Symbol) error {
	bss := p.o.f.Sections[s.Section].Type == elf.SHT_NOBITS
	switch {
	case bss:
		p.printf("\t.bss\n")
	case len(p.o.between(s.Section, s.Value, s.Value+s.Size)) > 0:
		p.printf("\t.section .data.rel.ro,\"aw\"\n")
	default:
		p.printf("\t.section .rodata\n")
	}
	align := uint64(64)
	if s.Value != 0 {
		align = min(64, s.Value&-s.Value)
	}
	p.printf("\t.balign %d\n", align)
	p.label(s.Name, "object", s.Size)
	if bss {
		p.printf("\t.zero %d\n", s.Size)
		return nil
	}
	return p.content(s)
}

// funcValue prints what a func value of the function points to.
func (p printer) funcValue(name string) {
	p.printf("\t.section .data.rel.ro,\"aw\"\n\t.balign 8\n")
	p.label(name+"·f", "object", 8)
	p.printf("\t.quad %q\n", name)
}

// content prints the bytes of a symbol, how its frame is unwound, and its relocations.
func (p printer) content(s elf.Symbol) error {
	from, to := s.Value, s.Value+s.Size
	isFunc := elf.ST_TYPE(s.Info) == elf.STT_FUNC
	var directives map[uint64][]string
	if isFunc {
		var err error
		if directives, err = p.o.directives(s); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		p.printf("\t.cfi_startproc\n")
	}
	pieces(s.Size, directives, func(first, last uint64, before string) {
		p.w.WriteString(before)
		for line := range slices.Chunk(p.o.data[s.Section][from+first:from+last], 16) {
			if p.o.f.Machine == elf.EM_AARCH64 && isFunc { // told apart from data in the object
				for in := range slices.Chunk(line, 4) {
					p.printf("\t.inst %#x\n", binary.LittleEndian.Uint32(in))
				}
			} else {
				p.printf("\t.byte %s\n", strings.Trim(strings.ReplaceAll(fmt.Sprint(line), " ", ","), "[]"))
			}
		}
	})
	if isFunc {
		p.printf("\t.cfi_endproc\n")
	}
	for _, r := range p.o.between(s.Section, from, to) {
		name, addend := p.o.syms[r.sym].Name, r.addend
		if name == group {
			fn, bias, err := p.o.funcValue(r)
			if err != nil {
				return fmt.Errorf("%s: %w", s.Name, err)
			}
			name, addend = p.o.syms[fn].Name+"·f", bias
		}
		p.printf("\t.reloc . - %d, %s, %q%+d\n", to-r.off, p.o.relocName(r.typ), name, addend)
	}
	return nil
}
