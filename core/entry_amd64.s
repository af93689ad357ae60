#include "textflag.h"

// void llhttp_core_step(struct llhttp_frame*)
// Contract:  Step, called from C on whatever stack the host runs on. No goroutine, no g.
// Requires:  1 KiB of stack: Step's whole call tree is nosplit, the linker holds it below 800 bytes.
// Registers: the C ABI's callee-saved ones are kept; X15 is zero, as compiled Go expects. R14 (g) holds
//            whatever the caller had in it: nothing reached from here may look at it.
// The call is the only indirect one: stepFunc is static data that points to Step.
TEXT llhttp_core_step(SB), NOSPLIT|NOFRAME, $0
	PUSHQ BP
	PUSHQ BX
	PUSHQ R12
	PUSHQ R13
	PUSHQ R14
	PUSHQ R15
	ADJSP $24                // room where Step may spill its argument; keeps SP aligned to 16; SUBQ, but known to unwinders
	XORPS X15, X15
	MOVQ  DI, AX
	MOVQ  ·stepFunc(SB), DX
	MOVQ  (DX), CX
	CALL  CX
	ADJSP $-24
	POPQ  R15
	POPQ  R14
	POPQ  R13
	POPQ  R12
	POPQ  BX
	POPQ  BP
	RET

// func Entry() uintptr
TEXT ·Entry(SB), NOSPLIT, $0-8
	LEAQ llhttp_core_step(SB), AX
	MOVQ AX, ret+0(FP)
	RET
