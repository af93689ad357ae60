#include "textflag.h"

// func(base, p, end, out, room uintptr, start Start) (next, top uintptr, framing uint64, name, stop uintptr)
// Contract:  FieldLines, fieldlines.go.
// Requires:  NEON.
// Reads:     [base, end) and nothing else: the last block is loaded so that it ends at end.
// Arguments and results in the order of Go's register ABI: R0 to R5, and R0 to R4.
//
// The idea: per 64 bytes two bit masks, R6 of the bytes that end a name (all but tchar), R7 of those that end a value (control
// bytes but HTAB). The first byte has the highest bit: the walk shifts a mask to where it stands and counts leading zeros.
// A value's end is looked for from the line's start, since no tchar ends a value: the two searches do not wait for each other.
// Two copies of the walk: the first runs while 68 bytes are left behind the block's start, so that nothing needs a
// bounds check; the second checks.
//
// Registers: R0 base, R1 where the walk stands, R2 end, R3 next FieldLine, R4 last place for one, R5 start of the block,
//            R6 R7 masks, R8 line start, R9 value start, R10 R1-R5, R11 name end, then its length; R14 first FieldLine,
//            R15 framing, R16 what the second walk looks for, R19 ": ", R20 CR LF, R21 framingFirst, R22 end-132,
//            R25 what is written as value start in the second walk; scratch R12, R13, R17, R23, R24. R11 and R9 at the end: name
//            and stop. All but R0, R3, R4, R14, stop are offsets from the base.
//            V0 nameLow, V1 nameHigh, V2 weights, V3 low half, V4 0xe0, V5 zero; scratch V16 to V23.

// nameLow, nameHigh: the halves of a byte give a class. Bits 0 to 4: some kind of tchar. Bits 5 to 7: a control byte other than
// HTAB. None: neither, as all bytes from 0x80 on.
DATA headerTables<>+0(SB)/8, $0x3f3f3f3f3f3e3f3a
DATA headerTables<>+8(SB)/8, $0xac3d2534253d5e3e
DATA headerTables<>+16(SB)/8, $0x9006080402016020
DATA headerTables<>+24(SB)/8, $0
// weights: a bit for each of eight bytes.
DATA headerTables<>+32(SB)/8, $0x8040201008040201
DATA headerTables<>+40(SB)/8, $0x8040201008040201
// framingFirst in fieldlines.go. A name of length 0 is named as well: ':' stands for it.
DATA headerTables<>+48(SB)/8, $0x750000000000003a
DATA headerTables<>+56(SB)/8, $0x0063000000630000
DATA headerTables<>+64(SB)/8, $0x0000000000007470
DATA headerTables<>+72(SB)/8, $0
GLOBL headerTables<>(SB), RODATA|NOPTR, $80

// BITS: of the bytes in v, the bits of those that end a value, in v, and of those that are of no class, in w.
#define BITS(v, w) \
	VUSHR $4, v.B16, w.B16 \
	VAND  V3.B16, v.B16, v.B16 \
	VTBL  v.B16, [V0.B16], v.B16 \
	VTBL  w.B16, [V1.B16], w.B16 \
	VAND  w.B16, v.B16, v.B16 \
	VCMEQ V5.B16, v.B16, w.B16 \
	VCMTST V4.B16, v.B16, v.B16 \
	VAND  V2.B16, w.B16, w.B16 \
	VAND  V2.B16, v.B16, v.B16

// MASKS: of the 64 bytes in V16 to V19.
#define MASKS \
	BITS(V16, V20) \
	BITS(V17, V21) \
	BITS(V18, V22) \
	BITS(V19, V23) \
	VADDP V21.B16, V20.B16, V20.B16 \
	VADDP V23.B16, V22.B16, V22.B16 \
	VADDP V17.B16, V16.B16, V16.B16 \
	VADDP V19.B16, V18.B16, V18.B16 \
	VADDP V22.B16, V20.B16, V20.B16 \
	VADDP V18.B16, V16.B16, V16.B16 \
	VADDP V16.B16, V20.B16, V20.B16 \
	VMOV  V20.D[0], R6 \
	VMOV  V20.D[1], R7 \
	RBIT  R6, R6 \
	RBIT  R7, R7 \
	ORR   R7, R6

#define LOAD(at) VLD1 (at), [V16.B16, V17.B16, V18.B16, V19.B16]

// VISIBLE16: in R12 a bit for each of the 16 bytes at that address that is VCHAR, those between V20 and V21.
#define VISIBLE16(at) \
	VLD1  (at), [V16.B16] \
	VUMAX V20.B16, V16.B16, V17.B16 \
	VUMIN V21.B16, V17.B16, V17.B16 \
	VCMEQ V16.B16, V17.B16, V17.B16 \
	VAND  V2.B16, V17.B16, V17.B16 \
	VADDP V17.B16, V17.B16, V17.B16 \
	VADDP V17.B16, V17.B16, V17.B16 \
	VADDP V17.B16, V17.B16, V17.B16 \
	VMOV  V17.H[0], R12

// MAYFRAME: whether the name at R8 of length R11 may be one of a field that frames a message.
#define MAYFRAME \
	AND   $31, R11, R12 \
	MOVBU (R21)(R12), R12 \
	MOVBU (R0)(R8), R13 \
	ORR   $0x20, R13 \
	CMPW  R12, R13

// LINEBIT: in R13 the bit of the line under way.
#define LINEBIT \
	SUB   R14, R3, R12 \
	LSR   $4, R12, R12 \
	MOVD  $1, R13 \
	LSL   R12, R13, R13

TEXT ·fieldLinesNEON(SB), NOSPLIT|NOFRAME, $0-0
	MOVD  R5, R9                 // start
	SUB   R0, R1
	SUB   R0, R2
	MOVD  R3, R14
	MOVD  ZR, R15
	SUB   $16, R4
	ADD   $1008, R3, R12         // 63 lines on: MaxLines in all
	CMP   R12, R4
	CSEL  HI, R12, R4, R4
	MOVD  $headerTables<>(SB), R21
	VLD1.P 48(R21), [V0.B16, V1.B16, V2.B16]
	VMOVI $0x0f, V3.B16
	VMOVI $0xe0, V4.B16
	VMOVI $0, V5.B16
	MOVD  $0x203a, R19
	MOVD  $0x0a0d, R20
	SUB   $132, R2, R22
	CBNZ  R9, started
begin:
	MOVD  R1, R5
	ADD   $68, R5, R12
	CMP   R2, R12
	BGT   tailfirst
	ADD   R5, R0, R12
	LOAD(R12)
	MASKS

line:
	MOVD  R1, R8
	CMP   R4, R3
	BHI   out
	SUB   R5, R1, R10
	CMP   $64, R10
	BGE   nextname
name:
	LSL   R10, R6, R11
	CBZ   R11, nextname
	CLZ   R11, R11
	ADD   R1, R11
	MOVHU (R0)(R11), R12
	CMPW  R19, R12
	BNE   oddcolon
	ADD   $2, R11, R9
	MOVBU (R0)(R9), R12
	CMPW  $0x20, R12
	BLS   oddvalue
	SUB   R8, R11
	STPW  (R8, R11), (R3)
	MAYFRAME
	BEQ   framing
valueend:
	LSL   R10, R7, R12
	CBZ   R12, nextvalue
	CLZ   R12, R12
	ADD   R12, R1
	MOVHU (R0)(R1), R12
	CMPW  R20, R12
	BNE   drop
	SUB   R9, R1, R12
	STPW  (R9, R12), 8(R3)
	ADD   $2, R1
	ADD   $16, R3
	B     line

nextvalue:
	CMP   R22, R5
	BGT   tailrestofvalue
	ADD   $64, R5
	ADD   R5, R0, R12
	LOAD(R12)
	MASKS
	MOVD  R5, R1
	MOVD  ZR, R10
	B     valueend
nextname:
	CMP   R22, R5
	BGT   tailnextname
	ADD   $64, R5
	ADD   R5, R0, R12
	LOAD(R12)
	MASKS
	CMP   R5, R1
	CSEL  LT, R5, R1, R1
	SUB   R5, R1, R10
	B     name

	// A colon without a space after it, or no colon: the end of the section, for one.
oddcolon:
	MOVBU (R0)(R11), R12
	CMPW  $0x3a, R12
	BNE   unusual
	ADD   $1, R11, R9
	// More or other whitespace, or an empty value, or a value that is none: with bounds checks.
oddvalue:
	B     tailvaluestart

framing:
	CBZ   R11, unusual           // ":" and nothing before it, which the table names, too
	LINEBIT
	ORR   R13, R15
	B     valueend

	// The rest of a line: of a value, or of a request-line, whose target is looked through to its end.
started:
	MOVD  R1, R8
	CMP   R4, R3
	BHI   out
	CMP   $16, R2
	BLT   out
	STPW  (R8, ZR), (R3)
	MOVW  R8, 8(R3)
	CMP   $1, R9
	BNE   restofvalue
	VMOVI $0x21, V20.B16
	VMOVI $0x7e, V21.B16
target:
	ADD   $16, R1, R13
	CMP   R2, R13
	BGT   targettail
	ADD   R1, R0, R12
	VISIBLE16(R12)
	EOR   $0xffff, R12
	CBNZ  R12, targetend
	MOVD  R13, R1
	B     target
targettail:
	ADD   R2, R0, R12
	SUB   $16, R12
	VISIBLE16(R12)
	EOR   $0xffff, R12
	SUB   R2, R13                // the bytes before R1
	LSR   R13, R12, R12
	CBZ   R12, unusual
targetend:
	RBIT  R12, R12
	CLZ   R12, R12
	ADD   R12, R1
	ADD   $11, R1, R13
	CMP   R2, R13
	BGE   unusual
	ADD   R1, R0, R12
	MOVD  1(R12), R17
	MOVD  $0x302e312f50545448, R23 // HTTP/1.0
	BIC   $0x0100000000000000, R17
	CMP   R23, R17
	BNE   unusual
	MOVBU (R12), R17
	CMPW  $0x20, R17
	BNE   unusual
	MOVHU 9(R12), R17
	CMPW  R20, R17
	BNE   unusual
	SUB   R8, R1, R12
	MOVW  R12, 12(R3)
	MOVD  R13, R1
	ADD   $16, R3
	B     begin

restofvalue:
	MOVD  R1, R9
	MOVD  R1, R25
	MOVD  R1, R5
	CMP   R2, R1
	BGE   drop
	MOVD  ZR, R10
	MOVD  $1, R16
	B     tailmasks

	// The second walk. The byte after a line must be there.
tailfirst:
	MOVD  R1, R8
	CMP   R2, R1
	BGE   out
	CMP   R4, R3
	BHI   out
	MOVD  ZR, R10
	MOVD  ZR, R16
	B     tailmasks

tailline:
	MOVD  R1, R8
	CMP   R2, R1
	BGE   out
	CMP   R4, R3
	BHI   out
	SUB   R5, R1, R10
	CMP   $64, R10
	BGE   tailnextname
tailname:
	LSL   R10, R6, R11
	CBZ   R11, tailnextname
	CLZ   R11, R11
	ADD   R1, R11
	MOVBU (R0)(R11), R12
	CMPW  $0x3a, R12
	BNE   unusual
	ADD   $1, R11, R9
tailvaluestart:
	// R11 name end, R9 after the colon; R1 in the block, at or before R11 or at the block's start.
	CMP   R8, R11
	BEQ   unusual
tailows:
	CMP   R2, R9
	BGE   unusual
	MOVBU (R0)(R9), R12
	ADD   $1, R9
	CMPW  $0x20, R12
	BEQ   tailows
	CMPW  $9, R12
	BEQ   tailows
	SUB   $1, R9
	ADD   $2, R9, R25
	CMPW  $0x0d, R12
	CSEL  EQ, R25, R9, R25       // an empty value begins after the line
	SUB   R8, R11
	STPW  (R8, R11), (R3)
	MAYFRAME
	BNE   tailvalueend
	LINEBIT
	ORR   R13, R15
tailvalueend:
	LSL   R10, R7, R12
	CBZ   R12, tailnextvalue
	CLZ   R12, R12
	ADD   R12, R1
	ADD   $2, R1, R12
	CMP   R2, R12
	BGE   drop
	MOVHU (R0)(R1), R13
	CMPW  R20, R13
	BNE   drop
	SUB   R9, R1, R13
	MOVD  R12, R1
	STPW  (R25, R13), 8(R3)
	ADD   $16, R3
	ADD   $68, R5, R12
	CMP   R2, R12
	BLE   line
	B     tailline

tailrestofvalue:
	MOVD  R9, R25
tailnextvalue:
	ADD   $64, R5
	CMP   R2, R5
	BGE   noend
	MOVD  R5, R1
	MOVD  ZR, R10
	MOVD  $1, R16
	B     tailmasks
tailnextname:
	ADD   $64, R5
	CMP   R2, R5
	BGE   unusual
	CMP   R5, R1
	CSEL  LT, R5, R1, R1
	SUB   R5, R1, R10
	MOVD  ZR, R16

	// Masks of the block, or of what is left of it. Bytes from before the block are shifted out; what comes in at the other
	// end ends nothing. R16: 0 if the walk looks for a name's end, 1 if for a value's.
tailmasks:
	SUBS  $64, R2, R13
	BLT   small
	CMP   R13, R5
	CSEL  LT, R5, R13, R13       // the block, or the last 64 bytes
	ADD   R13, R0, R12
	LOAD(R12)
	MASKS
	SUB   R13, R5, R13
	LSL   R13, R6, R6
	LSL   R13, R7, R7
	CBZ   R16, tailname
	B     tailvalueend

	// All the bytes that there are fit a mask: both ends, which overlap or meet. For fewer than 32 bytes V17 and V18 count for
	// nothing. R11: bits of the first end, R12: of the last.
small:
	CMP   $16, R2
	BLT   unusual
	ADD   R2, R0, R13
	SUB   $16, R13
	VLD1  (R0), [V16.B16]
	VLD1  (R13), [V19.B16]
	MOVD  $0xffff000000000000, R17
	MOVD  $0x000000000000ffff, R12
	CMP   $32, R2
	BLT   smallmasks
	VLD1  (R0), [V16.B16, V17.B16]
	SUB   $16, R13
	VLD1  (R13), [V18.B16, V19.B16]
	MOVD  $0xffffffff00000000, R17
	MOVD  $0x00000000ffffffff, R12
smallmasks:
	MASKS
	NEG   R2, R13                // the last byte has bit 64-R2
	AND   R6, R12, R23
	AND   R7, R12, R24
	AND   R17, R6
	AND   R17, R7
	LSL   R13, R23, R23
	LSL   R13, R24, R24
	ORR   R23, R6
	ORR   R24, R7
	LSL   R5, R6, R6
	LSL   R5, R7, R7
	CBZ   R16, tailname
	B     tailvalueend

	// The line under way is not taken. If its value stops at R1, its name is told, too, and its bit may be set already.
noend:
	MOVD  R2, R1
drop:
	ADD   R1, R0, R9
	MOVWU 4(R3), R11
	MOVD  R8, R1
	LINEBIT
	BIC   R13, R15
	B     end
unusual:
	MOVD  R8, R1
out:
	MOVD  ZR, R9
	MOVD  ZR, R11
	// A line whose value goes on in the next one (obs-fold) is not taken either.
	CMP   R2, R1
	BGE   end
	MOVBU (R0)(R1), R12
	CMPW  $0x20, R12
	BEQ   fold
	CMPW  $9, R12
	BNE   end
fold:
	CMP   R14, R3
	BEQ   end
	SUB   $16, R3
	MOVWU (R3), R1
	LINEBIT
	BIC   R13, R15
end:
	ADD   R1, R0
	MOVD  R3, R1
	MOVD  R15, R2
	MOVD  R11, R3
	MOVD  R9, R4
	RET
