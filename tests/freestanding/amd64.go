package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// This file says what an x86-64 instruction does, as far as the rules ask: to control flow, to the stack pointer, to
// static data, and to registers that hold known addresses. Operands are in AT&T order: the destination comes last.
// A register is forgotten whenever there is doubt; that can only make a check fail.

type amd64 struct{}

func (amd64) callSize() int { return 8 }

const (
	rax, rcx, rdx, rsp, rbp, rsi, rdi, r14 = 0, 1, 2, 4, 5, 6, 7, 14
)

var amd64Registers = func() map[string]int {
	names := map[string]int{}
	for i, n := range []string{"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"} {
		names["%r"+n], names["%e"+n], names["%"+n] = i, i, i
		if i < 4 {
			names["%"+n[:1]+"l"], names["%"+n[:1]+"h"] = i, i
		} else {
			names["%"+n+"l"] = i
		}
	}
	for i := 8; i < 16; i++ {
		for _, width := range []string{"", "d", "w", "b"} {
			names[fmt.Sprintf("%%r%d%s", i, width)] = i
		}
	}
	return names
}()

// A memory operand.
type memory struct {
	segment     string
	disp        int64
	base, index int // -1 for none
	scale       int64
	rip         bool
}

var memoryOperand = regexp.MustCompile(`^\*?(?:(%[c-gs]s):)?(-?(?:0x)?[0-9a-f]+)?(?:\((%\w+)?(?:,(%\w+)(?:,([1248]))?)?\))?$`)

func parseMemory(op string) (m memory, ok bool) {
	if strings.HasPrefix(op, "$") || strings.HasPrefix(op, "%") && !strings.Contains(op, ":") || strings.HasPrefix(op, "*%") {
		return m, false
	}
	if i := strings.Index(op, "){"); i >= 0 {
		op = op[:i+1]
	}
	part := memoryOperand.FindStringSubmatch(op)
	if part == nil {
		return m, false
	}
	m = memory{segment: part[1], base: -1, index: -1, scale: 1}
	m.disp, _ = strconv.ParseInt(part[2], 0, 64)
	m.rip = part[3] == "%rip"
	if r, ok := amd64Registers[part[3]]; ok {
		m.base = r
	}
	if r, ok := amd64Registers[part[4]]; ok {
		m.index = r
	} else if part[4] != "" {
		m.index = 16 // a vector: gathers
	}
	if part[5] != "" {
		m.scale, _ = strconv.ParseInt(part[5], 0, 64)
	}
	return m, true
}

// hexField reads an address that objdump worked out: of a direct jump, or of a rip-relative operand (in the comment).
func hexField(s string) (uint64, bool) {
	s, _, _ = strings.Cut(s, " ")
	n, err := strconv.ParseUint(strings.TrimPrefix(s, "0x"), 16, 64)
	return n, err == nil
}

func immediate(op string) (int64, bool) {
	digits, ok := strings.CutPrefix(op, "$")
	if !ok {
		return 0, false
	}
	if n, err := strconv.ParseInt(digits, 0, 64); err == nil {
		return n, true
	}
	n, err := strconv.ParseUint(digits, 0, 64) // 0xffffffffffffff80
	return int64(n), err == nil
}

var (
	amd64Forbidden = regexp.MustCompile(`^(syscall|sysenter|sysexit|sysret|int|into|int1|icebp|hlt|in[bwl]?|out[bwl]?|ins[bwl]|outs[bwl]|cli|sti|rdmsr|wrmsr|rdpmc|` +
		`l[gil]dt|s[gil]dt|ltr|str|lmsw|smsw|clts|invd|wbinvd|invlpg|swapgs|(rd|wr)[fg]sbase|[lf]?iret[qlw]?|lret[qw]?|lcall|ljmp|monitor|mwait|xsetbv|vmcall|` +
		`rdpkru|wrpkru|cpuid|rdtscp?|xgetbv|popf[qw]?|std|enter|leave|xbegin|xabort)$`)
	// mnemonics that leave their last operand as it is
	amd64ReadsOnly = regexp.MustCompile(`^v?(cmp[bwlq]?|test[bwlq]?|p?tests?[pds]*|u?comis[sd]|bt[wlq]?|push[wq]?|nop[wl]?|prefetch\w*|mul[bwlq]?|i?div[bwlq]?|imul[bwlq]|clflush(opt)?|ld(mx)?csr|call|jmp)$`)
	amd64Implicit  = regexp.MustCompile(`^(i?mul[bwlq]?|mulx|i?div[bwlq]?|c[wlq]t[ldqo]|c[bwdlq]{2}\w?|movs[bwlq]|stos[bwlq]?|lods[bwlq]?|scas[bwlq]?|cmps[bwlq]|v?pcmp[ei]str[im]|xchg\w*|xadd\w*|cmpxchg\w*|xlat|lahf|s?ahf)$`)
)

func (amd64) padding(in *insn) bool { return in.mnemonic == "int3" || isNop(in) }

func isNop(in *insn) bool {
	return strings.HasPrefix(in.mnemonic, "nop") || in.mnemonic == "xchg" && len(in.operands) == 2 && in.operands[0] == in.operands[1]
}

func (m amd64) step(w *walk, f *function, in *insn, s *state) (e effect) {
	mn, ops := in.mnemonic, in.operands
	bad := func(kind, format string, args ...any) {
		e.faults = append(e.faults, fault{kind: kind, text: fmt.Sprintf(format, args...)})
	}
	if strings.Contains(in.text, "(bad)") || strings.HasPrefix(mn, ".") || mn == "" {
		bad(faultInstruction, "cannot be decoded")
		return
	}
	if amd64Forbidden.MatchString(mn) {
		bad(faultInstruction, "does not belong in a parser")
	}
	if isNop(in) {
		return
	}
	// The values of memory operands, before the instruction changes anything.
	readsLast := amd64ReadsOnly.MatchString(mn)
	var content value
	for i, op := range ops {
		mem, ok := parseMemory(op)
		if !ok {
			continue
		}
		if mem.segment == "%fs" || mem.segment == "%gs" {
			bad(faultTLS, "%s", op)
		}
		write := i == len(ops)-1 && !readsLast && mn != "lea"
		if mem.rip {
			at, ok := hexField(in.comment)
			if !ok {
				bad(faultInstruction, "no address for %s", op)
				continue
			}
			e.refs = append(e.refs, reference{at, write})
			if mn == "lea" {
				content = value{address, at}
			} else if v, ok := w.pointer(at); ok {
				content = v
			}
			continue
		}
		if mem.base < 0 {
			continue
		}
		switch base := s.regs[mem.base]; base.kind {
		case address:
			at := base.n + uint64(mem.disp)
			if write {
				e.refs = append(e.refs, reference{base.n, true})
			}
			switch {
			case mn == "lea" && mem.index < 0:
				content = value{address, at}
			case mn == "lea":
			case mem.index >= 0 && mem.scale == 8:
				content = value{entryOf, at}
			case mem.index < 0:
				if v, ok := w.pointer(at); ok {
					content = v
				}
			}
		case stack:
			depth := int(base.n) - int(mem.disp)
			if mem.index < 0 {
				e.below = max(e.below, depth)
				if mn == "lea" {
					content = value{stack, uint64(depth)}
				}
			}
		}
	}
	switch {
	case mn == "call":
		e.flow = flowCall
	case mn == "jmp":
		e.flow = flowJump
	case strings.HasPrefix(mn, "j") || strings.HasPrefix(mn, "loop"):
		e.flow = flowBranch
	case mn == "ret":
		e.flow = flowReturn
	case mn == "int3" || mn == "ud1" || mn == "ud2" || mn == "hlt":
		e.flow = flowStop
	}
	switch e.flow {
	case flowJump, flowBranch, flowCall:
		operand := ""
		if len(ops) > 0 {
			operand = ops[0]
		}
		if through, ok := strings.CutPrefix(operand, "*"); ok {
			if e.flow == flowJump {
				e.flow = flowThrough
			}
			e.through = content
			if r, ok := amd64Registers[through]; ok {
				e.through = s.regs[r]
			}
		} else if e.target, e.direct = hexField(operand); !e.direct {
			bad(faultInstruction, "no target")
		}
		if e.flow == flowCall {
			sp, bp := s.regs[rsp], s.regs[rbp]
			s.regs = [32]value{}
			s.regs[rsp] = sp
			if bp.kind == stack { // callee-saved in both ABIs
				s.regs[rbp] = bp
			}
		}
		return
	case flowReturn, flowStop:
		return
	}
	m.data(in, s, content, readsLast, bad)
	if s.regs[rsp].kind == unknown {
		s.regs[rsp] = value{stack, uint64(s.depth)}
	}
	return
}

// data follows known values through an instruction that goes on to the next one.
func (amd64) data(in *insn, s *state, content value, readsLast bool, bad func(kind, format string, args ...any)) {
	mn, ops := in.mnemonic, in.operands
	moveSP := func(depth int) {
		s.depth = depth
		s.regs[rsp] = value{stack, uint64(depth)}
	}
	moveSP(s.depth)
	dest := -1
	if len(ops) > 0 {
		if r, ok := amd64Registers[ops[len(ops)-1]]; ok {
			dest = r
		}
	}
	source := func(i int) (value, bool) {
		if r, ok := amd64Registers[ops[i]]; ok && strings.HasPrefix(ops[i], "%r") && !strings.ContainsAny(ops[i][2:], "dwb") {
			return s.regs[r], true
		}
		return value{}, false
	}
	switch {
	case strings.HasPrefix(mn, "push"):
		moveSP(s.depth + 8)
		return
	case strings.HasPrefix(mn, "pop") && mn != "popcnt":
		moveSP(s.depth - 8)
		if dest == rsp {
			bad(faultStack, "the stack pointer is not known after this")
		} else if dest >= 0 {
			s.regs[dest] = value{}
		}
		return
	case dest == rsp && readsLast:
		return
	case dest == rsp:
		n, isConst := immediate(ops[0])
		v, isReg := source(0)
		switch {
		case strings.HasPrefix(mn, "sub") && isConst:
			moveSP(s.depth + int(n))
		case strings.HasPrefix(mn, "add") && isConst:
			moveSP(s.depth - int(n))
		case mn == "lea" && content.kind == stack:
			moveSP(int(content.n))
		case strings.HasPrefix(mn, "mov") && isReg && v.kind == stack:
			moveSP(int(v.n))
		default:
			bad(faultStack, "the stack pointer is not known after this")
		}
		return
	}
	if dest >= 0 && !readsLast {
		var v value
		if len(ops) == 2 && (mn == "mov" || mn == "movq") && strings.HasPrefix(ops[1], "%r") {
			if from, ok := source(0); ok {
				v = from
			} else {
				v = content
			}
		} else if mn == "lea" && strings.HasPrefix(ops[1], "%r") {
			v = content
		}
		s.regs[dest] = v
	}
	if amd64Implicit.MatchString(mn) {
		for _, r := range []int{rax, rcx, rdx, rsi, rdi} {
			s.regs[r] = value{}
		}
		for _, op := range ops {
			if r, ok := amd64Registers[op]; ok && r != rsp {
				s.regs[r] = value{}
			}
		}
	}
}

var (
	amd64R14       = regexp.MustCompile(`%r14[dwb]?\b`)
	amd64StackWord = regexp.MustCompile(`^0x1[08]\(%r14\)$`)
)

// gRegister: compiled code must not mention R14. Assembly that C or assembly calls may use it as scratch, once it has
// been written; assembly that compiled code calls must leave it alone, since in a Go program it is g.
func (m amd64) gRegister(f *function) {
	written := false
	for i := range f.code {
		in := &f.code[i]
		if !amd64R14.MatchString(in.text) {
			continue
		}
		if strings.HasPrefix(in.mnemonic, "cmp") && len(in.operands) == 2 && amd64StackWord.MatchString(in.operands[0]) {
			f.fault(in, faultStackCheck, "compares the stack pointer with g's limit")
			continue
		}
		if !f.assembly || f.throughValue {
			f.fault(in, faultG, "R14 is g here")
			continue
		}
		for _, op := range in.operands {
			if mem, ok := parseMemory(op); ok && (mem.base == r14 || mem.index == r14) && !written {
				f.fault(in, faultG, "R14 is read as an address before it is written")
			}
		}
		if last := in.operands[len(in.operands)-1]; amd64Registers[last] == r14 && !strings.HasPrefix(in.mnemonic, "push") && !amd64ReadsOnly.MatchString(in.mnemonic) {
			written = true
		}
	}
}
