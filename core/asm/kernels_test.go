package asm

import (
	"testing"
	"unsafe"
	"math/rand"
	"runtime"
)

type fl = func(base, p, end, out, room uintptr) (uintptr, uintptr, uint64)

func TestQuick(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	toks := []string{"Host", ":", ": ", "\r\n", " ", "\t", "Connection", "a", "value with spaces", "\x01", "\x80\xff", "Content-Length", "0123456789012345678901234567890123456789", "X-Y: z\r\n", "A:\r\n", "B: c\r\n", "\r", "\n", "Upgrade: x\r\n", "Some-Longer-Header-Name: Some longer value; with, things=1234567890\r\n"}
	for n := 0; n < 3000000; n++ {
		var b []byte
		for k := rng.Intn(14); k >= 0; k-- { b = append(b, toks[rng.Intn(len(toks))]...) }
		off := 0
		if rng.Intn(3) == 0 { off = rng.Intn(len(b)) }
		base := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
		out := make([]FieldLine, 70)
		out2 := make([]FieldLine, 70)
		o, o2 := uintptr(unsafe.Pointer(&out[0])), uintptr(unsafe.Pointer(&out2[0]))
		room := uintptr(rng.Intn(70)) * 16
		if rng.Intn(2) == 0 { room = 70*16 }
		wn, wt, wf := fieldLinesGeneric(base, base+uintptr(off), base+uintptr(len(b)), o, o+room)
		for name, f := range map[string]fl{"avx2": fieldLinesAVX2Func, "sse": fieldLinesSSE42Func} {
			gn, gt, gf := f(base, base+uintptr(off), base+uintptr(len(b)), o2, o2+room)
			if gn != wn || gt-o2 != wt-o || gf != wf {
				t.Fatalf("%s %q off %d room %d: next %d %d top %d %d framing %x %x", name, b, off, room/16, gn-base, wn-base, (gt-o2)/16, (wt-o)/16, gf, wf)
			}
			for i := range int((wt-o)/16) { if out[i] != out2[i] { t.Fatalf("%s %q line %d %v %v", name, b, i, out2[i], out[i]) } }
		}
		c := Class(rng.Intn(classCount))
		w := skipGeneric(base, base+uintptr(len(b)), c)
		if g := skipAVX2Func(base, base+uintptr(len(b)), &Stops[c]); g != w { t.Fatalf("skip avx2 %q class %d: %d %d", b, c, g-base, w-base) }
		if g := skipSSE42Func(base, base+uintptr(len(b)), &Stops[c]); g != w { t.Fatalf("skip sse %q class %d: %d %d", b, c, g-base, w-base) }
		runtime.KeepAlive(b)
	}
}
