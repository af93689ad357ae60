package llhttpgo

// This file has the Head: a header section in one buffer, parsed in one call.

import (
	"errors"
	"iter"
	"unsafe"

	"llhttpgo/core"
)

// What Head.Parse returns besides an *Error.
var (
	// ErrPartial says that the header section goes on behind the bytes that are there.
	ErrPartial = errors.New("llhttpgo: the header section is incomplete")
	// ErrTooManyFields says that it has more fields than MaxFields allows.
	ErrTooManyFields = errors.New("llhttpgo: the header section has too many fields")
)

// MostFields is the most fields that a Head takes.
const MostFields = core.MostFields

// BodyKind is how the body of a message ends.
type BodyKind uint8

const (
	BodyNone     BodyKind = core.BodyNone     // there is none
	BodyLength   BodyKind = core.BodyLength   // it has ContentLength bytes
	BodyChunked  BodyKind = core.BodyChunked  // chunked coding: a Parser reads it, see Parser.ResetAfterHead
	BodyUntilEOF BodyKind = core.BodyUntilEOF // with the connection
	BodyUpgrade  BodyKind = core.BodyUpgrade  // there is none, and what follows is another protocol's
)

// String gives the kind in a word or two.
func (k BodyKind) String() string { return name(bodyNames[:], int(k)) }

var bodyNames = [...]string{
	BodyNone: "none", BodyLength: "length", BodyChunked: "chunked", BodyUntilEOF: "until EOF", BodyUpgrade: "upgrade",
}

// Head is a header section: the start-line and the fields of a message. The zero value is one of TypeBoth; NewHead makes
// others. It is there to be used for one message after the other, and must not be copied.
//
// What it gives is that of the last call of Parse, and lies in the bytes that Parse was given. After an error or
// ErrPartial it has what was found before.
type Head struct {
	_ noCopy

	// MaxFields is how many fields a section may have at most; 0 stands for MostFields. A field takes 36 bytes of
	// memory, which a Head keeps.
	MaxFields int

	kind    Type
	lenient Lenient
	partial bool
	head    core.Head
	data    []byte
	// The memory of head, and the parts of it that are read here.
	memory []uint64
	lines  []core.FieldLine
	infos  []core.FieldInfo
}

// noCopy lets vet find copies.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// Field is a field line. The value is without the whitespace around it.
type Field struct {
	Name, Value []byte
	ID          FieldID // 0 if the name is not well-known
}

// NewHead makes a head for messages of a type. TypeBoth takes a request or a response.
func NewHead(t Type) *Head { return &Head{kind: t} }

// SetLenient says which rules to relax, see [Lenient]. It counts for the next section.
func (h *Head) SetLenient(l Lenient) { h.lenient = l }

// Lenient gives the rules that are relaxed.
func (h *Head) Lenient() Lenient { return h.lenient }

// Reset forgets the section, and the bytes that it was in: the next call of Parse begins with another one. It is not
// needed but after ErrPartial.
func (h *Head) Reset() {
	h.partial = false
	h.data = nil
	h.begin()
	h.head.Forget()
}

// Parse parses the header section that data begins with, and returns its length. What follows it in data is not looked
// at.
//
// ErrPartial says that it is not complete: call again when there is more, with the same bytes and those that follow
// them. The bytes may lie elsewhere by then; what has been looked at is not looked at again. With fewer bytes it begins
// with another section. Anything else than a header section gives an [*Error], as a [Parser] would; an upgrade is no error here, but a BodyKind.
func (h *Head) Parse(data []byte) (n int, err error) {
	h.data = data
	if !h.partial || uint64(len(data)) < h.head.Size {
		h.begin()
	}
	for {
		switch h.parse(data) {
		case core.HeadComplete:
			h.partial = false
			return int(h.head.Size), nil
		case core.HeadPartial:
			h.partial = true
			return 0, ErrPartial
		case core.HeadTooMany:
			h.partial = false
			if !h.grow() {
				return 0, ErrTooManyFields
			}
			h.begin()
		default:
			h.partial = false
			return 0, newError(&reasons[int(h.head.Reason)%len(reasons)], int(h.head.Size), h.Type())
		}
	}
}

// begin makes ready for another section.
func (h *Head) begin() {
	h.head.Reset()
	public := h.head.Public()
	public.Type = uint8(h.kind)
	public.Lenient = uint16(h.lenient)
}

// grow makes room for more fields, and tells whether there may be more.
func (h *Head) grow() bool {
	const first = 64
	most := MostFields
	if h.MaxFields > 0 && h.MaxFields < most {
		most = h.MaxFields
	}
	have := int(h.head.Most)
	if have >= most {
		return false
	}
	h.setMemory(min(most, max(first, 2*have)))
	return true
}

// Len gives the number of fields.
func (h *Head) Len() int { return int(h.head.Count) }

// Field gives the i-th field, of those from 0 to Len()-1.
func (h *Head) Field(i int) Field {
	if i >= int(h.head.Count) {
		panic("llhttpgo: Head.Field: no such field")
	}
	l := &h.lines[i]
	return Field{h.span(l.NameOffset, l.NameLength), h.span(l.ValueOffset, l.ValueLength), FieldID(h.infos[i].ID)}
}

// Fields gives all fields in their order.
func (h *Head) Fields() iter.Seq2[int, Field] {
	return func(yield func(int, Field) bool) {
		for i := range int(h.head.Count) {
			if !yield(i, h.Field(i)) {
				return
			}
		}
	}
}

// Has tells whether there is a field with an id.
func (h *Head) Has(id FieldID) bool { return h.First(id) >= 0 }

// First gives the place of the first field with an id, or -1. It takes the same time however many fields there are.
func (h *Head) First(id FieldID) int {
	if id >= core.HeadIDs || h.head.Present[id/64]>>(id%64)&1 == 0 {
		return -1
	}
	return int(h.head.First[id])
}

// Find gives the place of the first field of a name, in letters of either case, or -1. The section must be complete.
func (h *Head) Find(name string) int { return h.find(stringBytes(name)) }

// Next gives the place of the next field that has the same name as the i-th, or -1. The section must be complete.
func (h *Head) Next(i int) int {
	if i < 0 || i >= int(h.head.Count) || h.infos[i].Next == 0 {
		return -1
	}
	return int(h.infos[i].Next)
}

// Value gives the value of the first field with an id, or nil. An empty value is not nil.
func (h *Head) Value(id FieldID) []byte {
	i := h.First(id)
	if i < 0 {
		return nil
	}
	return h.span(h.lines[i].ValueOffset, h.lines[i].ValueLength)
}

// Values gives the values of all fields with an id, in their order: Set-Cookie, for instance.
func (h *Head) Values(id FieldID) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) { h.values(h.First(id), yield) }
}

// ValuesOf gives the values of all fields of a name, in letters of either case, in their order.
func (h *Head) ValuesOf(name string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) { h.values(h.Find(name), yield) }
}

func (h *Head) values(i int, yield func([]byte) bool) {
	for ; i >= 0; i = h.Next(i) {
		if !yield(h.span(h.lines[i].ValueOffset, h.lines[i].ValueLength)) {
			return
		}
	}
}

// span gives a part of the section.
func (h *Head) span(offset, length uint32) []byte {
	end := offset + length
	return h.data[offset:end:end]
}

// Type gives what the section is: of a head of TypeBoth a request or a response.
func (h *Head) Type() Type { return Type(h.head.Public().Type) }

// Method gives a request's method.
func (h *Head) Method() Method { return Method(h.head.Public().Method) }

// Target gives a request's target, as sent; see [ParseTarget].
func (h *Head) Target() []byte { return h.part(h.head.TargetOffset, h.head.TargetLength) }

// Version gives the version of the protocol.
func (h *Head) Version() (major, minor int) {
	return int(h.head.Public().Major), int(h.head.Public().Minor)
}

// StatusCode gives a response's status code.
func (h *Head) StatusCode() int { return int(h.head.Public().StatusCode) }

// Reason gives a response's reason phrase; it may be empty.
func (h *Head) Reason() []byte { return h.part(h.head.ReasonOffset, h.head.ReasonLength) }

// part is span for what may not be there.
func (h *Head) part(offset, length uint32) []byte {
	if length == 0 {
		return nil
	}
	return h.span(offset, length)
}

// Flags gives what the fields have said.
func (h *Head) Flags() Flags { return Flags(h.head.Public().Flags) }

// Body gives how the body of the message ends. The response to a HEAD request has none, whatever Body says.
func (h *Head) Body() BodyKind { return BodyKind(h.head.Body) }

// ContentLength gives Content-Length; 0 if Flags has no FlagContentLength.
func (h *Head) ContentLength() uint64 { return h.head.Public().ContentLength }

// Chunked tells whether the body has chunked coding.
func (h *Head) Chunked() bool { return h.Body() == BodyChunked }

// KeepAlive tells whether the connection may carry another message (RFC 9112, Section 9.3).
func (h *Head) KeepAlive() bool { return h.head.KeepAlive }

// Upgrade tells whether another protocol follows: the message has upgrade fields, or is a CONNECT.
func (h *Head) Upgrade() bool { return h.head.Public().Upgrade != 0 }

// ResetAfterHead makes the parser one that has just parsed the section of a head, which is complete: what it gets next is
// the body. Its type and lenient flags are those of the head; rules, limits and the set of events stay. They have had no say
// in the section, but Limits.MaxFields counts its fields.
func (p *Parser) ResetAfterHead(h *Head) {
	p.kind = h.kind
	p.lenient = h.lenient
	p.Reset()
	h.head.Continue(&p.private, &p.public)
	p.seen = Type(p.public.Type)
	p.limiter.fields = h.Len()
}

// setMemory gives the core memory for a number of fields.
func (h *Head) setMemory(fields int) {
	h.memory = make([]uint64, (core.HeadMemory(uint32(fields))+7)/8)
	first := setHeadMemory(&h.head, h.memory, fields)
	h.lines = unsafe.Slice((*core.FieldLine)(unsafe.Pointer(&h.memory[(h.head.Fields-first)/8])), fields)
	h.infos = unsafe.Slice((*core.FieldInfo)(unsafe.Pointer(&h.memory[(h.head.Infos-first)/8])), fields)
}
