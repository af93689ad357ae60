package main

import "slices"

// Byte classes. A class is a set of bytes, one bit of asm's class table, a pair of tables for vector
// instructions, and a few constants for words.

type class struct {
	Name  string // constant <Name> in package asm
	Doc   string
	Bytes []string // each one byte, or the first and the last byte of a range
}

var classes = []class{
	{"Token", "tchar, RFC 9110, Section 5.6.2",
		[]string{"!", "#'", "*+", "-.", "09", "AZ", "^z", "|", "~"}},
	{"FieldValue", "HTAB, SP, VCHAR, obs-text (RFC 9110, Section 5.5); also what may follow the backslash of a quoted-pair",
		[]string{"\t", " ~", "\x80\xff"}},
	{"ConnectionToken", "FieldValue without the comma that ends a list member",
		[]string{"\t", " +", "-~", "\x80\xff"}},
	{"TargetPath", "path of a request-target: VCHAR without '#' and '?', wider than RFC 3986, Section 3.3",
		[]string{"!\"", "$>", "@~"}},
	{"TargetQuery", "query of a request-target: VCHAR without '#', wider than RFC 3986, Section 3.4",
		[]string{"!\"", "$~"}},
	{"TargetFragment", "fragment of a request-target: VCHAR, wider than RFC 3986, Section 3.5",
		[]string{"!~"}},
	{"TargetServer", "authority of a request-target without '@', which is counted, and the '/' and '?' that end it",
		[]string{"!", "$.", "0;", "=", "A[", "]", "_", "az", "~"}},
	{"QuotedText", "qdtext, RFC 9110, Section 5.6.4",
		[]string{"\t", " !", "#[", "]~", "\x80\xff"}},
	{"Line", "anything but CR and LF: a reason phrase, a leniently read field value",
		[]string{"\x00\t", "\v\f", "\x0e\xff"}},
	{"RelaxedValue", "anything but NUL, CR and LF: a field value that may hold control bytes",
		[]string{"\x01\t", "\v\f", "\x0e\xff"}},
	{"OWS", "SP and HTAB: optional whitespace, RFC 9110, Section 5.6.3",
		[]string{" ", "\t"}},
	{"ValueStart", "what a field value begins with after OWS: VCHAR, obs-text (RFC 9110, Section 5.5)",
		[]string{"!~", "\x80\xff"}},
	{"LF", "LF alone",
		[]string{"\n"}},
	{"Alpha", "ALPHA, RFC 5234, Appendix B.1",
		[]string{"AZ", "az"}},
	{"ListText", "FieldValue without the comma that ends a list member and the DQUOTE that begins a quoted string",
		[]string{"\t", " !", "#+", "-~", "\x80\xff"}},
	{"TargetForbidden", "HTAB and FF: refused anywhere in a request-target with a reason of their own",
		[]string{"\t", "\f"}},
}

// contains says whether c is in the class.
func (k class) contains(c byte) bool {
	for _, r := range k.Bytes {
		if r[0] <= c && c <= r[len(r)-1] {
			return true
		}
	}
	return false
}

// stop is a class by the halves of a byte: asm's Stop.
type stop struct {
	Low, High [16]int
	Add, Most int
}

// Stop gives each pattern of low halves that are outside the class a bit of its own; high halves with the same pattern
// share it. validate has seen that eight bits are enough.
func (k class) Stop() (s stop) {
	bits := map[[16]bool]int{}
	for high := range 16 {
		var pattern [16]bool
		outside := false
		for low := range pattern {
			pattern[low] = !k.contains(byte(high<<4 | low))
			outside = outside || pattern[low]
		}
		if !outside {
			continue
		}
		if bits[pattern] == 0 {
			bits[pattern] = 1 << len(bits)
			for low := range pattern {
				if pattern[low] {
					s.Low[low] |= bits[pattern]
				}
			}
		}
		s.High[high] = bits[pattern]
	}
	first := '~' + 1
	for first > ' ' && k.contains(byte(first-1)) {
		first--
	}
	if first <= '!' {
		s.Add, s.Most = 0x100-int(first), int('~'-first)
	}
	return s
}

// word is a class for words of eight bytes: asm's Word, with bytes in place of words of eight equal ones.
type word struct {
	Below, High, DEL int
	Equal            [2]int
	None             bool
}

// Word describes the bytes to stop at: those below a bound, those of 0x80 and above, DEL, and two others at most. More bytes may be
// named than are outside the class, but none fewer. Where that does not do there is none.
func (k class) Word() (w word) {
	if !k.contains(0x80) {
		w.High = 0x80
	}
	if !k.contains(0x7f) {
		w.DEL = 1
	}
	switch {
	case k.contains(0):
	case !k.contains(' '):
		w.Below = '!'
	case !k.contains('\n'):
		w.Below = ' '
	}
	var others []int
	for c := w.Below; c < 0x7f; c++ {
		if !k.contains(byte(c)) {
			others = append(others, c)
		}
	}
	switch len(others) {
	case 0:
	case 1:
		w.Equal = [2]int{others[0], others[0]}
	case 2:
		w.Equal = [2]int(others)
	default:
		return word{None: true}
	}
	return w
}

// stops says whether a word with this byte is looked at byte by byte.
func (w word) stops(c int) bool {
	return w.None || c < w.Below || c&w.High != 0 || c == 0x7f && w.DEL != 0 || w.Equal[0] != 0 && slices.Contains(w.Equal[:], c)
}

// classTable gives each byte its classes, bit i for classes[i].
func classTable() (table [256]int) {
	for c := range table {
		for bit, k := range classes {
			if k.contains(byte(c)) {
				table[c] |= 1 << bit
			}
		}
	}
	return table
}

// hexTable gives the value of each hexadecimal digit, 0xff for any other byte.
func hexTable() (table [256]int) {
	for c := range table {
		switch {
		case '0' <= c && c <= '9':
			table[c] = c - '0'
		case 'A' <= c && c <= 'F':
			table[c] = c - 'A' + 10
		case 'a' <= c && c <= 'f':
			table[c] = c - 'a' + 10
		default:
			table[c] = 0xff
		}
	}
	return table
}
