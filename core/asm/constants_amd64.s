#include "textflag.h"

// Tables of the kernels that look at header blocks, twice in a row for 32-byte registers.
//
// nameLowVector, nameHighVector: the halves of a byte give a class. Bits 0 to 4: some kind of tchar. Bits 5 to 7: a control byte other
// than HTAB. None: neither. A byte of 0x80 and above has none, as the lookup gives 0 for it. Adding classBiasVector moves a
// control byte's class to 0x80 and above, and no other's; a tchar's is firstTokenVector's byte then, or more, up to 0x7f.

DATA ·nameLowVector+0(SB)/8, $0x3f3f3f3f3f3e3f3a
DATA ·nameLowVector+8(SB)/8, $0xac3d2534253d5e3e
DATA ·nameLowVector+16(SB)/8, $0x3f3f3f3f3f3e3f3a
DATA ·nameLowVector+24(SB)/8, $0xac3d2534253d5e3e
GLOBL ·nameLowVector(SB), RODATA|NOPTR, $32

DATA ·nameHighVector+0(SB)/8, $0x9006080402016020
DATA ·nameHighVector+8(SB)/8, $0
DATA ·nameHighVector+16(SB)/8, $0x9006080402016020
DATA ·nameHighVector+24(SB)/8, $0
GLOBL ·nameHighVector(SB), RODATA|NOPTR, $32

DATA ·lowHalfVector+0(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA ·lowHalfVector+8(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA ·lowHalfVector+16(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA ·lowHalfVector+24(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL ·lowHalfVector(SB), RODATA|NOPTR, $32

DATA ·classBiasVector+0(SB)/8, $0x6060606060606060
DATA ·classBiasVector+8(SB)/8, $0x6060606060606060
DATA ·classBiasVector+16(SB)/8, $0x6060606060606060
DATA ·classBiasVector+24(SB)/8, $0x6060606060606060
GLOBL ·classBiasVector(SB), RODATA|NOPTR, $32

DATA ·firstTokenVector+0(SB)/8, $0x6161616161616161
DATA ·firstTokenVector+8(SB)/8, $0x6161616161616161
DATA ·firstTokenVector+16(SB)/8, $0x6161616161616161
DATA ·firstTokenVector+24(SB)/8, $0x6161616161616161
GLOBL ·firstTokenVector(SB), RODATA|NOPTR, $32

// firstVisibleVector: the byte after the first VCHAR.
DATA ·firstVisibleVector+0(SB)/8, $0x2222222222222222
DATA ·firstVisibleVector+8(SB)/8, $0x2222222222222222
DATA ·firstVisibleVector+16(SB)/8, $0x2222222222222222
DATA ·firstVisibleVector+24(SB)/8, $0x2222222222222222
GLOBL ·firstVisibleVector(SB), RODATA|NOPTR, $32

// framingFirstVector: framingFirst in fieldlines.go, and for the length 0 the colon, with which no name begins.
DATA ·framingFirstVector+0(SB)/8, $0x750000000000003a
DATA ·framingFirstVector+8(SB)/8, $0x0063000000630000
DATA ·framingFirstVector+16(SB)/8, $0x0000000000007470
DATA ·framingFirstVector+24(SB)/8, $0
GLOBL ·framingFirstVector(SB), RODATA|NOPTR, $32
