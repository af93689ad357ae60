package main

import (
	"cmp"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// This file finds out how each function's frame is unwound, so that debuggers, profilers and memory checkers see the
// host's frames behind the parser's: the distance from the stack pointer to the caller's frame at each instruction,
// which the Go linker has written into .debug_frame, and where the function has put registers that belong to its
// caller, which is read from its first instructions.
//
// What must hold: a row of the linker's table is right at every instruction, also of assembly. Assembly must change the
// stack pointer in ways that the assembler follows (on amd64 PUSHQ, POPQ, ADJSP; not SUBQ).

// A row holds from its offset in the function on: the caller's frame begins cfa bytes above the stack pointer.
type row struct {
	off uint64
	cfa int64
}

// A save is a register in the caller's frame's terms: from offset off on it is at CFA-below, as long as the frame is
// there.
type save struct {
	off   uint64
	reg   int // number in DWARF
	below int64
}

// bytesReader reads DWARF's encodings; what is missing at the end is 0.
type bytesReader []byte

func (b *bytesReader) next(n int) []byte {
	out := make([]byte, n)
	*b = (*b)[copy(out, *b):]
	return out
}

func (b *bytesReader) u8() uint64  { return uint64(b.next(1)[0]) }
func (b *bytesReader) u32() uint64 { return uint64(binary.LittleEndian.Uint32(b.next(4))) }

func (b *bytesReader) uleb() (n uint64) {
	for shift := 0; ; shift += 7 {
		c := b.u8()
		n |= c & 0x7f << shift
		if c&0x80 == 0 {
			return n
		}
	}
}

func (b *bytesReader) sleb() (n int64) {
	for shift := 0; ; shift += 7 {
		c := b.u8()
		n |= int64(c&0x7f) << shift
		if c&0x80 == 0 {
			return n << (57 - min(shift, 57)) >> (57 - min(shift, 57))
		}
	}
}

const frameSection = ".debug_frame"

// readFrames reads the linker's table: the rows of the function at each address.
func (o *object) readFrames() (map[uint64][]row, error) {
	section := o.f.Section(frameSection)
	if section == nil {
		return nil, fmt.Errorf("the object has no %s: it was linked with -w or -s", frameSection)
	}
	index := elf.SectionIndex(slices.Index(o.f.Sections, section))
	data, err := section.Data()
	if err != nil {
		return nil, err
	}
	frames := map[uint64][]row{}
	var codeAlign uint64
	var dataAlign int64
	for pos := uint64(0); pos+8 <= uint64(len(data)); {
		length := uint64(binary.LittleEndian.Uint32(data[pos:]))
		end := pos + 4 + length
		if end > uint64(len(data)) {
			return nil, fmt.Errorf("%s ends in an entry", frameSection)
		}
		if binary.LittleEndian.Uint32(data[pos+4:]) == ^uint32(0) { // the entry that the others share
			b := bytesReader(data[pos+8 : end])
			if version, augmentation := b.u8(), b.u8(); version != 3 || augmentation != 0 {
				return nil, fmt.Errorf("%s has version %d", frameSection, version)
			}
			codeAlign, dataAlign = b.uleb(), b.sleb()
		} else {
			at := o.between(index, pos+8, pos+9)
			if len(at) != 1 || at[0].sym < 0 {
				return nil, fmt.Errorf("%s: no function at %#x", frameSection, pos)
			}
			rows, err := readRows(data[pos+24:end], codeAlign, dataAlign)
			if err != nil {
				return nil, err
			}
			frames[o.syms[at[0].sym].Value+uint64(at[0].addend)] = rows
		}
		pos = end
	}
	return frames, nil
}

// readRows runs the instructions of one function. Where the link register is it says, too; but not rightly for assembly
// without a frame of Go's.
func readRows(b bytesReader, codeAlign uint64, dataAlign int64) (rows []row, err error) {
	off := uint64(0)
	for len(b) > 0 {
		switch op := b.u8(); {
		case op>>6 == 1: // DW_CFA_advance_loc
			off += op & 0x3f * codeAlign
		case op == 0x02: // DW_CFA_advance_loc1
			off += b.u8() * codeAlign
		case op == 0x03: // DW_CFA_advance_loc2
			off += (b.u8() | b.u8()<<8) * codeAlign
		case op == 0x04: // DW_CFA_advance_loc4
			off += b.u32() * codeAlign
		case op == 0x13: // DW_CFA_def_cfa_offset_sf
			rows = append(rows, row{off, b.sleb() * dataAlign})
		case op == 0x11: // DW_CFA_offset_extended_sf
			b.uleb()
			b.sleb()
		case op == 0x07, op == 0x08: // DW_CFA_undefined, DW_CFA_same_value
			b.uleb()
		case op == 0x00: // DW_CFA_nop
		default:
			return nil, fmt.Errorf("%s: unknown instruction %#x", frameSection, op)
		}
	}
	return rows, nil
}

// amd64Registers are DWARF's numbers of the registers in the order of the instructions' encoding.
var amd64Registers = [16]int{0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15}

// amd64Saves reads the pushes that a function begins with.
func amd64Saves(code []byte) (saves []save) {
	below := int64(8) // the return address
	for pos := 0; pos < len(code); {
		reg := 0
		if code[pos] == 0x41 && pos+1 < len(code) {
			reg, pos = 8, pos+1
		}
		if code[pos]&0xf8 != 0x50 {
			break
		}
		reg |= int(code[pos] & 7)
		pos++
		below += 8
		saves = append(saves, save{uint64(pos), amd64Registers[reg], below})
	}
	return saves
}

const arm64LR = 30

// arm64Saves reads the stores that a function begins with.
func arm64Saves(code []byte) (saves []save) {
	frame := int64(0)
	for pos := 0; pos+4 <= len(code); pos += 4 {
		in := binary.LittleEndian.Uint32(code[pos:])
		after := uint64(pos) + 4
		first, second := int(in&31), int(in>>10&31)
		offset := int64(int32(in<<10)>>25) * 8
		switch {
		case in&0xffc003ff == 0xd10003ff: // SUB $n, RSP
			frame += int64(in >> 10 & 0xfff)
		case in&0xffe00fff == 0xf8000ffe: // MOVD.W R30, -n(RSP)
			frame -= int64(int32(in<<11) >> 23)
			saves = append(saves, save{after, arm64LR, frame})
		case in&0xffc003e0 == 0xa90003e0: // STP (R1, R2), n(RSP)
			saves = append(saves, save{after, first, frame - offset}, save{after, second, frame - offset - 8})
		case in&0xffc003e0 == 0x6d0003e0: // FSTPD (F1, F2), n(RSP)
			saves = append(saves, save{after, 64 + first, frame - offset}, save{after, 64 + second, frame - offset - 8})
		default:
			return saves
		}
	}
	return saves
}

// directives gives what the assembler is to be told at each offset in a function.
func (o *object) directives(s elf.Symbol) (map[uint64][]string, error) {
	rows := o.frames[s.Value]
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s says nothing of it", frameSection)
	}
	code := o.data[s.Section][s.Value : s.Value+s.Size]
	arm64 := o.f.Machine == elf.EM_AARCH64
	bottom, saves := int64(8), amd64Saves
	if arm64 {
		bottom, saves = 0, arm64Saves
	}
	saved := saves(code)
	if len(saved) > 0 && rows[len(rows)-1].off == 0 {
		return nil, fmt.Errorf("it stores registers, but its frame has no size")
	}
	returns := slices.ContainsFunc(saved, func(v save) bool { return v.reg == arm64LR })

	// Where anything may change, in order.
	var offs []uint64
	for _, r := range rows {
		offs = append(offs, r.off)
	}
	for _, v := range saved {
		offs = append(offs, v.off)
	}
	slices.Sort(offs)
	out := map[uint64][]string{}
	now, where := bottom, map[int]int64{} // as said so far
	for _, off := range slices.Compact(offs) {
		if off >= s.Size {
			continue
		}
		cfa := bottom
		for _, r := range rows {
			if r.off <= off {
				cfa = r.cfa
			}
		}
		want := map[int]int64{}
		for _, v := range saved {
			// On amd64 a register is there until it is popped, on arm64 until the frame is gone.
			if v.off <= off && (arm64 && cfa > 0 || !arm64 && cfa >= v.below) {
				want[v.reg] = v.below
			}
		}
		if arm64 && cfa > 0 && !returns { // Go's own frames, however they were made
			want[arm64LR] = cfa
		}
		if cfa != now {
			out[off] = append(out[off], fmt.Sprintf(".cfi_def_cfa_offset %d", cfa))
		}
		for _, reg := range sortedKeys(want, where) {
			below, is := want[reg]
			if was, ok := where[reg]; is && (!ok || was != below) {
				out[off] = append(out[off], fmt.Sprintf(".cfi_offset %d, %d", reg, -below))
			} else if !is && ok {
				out[off] = append(out[off], fmt.Sprintf(".cfi_restore %d", reg))
			}
		}
		now, where = cfa, want
	}
	return out, nil
}

func sortedKeys(maps ...map[int]int64) (keys []int) {
	for _, m := range maps {
		for k := range m {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, cmp.Compare)
	return slices.Compact(keys)
}

// pieces cuts [0, size) where there are directives, and calls f with each piece and what stands before it.
func pieces(size uint64, at map[uint64][]string, f func(from, to uint64, directives string)) {
	var cuts []uint64
	for off := range at {
		if off != 0 {
			cuts = append(cuts, off)
		}
	}
	slices.Sort(cuts)
	from := uint64(0)
	for _, to := range append(cuts, size) {
		var text strings.Builder
		for _, d := range at[from] {
			fmt.Fprintf(&text, "\t%s\n", d)
		}
		f(from, to, text.String())
		from = to
	}
}
