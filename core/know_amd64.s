#include "go_asm.h"
#include "textflag.h"

// func(h *Head, line, top uintptr)
// Contract:  Head.knowGeneric, headnames.go.
// Requires:  nothing that not every amd64 has. Reads inside the names and one byte before a value's end, no other bytes.
// Registers: BP, R14, X15 untouched.
// Arguments in the order of Go's register ABI: AX BX CX.
//
// DI head, AX line, CX buffer, SI index of the field, R13 FieldInfos, R11 tokens, BX the first word of Present; DX name,
// R15 its length, R9 R10 its first and last eight bytes with fold's bits; R8 slot, then id; R12 scratch. Count is what it
// will be from the start, so that it ends the loop. Whether the value of a line ends in whitespace is looked at from the next line's
// name on, three bytes before it, where that costs less; a byte that is not a value's has the length looked at for nothing.

DATA k<>(SB)/8, $const_fieldK
GLOBL k<>(SB), RODATA, $8
DATA k1<>(SB)/8, $const_nameHashK1
GLOBL k1<>(SB), RODATA, $8
DATA k2<>(SB)/8, $const_nameHashK2
GLOBL k2<>(SB), RODATA, $8
DATA foldBits<>(SB)/8, $0x2020202020202020
GLOBL foldBits<>(SB), RODATA, $8
DATA notFoldBits<>(SB)/8, $0xdfdfdfdfdfdfdfdf
GLOBL notFoldBits<>(SB), RODATA, $8

DATA knowValue<>+0(SB)/8, $·knowLines(SB)
GLOBL knowValue<>(SB), RODATA, $8
DATA ·knowFunc+0(SB)/8, $knowValue<>(SB)
GLOBL ·knowFunc(SB), RODATA, $8

#define SLOTS tokenTable_slots
#define FIRST (tokenTable_fields+tokenField_first)
#define LAST (tokenTable_fields+tokenField_last)
#define QUICK (tokenTable_fields+tokenField_quick)
#define TEXT_AT (tokenTable_fields+tokenField_text)
#define LENGTH (tokenTable_fields+tokenField_length)

TEXT ·knowLines(SB), NOSPLIT|NOFRAME, $0
	SUBQ BX, CX
	JEQ  none
	MOVQ AX, DI
	MOVQ BX, AX
	MOVL Head_Count(DI), SI
	SHRQ $4, CX
	ADDL CX, Head_Count(DI)
	MOVQ (Head_frame+Frame_Buf)(DI), CX
	MOVQ Head_Infos(DI), R13
	MOVQ Head_Present(DI), BX
	LEAQ ·tokens(SB), R11
line:
	MOVL 0(AX), DX
	MOVL 4(AX), R15
	ADDQ CX, DX
	CMPB -3(DX), $0x20
	JLS  before
name:
	CMPQ R15, $8
	JLT  short
	MOVQ (DX), R9
	MOVQ -8(DX)(R15*1), R10
	ORQ  foldBits<>(SB), R9
	ORQ  foldBits<>(SB), R10
words:
	LEAQ (R9)(R10*4), R8
	ADDQ R15, R8
	IMULQ k<>(SB), R8
	SHRQ $const_fieldShift, R8
	MOVWLZX SLOTS(R11)(R8*2), R8
	LEAQ (R8)(R8*2), R12
	CMPQ FIRST(R11)(R12*8), R9
	JNE  unknown
	CMPQ LAST(R11)(R12*8), R10
	JNE  unknown
	CMPL QUICK(R11)(R12*8), R15
	JNE  rest
known:
	MOVL R8, (R13)(SI*4)
	BTSQ R8, BX
	JCS  again
	MOVW SI, Head_First(DI)(R8*2)
next:
	ADDQ $16, AX
	INCQ SI
	CMPL SI, Head_Count(DI)
	JNE  line
	MOVQ BX, Head_Present(DI)
	MOVL -8(AX), R12
	ADDL -4(AX), R12
	CMPB -1(CX)(R12*1), $0x20
	JLS  last
none:
	RET
last:
	JMP  trimLineBefore<>(SB)
before:
	TESTL SI, SI
	JEQ  name
	CALL trimLineBefore<>(SB)
	JMP  name

	// The eight bytes that end with the name lie in the section, as there is a start-line, of at least six bytes.
short:
	CMPQ R15, $2
	JLT  one
	MOVQ -8(DX)(R15*1), R9
	ORQ  tokenTable_short(R11)(R15*8), R9
	MOVQ R9, R10
	JMP  words
one:
	MOVBLZX (DX), R9
	SHLQ $56, R9
	ORQ  tokenTable_short(R11)(R15*8), R9
	MOVQ R9, R10
	JMP  words

	// A name with bytes between its first and last eight, or an id whose bit is in another word.
rest:
	MOVBLZX LENGTH(R11)(R12*8), R9
	CMPQ R9, R15
	JNE  differs
	CMPQ R15, $16
	JLS  bit
	MOVWLZX TEXT_AT(R11)(R12*8), R12
	LEAQ ·fieldText(SB), R9
	ADDQ R12, R9
	MOVL $16, R12
middle:
	MOVQ -8(DX)(R12*1), R10
	XORQ -8(R9)(R12*1), R10
	ANDQ notFoldBits<>(SB), R10
	JNE  differs
	ADDQ $8, R12
	CMPQ R12, R15
	JLT  middle
bit:
	CMPL R8, $64
	JLT  known
	MOVL R8, (R13)(SI*4)
	MOVL R8, R12
	SHRL $6, R12
	MOVQ Head_Present(DI)(R12*8), R9
	BTSQ R8, R9
	JCS  again
	MOVQ R9, Head_Present(DI)(R12*8)
	MOVW SI, Head_First(DI)(R8*2)
	JMP  next
differs: // at least eight bytes: short words tell the length
	MOVQ (DX), R9
	MOVQ -8(DX)(R15*1), R10
	ORQ  foldBits<>(SB), R9
	ORQ  foldBits<>(SB), R10

	// No id: unknownHash, and an unknownName.
unknown:
	MOVL $0, (R13)(SI*4)
	ADDQ R15, R10
	IMULQ k1<>(SB), R9
	XORQ R10, R9
	MOVL $8, R12
	CMPQ R15, $16
	JHI  mix
mixed:
	MOVQ R9, R8
	SHRQ $32, R8
	XORQ R8, R9
	IMULQ k1<>(SB), R9
	SHRQ $32, R9
	MOVL Head_unknownCount(DI), R8
	INCL Head_unknownCount(DI)
	MOVQ Head_unknown(DI), R10
	MOVL R9, unknownName_hash(R10)(R8*8)
	MOVW SI, unknownName_index(R10)(R8*8)
	MOVW SI, unknownName_last(R10)(R8*8)
	JMP  next
mix:
	MOVQ R9, R8
	SHRQ $29, R8
	XORQ R8, R9
	MOVQ (DX)(R12*1), R8
	ORQ  foldBits<>(SB), R8
	XORQ R8, R9
	IMULQ k2<>(SB), R9
	ADDQ $8, R12
	LEAQ 8(R12), R8
	CMPQ R8, R15
	JLT  mix
	JMP  mixed

	// Head.again: R8 the id.
again:
	MOVWLZX Head_First(DI)(R8*2), R12
	LEAQ (R13)(R12*4), R10
	CMPW FieldInfo_Next(R10), $0
	JEQ  second
	MOVWLZX Head_last(DI)(R8*2), R12
	LEAQ (R13)(R12*4), R10
second:
	MOVW SI, FieldInfo_Next(R10)
	MOVW SI, Head_last(DI)(R8*2)
	JMP  next

// trimmed, for the value of the line before AX, which may be empty. R12 is lost.
TEXT trimLineBefore<>(SB), NOSPLIT|NOFRAME, $0
again:
	MOVL -4(AX), R12
	TESTL R12, R12
	JEQ  done
	ADDL -8(AX), R12
	MOVBLZX -1(CX)(R12*1), R12
	CMPL R12, $0x20
	JEQ  cut
	CMPL R12, $9
	JNE  done
cut:
	DECL -4(AX)
	JMP  again
done:
	RET
