#include "textflag.h"

// func(p, end uintptr, stop *Stop) uintptr
// Contract:  Skip, skip.go; the class is given as its Stop.
// Requires:  NEON.
// Reads:     [p, end) and nothing else: the last load ends at end and overlaps bytes already accepted.
// Registers: R0 p, R1 end, R3 end-32; V0 low, V1 high, V2 low half, V3 weights; scratch R4, R5, V16 to V19.
// The idea: two lookups of sixteen, by the halves of a byte, that share a bit for the bytes to stop at. Two bits for each of
// 32 bytes are then added up into one word.

#define STOPS \
	VUSHR $4, V16.B16, V18.B16 \
	VUSHR $4, V17.B16, V19.B16 \
	VAND  V2.B16, V16.B16, V16.B16 \
	VAND  V2.B16, V17.B16, V17.B16 \
	VTBL  V16.B16, [V0.B16], V16.B16 \
	VTBL  V17.B16, [V0.B16], V17.B16 \
	VTBL  V18.B16, [V1.B16], V18.B16 \
	VTBL  V19.B16, [V1.B16], V19.B16 \
	VCMTST V16.B16, V18.B16, V16.B16 \
	VCMTST V17.B16, V19.B16, V17.B16 \
	VAND  V3.B16, V16.B16, V16.B16 \
	VAND  V3.B16, V17.B16, V17.B16 \
	VADDP V17.B16, V16.B16, V16.B16 \
	VADDP V16.B16, V16.B16, V16.B16 \
	VMOV  V16.D[0], R4

// INDEX: place of the first stop in V16, V17.
#define INDEX \
	RBIT  R4, R4 \
	CLZ   R4, R4 \
	LSR   $1, R4, R4

TEXT ·skipNEON(SB), NOSPLIT|NOFRAME, $0-0
	SUB   R0, R1, R4
	CMP   $8, R4
	BLT   shorter
	VLD1  (R2), [V0.B16, V1.B16]
	VMOVI $0x0f, V2.B16
	MOVD  $0xc0300c03, R5
	VDUP  R5, V3.S4
	SUB   $32, R1, R3
	CMP   $32, R4
	BLT   short
loop:
	VLD1  (R0), [V16.B16, V17.B16]
	STOPS
	CBNZ  R4, found
	ADD   $32, R0
	CMP   R3, R0
	BLS   loop
	CMP   R1, R0
	BEQ   done
	MOVD  R3, R0
	VLD1  (R0), [V16.B16, V17.B16]
	STOPS
	CBZ   R4, none
found:
	INDEX
	ADD   R4, R0
done:
	RET
none:
	MOVD  R1, R0
	RET

	// Fewer than 32 bytes: both ends, which overlap or meet. The lower half of the mask is the first end's.
short:
	CMP   $16, R4
	BLT   eights
	ADD   $16, R3, R5
	VLD1  (R0), [V16.B16]
	VLD1  (R5), [V17.B16]
	STOPS
	CBZ   R4, none
	INDEX
	CMP   $16, R4
	CSEL  LT, R0, R3, R0         // place 16 stands for the byte at end-16
	ADD   R4, R0
	RET
eights:
	ADD   $24, R3, R5
	VLD1  (R0), V16.D[0]
	VLD1  (R5), V16.D[1]
	VMOV  V16.B16, V17.B16
	STOPS
	CBZ   R4, none
	INDEX
	SUB   $16, R1, R3
	CMP   $8, R4
	CSEL  LT, R0, R3, R0         // place 8 stands for the byte at end-8
	ADD   R4, R0
	RET
shorter:
	CMP   R1, R0
	BHS   none
	ADD   $16, R2, R3
bytes:
	MOVBU (R0), R4
	LSR   $4, R4, R5
	AND   $15, R4, R4
	MOVBU (R2)(R4), R4
	MOVBU (R3)(R5), R5
	TSTW  R4, R5
	BNE   done
	ADD   $1, R0
	CMP   R1, R0
	BLO   bytes
	RET
