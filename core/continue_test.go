package core

import (
	"slices"
	"testing"
	"unsafe"

	"llhttpgo/core/asm"
)

// openIn has the callback of the span that is open in a state, for the states of continues and Moves.
var openIn = map[uint8]uint8{
	stateReason:       cbStatus,
	stateTargetScheme: cbURL, stateTargetServer: cbURL, stateTargetPath: cbURL, stateTargetQuery: cbURL, stateTargetFragment: cbURL,
	stateFieldNameGeneral: cbHeaderField,
	stateValueOWS:         0, stateValueLF: 0,
	stateValue: cbHeaderValue, stateValueLenient: cbHeaderValue, stateValueRelaxed: cbHeaderValue,
	stateConnectionToken: cbHeaderValue, stateCodingToken: cbHeaderValue,
	stateExtensionName: cbChunkExtensionName, stateExtensionValue: cbChunkExtensionValue, stateExtensionQuoted: cbChunkExtensionValue,
}

// stepper runs Step over pieces without allocating.
type stepper struct {
	buf    [64]byte
	events [256]uint64
}

// step gives the frame after one batch, and whether the batch took the piece and wrote no event.
func (s *stepper) step(private Private, public Public, limit uint32, piece []byte) (f Frame, silent bool) {
	f.Private, f.Public, f.Limit = private, public, limit
	f.Buf = uintptr(unsafe.Pointer(&s.buf))
	copy(s.buf[:], piece)
	f.Pos, f.Span, f.End = f.Buf, f.Buf, f.Buf+uintptr(len(piece))
	f.Top = uintptr(unsafe.Pointer(&s.events))
	f.Room = f.Top + unsafe.Sizeof(s.events)
	first := f.Top
	Step(&f)
	return f, f.Top == first && f.Pos == f.End && f.Status == Exhausted
}

// variants calls f with all that may be different where a byte of a state is taken.
func variants(fields []uint8, f func(field uint8, public Public, limit uint32)) {
	for _, field := range fields {
		for _, kind := range []uint8{typeRequest, typeResponse} {
			for _, lenient := range []uint16{0, lenientHeaders, 1<<11 - 1} {
				for _, limit := range []uint32{1 << 20, Unlimited} {
					f(field, Public{Type: kind, Method: MethodGET, Major: 1, Minor: 1, Lenient: lenient, Flags: flagTransferEncoding}, limit)
				}
			}
		}
	}
}

// Where Continues says so, a byte changes nothing whatever the field's kind; nor does a piece of many.
func TestContinues(t *testing.T) {
	s := new(stepper)
	fields := []uint8{
		fieldGeneral, fieldConnection, fieldContentLength, fieldTransferEncoding, fieldUpgrade,
		fieldConnectionKeepAlive, fieldConnectionClose, fieldConnectionUpgrade, fieldTransferEncodingChunked,
	}
	count := 0
	for state := range 256 {
		classes := Continues(uint8(state))
		callback, known := openIn[uint8(state)]
		if classes != 0 && !known {
			t.Errorf("state %d: no callback known", state)
			continue
		}
		for c := range 256 {
			if asm.Classes[c]&classes == 0 {
				continue
			}
			count++
			variants(fields, func(field uint8, public Public, limit uint32) {
				private := Private{State: uint8(state), Field: field, Open: callback, Aux: 1, Node: 1, Line: lineRequest}
				for _, piece := range [][]byte{{byte(c)}, slices.Repeat([]byte{byte(c)}, 40)} {
					f, silent := s.step(private, public, limit, piece)
					if !silent || f.Private != private || f.Public != public || f.Span != f.Buf {
						t.Fatalf("state %d, %q, limit %d: %+v, %+v after %+v, %+v", state, piece, limit, f.Private, f.Public, private, public)
					}
				}
			})
		}
	}
	if count < 2000 {
		t.Errorf("only %d bytes continue", count)
	}
}

// Where Moves says so, a byte changes the state, may open a span, and no more.
func TestMoves(t *testing.T) {
	s := new(stepper)
	var movers []uint8
	for state := range 256 {
		move, ok := Moves(uint8(state))
		if !ok {
			continue
		}
		movers = append(movers, uint8(state))
		for c := range 256 {
			if asm.Classes[c]&(1<<move.Class) == 0 {
				continue
			}
			variants([]uint8{fieldGeneral}, func(field uint8, public Public, limit uint32) {
				private := Private{State: uint8(state), Field: field, Open: openIn[uint8(state)], Aux: 1, Node: 1}
				want := private
				want.State, want.Open = move.Next, move.Open
				f, silent := s.step(private, public, limit, []byte{byte(c)})
				if !silent || f.Private != want || f.Public != public || f.Span != f.Buf {
					t.Fatalf("state %d, %#x, limit %d: %+v, %+v after %+v, %+v", state, c, limit, f.Private, f.Public, private, public)
				}
			})
			if asm.Classes[c]&Continues(uint8(state)) != 0 {
				t.Errorf("state %d: %#x moves and continues", state, c)
			}
		}
	}
	if !slices.Equal(movers, []uint8{stateValueOWS, stateValueLF}) {
		t.Errorf("states with a move: %v", movers)
	}
}
