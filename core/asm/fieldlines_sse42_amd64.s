#include "textflag.h"

// func(base, p, end, out, room uintptr, start Start) (next, top uintptr, framing uint64, name, stop uintptr)
// Contract:  FieldLines, fieldlines.go.
// Requires:  SSSE3 (PSHUFB). TZCNT after a test for zero is BSF on a CPU without BMI1, with the same result.
// Reads:     [base, end) and nothing else: the last block is loaded so that it ends at end.
// Registers: fieldlines_amd64.h; besides X0 to X11. BP, R14, X15 untouched.
// Arguments and results in the order of Go's register ABI: AX BX CX DI SI R8, and AX BX CX DI SI.

#define LOADCONSTANTS \
	MOVOU ·nameLowVector(SB), X0 \
	MOVOU ·nameHighVector(SB), X1 \
	MOVOU ·lowHalfVector(SB), X2 \
	MOVOU ·classBiasVector(SB), X3 \
	MOVOU ·firstTokenVector(SB), X4

// What tells the classes of 16 bytes apart: see constants_amd64.s.
#define CLASSES(at, into) \
	MOVOU  at, X6 \
	MOVO   X6, X7 \
	MOVO   X0, into \
	PSRLW  $4, X7 \
	PSHUFB X6, into \
	PAND   X2, X7 \
	MOVO   X1, X6 \
	PSHUFB X7, X6 \
	PAND   X6, into \
	PADDUSB X3, into

#define NAMES16(classes, mask) \
	MOVO   X4, X7 \
	PCMPGTB classes, X7 \
	PMOVMSKB X7, mask

#define MASKS16(at, names, values) \
	CLASSES(at, X8) \
	PMOVMSKB X8, values \
	NAMES16(X8, names)

#define VALUEMASK \
	CLASSES(48(SI)(R9*1), X11) \
	CLASSES(32(SI)(R9*1), X10) \
	CLASSES(16(SI)(R9*1), X9) \
	CLASSES((SI)(R9*1), X8) \
	PMOVMSKB X11, R11 \
	PMOVMSKB X10, AX \
	SHLQ $16, R11 \
	ORQ  AX, R11 \
	PMOVMSKB X9, AX \
	SHLQ $16, R11 \
	ORQ  AX, R11 \
	PMOVMSKB X8, AX \
	SHLQ $16, R11 \
	ORQ  AX, R11

#define NAMEMASK \
	NAMES16(X11, R10) \
	NAMES16(X10, AX) \
	SHLQ $16, R10 \
	ORQ  AX, R10 \
	NAMES16(X9, AX) \
	SHLQ $16, R10 \
	ORQ  AX, R10 \
	NAMES16(X8, AX) \
	SHLQ $16, R10 \
	ORQ  AX, R10

#define TZ(mask, d, none) \
	TESTQ  mask, mask \
	JEQ    none \
	TZCNTQ mask, d

#define SHIFT \
	SHRQ CX, R11 \
	SHRQ CX, R10

// Adding one makes of VCHAR, and of nothing else, 0x22 and more as a number with a sign.
#define TARGETCONSTANTS \
	PCMPEQB X5, X5 \
	MOVOU   ·firstVisibleVector(SB), X6

#define INVISIBLE16(at, mask) \
	MOVOU    at, X7 \
	MOVO     X6, X8 \
	PSUBB    X5, X7 \
	PCMPGTB  X7, X8 \
	PMOVMSKB X8, mask

#define LEAVE

#define TAILMASKS CALL sse42TailMasks<>(SB)

TEXT ·fieldLinesSSE42(SB), NOSPLIT, $16-0
	MOVQ SI, R15
#include "fieldlines_amd64.h"

// Of fewer than 64 bytes the last 16 first, then the 16 before them, as long as they are the block's; bytes from before the block are
// shifted out.
TEXT sse42TailMasks<>(SB), NOSPLIT|NOFRAME, $0
	LEAQ 64(R9), AX
	CMPQ AX, R12
	JGT  short
	VALUEMASK
	NAMEMASK
	RET
short:
	MASKS16(-16(SI)(R12*1), R10, R11)
	LEAQ -16(R12), AX            // offset of bit 0 of the masks
	CMPQ AX, R9
	JLE  last
more:
	CMPQ AX, $16
	JLT  rest
	SHLQ $16, R10
	SHLQ $16, R11
	MASKS16(-16(SI)(AX*1), CX, BX)
	ORQ  CX, R10
	ORQ  BX, R11
	SUBQ $16, AX
	CMPQ AX, R9
	JGT  more
last:
	MOVQ R9, CX
	SUBQ AX, CX
	SHRQ CX, R10
	SHRQ CX, R11
	RET
rest:
	// Fewer than 16 bytes before: those at 0, of which AX are new.
	MOVQ AX, CX
	SHLQ CX, R10
	SHLQ CX, R11
	MASKS16((SI), AX, BX)
	ORQ  AX, R10
	ORQ  BX, R11
	MOVQ R9, CX
	SHRQ CX, R10
	SHRQ CX, R11
	RET
