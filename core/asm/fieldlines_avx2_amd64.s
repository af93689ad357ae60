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
	VMOVDQU ·classBiasVector(SB), Y3 \
	VMOVDQU ·firstTokenVector(SB), Y4

#define VALUEMASK VALUEMASK64(R9)
#define VALUEMASK64(at) \
	VMOVDQU (SI)(at*1), Y6 \
	VMOVDQU 32(SI)(at*1), Y8 \
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
	VPADDUSB Y3, Y6, Y6 \
	VPADDUSB Y3, Y8, Y8 \
	VPMOVMSKB Y8, AX \
	VPMOVMSKB Y6, R11 \
	SHLQ    $32, AX \
	ORQ     AX, R11

#define NAMEMASK \
	VPCMPGTB Y6, Y4, Y7 \
	VPCMPGTB Y8, Y4, Y9 \
	VPMOVMSKB Y9, AX \
	VPMOVMSKB Y7, R10 \
	SHLQ    $32, AX \
	ORQ     AX, R10

// Masks of 32 bytes, or of 16, into two registers.
#define MASKS32(at, names, values) \
	VMOVDQU at, Y6 \
	VPSRLW  $4, Y6, Y7 \
	VPSHUFB Y6, Y0, Y6 \
	VPAND   Y2, Y7, Y7 \
	VPSHUFB Y7, Y1, Y7 \
	VPAND   Y6, Y7, Y6 \
	VPADDUSB Y3, Y6, Y6 \
	VPCMPGTB Y6, Y4, Y7 \
	VPMOVMSKB Y6, values \
	VPMOVMSKB Y7, names

#define MASKS16(at, names, values) \
	VMOVDQU at, X6 \
	VPSRLW  $4, X6, X7 \
	VPSHUFB X6, X0, X6 \
	VPAND   X2, X7, X7 \
	VPSHUFB X7, X1, X7 \
	VPAND   X6, X7, X6 \
	VPADDUSB X3, X6, X6 \
	VPCMPGTB X6, X4, X7 \
	VPMOVMSKB X6, values \
	VPMOVMSKB X7, names

#define TZ(mask, d, none) \
	TZCNTQ mask, d \
	JCS    none

#define SHIFT \
	SHRXQ CX, R11, R11 \
	SHRXQ CX, R10, R10

// Adding one makes of VCHAR, and of nothing else, 0x22 and more as a number with a sign.
#define TARGETCONSTANTS \
	VPCMPEQB Y5, Y5, Y5 \
	VMOVDQU  ·firstVisibleVector(SB), Y6

#define INVISIBLE32(at, mask) \
	VMOVDQU  at, Y7 \
	VPSUBB   Y5, Y7, Y7 \
	VPCMPGTB Y7, Y6, Y7 \
	VPMOVMSKB Y7, mask

#define INVISIBLE16(at, mask) \
	VMOVDQU  at, X7 \
	VPSUBB   X5, X7, X7 \
	VPCMPGTB X7, X6, X7 \
	VPMOVMSKB X7, mask

#define LEAVE VZEROUPPER

#define TAILMASKS CALL avx2TailMasks<>(SB)

TEXT ·fieldLinesAVX2(SB), NOSPLIT, $16-0
	MOVQ SI, R15
#include "fieldlines_amd64.h"

// Bytes from before the block are shifted out; what comes in at the other end ends nothing.
TEXT avx2TailMasks<>(SB), NOSPLIT|NOFRAME, $0
	CMPQ R12, $64
	JLT  below64
	LEAQ -64(R12), BX
	CMPQ BX, R9
	CMOVQGT R9, BX
	VALUEMASK64(BX)
	NAMEMASK
	MOVQ R9, CX
	SUBQ BX, CX
	SHRXQ CX, R10, R10
	SHRXQ CX, R11, R11
	RET
below64:
	MOVQ R12, CX
	SUBQ R9, CX
	CMPQ R12, $32
	JLT  below32
	MASKS32(-32(SI)(R12*1), R10, R11)
	SUBQ  $32, CX
	JLT   less
	SHLXQ CX, R10, R10
	SHLXQ CX, R11, R11
	MASKS32((SI)(R9*1), AX, BX)
	ORQ   AX, R10
	ORQ   BX, R11
	RET
below32:
	MASKS16(-16(SI)(R12*1), R10, R11)
	SUBQ  $16, CX
	JLT   less
	SHLXQ CX, R10, R10
	SHLXQ CX, R11, R11
	MASKS16((SI)(R9*1), AX, BX)
	ORQ   AX, R10
	ORQ   BX, R11
	RET
less:
	NEGQ  CX
	SHRXQ CX, R10, R10
	SHRXQ CX, R11, R11
	RET
