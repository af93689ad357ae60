#include "textflag.h"

// The func values of kernels_arm64.go: a word that points to a word that points to the code.

#define FUNC(variable, value, code) \
	DATA value+0(SB)/8, $code(SB) \
	GLOBL value(SB), RODATA, $8 \
	DATA variable+0(SB)/8, $value(SB) \
	GLOBL variable(SB), RODATA, $8

FUNC(·fieldLinesNEONFunc, fieldLinesNEON<>, ·fieldLinesNEON)
FUNC(·skipNEONFunc, skipNEON<>, ·skipNEON)

// Both go through a register that C does not keep: of its own the assembler takes R27, which C does.

// void llhttp_core_set_level(uint8_t level), called from C: SetLevel.
TEXT llhttp_core_set_level(SB), NOSPLIT|NOFRAME, $0
	MOVD $·level(SB), R1
	MOVB R0, (R1)
	RET

// uint8_t llhttp_core_get_level(void)
TEXT llhttp_core_get_level(SB), NOSPLIT|NOFRAME, $0
	MOVD  $·level(SB), R1
	MOVBU (R1), R0
	RET

// func Entry() uintptr
TEXT ·Entry(SB), NOSPLIT, $0-8
	MOVD $llhttp_core_set_level(SB), R0
	MOVD $llhttp_core_get_level(SB), R0
	MOVD R0, ret+0(FP)
	RET
