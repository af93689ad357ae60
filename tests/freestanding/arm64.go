package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// This file says what an arm64 instruction does, as amd64.go does for x86-64. The destination comes first.

type arm64 struct{}

func (arm64) callSize() int { return 0 }

const (
	arm64SP = 31
	arm64G  = 28
)

var arm64Register = regexp.MustCompile(`^([xw])(\d+|zr)$|^(w?sp)$`)

// register gives the number of a general register; the zero register has none.
func register(op string) (int, bool) {
	m := arm64Register.FindStringSubmatch(op)
	switch {
	case m == nil || m[2] == "zr":
		return 0, false
	case m[3] != "":
		return arm64SP, true
	}
	n, err := strconv.Atoi(m[2])
	return n, err == nil && n < 31
}

// [base, #disp]!, [base], #disp, [base, index, lsl #3]
var arm64Memory = regexp.MustCompile(`^\[(\w+)(?:, *#(-?(?:0x)?[0-9a-f]+))?(?:, *([xw]\d+)(?:, *(\w+)(?: #(\d+))?)?)?\](!?)$`)

func arm64Immediate(op string) (int64, bool) {
	digits, ok := strings.CutPrefix(op, "#")
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 0, 64)
	return n, err == nil
}

var (
	arm64Forbidden = regexp.MustCompile(`^(svc|hvc|smc|brk|hlt|msr|sys|sysl|at|dc|ic|tlbi|eret|wfe|wfi|udf|paci[ab]\w*|auti[ab]\w*|ret[a]a|ret[a]b|bra[ab]z?|blra[ab]z?)$`)
	arm64Stores    = regexp.MustCompile(`^(st\w+|cas\w*|swp\w*|ld(add|clr|eor|set|smax|smin|umax|umin)\w*)$`)
)

func (arm64) padding(in *insn) bool {
	return in.mnemonic == "udf" || in.mnemonic == "nop" || in.mnemonic == "brk"
}

func (m arm64) step(w *walk, f *function, in *insn, s *state) (e effect) {
	mn, ops := in.mnemonic, in.operands
	bad := func(kind, format string, args ...any) {
		e.faults = append(e.faults, fault{kind: kind, text: fmt.Sprintf(format, args...)})
	}
	if strings.HasPrefix(mn, ".") || mn == "" || strings.Contains(in.text, "undefined") {
		bad(faultInstruction, "cannot be decoded")
		return
	}
	if strings.Contains(in.text, "tpidr") {
		bad(faultTLS, "reads the thread pointer")
	} else if arm64Forbidden.MatchString(mn) {
		bad(faultInstruction, "does not belong in a parser")
	}
	s.regs[arm64SP] = value{stack, uint64(s.depth)}
	switch {
	case mn == "bl" || mn == "b":
		e.flow = flowJump
		if mn == "bl" {
			e.flow = flowCall
			m.clobber(s)
		}
		e.target, e.direct = hexField(ops[0])
	case strings.HasPrefix(mn, "b.") || strings.HasPrefix(mn, "bc.") || mn == "cbz" || mn == "cbnz" || mn == "tbz" || mn == "tbnz":
		e.flow = flowBranch
		e.target, e.direct = hexField(ops[len(ops)-1])
	case mn == "blr" || mn == "br":
		e.flow = flowThrough
		if r, ok := register(ops[0]); ok {
			e.through = s.regs[r]
		}
		if mn == "blr" {
			e.flow = flowCall
			m.clobber(s)
		}
		return
	case mn == "ret":
		e.flow = flowReturn
		return
	case mn == "udf" || mn == "brk" || mn == "hlt":
		e.flow = flowStop
		return
	default:
		m.data(w, in, s, &e, bad)
		return
	}
	if !e.direct {
		bad(faultInstruction, "no target")
	}
	return
}

func (arm64) clobber(s *state) {
	sp, fp := s.regs[arm64SP], s.regs[29]
	s.regs = [32]value{}
	s.regs[arm64SP] = sp
	if fp.kind == stack {
		s.regs[29] = fp
	}
}

func (m arm64) data(w *walk, in *insn, s *state, e *effect, bad func(kind, format string, args ...any)) {
	mn, ops := in.mnemonic, in.operands
	set := func(op string, v value) {
		r, ok := register(op)
		switch {
		case !ok:
		case r != arm64SP:
			s.regs[r] = v
		case v.kind == stack:
			s.depth = int(int64(v.n))
			s.regs[arm64SP] = v
		default:
			bad(faultStack, "the stack pointer is not known after this")
		}
	}
	get := func(op string) value {
		if r, ok := register(op); ok && op[0] != 'w' {
			return s.regs[r]
		}
		return value{}
	}
	for i, op := range ops {
		part := arm64Memory.FindStringSubmatch(op)
		if part == nil {
			continue
		}
		disp, _ := strconv.ParseInt(part[2], 0, 64)
		base := get(part[1])
		store := arm64Stores.MatchString(mn)
		var content value
		switch base.kind {
		case stack:
			if part[3] == "" {
				e.below = max(e.below, int(int64(base.n)-disp))
			}
		case address, page:
			at := base.n + uint64(disp)
			if base.kind == page || store {
				e.refs = append(e.refs, reference{at, store})
			}
			if part[3] != "" && part[5] == "3" {
				content = value{entryOf, at}
			} else if v, ok := w.pointer(at); ok && part[3] == "" {
				content = v
			}
		}
		if !store && !strings.HasPrefix(mn, "prf") {
			for _, d := range ops[:i] {
				set(d, value{})
			}
			if mn == "ldr" && i == 1 && strings.HasPrefix(ops[0], "x") {
				set(ops[0], content)
			}
		} else if strings.HasPrefix(mn, "stx") || strings.HasPrefix(mn, "stlx") || !strings.HasPrefix(mn, "st") {
			for _, d := range ops[:i] { // status, or what atomics read
				set(d, value{})
			}
		}
		// The base moves: before the access with '!', after it with a further operand.
		after, isConst := int64(0), false
		if i+1 < len(ops) {
			after, isConst = arm64Immediate(ops[i+1])
		}
		switch {
		case part[6] == "!":
			m.add(part[1], base, disp, set)
		case isConst:
			m.add(part[1], base, after, set)
		case i+1 < len(ops):
			set(part[1], value{})
		}
		return
	}
	switch {
	case len(ops) == 0 || mn == "cmp" || mn == "cmn" || mn == "tst" || mn == "ccmp" || mn == "ccmn" || mn == "nop":
	case mn == "adrp" || mn == "adr":
		at, ok := hexField(ops[1])
		if !ok {
			bad(faultInstruction, "no address")
		}
		if mn == "adr" {
			e.refs = append(e.refs, reference{at, false})
			set(ops[0], value{address, at})
		} else {
			set(ops[0], value{page, at})
		}
	case mn == "mov" && len(ops) == 2:
		set(ops[0], get(ops[1]))
	case (mn == "add" || mn == "sub") && len(ops) >= 3:
		from := get(ops[1])
		n, isConst := arm64Immediate(ops[2])
		if len(ops) == 4 && isConst { // lsl #12
			n <<= 12
		}
		if mn == "sub" {
			n = -n
		}
		if !isConst {
			from = value{}
		}
		if from.kind == page {
			from.kind = address
			e.refs = append(e.refs, reference{from.n + uint64(n), false})
		}
		m.add(ops[0], from, n, set)
	default:
		set(ops[0], value{})
	}
}

// add sets a register to from + n.
func (arm64) add(op string, from value, n int64, set func(string, value)) {
	switch from.kind {
	case stack:
		set(op, value{stack, from.n - uint64(n)})
	case address:
		set(op, value{address, from.n + uint64(n)})
	default:
		set(op, value{})
	}
}

var (
	arm64GName     = regexp.MustCompile(`\b[xw]28\b`)
	arm64StackWord = regexp.MustCompile(`^ldr x\d+, \[x28, #(16|24)\]`)
)

// gRegister: nothing but the trampoline, which saves it for C, may mention R28. In Go it is g in both ABIs.
func (arm64) gRegister(f *function) {
	for i := range f.code {
		in := &f.code[i]
		switch {
		case !arm64GName.MatchString(in.text):
		case arm64StackWord.MatchString(in.text):
			f.fault(in, faultStackCheck, "loads g's stack limit")
		case f.assembly && f.caller == nil && (strings.HasPrefix(in.mnemonic, "stp") || strings.HasPrefix(in.mnemonic, "ldp") ||
			strings.HasPrefix(in.mnemonic, "str") || strings.HasPrefix(in.mnemonic, "ldr")) && !strings.Contains(in.text, "[x28"):
		default:
			f.fault(in, faultG, "R28 is g")
		}
	}
}
