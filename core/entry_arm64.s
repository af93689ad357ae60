#include "textflag.h"

// void llhttp_core_step(struct llhttp_frame*)
// Contract:  Step, called from C on whatever stack the host runs on. No goroutine, no g.
// Requires:  1 KiB of stack: Step's whole call tree is nosplit, the linker holds it below 800 bytes.
// Registers: the C ABI's callee-saved ones are kept, D8 to D15 among them: Go has no such registers. R29, too: Go keeps
//            the caller's below its stack pointer, where a signal's frame may overwrite it. R28 (g) holds whatever
//            the caller had in it: nothing reached from here may look at it. R18 is nobody's.
// The call is the only indirect one: stepFunc is static data that points to Step.
TEXT llhttp_core_step(SB), NOSPLIT|NOFRAME, $0
	SUB   $176, RSP              // 0(RSP) is for a return address in Go's frames, 8(RSP) where Step may spill its argument
	STP   (R29, R30), 16(RSP)
	STP   (R19, R20), 32(RSP)
	STP   (R21, R22), 48(RSP)
	STP   (R23, R24), 64(RSP)
	STP   (R25, R26), 80(RSP)
	STP   (R27, g), 96(RSP)
	FSTPD (F8, F9), 112(RSP)
	FSTPD (F10, F11), 128(RSP)
	FSTPD (F12, F13), 144(RSP)
	FSTPD (F14, F15), 160(RSP)
	MOVD  ·stepFunc(SB), R26
	MOVD  (R26), R1
	CALL  (R1)
	FLDPD 160(RSP), (F14, F15)
	FLDPD 144(RSP), (F12, F13)
	FLDPD 128(RSP), (F10, F11)
	FLDPD 112(RSP), (F8, F9)
	LDP   96(RSP), (R27, g)
	LDP   80(RSP), (R25, R26)
	LDP   64(RSP), (R23, R24)
	LDP   48(RSP), (R21, R22)
	LDP   32(RSP), (R19, R20)
	LDP   16(RSP), (R29, R30)
	ADD   $176, RSP
	RET

// func Entry() uintptr
TEXT ·Entry(SB), NOSPLIT, $0-8
	MOVD $llhttp_core_step(SB), R0
	MOVD R0, ret+0(FP)
	RET
