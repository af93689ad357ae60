#include "go_asm.h"
#include "textflag.h"

// func(p, end uintptr, stop *Stop) uintptr
// Contract:  Skip, skip.go; the class is given as its Stop.
// Requires:  SSSE3 (PSHUFB).
// Reads:     [p, end) and nothing else: the last load ends at end and overlaps bytes already accepted.
// Registers: AX p, BX end, DX length; X0 low, X1 high, X2 low half, X5 zero; scratch CX, SI, DI, X3, X4, X6 to X9.
// The idea: two lookups of sixteen, by the halves of a byte, that share a bit for the bytes to stop at. A long run of text, if it is
// all in the class, is told by its largest byte, once the first of text is taken from each.

// STOPS: a mask of the bytes in X3 not to stop at.
#define STOPS \
	MOVO   X3, X4 \
	PSRLW  $4, X4 \
	PAND   X2, X3 \
	PAND   X2, X4 \
	MOVO   X0, X6 \
	PSHUFB X3, X6 \
	MOVO   X1, X3 \
	PSHUFB X4, X3 \
	PAND   X6, X3 \
	PCMPEQB X5, X3 \
	PMOVMSKB X3, SI

TEXT ·skipSSE42(SB), NOSPLIT|NOFRAME, $0-0
	MOVOU (CX), X0
	MOVOU 16(CX), X1
	MOVOU ·lowHalfVector(SB), X2
	PXOR  X5, X5
	MOVQ  BX, DX
	SUBQ  AX, DX
	CMPQ  DX, $16
	JLT   short
	LEAQ  -16(BX), DI
	CMPQ  DX, $144
	JGE   long
loop:
	MOVOU (AX), X3
	STOPS
	XORL  $0xffff, SI
	JNE   found
	ADDQ  $16, AX
	CMPQ  AX, DI
	JLE   loop
	CMPQ  AX, BX
	JEQ   done
	MOVQ  DI, AX
	MOVOU (AX), X3
	STOPS
	XORL  $0xffff, SI
	JEQ   none
found:
	BSFL  SI, SI
	ADDQ  SI, AX
done:
	RET
none:
	MOVQ  BX, AX
	RET

	// Behind the first 32 bytes 64 at once as long as they are text; at least 16 are left.
long:
	MOVOU (AX), X3
	STOPS
	XORL  $0xffff, SI
	JNE   found
	ADDQ  $16, AX
	MOVOU (AX), X3
	STOPS
	XORL  $0xffff, SI
	JNE   found
	ADDQ  $16, AX
	MOVBLZX Stop_Most(CX), SI
	TESTL SI, SI
	JEQ   loop
	MOVL  SI, X8
	MOVBLZX Stop_Add(CX), SI
	MOVL  SI, X7
	PSHUFB X5, X7
	PSHUFB X5, X8
	LEAQ  -80(BX), CX
text:
	MOVOU (AX), X3
	MOVOU 16(AX), X4
	MOVOU 32(AX), X6
	MOVOU 48(AX), X9
	PADDB X7, X3
	PADDB X7, X4
	PADDB X7, X6
	PADDB X7, X9
	PMAXUB X4, X3
	PMAXUB X9, X6
	PMAXUB X6, X3
	PSUBUSB X8, X3
	PCMPEQB X5, X3
	PMOVMSKB X3, SI
	CMPL  SI, $0xffff
	JNE   loop
	ADDQ  $64, AX
	CMPQ  AX, CX
	JLE   text
	JMP   loop

	// Fewer than 16 bytes: both ends, which overlap or meet. The lower half of the mask is the first end's.
short:
	CMPQ  DX, $8
	JLT   shorter
	MOVQ  (AX), X3
	MOVHPS -8(BX), X3
	STOPS
	XORL  $0xffff, SI
	JEQ   none
	BSFL  SI, SI
	CMPL  SI, $8
	JLT   first
	LEAQ  -16(BX), AX            // bit 8 stands for the byte at end-8
first:
	ADDQ  SI, AX
	RET
shorter:
	TESTQ DX, DX
	JLE   none
bytes:
	MOVBLZX (AX), SI
	MOVL  SI, DI
	ANDL  $15, SI
	SHRL  $4, DI
	MOVBLZX (CX)(SI*1), SI
	MOVBLZX 16(CX)(DI*1), DI
	TESTL SI, DI
	JNE   done
	INCQ  AX
	CMPQ  AX, BX
	JLT   bytes
	RET
