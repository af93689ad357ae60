// Package asm holds the kernels: the loops that look at many bytes at once, per architecture, with one portable
// reference each.
//
// A kernel's contract is the doc comment of its reference, in the file named after it. It reads only inside [p, end), takes addresses as
// integers, and is freestanding as package core is. Kernels take what is usual; whatever else they meet they leave to the
// caller, at the byte where it begins, so that a kernel can be slower than another but never say something else.
package asm
