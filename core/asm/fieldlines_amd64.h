// The walk of fieldLinesAVX2 and fieldLinesSSE42, which differ in how they load and look at 64 bytes. The file that
// includes this one defines
//
//	LOADCONSTANTS            what the masks need
//	MASKS                    masks of the 64 bytes at AX; clobbers AX, BX, CX
//	TAILMASKS(give_up)       masks of the last R12-R9 bytes, fewer than 64; jumps away if fewer than 16 are there at all
//	VISIBLE16(at, mask)      a bit for each of 16 bytes that is VCHAR; clobbers no register but mask
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
//            R13 value start, R15 last place for a FieldLine, DX line start, CX R8-R9; scratch AX, BX. R10 and R13 at the end:
//            name and stop. All but SI, DI, R15, stop are offsets from the base. 0(SP) first FieldLine, 8(SP) framing.

// FRAMINGLENGTHS: the lengths, modulo 32, of the names that framingFirst has a letter for, and 0. MAYFRAME goes on if the name at
// DX of length AX may frame a message, or if there is none and the colon stands there, else jumps away; BX is the first byte with
// the bit set that tells letters' case.
#define FRAMINGLENGTHS 0x34481
#define MAYFRAME(no) \
	ANDL  $31, AX \
	LEAQ  ·framingFirstVector(SB), BX \
	MOVBLZX (BX)(AX*1), AX \
	MOVBLZX (SI)(DX*1), BX \
	ORL   $0x20, BX \
	CMPL  AX, BX \
	JNE   no

	MOVQ  AX, SI
	MOVQ  R8, R13                // start
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
	TESTQ R13, R13
	JNE   started
begin:
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
	MOVL  $FRAMINGLENGTHS, BX
	BTL   AX, BX
	JCS   length
valueend:
	SHIFTTZ(R11, AX, nextvalue)
	ADDQ  AX, R8
	CMPW  (SI)(R8*1), $0x0a0d
	JNE   drop
	MOVL  R8, AX
	SUBL  R13, AX
	MOVL  AX, 12(DI)
	ADDQ  $2, R8
	ADDQ  $16, DI
	MOVQ  R8, DX
	CMPQ  DI, R15
	JHI   out
	MOVQ  R8, CX
	SUBQ  R9, CX
	CMPQ  CX, $64
	JLT   name
	JMP   nextname

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

length:
	MAYFRAME(valueend)
	CMPL  BX, $0x3a
	JEQ   unusual                // ":" and nothing before it
	MOVQ  DI, BX
	SUBQ  0(SP), BX
	SHRQ  $4, BX
	MOVQ  8(SP), AX
	BTSQ  BX, AX
	MOVQ  AX, 8(SP)
	JMP   valueend

	// The rest of a line: of a value, or of a request-line, whose target is looked through to its end.
started:
	MOVQ  R8, DX
	CMPQ  DI, R15
	JHI   out
	CMPQ  R12, $16
	JLT   out
	MOVL  DX, 0(DI)
	MOVL  $0, 4(DI)
	MOVL  DX, 8(DI)
	CMPQ  R13, $1
	JNE   restofvalue
target:
	LEAQ  16(R8), AX
	CMPQ  AX, R12
	JGT   targettail
	VISIBLE16((SI)(R8*1), BX)
	XORL  $0xffff, BX
	JNE   targetend
	MOVQ  AX, R8
	JMP   target
targettail:
	VISIBLE16(-16(SI)(R12*1), BX)
	XORL  $0xffff, BX
	MOVQ  AX, CX
	SUBQ  R12, CX                // the bytes before R8
	SHRL  CX, BX
	TESTL BX, BX
	JEQ   unusual
targetend:
	TZCNTL BX, BX
	ADDQ  BX, R8
	LEAQ  11(R8), AX
	CMPQ  AX, R12
	JGE   unusual
	MOVQ  1(SI)(R8*1), BX
	MOVQ  $0x302e312f50545448, CX // HTTP/1.0
	BTRQ  $56, BX
	CMPQ  BX, CX
	JNE   unusual
	CMPB  (SI)(R8*1), $0x20
	JNE   unusual
	CMPW  9(SI)(R8*1), $0x0a0d
	JNE   unusual
	SUBL  DX, R8
	MOVL  R8, 12(DI)
	MOVQ  AX, R8
	ADDQ  $16, DI
	JMP   begin

restofvalue:
	MOVQ  R8, R13
	MOVQ  R8, R9
	LEAQ  64(R9), AX
	CMPQ  AX, R12
	JGT   restoftail
	LEAQ  (SI)(R9*1), AX
	MASKS
	LEAQ  68(R9), AX
	CMPQ  AX, R12
	JGT   tailvalue
	XORL  CX, CX
	JMP   valueend
restoftail:
	CMPQ  R8, R12
	JGE   drop
	TAILMASKS(unusual)
	JMP   tailvalue

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
	// AX name end, R13 after the colon, DX line start; R8 in the block, at or before AX or at the block's start.
tailvaluestart:
	CMPQ  AX, DX
	JEQ   unusual
	SUBQ  DX, AX
	MOVL  DX, 0(DI)
	MOVL  AX, 4(DI)
tailows:
	CMPQ  R13, R12
	JGE   unusual
	MOVBLZX (SI)(R13*1), BX
	CMPL  BX, $0x20
	JHI   tailvaluefirst
	INCQ  R13
	CMPL  BX, $0x20
	JEQ   tailows
	CMPL  BX, $9
	JEQ   tailows
	DECQ  R13
	CMPL  BX, $0x0d
	JNE   tailvaluefirst
	LEAQ  2(R13), BX             // an empty value begins after the line
	MOVL  BX, 8(DI)
	JMP   taillength
tailvaluefirst:
	MOVL  R13, 8(DI)
taillength:
	MOVL  $FRAMINGLENGTHS, BX
	BTL   AX, BX
	JCC   tailvalue
	MAYFRAME(tailvalue)
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
	LEAQ  68(R9), AX
	CMPQ  AX, R12
	JLE   line
	JMP   tailloop

tailnextvalue:
	ADDQ  $64, R9
	CMPQ  R9, R12
	JGE   noend
	LEAQ  64(R9), AX
	CMPQ  AX, R12
	JGT   tailvaluemasks
	LEAQ  (SI)(R9*1), AX
	MASKS
	MOVQ  R9, R8
	XORL  CX, CX
	JMP   tailvalueend
tailvaluemasks:
	TAILMASKS(unusual)
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

	// The line under way is not taken. If its value stops at R8, its name is told, too, and its bit may be set already.
noend:
	MOVQ  R12, R8
drop:
	LEAQ  (SI)(R8*1), R13
	MOVL  4(DI), R10
	MOVQ  DX, R8
	MOVQ  DI, BX
	SUBQ  0(SP), BX
	SHRQ  $4, BX
	MOVQ  8(SP), AX
	BTRQ  BX, AX
	MOVQ  AX, 8(SP)
	JMP   end
unusual:
	MOVQ  DX, R8
out:
	XORL  R13, R13
	XORL  R10, R10
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
	MOVQ  R10, DI
	MOVQ  R13, SI
	RET
