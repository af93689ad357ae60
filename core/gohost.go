package core

// This file has what the package for Go programs needs besides the entries for C programs, for whom C does it:
// capi/tape.c, capi/head.c.

// FinishTape does for a tape what llhttp_finish does: if the end of the connection is what ends the message, it appends
// the message's end, for which there must be room. The result is TapeExhausted; TapeStopped if the message is
// incomplete.
func FinishTape(t *Tape) {
	t.Result = TapeExhausted
	t.public = t.Frame.Public
	switch t.public.Finish {
	case finishSafe:
	case finishSafeWithCallback:
		t.section(cbMessageComplete, uint32(t.Frame.Pos-t.Frame.Buf))
	default:
		t.Result = TapeStopped
	}
}

// Reset makes the next HeadParse begin with another section.
func (h *Head) Reset() { h.stage = stageNew }

// Forget makes a head one of no fields, too.
func (h *Head) Forget() {
	h.Reset()
	h.Count = 0
	h.Present = [HeadIDs / 64]uint64{}
	h.TargetLength, h.ReasonLength = 0, 0
}

// Continue gives the state in which a parser is behind a complete section.
func (h *Head) Continue(private *Private, public *Public) {
	*private = Private{State: StateAfterHeaders}
	*public = h.frame.Public
	public.Finish = finishUnsafe
}
