// The walk of fieldLinesAVX2 and fieldLinesSSE42, which differ in how they load and look at 64 bytes. The file that
// includes this one defines
//
//	LOADCONSTANTS            what the masks need
//	MASKS                    masks of the 64 bytes at AX; clobbers AX, BX, CX
//	TAILMASKS(give_up)       masks of the last R12-R9 bytes, fewer than 64; jumps away if fewer than 16 are there at all
//	SHIFTTZ(mask, d, none)   d = distance from bit CX to the first bit set at or above it; jumps away if there is none
//	LEAVE                    before RET
//
// The idea: per 64 bytes two bit masks, R10 of those that end a name (all but tchar), R11 of those that end a value
// (control bytes but HTAB). The walk shifts a mask to where it stands and counts zeros. A value's end is looked for from
// the line's start, since no tchar ends a value: the two searches do not wait for each other.
// Two copies of the walk: the first runs while 68 bytes are left behind the block's start, so that nothing needs a
// bounds check; the second checks.
//
// Registers: SI base, DI next FieldLine, R8 where the walk stands, R9 start of the block, R10 R11 masks, R12 end,
//            R13 value start, R15 last place for a FieldLine, DX line start, CX R8-R9; scratch AX, BX.
//            All but SI, DI, R15 are offsets from the base. 0(SP) first FieldLine, 8(SP) framing.

	MOVQ  AX, SI
	MOVQ  BX, R8
	SUBQ  SI, R8
	MOVQ  CX, R12
	SUBQ  SI, R12
	MOVQ  DI, 0(SP)
	MOVQ  $0, 8(SP)
	LEAQ  -16(R15), R15
	LEAQ  1008(DI), AX          // 63 lines on: MaxLines in all
	CMPQ  R15, AX
	CMOVQHI AX, R15
	LOADCONSTANTS
	MOVQ  R8, R9
	LEAQ  68(R9), AX
	CMPQ  AX, R12
	JGT   tailline
	LEAQ  (SI)(R9*1), AX
	MASKS

line:
	MOVQ  R8, DX
	CMPQ  DI, R15
	JHI   out
	MOVQ  R8, CX
	SUBQ  R9, CX
	CMPQ  CX, $64
	JGE   nextname
name:
	SHIFTTZ(R10, AX, nextname)
	ADDQ  R8, AX
	CMPW  (SI)(AX*1), $0x203a    // ": "
	JNE   oddcolon
	LEAQ  2(AX), R13
	CMPB  (SI)(R13*1), $0x20
	JLS   oddvalue
value:
	SUBQ  DX, AX
	MOVL  DX, 0(DI)
	MOVL  AX, 4(DI)
	MOVL  R13, 8(DI)
	ANDL  $31, AX
	LEAQ  ·framingFirstVector(SB), BX
	MOVBLZX (BX)(AX*1), AX
	MOVBLZX (SI)(DX*1), BX
	ORL   $0x20, BX
	CMPL  AX, BX
	JEQ   framing
valueend:
	SHIFTTZ(R11, AX, nextvalue)
	ADDQ  AX, R8
	CMPW  (SI)(R8*1), $0x0a0d
	JNE   unusual
	MOVL  R8, AX
	SUBL  R13, AX
	MOVL  AX, 12(DI)
	ADDQ  $2, R8
	ADDQ  $16, DI
	JMP   line

nextvalue:
	LEAQ  132(R9), AX
	CMPQ  AX, R12
	JGT   tailnextvalue
	ADDQ  $64, R9
	LEAQ  (SI)(R9*1), AX
	MASKS
	MOVQ  R9, R8
	XORL  CX, CX
	JMP   valueend
nextname:
	LEAQ  132(R9), AX
	CMPQ  AX, R12
	JGT   tailnextname
	ADDQ  $64, R9
	LEAQ  (SI)(R9*1), AX
	MASKS
	CMPQ  R8, R9
	CMOVQLT R9, R8
	MOVQ  R8, CX
	SUBQ  R9, CX
	JMP   name

	// A colon without a space after it, or no colon: the end of the section, for one.
oddcolon:
	CMPB  (SI)(AX*1), $0x3a
	JNE   unusual
	LEAQ  1(AX), R13
	// More or other whitespace, or an empty value, or a value that is none: with bounds checks.
oddvalue:
	JMP   tailvaluestart

framing:
	CMPL  4(DI), $0
	JEQ   unusual                // ":" and nothing before it, which the table names, too
	MOVQ  DI, BX
	SUBQ  0(SP), BX
	SHRQ  $4, BX
	MOVQ  8(SP), AX
	BTSQ  BX, AX
	MOVQ  AX, 8(SP)
	JMP   valueend

	// The second walk. The byte after a line must be there.
tailline:
	MOVQ  R8, DX
	MOVQ  R8, R9
	CMPQ  R8, R12
	JGE   out
	LEAQ  64(R9), AX
	CMPQ  AX, R12
	JGT   tailfirst
	LEAQ  (SI)(R9*1), AX
	MASKS
	JMP   tailname0
tailfirst:
	TAILMASKS(unusual)
	JMP   tailname0

tailloop:
	MOVQ  R8, DX
	CMPQ  R8, R12
	JGE   out
	MOVQ  R8, CX
	SUBQ  R9, CX
	CMPQ  CX, $64
	JGE   tailnextname
tailname0:
	CMPQ  DI, R15
	JHI   out
	MOVQ  R8, CX
	SUBQ  R9, CX
tailname:
	SHIFTTZ(R10, AX, tailnextname)
	ADDQ  R8, AX
	CMPB  (SI)(AX*1), $0x3a
	JNE   unusual
	LEAQ  1(AX), R13
tailvaluestart:
	// AX name end, R13 after the colon, DX line start; R8 in the block, at or before AX or at the block's start.
	CMPQ  AX, DX
	JEQ   unusual
tailows:
	CMPQ  R13, R12
	JGE   unusual
	MOVBLZX (SI)(R13*1), BX
	INCQ  R13
	CMPL  BX, $0x20
	JEQ   tailows
	CMPL  BX, $9
	JEQ   tailows
	DECQ  R13
	SUBQ  DX, AX
	MOVL  DX, 0(DI)
	MOVL  AX, 4(DI)
	MOVL  R13, 8(DI)
	ANDL  $31, AX
	LEAQ  ·framingFirstVector(SB), BX
	MOVBLZX (BX)(AX*1), AX
	MOVBLZX (SI)(DX*1), BX
	ORL   $0x20, BX
	CMPL  AX, BX
	JNE   tailvalue
	MOVQ  DI, BX
	SUBQ  0(SP), BX
	SHRQ  $4, BX
	MOVQ  8(SP), AX
	BTSQ  BX, AX
	MOVQ  AX, 8(SP)
tailvalue:
	MOVQ  R8, CX
	SUBQ  R9, CX
tailvalueend:
	SHIFTTZ(R11, AX, tailnextvalue)
	ADDQ  AX, R8
	LEAQ  2(R8), AX
	CMPQ  AX, R12
	JGE   drop
	CMPW  (SI)(R8*1), $0x0a0d
	JNE   drop
	MOVL  R8, AX
	SUBL  R13, AX
	MOVL  AX, 12(DI)
	ADDQ  $2, R8
	ADDQ  $16, DI
	TESTL AX, AX
	JNE   tailback
	MOVL  R8, -8(DI)             // an empty value begins after the line
tailback:
	LEAQ  68(R9), AX
	CMPQ  AX, R12
	JLE   line
	JMP   tailloop

tailnextvalue:
	ADDQ  $64, R9
	CMPQ  R9, R12
	JGE   drop
	LEAQ  64(R9), AX
	CMPQ  AX, R12
	JGT   tailvaluemasks
	LEAQ  (SI)(R9*1), AX
	MASKS
	MOVQ  R9, R8
	XORL  CX, CX
	JMP   tailvalueend
tailvaluemasks:
	TAILMASKS(drop)
	MOVQ  R9, R8
	XORL  CX, CX
	JMP   tailvalueend
tailnextname:
	ADDQ  $64, R9
	CMPQ  R9, R12
	JGE   unusual
	LEAQ  64(R9), AX
	CMPQ  AX, R12
	JGT   tailnamemasks
	LEAQ  (SI)(R9*1), AX
	MASKS
	JMP   tailnamego
tailnamemasks:
	TAILMASKS(unusual)
tailnamego:
	CMPQ  DI, R15                // a new line may begin in the new block
	JHI   unusual
	CMPQ  R8, R9
	CMOVQLT R9, R8
	MOVQ  R8, CX
	SUBQ  R9, CX
	JMP   tailname

	// The line under way is not taken; its bit may be set already.
drop:
unusual:
	MOVQ  DX, R8
	MOVQ  DI, BX
	SUBQ  0(SP), BX
	SHRQ  $4, BX
	CMPQ  BX, $63
	JHI   out
	MOVQ  8(SP), AX
	BTRQ  BX, AX
	MOVQ  AX, 8(SP)
out:
	// A line whose value goes on in the next one (obs-fold) is not taken either.
	CMPQ  R8, R12
	JGE   end
	MOVBLZX (SI)(R8*1), AX
	CMPL  AX, $0x20
	JEQ   fold
	CMPL  AX, $9
	JNE   end
fold:
	CMPQ  DI, 0(SP)
	JEQ   end
	SUBQ  $16, DI
	MOVL  0(DI), R8
	MOVQ  DI, BX
	SUBQ  0(SP), BX
	SHRQ  $4, BX
	MOVQ  8(SP), AX
	BTRQ  BX, AX
	MOVQ  AX, 8(SP)
end:
	LEAVE
	LEAQ  (SI)(R8*1), AX
	MOVQ  DI, BX
	MOVQ  8(SP), CX
	RET
