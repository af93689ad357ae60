#include "textflag.h"

// The func values of kernels_amd64.go: a word that points to a word that points to the code.

#define FUNC(variable, value, code) \
	DATA value+0(SB)/8, $code(SB) \
	GLOBL value(SB), RODATA, $8 \
	DATA variable+0(SB)/8, $value(SB) \
	GLOBL variable(SB), RODATA, $8

FUNC(·fieldLinesAVX2Func, fieldLinesAVX2<>, ·fieldLinesAVX2)
FUNC(·fieldLinesSSE42Func, fieldLinesSSE42<>, ·fieldLinesSSE42)
FUNC(·skipAVX2Func, skipAVX2<>, ·skipAVX2)
FUNC(·skipSSE42Func, skipSSE42<>, ·skipSSE42)

// void llhttp_core_set_level(uint8_t level), called from C: SetLevel.
TEXT llhttp_core_set_level(SB), NOSPLIT|NOFRAME, $0
	MOVB DI, ·level(SB)
	RET

// uint8_t llhttp_core_get_level(void)
TEXT llhttp_core_get_level(SB), NOSPLIT|NOFRAME, $0
	MOVBLZX ·level(SB), AX
	RET

// func Entry() uintptr
TEXT ·Entry(SB), NOSPLIT, $0-8
	LEAQ llhttp_core_set_level(SB), AX
	LEAQ llhttp_core_get_level(SB), AX
	MOVQ AX, ret+0(FP)
	RET
