package llhttpgo

// This file has the Parser. It runs the tape of package core (core/tape.go) and hands out the events one by one.
//
// The core runs ahead of the loop over the events by as much as an array holds. So when the loop ends early, or tells
// the parser something, the parser goes back to where that array began and runs again up to the event at which the loop
// is. The core is deterministic, and room for k events ends a run at the k-th one. Invariant: while a loop is under way
// private and public are those at the array's beginning, else those of the parse.

import (
	"iter"
	"sync"
	"unsafe"

	"llhttpgo/core"
)

// Parser parses the messages of a connection, as they arrive. The zero value is one of TypeBoth; NewParser and Init make
// others. It takes some 250 bytes, and may be part of another struct. It must not be copied while a loop over its events is
// under way.
type Parser struct {
	private  core.Private
	public   core.Public
	kind     Type // as given to Init
	seen     Type // the same, or what the first message was
	lenient  Lenient
	rules    Rules
	hidden   EventSet // the events that are not wanted
	running  bool     // a loop is under way
	ended    bool     // which must end: the parser was reset
	steered  bool     // the loop has told the parser something
	limited  bool     // limiter has a limit
	skip     skip     // what the loop has said of the message
	room     uint16   // events to ask for at once; 0 for all that there is room for
	consumed int
	err      *Error // why the parse has ended
	limiter  limiter
}

// skip is what only the caller knows of a message: it has no body.
type skip uint8

const (
	skipNothing skip = iota
	skipBody
	skipAndSwitch
)

const (
	scratchEvents = 256 // 4 KiB
	batchWords    = 320 // 160 of core's events, as in the C library
	// After a loop that ended early, the next arrays are short, as it may end early again; each full one doubles them.
	shortRoom = 16
)

// scratch is the memory of a loop.
type scratch struct {
	tape   core.Tape
	events [scratchEvents]core.TapeEvent
	batch  [batchWords]uint64
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// NewParser makes a parser.
func NewParser(t Type) *Parser {
	p := new(Parser)
	p.Init(t)
	return p
}

// Init makes the parser one that has seen nothing, without lenient flags, rules and limits, that gives all events. A loop
// over its events ends.
func (p *Parser) Init(t Type) {
	*p = Parser{kind: t, seen: t, public: core.Public{Type: uint8(t)}, running: p.running, ended: p.running}
}

// Reset makes the parser one that has seen nothing, for another connection. Its type and all that was set stay. A loop over
// its events ends.
func (p *Parser) Reset() {
	before := *p
	p.Init(p.kind)
	p.lenient, p.rules, p.hidden = before.lenient, before.rules, before.hidden
	p.SetLimits(before.limiter.most)
}

// SetEvents says which events are wanted; at first all are. Fewer events take less time, the more so without those that
// are called Complete. It counts from the next call of Parse on.
func (p *Parser) SetEvents(s EventSet) { p.hidden = ^s }

// SetLenient says which rules to relax. None are at first, and none should be without need: see [Lenient]. It counts at
// once, in a loop over events from the event on that the loop is at.
func (p *Parser) SetLenient(l Lenient) {
	p.steered = p.steered || l != p.lenient
	p.lenient = l
}

// Lenient gives the rules that are relaxed.
func (p *Parser) Lenient() Lenient { return p.lenient }

// SetRules makes the parser stricter or more tolerant than llhttp: see [Rules]. It counts at once, in a loop over events
// from the event on that the loop is at; the rules about field names (StrictTrailers, StrictHost, TolerateBadFieldLines)
// from the next field line on.
func (p *Parser) SetRules(r Rules) {
	p.steered = p.steered || r != p.rules
	p.rules = r
}

// Rules gives the rules that are set.
func (p *Parser) Rules() Rules { return p.rules }

// SetLimits says how much the parser takes: see [Limits]. A limit is read when its element begins, so that a change, in a
// loop over events, too, counts for elements to come. Each message is counted anew.
func (p *Parser) SetLimits(l Limits) {
	limited := l.any()
	if limited != p.limited {
		p.steered = true
		p.limiter.clear()
	}
	p.limited = limited
	p.limiter.most = l
}

// Limits gives the limits that are set.
func (p *Parser) Limits() Limits { return p.limiter.most }

// Type gives what is parsed: for a parser of TypeBoth what the first message was, once its beginning has been seen.
func (p *Parser) Type() Type { return p.seen }

// SkipBody tells, in a loop over events, at EventHeadersComplete, that the message has no body, whatever its fields
// say: it is the response to a HEAD request. It has no effect elsewhere.
func (p *Parser) SkipBody() { p.skip, p.steered = skipBody, true }

// SwitchProtocols tells, where SkipBody may be called, that the message has no body and another protocol follows.
func (p *Parser) SwitchProtocols() { p.skip, p.steered = skipAndSwitch, true }

// Consumed gives how many bytes of the input the last call of Parse has used, once its loop is over. It is all of them
// unless the loop ended early, or there was an error.
func (p *Parser) Consumed() int { return p.consumed }

// Err gives the error that has ended the parse, or nil. Parse returns it again and again.
func (p *Parser) Err() error {
	if p.err == nil {
		return nil
	}
	return p.err
}

// ResumeAfterUpgrade goes on after [ErrPausedUpgrade], for who stays with HTTP: what follows is the next message.
func (p *Parser) ResumeAfterUpgrade() {
	if p.err != nil && p.err.Errno == ErrPausedUpgrade {
		p.err = nil
	}
}

// Parse gives the next bytes of the connection to the parser, and returns the events in them, for one loop:
//
//	for e, err := range parser.Parse(data) {
//		if err != nil {
//			return err
//		}
//		...
//	}
//
// An error comes last, without an event; it is an [*Error]. Nothing is parsed before the loop begins.
//
// A loop may end before the events do, by break, return or panic: the parser then stands behind the last event that
// it got, and goes on with data[parser.Consumed():]. Whatever is called next with other bytes takes them for these.
//
// In the loop SkipBody, SwitchProtocols, SetLenient, SetRules and SetLimits may be called, and Reset and Init, which end it.
// Another call of Parse, or one of Finish, is an error (ErrUser) there.
//
// Input of 4 GiB or more is taken in pieces below that: a span is then cut there, and offsets count from the piece.
func (p *Parser) Parse(data []byte) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) { p.parse(data, yield) }
}

// Finish tells that the connection has ended. That may be the end of a message, a response without a length: then it
// gives EventMessageComplete. If a message is incomplete, it gives an error, ErrInvalidEOFState. After an error it
// gives that again, after an upgrade nothing.
func (p *Parser) Finish() iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) { p.finish(yield) }
}

// A Handler gets the events of [Parser.Execute].
type Handler interface {
	// HandleEvent gets an event. An error ends the parse behind it.
	HandleEvent(Event) error
}

// HandlerFunc is a function as a Handler.
type HandlerFunc func(Event) error

// HandleEvent calls the function.
func (f HandlerFunc) HandleEvent(e Event) error { return f(e) }

// Execute is Parse for who prefers callbacks: it gives the events to the handler, and returns how many bytes it has
// used, and the parser's error or the handler's, as it is. After an error of the handler the parser goes on with
// data[n:].
func (p *Parser) Execute(data []byte, h Handler) (n int, err error) {
	for e, failure := range p.Parse(data) {
		if err = failure; err != nil {
			break
		}
		if err = h.HandleEvent(e); err != nil {
			break
		}
	}
	return p.consumed, err
}

// errInLoop is for who calls Parse in a loop over Parse.
var errInLoop = &Error{Errno: ErrUser, Reason: "The parser is in a loop over its events"}

// begin gives the memory for a loop, or nil after it has yielded an error.
func (p *Parser) begin(yield func(Event, error) bool) *scratch {
	switch {
	case p.running:
		yield(Event{}, errInLoop)
		return nil
	case p.err != nil:
		p.consumed = 0
		yield(Event{}, p.err)
		return nil
	}
	p.running = true
	p.ended = false
	p.skip = skipNothing
	p.consumed = 0
	return scratches.Get().(*scratch)
}

// A loop is what a call of Parse works on besides the parser.
type loop struct {
	s     *scratch
	rules Rules  // of the array
	data  []byte // what is left, at most mostAtOnce of it
	base  int    // where that begins in the input
	at    uintptr
	span  uintptr // at and span are Pos and Span at the array's beginning
	count int     // events in the array
	next  int     // of them have been yielded
	// The kinds that are. With limits others are in the array, too.
	wanted EventSet
}

// mostAtOnce is how much of the input offsets of 32 bits allow.
var mostAtOnce = 1<<32 - 1 // a variable for tests, which have no such input

func (p *Parser) parse(data []byte, yield func(Event, error) bool) {
	s := p.begin(yield)
	if s == nil {
		return
	}
	l := loop{s: s}
	defer p.leave(&l)
	l.wanted = ^p.hidden & AllEvents
	for {
		l.data = data[l.base:min(len(data), l.base+mostAtOnce)]
		if !p.piece(&l, yield) || l.base+len(l.data) == len(data) {
			return
		}
		l.base += len(l.data)
		l.at, l.span = 0, 0
	}
}

// piece parses l.data, and tells whether the loop goes on behind it.
func (p *Parser) piece(l *loop, yield func(Event, error) bool) bool {
	s := l.s
	for {
		p.public.Lenient = uint16(p.lenient)
		l.rules = p.rules
		s.tape.Mask = uint32(l.wanted)
		limited := p.limited
		if limited {
			s.tape.Mask |= uint32(countedEvents)
		}
		p.steered = false
		room := scratchEvents
		if p.room != 0 {
			room = int(p.room)
		}
		p.run(l, room)
		wentBack := false
		for l.next < l.count && !wentBack {
			e := event(&s.events[l.next], l.data)
			l.next++
			if e.span>>32 == sectionMost&(1<<32-1) && e.Length() == sectionMost {
				p.readLength(l, &e)
			}
			if limited {
				if p.pastLimit(l) {
					p.stopAtLimit(l)
					yield(Event{}, p.err)
					return false
				}
				if !l.wanted.Has(e.Kind()) {
					continue
				}
			}
			if !yield(e, nil) || p.ended {
				return false
			}
			if p.steered {
				p.goBack(l)
				wentBack = true
			}
		}
		if !wentBack {
			if limited && s.tape.Result != core.TapeFull && p.pastLimitAtEnd(l) {
				p.stopAtLimit(l)
				yield(Event{}, p.err)
				return false
			}
			p.keep(l)
		}
		switch s.tape.Result {
		case core.TapeExhausted:
			return true
		case core.TapeStopped:
			p.err = p.newError(&reasons[int(s.tape.Frame.Reason)%len(reasons)], 0)
			yield(Event{}, p.err)
			return false
		}
		if p.room *= 2; p.room >= scratchEvents {
			p.room = 0
		}
	}
}

// run fills the array, with at most so many events.
func (p *Parser) run(l *loop, room int) {
	t := &l.s.tape
	f := &t.Frame
	f.Private = p.private
	f.Public = p.public
	f.Rules = uint32(l.rules)
	f.Pos, f.Span = l.at, l.span
	l.count = runTape(t, l.data, &l.s.batch, l.s.events[:room])
	p.seen = Type(f.Public.Type)
}

// readLength gives a section the length that an entry of the array has no room for. The array then ends with it.
func (p *Parser) readLength(l *loop, e *Event) {
	if sections>>e.Kind()&1 == 0 {
		return
	}
	last := l.next
	p.run(l, last)
	l.next = last
	e.at = (*byte)(unsafe.Pointer(new(l.s.tape.Frame.Public.ContentLength)))
}

// keep makes the array's end the parser's place.
func (p *Parser) keep(l *loop) {
	f := &l.s.tape.Frame
	p.private, p.public = f.Private, f.Public
	l.at, l.span = f.Pos, f.Span
	l.count, l.next = 0, 0
	p.consumed = l.base + int(l.at)
}

// goBack makes the last event that was yielded the parser's place, with what the loop has said of the message there.
func (p *Parser) goBack(l *loop) {
	kind := Kind(l.s.events[l.next-1].Tag)
	p.run(l, l.next)
	p.keep(l)
	if p.skip != skipNothing && kind == EventHeadersComplete {
		p.public.Flags |= uint16(FlagSkipBody)
		if p.skip == skipAndSwitch {
			p.public.Upgrade = 1
		}
	}
	p.skip = skipNothing
}

// leave ends a loop, however it came to its end.
func (p *Parser) leave(l *loop) {
	p.running = false
	if l.next != 0 && !p.ended {
		p.goBack(l)
		p.room = shortRoom
	}
	p.limiter.base += int64(p.consumed)
	p.ended = false
	scratches.Put(l.s)
}

func (p *Parser) finish(yield func(Event, error) bool) {
	if p.err != nil && p.err.Errno == ErrPausedUpgrade {
		return
	}
	s := p.begin(yield)
	if s == nil {
		return
	}
	l := loop{s: s}
	defer p.leave(&l)
	s.tape.Mask = uint32(^p.hidden & AllEvents)
	s.tape.Frame.Public = p.public
	s.tape.Frame.Rules = uint32(p.rules)
	count := finishTape(&s.tape, &s.events[0])
	switch {
	case s.tape.Result == core.TapeStopped:
		yield(Event{}, p.newError(&reason{errno: ErrInvalidEOFState, text: "Invalid EOF state"}, 0))
	case count != 0:
		yield(event(&s.events[0], nil), nil)
	}
}
