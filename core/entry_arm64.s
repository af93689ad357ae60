#include "textflag.h"

// The functions that C calls: entry_amd64.s says what they are.
#define ENTRIES(X) \
	X(llhttp_core_step, ·stepFunc) \
	X(llhttp_core_run_tape, ·runTapeFunc) \
	X(llhttp_core_head_parse, ·headParseFunc) \
	X(llhttp_core_head_find, ·headFindFunc) \
	X(llhttp_core_head_memory, ·headMemoryFunc) \
	X(llhttp_core_list_next, ·listNextFunc) \
	X(llhttp_core_parameters_next, ·parametersNextFunc) \
	X(llhttp_core_has_token, ·hasTokenFunc) \
	X(llhttp_core_content_lengths, ·contentLengthsFunc) \
	X(llhttp_core_parse_target, ·parseTargetFunc) \
	X(llhttp_core_parse_url, ·parseURLFunc)

// Contract:  a Go function, called from C on whatever stack the host runs on. No goroutine, no g.
// Requires:  1 KiB of stack: the function's whole call tree is nosplit, the linker holds it below 800 bytes.
// Registers: the C ABI's callee-saved ones are kept, D8 to D15 among them: Go has no such registers. R29, too: Go keeps
//            the caller's below its stack pointer, where a signal's frame may overwrite it. R28 (g) holds whatever
//            the caller had in it: nothing reached from here may look at it. R18 is nobody's.
//            Arguments and result are where Go wants them.
// Stack:     0(RSP) is for a return address in Go's frames, 8(RSP) to 48(RSP) where the function may spill its arguments.
// The call is the only indirect one: the func value is static data.
#define ENTRY(name, value) \
TEXT name(SB), NOSPLIT|NOFRAME, $0 \
	SUB   $224, RSP \
	STP   (R29, R30), 64(RSP) \
	STP   (R19, R20), 80(RSP) \
	STP   (R21, R22), 96(RSP) \
	STP   (R23, R24), 112(RSP) \
	STP   (R25, R26), 128(RSP) \
	STP   (R27, g), 144(RSP) \
	FSTPD (F8, F9), 160(RSP) \
	FSTPD (F10, F11), 176(RSP) \
	FSTPD (F12, F13), 192(RSP) \
	FSTPD (F14, F15), 208(RSP) \
	MOVD  value(SB), R26 \
	MOVD  (R26), R9 \
	CALL  (R9) \
	FLDPD 208(RSP), (F14, F15) \
	FLDPD 192(RSP), (F12, F13) \
	FLDPD 176(RSP), (F10, F11) \
	FLDPD 160(RSP), (F8, F9) \
	LDP   144(RSP), (R27, g) \
	LDP   128(RSP), (R25, R26) \
	LDP   112(RSP), (R23, R24) \
	LDP   96(RSP), (R21, R22) \
	LDP   80(RSP), (R19, R20) \
	LDP   64(RSP), (R29, R30) \
	ADD   $224, RSP \
	RET

ENTRIES(ENTRY)

// func Entry() uintptr
#define KEEP(name, value) \
	MOVD $name(SB), R0

TEXT ·Entry(SB), NOSPLIT, $0-8
	ENTRIES(KEEP)
	MOVD $llhttp_core_step(SB), R0
	MOVD R0, ret+0(FP)
	RET
