package main

import (
	"debug/elf"
	"fmt"
	"sort"
	"strings"
)

// This file walks the calls and holds every function to the rules. What an instruction does is in amd64.go and arm64.go.
//
// First the state before each instruction is worked out, along every way through a function: the depth of the stack, and the
// registers that hold addresses known when the library was linked. Then each instruction is judged. Addresses are followed
// within a function only: a write to static data whose address came as an argument is not seen.

const module = "llhttpgo"

// packages may be called and their static data be read.
var packages = []string{module + "/core", module + "/core/asm"}

// variable tells which variables of these packages may be read although the library could change them.
func variable(name string) bool {
	value, ok := strings.CutPrefix(name, module+"/core.")
	return ok && strings.HasSuffix(value, "Func") || // static data that nobody writes: an entry's way to its Go function
		name == module+"/core/asm.level" // the host sets it, in place of an init
}

// Kinds of faults.
const (
	faultCall         = "foreign call"
	faultStackCheck   = "stack check"
	faultG            = "g register"
	faultTLS          = "thread-local storage"
	faultIndirectCall = "indirect call"
	faultIndirectJump = "indirect jump"
	faultData         = "foreign data"
	faultInit         = "data that an init sets"
	faultWrite        = "write to static data"
	faultInstruction  = "instruction"
	faultStack        = "stack"
)

type fault struct {
	kind, text string
	at         *insn
}

type function struct {
	name         string
	start, end   uint64
	assembly     bool
	throughValue bool // compiled code gets here through a func value, so in a Go program the g register is live
	code         []insn
	index        map[uint64]int // address -> place in code
	caller       *function      // the first one found
	calls        []call
	depth        int       // bytes of stack of its own
	total        int       // with everything it calls; -1 while being summed
	next         *function // on the way that needs most
	faults       []fault
}

type call struct {
	to    *function
	depth int // of the caller's frame at the call, the return address included
}

func (f *function) path() string {
	var names []string
	for g := f; g != nil; g = g.caller {
		names = append(names, g.name)
	}
	for i, j := 0, len(names)-1; i < j; i, j = i+1, j-1 {
		names[i], names[j] = names[j], names[i]
	}
	return strings.Join(names, " > ")
}

func (f *function) fault(at *insn, kind, format string, args ...any) {
	f.faults = append(f.faults, fault{kind, fmt.Sprintf(format, args...), at})
}

// A value is what is known about a register.
type value struct {
	kind valueKind
	n    uint64
}

type valueKind uint8

const (
	unknown valueKind = iota
	address           // n
	page              // n: first half of an address on arm64
	entryOf           // a word of the table of code pointers at n
	stack             // the stack pointer as it is at depth n
)

// state is what holds before an instruction, on every way to it.
type state struct {
	known bool
	depth int // bytes below the stack pointer at the function's entry
	regs  [32]value
}

func (s *state) meet(t *state) (changed, clash bool) {
	if !s.known {
		*s = *t
		s.known = true
		return true, false
	}
	for i := range s.regs {
		if s.regs[i].kind != unknown && s.regs[i] != t.regs[i] {
			s.regs[i] = value{}
			changed = true
		}
	}
	return changed, s.depth != t.depth
}

type flow uint8

const (
	flowOn     flow = iota
	flowJump        // to target
	flowBranch      // to target or on
	flowCall        // target, or through
	flowReturn
	flowStop    // traps
	flowThrough // jump to the value of through
)

// effect is what an instruction does besides changing the state.
type effect struct {
	flow    flow
	target  uint64 // direct jumps, branches and calls
	direct  bool
	through value       // indirect ones
	refs    []reference // static data
	below   int         // deepest stack byte it touches
	faults  []fault     // that show in the instruction alone
}

type reference struct {
	addr  uint64
	write bool
}

// A machine knows one instruction set.
type machine interface {
	// step says what in does in state s, and changes s to what holds after it.
	step(w *walk, f *function, in *insn, s *state) effect
	// padding says that in may fill the room between two functions.
	padding(in *insn) bool
	// gRegister looks for uses of the register that holds g in Go.
	gRegister(f *function)
	// callSize is the size of a return address on the stack.
	callSize() int
}

type walk struct {
	lib         *library
	m           machine
	entries     []string
	assembly    map[string]bool
	names       map[string]bool
	byInit      map[string]string // data symbol -> init function that refers to it
	data        map[string]bool
	reached     []*function
	queue       []*function
	queued      map[*function]bool
	deepest     int
	deepestPath string
}

func newWalk(lib *library, assembly map[string]bool, entries []string) *walk {
	w := &walk{lib: lib, entries: entries, assembly: assembly, names: map[string]bool{}, byInit: map[string]string{},
		data: map[string]bool{}, queued: map[*function]bool{}, m: amd64{}}
	if lib.file.Machine == elf.EM_AARCH64 {
		w.m = arm64{}
	}
	for _, f := range lib.funcs {
		w.names[f.name] = true
	}
	return w
}

// packageOf gives the import path in a Go symbol; "" for C's and for assembly's file-local ones.
func packageOf(symbol string) string {
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

func ours(pkg string) bool {
	for _, p := range packages {
		if p == pkg {
			return true
		}
	}
	return false
}

// isAssembly says that the function was written in assembly. Where Go declares such a function, its code is NAME.abi0,
// and NAME is a wrapper that the compiler made.
func (w *walk) isAssembly(name string) bool {
	plain, abi0 := strings.CutSuffix(name, ".abi0")
	return w.assembly[plain] && (abi0 || !w.names[name+".abi0"])
}

func (w *walk) allowed(f *function) bool {
	pkg := packageOf(f.name)
	return ours(pkg) || pkg == "" && w.isAssembly(f.name)
}

func (w *walk) enqueue(f, caller *function) {
	if !w.queued[f] {
		w.queued[f] = true
		f.caller = caller
		w.queue = append(w.queue, f)
	}
}

func (w *walk) run() error {
	for _, f := range w.lib.funcs {
		name := strings.TrimPrefix(strings.TrimPrefix(f.name, packageOf(f.name)+"."), "map.")
		if ours(packageOf(f.name)) && (name == "init" || strings.HasPrefix(name, "init.")) {
			w.noteInit(f)
		}
	}
	for _, name := range w.entries {
		var entry *function
		for _, f := range w.lib.funcs {
			if f.name == name && w.isAssembly(name) {
				entry = f
			}
		}
		if entry == nil {
			return fmt.Errorf("no assembly function %s in the library", name)
		}
		w.enqueue(entry, nil)
	}
	for len(w.queue) > 0 {
		f := w.queue[0]
		w.queue = w.queue[1:]
		w.reached = append(w.reached, f)
		w.function(f)
	}
	for _, f := range w.reached {
		if f.throughValue {
			w.spread(f)
		}
	}
	for _, f := range w.reached {
		w.m.gRegister(f)
	}
	return nil
}

// spread marks what assembly that compiled code calls calls in turn.
func (w *walk) spread(f *function) {
	f.throughValue = true
	for _, c := range f.calls {
		if f.assembly && !c.to.throughValue {
			w.spread(c.to)
		}
	}
}

func (w *walk) load(f *function) {
	f.assembly = w.isAssembly(f.name)
	f.code = w.lib.code(f.start, f.end)
	f.index = make(map[uint64]int, len(f.code))
	for i := range f.code {
		f.index[f.code[i].addr] = i
	}
}

// flowStates finds the state before every instruction.
func (w *walk) flowStates(f *function) []state {
	states := make([]state, len(f.code))
	if len(f.code) == 0 || f.code[0].addr != f.start {
		f.fault(nil, faultInstruction, "the function has no code")
		return states
	}
	clashes := map[int]bool{}
	work := []int{0}
	states[0].known = true
	reach := func(i int, s *state) {
		changed, clash := states[i].meet(s)
		if clash && !clashes[i] {
			clashes[i] = true
			f.fault(&f.code[i], faultStack, "the stack pointer differs between two ways to here: %d and %d bytes", states[i].depth, s.depth)
		}
		if changed {
			work = append(work, i)
		}
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		s := states[i]
		e := w.m.step(w, f, &f.code[i], &s)
		var to []uint64
		switch e.flow {
		case flowJump, flowBranch:
			to = append(to, e.target)
		case flowThrough:
			if e.through.kind == entryOf {
				to, _ = w.table(f, e.through.n)
			}
		}
		for _, t := range to {
			if j, ok := f.index[t]; ok {
				reach(j, &s)
			}
		}
		if (e.flow == flowOn || e.flow == flowBranch || e.flow == flowCall) && i+1 < len(f.code) {
			reach(i+1, &s)
		}
	}
	return states
}

func (w *walk) function(f *function) {
	w.load(f)
	states := w.flowStates(f)
	for i := range f.code {
		in, s := &f.code[i], states[i]
		if !s.known && w.m.padding(in) {
			continue
		}
		before := s
		e := w.m.step(w, f, in, &s)
		for _, v := range e.faults {
			f.fault(in, v.kind, "%s", v.text)
		}
		f.depth = max(f.depth, before.depth, s.depth, e.below)
		for _, r := range e.refs {
			w.reference(f, in, r)
		}
		switch e.flow {
		case flowJump, flowBranch:
			if _, inside := f.index[e.target]; !inside {
				w.callTo(f, in, e.target, before.depth)
			}
		case flowCall:
			if e.direct {
				w.callTo(f, in, e.target, before.depth+w.m.callSize())
			} else {
				w.callThrough(f, in, e.through, before.depth+w.m.callSize())
			}
		case flowThrough:
			if e.through.kind != entryOf {
				f.fault(in, faultIndirectJump, "not through a jump table")
			} else if _, err := w.table(f, e.through.n); err != nil {
				f.fault(in, faultIndirectJump, "%v", err)
			}
		case flowReturn:
			if s.known && before.depth != 0 {
				f.fault(in, faultStack, "returns with %d bytes on the stack", before.depth)
			}
		case flowStop:
			f.fault(in, faultInstruction, "a trap can be reached")
		}
		if e.flow == flowOn || e.flow == flowBranch {
			if i+1 == len(f.code) {
				f.fault(in, faultInstruction, "runs on behind the end of the function")
			}
		}
	}
}

func (w *walk) callTo(f *function, in *insn, target uint64, depth int) {
	to := w.lib.funcs[target]
	switch {
	case to == nil:
		f.fault(in, faultCall, "to %#x, where no function begins", target)
	case !w.allowed(to):
		f.fault(in, faultCall, "to %s", to.name)
	default:
		w.enqueue(to, f)
		f.calls = append(f.calls, call{to, depth})
	}
}

// callThrough follows an indirect call. Its target is known only where the func value is static data that cannot change.
func (w *walk) callThrough(f *function, in *insn, v value, depth int) {
	if v.kind != address {
		f.fault(in, faultIndirectCall, "not through a static func value")
		return
	}
	w.callTo(f, in, v.n, depth)
	if to := w.lib.funcs[v.n]; to != nil && !f.assembly {
		to.throughValue = true
	}
}

// pointer gives what static data at addr points to, if that cannot change.
func (w *walk) pointer(addr uint64) (value, bool) {
	s, ok := w.lib.object(addr)
	if !ok || !w.lib.readOnly(addr) && !variable(s.Name) {
		return value{}, false
	}
	to, ok := w.lib.fixups[addr]
	return value{address, to}, ok
}

// table gives the targets in a jump table of f.
func (w *walk) table(f *function, addr uint64) ([]uint64, error) {
	s, ok := w.lib.object(addr)
	number, isTable := strings.CutPrefix(s.Name, strings.TrimSuffix(f.name, ".abi0")+".jump")
	if !ok || !isTable || s.Value != addr || strings.Trim(number, "0123456789") != "" {
		return nil, fmt.Errorf("%#x (%s) is no jump table of this function", addr, s.Name)
	}
	if !w.lib.readOnly(addr) || s.Size == 0 || s.Size%8 != 0 {
		return nil, fmt.Errorf("%s: not a read-only table of pointers", s.Name)
	}
	var to []uint64
	for at := addr; at < addr+s.Size; at += 8 {
		target, ok := w.lib.fixups[at]
		if _, inside := f.index[target]; !ok || !inside {
			return nil, fmt.Errorf("%s: entry %d (%#x) does not point to an instruction of this function", s.Name, (at-addr)/8, target)
		}
		to = append(to, target)
	}
	return to, nil
}

// reference holds a use of static data to the rules.
func (w *walk) reference(f *function, in *insn, r reference) {
	sec := w.lib.section(r.addr)
	if sec == nil {
		f.fault(in, faultData, "%#x lies in no section", r.addr)
		return
	}
	if sec.Flags&elf.SHF_EXECINSTR != 0 {
		if to := w.lib.funcs[r.addr]; to == nil || !w.allowed(to) {
			f.fault(in, faultData, "%#x is code", r.addr)
		}
		return
	}
	s, ok := w.lib.object(r.addr)
	if !ok {
		f.fault(in, faultData, "%#x in %s has no name", r.addr, sec.Name)
		return
	}
	w.data[s.Name] = true
	pkg := packageOf(s.Name)
	constant := pkg == "" && s.Size > 0 && elf.ST_TYPE(s.Info) == elf.STT_OBJECT && !strings.Contains(s.Name, ":") ||
		s.Name == "go:string.*" || strings.HasPrefix(s.Name, "$") || s.Name == "go:funcdescrel"
	switch {
	case !ours(pkg) && !(constant && w.lib.readOnly(r.addr)):
		f.fault(in, faultData, "%s in %s", s.Name, sec.Name)
	case r.write:
		f.fault(in, faultWrite, "%s", s.Name)
	case variable(s.Name) || w.lib.readOnly(r.addr):
	case w.byInit[s.Name] != "":
		f.fault(in, faultInit, "%s, in %s", s.Name, w.byInit[s.Name])
	case sec.Type == elf.SHT_NOBITS:
		f.fault(in, faultInit, "%s in %s has no static content", s.Name, sec.Name)
	}
}

// noteInit records which data an init function refers to: what it finds there it may change.
func (w *walk) noteInit(f *function) {
	scratch := *f
	w.load(&scratch)
	states := w.flowStates(&scratch)
	for i := range scratch.code {
		s := states[i]
		for _, r := range w.m.step(w, &scratch, &scratch.code[i], &s).refs {
			if o, ok := w.lib.object(r.addr); ok {
				w.byInit[o.Name] = f.name
			}
		}
	}
}

// sumStack adds up the frames along every way through the calls.
func (w *walk) sumStack(limit int) {
	var sum func(f *function) int
	sum = func(f *function) int {
		if f.total != 0 {
			return f.total
		}
		f.total = -1
		total := f.depth
		for _, c := range f.calls {
			below := sum(c.to)
			if below < 0 {
				f.fault(nil, faultStack, "recursion through %s has no bound", c.to.name)
				continue
			}
			if c.depth+below > total {
				total, f.next = c.depth+below, c.to
			}
		}
		f.total = total
		return total
	}
	for _, f := range w.reached {
		if f.caller != nil {
			continue
		}
		total := sum(f) + w.m.callSize()
		var path []string
		for g := f; g != nil; g = g.next {
			path = append(path, fmt.Sprintf("%s (%d)", g.name, g.depth))
		}
		if total > w.deepest {
			w.deepest, w.deepestPath = total, strings.Join(path, " > ")
		}
		if total > limit {
			f.fault(nil, faultStack, "%d bytes, more than %d: %s", total, limit, strings.Join(path, " > "))
		}
	}
}

func (w *walk) dataNames() []string {
	var names []string
	for name := range w.data {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
