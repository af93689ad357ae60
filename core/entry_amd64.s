#include "textflag.h"

// The functions that C calls: the C name, the func value of entry.go, and the arguments, ONE or up to SIX, which are words
// or pointers. Each gives one word or nothing; what it gives besides goes through a pointer. To add one takes a line here,
// one in entry_arm64.s, the func value, a cgo export in capi/main.go and a declaration in capi/entry.h; build.sh and the
// tests take the names from these lines.
#define ENTRIES(X) \
	X(llhttp_core_step, ·stepFunc, ONE) \
	X(llhttp_core_run_tape, ·runTapeFunc, ONE) \
	X(llhttp_core_head_parse, ·headParseFunc, SIX) \
	X(llhttp_core_head_find, ·headFindFunc, SIX) \
	X(llhttp_core_head_memory, ·headMemoryFunc, SIX) \
	X(llhttp_core_list_next, ·listNextFunc, ONE) \
	X(llhttp_core_parameters_next, ·parametersNextFunc, ONE) \
	X(llhttp_core_has_token, ·hasTokenFunc, SIX) \
	X(llhttp_core_content_lengths, ·contentLengthsFunc, SIX) \
	X(llhttp_core_parse_target, ·parseTargetFunc, SIX) \
	X(llhttp_core_parse_url, ·parseURLFunc, SIX)

// From C's registers to Go's.
#define ONE \
	MOVQ  DI, AX

#define SIX \
	MOVQ  DI, AX \
	MOVQ  SI, BX \
	MOVQ  CX, DI \
	MOVQ  DX, CX \
	MOVQ  R8, SI \
	MOVQ  R9, R8

// Contract:  a Go function, called from C on whatever stack the host runs on. No goroutine, no g.
// Requires:  1 KiB of stack: the function's whole call tree is nosplit, the linker holds it below 800 bytes.
// Registers: the C ABI's callee-saved ones are kept; X15 is zero, as compiled Go expects. R14 (g) holds
//            whatever the caller had in it: nothing reached from here may look at it.
// The call is the only indirect one: the func value is static data.
#define ENTRY(name, value, arguments) \
TEXT name(SB), NOSPLIT|NOFRAME, $0 \
	PUSHQ BP \
	PUSHQ BX \
	PUSHQ R12 \
	PUSHQ R13 \
	PUSHQ R14 \
	PUSHQ R15 \
	ADJSP $56 \ // room where the function may spill its arguments; keeps SP aligned to 16; SUBQ, but known to unwinders
	XORPS X15, X15 \
	arguments \
	MOVQ  value(SB), DX \
	MOVQ  (DX), R9 \
	CALL  R9 \
	ADJSP $-56 \
	POPQ  R15 \
	POPQ  R14 \
	POPQ  R13 \
	POPQ  R12 \
	POPQ  BX \
	POPQ  BP \
	RET

ENTRIES(ENTRY)

// func Entry() uintptr
#define KEEP(name, value, arguments) \
	LEAQ name(SB), AX

TEXT ·Entry(SB), NOSPLIT, $0-8
	ENTRIES(KEEP)
	LEAQ llhttp_core_step(SB), AX
	MOVQ AX, ret+0(FP)
	RET
