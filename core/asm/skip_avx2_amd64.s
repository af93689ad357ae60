#include "go_asm.h"
#include "textflag.h"

// func(p, end uintptr, stop *Stop) uintptr
// Contract:  Skip, skip.go; the class is given as its Stop.
// Requires:  AVX2, BMI1, BMI2.
// Reads:     [p, end) and nothing else: the last load ends at end and overlaps bytes already accepted.
// Registers: AX p, BX end, DX length; Y0 low, Y1 high, Y2 low half; scratch CX, SI, DI, Y3 to Y8. VZEROUPPER on exit.
// The idea: two lookups of sixteen, by the halves of a byte, that share a bit for the bytes to stop at. A long run of text, if it is
// all in the class, is told by its largest byte, once the first of text is taken from each.

// BITS32: in a its bytes, those to stop at not zero; b is scratch.
#define BITS32(at, a, b) \
	VMOVDQU at, a \
	VPSRLW  $4, a, b \
	VPAND   Y2, a, a \
	VPAND   Y2, b, b \
	VPSHUFB a, Y0, a \
	VPSHUFB b, Y1, b \
	VPAND   a, b, a

// STOPS32, STOPS16: a mask of the bytes not to stop at.
#define STOPS32(at, mask) \
	BITS32(at, Y3, Y4) \
	VPXOR   Y4, Y4, Y4 \
	VPCMPEQB Y4, Y3, Y3 \
	VPMOVMSKB Y3, mask

#define STOPS16 \
	VPSRLW  $4, X3, X4 \
	VPAND   X2, X3, X3 \
	VPAND   X2, X4, X4 \
	VPSHUFB X3, X0, X3 \
	VPSHUFB X4, X1, X4 \
	VPAND   X3, X4, X3 \
	VPXOR   X4, X4, X4 \
	VPCMPEQB X4, X3, X3 \
	VPMOVMSKB X3, SI

TEXT ·skipAVX2(SB), NOSPLIT|NOFRAME, $0-0
	VBROADCASTI128 (CX), Y0
	VBROADCASTI128 16(CX), Y1
	VMOVDQU ·lowHalfVector(SB), Y2
	MOVQ  BX, DX
	SUBQ  AX, DX
	CMPQ  DX, $32
	JLT   short
	LEAQ  -32(BX), DI
	CMPQ  DX, $192
	JGE   long
loop:
	STOPS32((AX), SI)
	XORL  $-1, SI
	JNE   found
	ADDQ  $32, AX
	CMPQ  AX, DI
	JLE   loop
	CMPQ  AX, BX
	JEQ   done
	MOVQ  DI, AX
	STOPS32((AX), SI)
	XORL  $-1, SI
	JEQ   none
found:
	TZCNTL SI, SI
	ADDQ  SI, AX
done:
	VZEROUPPER
	RET
none:
	MOVQ  BX, AX
	VZEROUPPER
	RET

	// Behind the first 64 bytes 128 at once as long as they are text, then 64 as long as none is to stop at; at least 32 are left.
long:
	STOPS32((AX), SI)
	XORL  $-1, SI
	JNE   found
	ADDQ  $32, AX
	STOPS32((AX), SI)
	XORL  $-1, SI
	JNE   found
	ADDQ  $32, AX
	CMPB  Stop_Most(CX), $0
	JEQ   nottext
	VPBROADCASTB Stop_Add(CX), Y7
	VPBROADCASTB Stop_Most(CX), Y8
	LEAQ  -160(BX), CX
	CMPQ  AX, CX
	JGT   nottext
text:
	VPADDB  (AX), Y7, Y3
	VPADDB  32(AX), Y7, Y4
	VPADDB  64(AX), Y7, Y5
	VPADDB  96(AX), Y7, Y6
	VPMAXUB Y3, Y4, Y3
	VPMAXUB Y5, Y6, Y5
	VPMAXUB Y3, Y5, Y3
	VPSUBUSB Y8, Y3, Y3
	VPTEST  Y3, Y3
	JNE   nottext
	SUBQ  $-128, AX
	CMPQ  AX, CX
	JLE   text
nottext:
	LEAQ  -96(BX), CX
	CMPQ  AX, CX
	JGT   loop
longer:
	BITS32((AX), Y3, Y4)
	BITS32(32(AX), Y5, Y6)
	VPOR  Y3, Y5, Y3
	VPTEST Y3, Y3
	JNE   loop
	ADDQ  $64, AX
	CMPQ  AX, CX
	JLE   longer
	JMP   loop

	// Fewer than 32 bytes: both ends, which overlap or meet. The lower half of the mask is the first end's.
short:
	CMPQ  DX, $8
	JLT   shorter
	CMPQ  DX, $16
	JLT   eights
	VMOVDQU (AX), X3
	STOPS16
	XORL  $0xffff, SI
	JNE   found
	VMOVDQU -16(BX), X3
	LEAQ  -16(BX), AX
	STOPS16
	XORL  $0xffff, SI
	JEQ   none
	JMP   found
eights:
	VMOVQ (AX), X3
	VMOVHPS -8(BX), X3, X3
	STOPS16
	XORL  $0xffff, SI
	JEQ   none
	TZCNTL SI, SI
	CMPL  SI, $8
	JLT   first
	LEAQ  -16(BX), AX            // bit 8 stands for the byte at end-8
first:
	ADDQ  SI, AX
	VZEROUPPER
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
	VZEROUPPER
	RET
