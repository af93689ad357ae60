// The walk of fieldLinesAVX2 and fieldLinesSSE42, which differ in how they load and look at 64 bytes. The file that
// includes this one defines
//
//	LOADCONSTANTS            what the masks need
//	VALUEMASK                R11 of the 64 bytes at R9; clobbers AX
//	NAMEMASK                 R10 of the bytes that VALUEMASK has looked at; clobbers AX
//	TAILMASKS                masks of the bytes from R9 on, one to 64, if there are 16 from the base on; clobbers AX, BX, CX
//	TARGETCONSTANTS          what INVISIBLE needs
//	INVISIBLE16(at, mask)    a bit for each of 16 bytes that is not VCHAR; clobbers no register but mask
//	INVISIBLE32(at, mask)    the same for 32 bytes, if there is such a thing
//	TZ(mask, d, none)        d = number of the first bit set; jumps away if there is none
//	SHIFT                    shifts both masks by CX, at most 63
//	LEAVE                    before RET
//
// The idea: per 64 bytes two bit masks, R10 of those that end a name (all but tchar), R11 of those that end a value
// (control bytes but HTAB). Zeros are counted, and with a line's end what is before it is shifted out. A value's end is looked for
// from the line's start, since no tchar ends a value: the two searches do not wait for each other. Blocks follow each other whatever
// is in them, so that the masks of the next need not wait for this one's lines.
// Within a value only R11 is made until there is its end.
// Two copies of the walk: the first runs while 68 bytes are left behind the block's start, so that nothing needs a
// bounds check; the second checks.
//
// Registers: SI base, DI next FieldLine, R8 where the walk stands: at the line's start, or the block's if that comes later;
//            R9 start of the block, R10 R11 masks, of which bit 0 is the byte at R8, and what is behind the block is 0; R12 end,
//            R13 value start, R15 last place for a FieldLine, DX FRAMINGLENGTHS; scratch AX, CX, and BX in the second walk: in the
//            first it is R12-68. R10 and R13 at the end: name and stop. All but SI, DI, R15, stop are offsets from the base.
//            0(DI) is the line's start as soon as it is looked at. 0(SP) first FieldLine, 8(SP) framing.

// FRAMINGLENGTHS: the lengths, modulo 32, of the names that framingFirst has a letter for, and 0. MAYFRAME goes on if the line's name,
// of length AX, may frame a message, or if there is none and the colon stands there, else jumps away; CX is the first byte with
// the bit set that tells letters' case. FRAMES sets the line's bit, or takes it back.
#define FRAMINGLENGTHS 0x34481
#define MAYFRAME(no) \
	ANDL  $31, AX \
	LEAQ  ·framingFirstVector(SB), CX \
	MOVBLZX (CX)(AX*1), AX \
	MOVL  0(DI), CX \
	MOVBLZX (SI)(CX*1), CX \
	ORL   $0x20, CX \
	CMPL  AX, CX \
	JNE   no
#define FRAMES(BTXQ) \
	MOVQ  DI, CX \
	SUBQ  0(SP), CX \
	SHRQ  $4, CX \
	MOVQ  8(SP), AX \
	BTXQ  CX, AX \
	MOVQ  AX, 8(SP)

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
	MOVL  $FRAMINGLENGTHS, DX
	CMPQ  DI, R15
	JHI   out
	CMPQ  R12, $16
	JLT   out
	TESTQ R13, R13
	JNE   started
lines:
	LEAQ  -68(R12), BX
	CMPQ  R8, BX
	JGT   tailbegin
	MOVQ  R8, R9
	VALUEMASK
	NAMEMASK
name:
	MOVL  R8, 0(DI)
	TZ(R10, AX, nextname)
	LEAQ  2(R8)(AX*1), R13
colon:
	CMPW  -2(SI)(R13*1), $0x203a // ": "
	JNE   oddcolon
	CMPB  (SI)(R13*1), $0x20
	JLS   oddvalue
	MOVL  AX, 4(DI)
	MOVL  R13, 8(DI)
	BTL   AX, DX
	JCS   length
valueend:
	TZ(R11, CX, nextvalue)
lineend:
	SHIFT
	SHRQ  $2, R11
	SHRQ  $2, R10
	ADDQ  R8, CX
	CMPW  (SI)(CX*1), $0x0a0d
	JNE   drop
	LEAQ  2(CX), R8
	SUBL  R13, CX
	MOVL  CX, 12(DI)
	ADDQ  $16, DI
	CMPQ  DI, R15
	JLS   name
	JMP   out

nextvalue:
	ADDQ  $64, R9
	CMPQ  R9, BX
	JGT   tailvalueblock
	VALUEMASK
	TZ(R11, CX, nextvalue)
	NAMEMASK
	MOVQ  R9, R8
	JMP   lineend
nextname:
	ADDQ  $64, R9
	CMPQ  R9, BX
	JGT   tailnameblock
	VALUEMASK
	NAMEMASK
	MOVQ  R8, CX
	SUBQ  R9, CX
	JGE   inblock
	MOVQ  R9, R8
	TZ(R10, AX, nextname)
	LEAQ  2(R8)(AX*1), R13
	ADDQ  R8, AX
	SUBL  0(DI), AX
	JMP   colon
inblock:                             // the line begins here, at its first byte or its second
	SHIFT
	JMP   name

	// A colon without a space after it, or no colon: the end of the section, for one.
oddcolon:
	CMPB  -2(SI)(R13*1), $0x3a
	JNE   unusual
	// More or other whitespace, or an empty value, or a value that is none: with bounds checks.
oddvalue:
	DECQ  R13
	JMP   tailvaluestart

length:
	MAYFRAME(valueend)
	CMPL  CX, $0x3a
	JEQ   unusual                // ":" and nothing before it
	FRAMES(BTSQ)
	JMP   valueend

	// The rest of a line: of a value, or of a request-line, whose target is looked through to its end.
started:
	MOVL  R8, 0(DI)
	MOVL  $0, 4(DI)
	MOVL  R8, 8(DI)
	CMPQ  R13, $1
	JNE   restofvalue
	TARGETCONSTANTS
#ifdef INVISIBLE32
target32:
	LEAQ  32(R8), AX
	CMPQ  AX, R12
	JGT   target
	INVISIBLE32((SI)(R8*1), BX)
	TESTL BX, BX
	JNE   targetend
	MOVQ  AX, R8
	JMP   target32
#endif
target:
	LEAQ  16(R8), AX
	CMPQ  AX, R12
	JGT   targettail
	INVISIBLE16((SI)(R8*1), BX)
	TESTL BX, BX
	JNE   targetend
	MOVQ  AX, R8
	JMP   target
targettail:
	INVISIBLE16(-16(SI)(R12*1), BX)
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
	SUBL  0(DI), R8
	MOVL  R8, 12(DI)
	MOVQ  AX, R8
	ADDQ  $16, DI
	CMPQ  DI, R15
	JLS   lines
	JMP   out

restofvalue:
	MOVQ  R8, R13
	MOVQ  R8, R9
	LEAQ  -68(R12), BX
	CMPQ  R8, BX
	JGT   tailvalueblock
	VALUEMASK
	NAMEMASK
	JMP   valueend

	// The second walk. The byte after a line must be there.
tailbegin:
	CMPQ  R8, R12
	JGE   out
	MOVQ  R8, R9
	TAILMASKS
tailname:
	MOVL  R8, 0(DI)
	TZ(R10, AX, tailnextname)
tailcolon:
	ADDQ  R8, AX
	CMPB  (SI)(AX*1), $0x3a
	JNE   unusual
	LEAQ  1(AX), R13
	SUBL  0(DI), AX
	// AX is the name's length, R13 behind the colon.
tailvaluestart:
	TESTL AX, AX
	JEQ   unusual
	MOVL  AX, 4(DI)
tailows:
	CMPQ  R13, R12
	JGE   unusual
	MOVBLZX (SI)(R13*1), CX
	CMPL  CX, $0x20
	JHI   tailvaluefirst
	INCQ  R13
	CMPL  CX, $0x20
	JEQ   tailows
	CMPL  CX, $9
	JEQ   tailows
	DECQ  R13
	CMPL  CX, $0x0d
	JNE   tailvaluefirst
	LEAQ  2(R13), CX             // an empty value begins after the line
	MOVL  CX, 8(DI)
	JMP   taillength
tailvaluefirst:
	MOVL  R13, 8(DI)
taillength:
	BTL   AX, DX
	JCC   tailvalue
	MAYFRAME(tailvalue)
	FRAMES(BTSQ)
tailvalue:
	TZ(R11, CX, tailnextvalue)
	SHIFT
	SHRQ  $2, R11
	SHRQ  $2, R10
	ADDQ  R8, CX
	LEAQ  2(CX), AX
	CMPQ  AX, R12
	JGE   drop
	CMPW  (SI)(CX*1), $0x0a0d
	JNE   drop
	MOVQ  AX, R8
	SUBL  R13, CX
	MOVL  CX, 12(DI)
	ADDQ  $16, DI
	CMPQ  DI, R15
	JHI   out
	LEAQ  -68(R12), BX
	CMPQ  R9, BX
	JLE   name
	JMP   tailname

tailnextvalue:
	ADDQ  $64, R9
tailvalueblock:
	MOVQ  R12, CX
	CMPQ  R9, R12
	JGE   drop                   // at the end
	TAILMASKS
	MOVQ  R9, R8
	JMP   tailvalue
tailnextname:
	ADDQ  $64, R9
tailnameblock:
	CMPQ  R9, R12
	JGE   unusual
	TAILMASKS
	MOVQ  R8, CX
	SUBQ  R9, CX
	JGE   tailinblock
	MOVQ  R9, R8
	TZ(R10, AX, tailnextname)
	JMP   tailcolon
tailinblock:
	SHIFT
	JMP   tailname

	// The line under way is not taken. If its value stops at CX, its name is told, too, and its bit may be set already.
drop:
	LEAQ  (SI)(CX*1), R13
	MOVL  4(DI), R10
	MOVL  0(DI), R8
	FRAMES(BTRQ)
	JMP   end
unusual:
	MOVL  0(DI), R8
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
	FRAMES(BTRQ)
end:
	LEAVE
	LEAQ  (SI)(R8*1), AX
	MOVQ  DI, BX
	MOVQ  8(SP), CX
	MOVQ  R10, DI
	MOVQ  R13, SI
	RET
