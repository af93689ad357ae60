#include "textflag.h"

// func(base, p, end, out, room uintptr, start Start) (next, top uintptr, framing uint64, name, stop uintptr)
// Contract:  FieldLines, fieldlines.go.
// Requires:  AVX2, BMI1, BMI2.
// Reads:     [base, end) and nothing else: the last block is loaded so that it ends at end.
// Registers: fieldlines_amd64.h; besides Y0 to Y9. BP, R14, X15 untouched. VZEROUPPER on exit.
// Arguments and results in the order of Go's register ABI: AX BX CX DI SI R8, and AX BX CX DI SI.

#define LOADCONSTANTS \
	VMOVDQU ·nameLowVector(SB), Y0 \
	VMOVDQU ·nameHighVector(SB), Y1 \
	VMOVDQU ·lowHalfVector(SB), Y2 \
	VMOVDQU ·controlBiasVector(SB), Y3 \
	VPXOR   Y4, Y4, Y4

#define MASKS \
	VMOVDQU (AX), Y6 \
	VMOVDQU 32(AX), Y8 \
	VPSRLW  $4, Y6, Y7 \
	VPSRLW  $4, Y8, Y9 \
	VPSHUFB Y6, Y0, Y6 \
	VPSHUFB Y8, Y0, Y8 \
	VPAND   Y2, Y7, Y7 \
	VPAND   Y2, Y9, Y9 \
	VPSHUFB Y7, Y1, Y7 \
	VPSHUFB Y9, Y1, Y9 \
	VPAND   Y6, Y7, Y6 \
	VPAND   Y8, Y9, Y8 \
	VPCMPEQB Y4, Y6, Y7 \
	VPCMPEQB Y4, Y8, Y9 \
	VPADDUSB Y3, Y6, Y6 \
	VPADDUSB Y3, Y8, Y8 \
	VPMOVMSKB Y9, AX \
	VPMOVMSKB Y8, CX \
	VPMOVMSKB Y7, R10 \
	VPMOVMSKB Y6, R11 \
	SHLQ    $32, AX \
	SHLQ    $32, CX \
	ORQ     AX, R10 \
	ORQ     CX, R11 \
	ORQ     R11, R10

// Masks of 32 bytes, or of 16, into two registers.
#define MASKS32(at, names, values) \
	VMOVDQU at, Y6 \
	VPSRLW  $4, Y6, Y7 \
	VPSHUFB Y6, Y0, Y6 \
	VPAND   Y2, Y7, Y7 \
	VPSHUFB Y7, Y1, Y7 \
	VPAND   Y6, Y7, Y6 \
	VPCMPEQB Y4, Y6, Y7 \
	VPADDUSB Y3, Y6, Y6 \
	VPMOVMSKB Y7, names \
	VPMOVMSKB Y6, values

#define MASKS16(at, names, values) \
	VMOVDQU at, X6 \
	VPSRLW  $4, X6, X7 \
	VPSHUFB X6, X0, X6 \
	VPAND   X2, X7, X7 \
	VPSHUFB X7, X1, X7 \
	VPAND   X6, X7, X6 \
	VPCMPEQB X4, X6, X7 \
	VPADDUSB X3, X6, X6 \
	VPMOVMSKB X7, names \
	VPMOVMSKB X6, values

#define SHIFTTZ(mask, d, none) \
	SHRXQ  CX, mask, d \
	TZCNTQ d, d \
	JCS    none

// Adding one makes of VCHAR, and of nothing else, what is greater than 0x21 as a number with a sign.
#define VISIBLE16(at, mask) \
	VPCMPEQB X6, X6, X6 \
	VMOVDQU  at, X7 \
	VPSUBB   X6, X7, X7 \
	VPCMPGTB ·spaceNextVector(SB), X7, X7 \
	VPMOVMSKB X7, mask

#define LEAVE VZEROUPPER

// Fewer than 64 bytes are left, CX of them. Bytes from before the block are shifted out; what comes in at the other end ends nothing.
#define TAILMASKS(give_up) \
	MOVQ    R12, CX \
	SUBQ    R9, CX \
	CMPQ    R12, $64 \
	JLT     3(PC) \
	CALL    tailmasks64<>(SB) \
	JMP     8(PC) \
	CMPQ    R12, $16 \
	JLT     give_up \
	CMPQ    R12, $32 \
	JLT     3(PC) \
	CALL    tailmasks32<>(SB) \
	JMP     2(PC) \
	CALL    tailmasks16<>(SB)

TEXT ·fieldLinesAVX2(SB), NOSPLIT, $16-0
	MOVQ SI, R15
#include "fieldlines_amd64.h"

// R12 >= 64
TEXT tailmasks64<>(SB), NOSPLIT|NOFRAME, $0
	LEAQ -64(SI)(R12*1), AX
	MASKS
	MOVQ R9, CX
	ADDQ $64, CX
	SUBQ R12, CX
	SHRXQ CX, R10, R10
	SHRXQ CX, R11, R11
	RET

// 32 <= R12 < 64, CX = R12-R9
TEXT tailmasks32<>(SB), NOSPLIT|NOFRAME, $0
	MASKS32(-32(SI)(R12*1), R10, R11)
	SUBQ  $32, CX
	JLT   short
	SHLXQ CX, R10, R10
	SHLXQ CX, R11, R11
	MASKS32((SI)(R9*1), AX, BX)
	ORQ   AX, R10
	ORQ   BX, R11
	ORQ   R11, R10
	RET
short:
	NEGQ  CX
	SHRXQ CX, R10, R10
	SHRXQ CX, R11, R11
	ORQ   R11, R10
	RET

// 16 <= R12 < 32, CX = R12-R9
TEXT tailmasks16<>(SB), NOSPLIT|NOFRAME, $0
	MASKS16(-16(SI)(R12*1), R10, R11)
	SUBQ  $16, CX
	JLT   short
	SHLXQ CX, R10, R10
	SHLXQ CX, R11, R11
	MASKS16((SI)(R9*1), AX, BX)
	ORQ   AX, R10
	ORQ   BX, R11
	ORQ   R11, R10
	RET
short:
	NEGQ  CX
	SHRXQ CX, R10, R10
	SHRXQ CX, R11, R11
	ORQ   R11, R10
	RET
