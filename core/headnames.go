package core

import "unsafe"

// This file gives the fields of a Head their ids, and links those of the same name.
//
// Well-known names are linked by their ids as they come. The others are gathered with a hash of all their bytes, and
// linked when the section is complete: few by comparing their hashes in pairs, many by a table of places, of which at least half are
// empty, and three in four if there is room. Names with the same hash are compared byte by byte, so none are ever taken for others.
// Invariant: time is bounded. In the table no more steps are taken than a small multiple of the number of names; whoever
// sends names that collide gets them sorted instead, in n log n comparisons.

// unknownName is a name without an id.
type unknownName struct {
	hash  uint32
	index uint16 // of the field
	last  uint16 // of the last field of the same name, in the entry of the first
}

const (
	unknownNameSize = unsafe.Sizeof(unknownName{})
	fewNames        = 8 // that are compared in pairs
	stepsPerName    = 4 // in the table, on average, before they are sorted
)

// knowGeneric gives the lines from line to top, which come behind those that there are, their ids, links, and values without
// whitespace at the end.
//
//go:nosplit
func (h *Head) knowGeneric(line, top uintptr) {
	buf := h.frame.Buf
	i := uintptr(h.Count)
	info := h.Infos + i*fieldInfoSize
	unknown := h.unknown + uintptr(h.unknownCount)*unknownNameSize
	for ; line != top; line += eventSize {
		l := (*FieldLine)(unsafe.Pointer(line))
		n := uintptr(l.NameLength)
		p := buf + uintptr(l.NameOffset)
		first, last := tokenWords(buf, p, n)
		if load8(buf+uintptr(l.ValueOffset)+uintptr(l.ValueLength)-1) <= ' ' {
			l.ValueLength = trimmed(buf+uintptr(l.ValueOffset), l.ValueLength)
		}
		if id := uintptr(tokenIDOf(p, n, first, last)); id != 0 {
			*(*uint32)(unsafe.Pointer(info)) = uint32(id)
			word := (*uint64)(unsafe.Add(unsafe.Pointer(&h.Present), id>>6*8))
			slot := (*uint16)(unsafe.Add(unsafe.Pointer(&h.First), id*2))
			if *word>>(id&63)&1 == 0 {
				*word |= 1 << (id & 63)
				*slot = uint16(i)
			} else {
				h.again(id, i)
			}
		} else {
			*(*uint32)(unsafe.Pointer(info)) = 0
			u := (*unknownName)(unsafe.Pointer(unknown))
			u.hash = unknownHash(p, n, first, last)
			*(*uint32)(unsafe.Pointer(&u.index)) = uint32(i) | uint32(i)<<16
			unknown += unknownNameSize
		}
		i++
		info += fieldInfoSize
	}
	h.Count = uint32(i)
	h.unknownCount = uint32((unknown - h.unknown) / unknownNameSize)
}

// again links a field to those before it that have its id.
//
//go:nosplit
func (h *Head) again(id, i uintptr) {
	last := (*uint16)(unsafe.Add(unsafe.Pointer(&h.last), id*2))
	before := *(*uint16)(unsafe.Add(unsafe.Pointer(&h.First), id*2))
	if h.infoAt(before).Next != 0 {
		before = *last
	}
	h.infoAt(before).Next = uint16(i)
	*last = uint16(i)
}

//go:nosplit
func (h *Head) infoAt(i uint16) *FieldInfo {
	return (*FieldInfo)(unsafe.Pointer(h.Infos + uintptr(i)*fieldInfoSize))
}

// trimmed gives the length of a value without whitespace at its end.
//
//go:nosplit
func trimmed(p uintptr, length uint32) uint32 {
	for length != 0 && isOWS(load8(p+uintptr(length)-1)) {
		length--
	}
	return length
}

// unknownHash hashes all bytes of a name; its words have fold's bits set.
//
//go:nosplit
func unknownHash(p, n uintptr, first, last uint64) uint32 {
	hash := first*nameHashK1 ^ (last + uint64(n))
	for i := uintptr(8); i+8 < n; i += 8 {
		hash = (hash ^ hash>>29 ^ (load64(p+i) | fold)) * nameHashK2
	}
	hash = (hash ^ hash>>32) * nameHashK1
	return uint32(hash >> 32)
}

//go:nosplit
func (h *Head) unknownAt(i uint32) *unknownName {
	return (*unknownName)(unsafe.Pointer(h.unknown + uintptr(i)*unknownNameSize))
}

// join makes a field the last of those that u is the first of.
//
//go:nosplit
func (h *Head) join(u *unknownName, index uint16) {
	h.infoAt(u.last).Next = index
	u.last = index
}

// link links the names without ids.
//
//go:nosplit
func (h *Head) link() {
	count := h.unknownCount
	if count <= fewNames {
		for i := uint32(1); i < count; i++ {
			u := h.unknownAt(i)
			for k := uint32(0); k < i; k++ {
				if other := h.unknownAt(k); other.hash == u.hash && h.same(other.index, u.index) {
					h.join(other, u.index)
					break
				}
			}
		}
		return
	}
	size, shift := uint32(32), uint32(27)
	for size < 2*count {
		size *= 2
		shift--
	}
	if size <= h.Most*(tableRoom/4) {
		size *= 2
		shift--
	}
	for i := uintptr(0); i < uintptr(size)*2; i += 64 {
		*(*[8]uint64)(unsafe.Pointer(h.table + i)) = [8]uint64{}
	}
	steps := stepsPerName * count
	entry, end := h.unknown, h.unknown+uintptr(count)*unknownNameSize
	table := h.table
	for i := uint16(1); entry != end; i++ {
		slot := (*uint16)(unsafe.Pointer(table + uintptr((*unknownName)(unsafe.Pointer(entry)).hash>>(shift&31))*2))
		if *slot == 0 {
			*slot = i
		} else if steps = h.place(entry, i, shift, size-1, steps); steps == 0 {
			h.sort()
			return
		}
		entry += unknownNameSize
	}
	h.tableShift = shift
}

// place finds the place of the name at entry, the i-th from 1, when its first one is taken. It gives how many steps are left.
//
//go:nosplit
func (h *Head) place(entry uintptr, i uint16, shift, mask, steps uint32) uint32 {
	u := (*unknownName)(unsafe.Pointer(entry))
	for place := u.hash >> (shift & 31); steps != 0; place = (place + 1) & mask {
		slot := (*uint16)(unsafe.Pointer(h.table + uintptr(place)*2))
		if *slot == 0 {
			*slot = i
			break
		}
		if other := h.unknownAt(uint32(*slot) - 1); other.hash == u.hash && h.same(other.index, u.index) {
			h.join(other, u.index)
			break
		}
		steps--
	}
	return steps
}

// same tells whether two fields have the same name.
//
//go:nosplit
func (h *Head) same(a, b uint16) bool {
	x := (*FieldLine)(unsafe.Pointer(h.Fields + uintptr(a)*eventSize))
	y := (*FieldLine)(unsafe.Pointer(h.Fields + uintptr(b)*eventSize))
	return x.NameLength == y.NameLength &&
		sameName(h.frame.Buf+uintptr(x.NameOffset), h.frame.Buf+uintptr(y.NameOffset), uintptr(x.NameLength))
}

// sameName compares n bytes, ASCII letters of either case.
//
//go:nosplit
func sameName(a, b, n uintptr) bool {
	if n < 8 {
		for ; n != 0; n-- {
			if lower(load8(a+n-1)) != lower(load8(b+n-1)) {
				return false
			}
		}
		return true
	}
	for i := uintptr(0); i < n-8; i += 8 {
		if !sameWord(load64(a+i), load64(b+i)) {
			return false
		}
	}
	return sameWord(load64(a+n-8), load64(b+n-8))
}

// sameWord compares eight bytes likewise.
//
//go:nosplit
func sameWord(a, b uint64) bool {
	const ones = 0x0101010101010101
	differ := a ^ b
	if differ&^fold != 0 {
		return false
	}
	low := (a | fold) &^ (0x80 * ones)
	letters := (low + (0x80-'a')*ones) &^ (low + (0x7f-'z')*ones) &^ a // bit 7 of each byte
	return differ<<2&^letters == 0
}

// sort links names that have taken too many steps: by a heap, in order of name and field.
//
//go:nosplit
func (h *Head) sort() {
	count := h.unknownCount
	for i := range count { // what link has done so far
		u := h.unknownAt(i)
		h.infoAt(u.index).Next = 0
		u.last = u.index
	}
	for i := count / 2; i != 0; i-- {
		h.sift(i-1, count)
	}
	for i := count - 1; i != 0; i-- {
		first, last := h.unknownAt(0), h.unknownAt(i)
		*first, *last = *last, *first
		h.sift(0, i)
	}
	u := h.unknownAt(0)
	for i := uint32(1); i < count; i++ {
		next := h.unknownAt(i)
		if u.hash == next.hash && h.same(u.index, next.index) {
			h.join(u, next.index)
		} else {
			u = next
		}
	}
}

// sift lets the name at i sink in a heap of a number of names.
//
//go:nosplit
func (h *Head) sift(i, count uint32) {
	for {
		child := 2*i + 1
		if child >= count {
			return
		}
		if child+1 < count && h.before(h.unknownAt(child), h.unknownAt(child+1)) {
			child++
		}
		a, b := h.unknownAt(i), h.unknownAt(child)
		if !h.before(a, b) {
			return
		}
		*a, *b = *b, *a
		i = child
	}
}

// before tells whether a comes before b: by hash, length, bytes, and field.
//
//go:nosplit
func (h *Head) before(a, b *unknownName) bool {
	if a.hash != b.hash {
		return a.hash < b.hash
	}
	x := (*FieldLine)(unsafe.Pointer(h.Fields + uintptr(a.index)*eventSize))
	y := (*FieldLine)(unsafe.Pointer(h.Fields + uintptr(b.index)*eventSize))
	if x.NameLength != y.NameLength {
		return x.NameLength < y.NameLength
	}
	p, q := h.frame.Buf+uintptr(x.NameOffset), h.frame.Buf+uintptr(y.NameOffset)
	for end := p + uintptr(x.NameLength); p != end; p, q = p+1, q+1 {
		if c, d := lower(load8(p)), lower(load8(q)); c != d {
			return c < d
		}
	}
	return a.index < b.index
}

// HeadFind gives the first field of a complete section that has the name of n bytes at p, letters of either case; data is where
// the section's bytes are. -1 if there is none.
//
//go:nosplit
func HeadFind(h *Head, data, p, n uintptr) int {
	if n == 0 || h.Count == 0 {
		return -1
	}
	if id := FieldID(p, n); id != 0 {
		if h.Present[id>>6&(HeadIDs/64-1)]>>(id&63)&1 == 0 {
			return -1
		}
		return int(h.First[id&(HeadIDs-1)])
	}
	first, last := fieldWords(p, n)
	wanted := unknownHash(p, n, first|fold, last|fold)
	if h.tableShift == 0 {
		for i := range h.unknownCount {
			if u := h.unknownAt(i); u.hash == wanted && h.named(data, u.index, p, n) {
				return int(u.index)
			}
		}
		return -1
	}
	mask := uint32(1)<<(32-h.tableShift&31) - 1
	for place := wanted >> (h.tableShift & 31); ; place = (place + 1) & mask {
		slot := *(*uint16)(unsafe.Pointer(h.table + uintptr(place)*2))
		if slot == 0 {
			return -1
		}
		if u := h.unknownAt(uint32(slot) - 1); u.hash == wanted && h.named(data, u.index, p, n) {
			return int(u.index)
		}
	}
}

// named tells whether a field has the name.
//
//go:nosplit
func (h *Head) named(data uintptr, index uint16, p, n uintptr) bool {
	l := (*FieldLine)(unsafe.Pointer(h.Fields + uintptr(index)*eventSize))
	return uintptr(l.NameLength) == n && sameName(data+uintptr(l.NameOffset), p, n)
}
