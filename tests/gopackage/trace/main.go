// Command trace takes llhttp-trace's place in tests/cases/runner, so that the documents of tests/cases are run by
// package llhttpgo:
//
//	runner --batch --trace TRACE tests/cases/*.md
//
// tools/trace says what is printed, tests/cases/README.md what requests and answers look like. Events have
// offsets, so nothing need be paused to learn them; instead the loop over them is left, and begun again, at every
// third.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"reflect"
	"strconv"
	"strings"

	"llhttpgo"
)

type options struct {
	kind                                               string
	lenient                                            llhttpgo.Lenient
	rules                                              llhttpgo.Rules
	limits                                             llhttpgo.Limits
	chunk                                              int
	split                                              string
	finish, skipBody, upgrade, ignoreUpgrade, noOffset bool
}

// line is what is printed; what is nil is left out.
type line struct {
	Event         string    `json:"event"`
	Offset        *int      `json:"offset,omitempty"`
	Length        *int      `json:"length,omitempty"`
	Text          *string   `json:"text,omitempty"`
	Type          string    `json:"type,omitempty"`
	Method        string    `json:"method,omitempty"`
	Status        *int      `json:"status,omitempty"`
	Version       string    `json:"version,omitempty"`
	Flags         *[]string `json:"flags,omitempty"`
	ContentLength *uint64   `json:"content_length,omitempty"`
	Upgrade       *bool     `json:"upgrade,omitempty"`
	KeepAlive     *bool     `json:"keep_alive,omitempty"`
	Errno         string    `json:"errno,omitempty"`
	Reason        string    `json:"reason,omitempty"`
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	for {
		text, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return
		}
		words := strings.Split(strings.TrimSuffix(string(text), "\n"), "\t")
		last := len(words) - 1
		var input []byte
		if err == nil {
			input, err = hex.DecodeString(words[last])
		}
		if err == nil {
			err = answer(out, words[:last], input)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "trace:", err)
			os.Exit(2)
		}
		out.Flush()
	}
}

// answer does a run.
func answer(out io.Writer, arguments []string, input []byte) error {
	o, err := parse(arguments)
	if err != nil {
		return err
	}
	status := 0
	run := func(ends []int) {
		t := trace{options: o, out: json.NewEncoder(out), input: input}
		if !t.run(ends) {
			status = 1
		}
	}
	switch {
	case o.split == "each":
		for cut := 1; cut < len(input); cut++ {
			json.NewEncoder(out).Encode(line{Event: "split", Offset: &cut})
			run([]int{cut, len(input)})
		}
	case len(input) == 0:
		run(nil)
	default:
		var ends []int
		for end := o.chunk; o.chunk != 0 && end < len(input); end += o.chunk {
			ends = append(ends, end)
		}
		run(append(ends, len(input)))
	}
	_, err = fmt.Fprintf(out, "{\"status\": %d}\n", status)
	return err
}

func parse(arguments []string) (o options, err error) {
	flags := flag.NewFlagSet("trace", flag.ContinueOnError)
	flags.StringVar(&o.kind, "type", "both", "")
	flags.IntVar(&o.chunk, "chunk", 0, "")
	flags.StringVar(&o.split, "split", "", "")
	flags.BoolVar(&o.finish, "finish", false, "")
	flags.BoolVar(&o.skipBody, "skip-body", false, "")
	flags.BoolVar(&o.upgrade, "upgrade", false, "")
	flags.BoolVar(&o.ignoreUpgrade, "ignore-upgrade", false, "")
	flags.BoolVar(&o.noOffset, "no-pause", false, "")
	flags.Bool("json", true, "")
	flags.Func("lenient", "", func(name string) error {
		for bit := llhttpgo.Lenient(1); bit != 0; bit <<= 1 {
			if bit.String() != "" && (name == "all" || name == bit.String()) {
				o.lenient |= bit
			}
		}
		if o.lenient == 0 {
			return errors.New("unknown flag")
		}
		return nil
	})
	flags.Func("rule", "", func(name string) error {
		if name == "strict_all" {
			o.rules |= llhttpgo.StrictAll
			return nil
		}
		for bit := llhttpgo.Rules(1); bit != 0; bit <<= 1 {
			if bit.String() == name {
				o.rules |= bit
				return nil
			}
		}
		return errors.New("unknown rule")
	})
	flags.Func("limit", "", func(text string) error {
		name, number, _ := strings.Cut(text, "=")
		n, err := strconv.Atoi(number)
		if limit := limit(&o.limits, name); limit.IsValid() {
			limit.SetInt(int64(n))
			return err
		}
		return errors.New("unknown limit")
	})
	return o, flags.Parse(arguments)
}

// limit gives the field of Limits for a name as llhttp_ext.h has it: target_length for MaxTargetLength.
func limit(l *llhttpgo.Limits, name string) reflect.Value {
	return reflect.ValueOf(l).Elem().FieldByNameFunc(func(field string) bool {
		return strings.EqualFold(field, "max"+strings.ReplaceAll(name, "_", ""))
	})
}

// trace is a run.
type trace struct {
	options
	out   *json.Encoder
	input []byte
	start int // of the piece
}

var types = map[string]llhttpgo.Type{"both": llhttpgo.TypeBoth, "request": llhttpgo.TypeRequest, "response": llhttpgo.TypeResponse}

// run parses the input in pieces that end at the offsets, and tells whether there was no error.
func (t *trace) run(ends []int) bool {
	p := llhttpgo.NewParser(types[t.kind])
	p.SetLenient(t.lenient)
	p.SetRules(t.rules)
	p.SetLimits(t.limits)
	for _, end := range ends {
		for again := true; again; {
			var err error
			again, err = t.piece(p, t.input[t.start:end])
			t.start += p.Consumed()
			var e *llhttpgo.Error
			switch {
			case !errors.As(err, &e):
			case e.Errno == llhttpgo.ErrPausedUpgrade || e.Errno == llhttpgo.ErrPausedH2Upgrade:
				t.print(line{Event: "upgrade", Offset: &t.start, Errno: e.Errno.Error(), Reason: e.Reason})
				if e.Errno != llhttpgo.ErrPausedUpgrade || !t.ignoreUpgrade {
					return true
				}
				p.ResumeAfterUpgrade()
				again = true
			default:
				t.print(line{Event: "error", Offset: &t.start, Errno: e.Errno.Error(), Reason: e.Reason})
				return false
			}
		}
	}
	if !t.finish {
		return true
	}
	size := len(t.input)
	for e, err := range p.Finish() {
		var failure *llhttpgo.Error
		if errors.As(err, &failure) {
			t.print(line{Event: "error", Offset: &size, Errno: failure.Errno.Error(), Reason: failure.Reason})
			return false
		}
		t.start = size
		t.event(p, e)
	}
	t.print(line{Event: "finish", Offset: &size, Errno: "HPE_OK"})
	return true
}

// piece gives a piece to the parser. It leaves the loop now and then, and says so.
func (t *trace) piece(p *llhttpgo.Parser, piece []byte) (left bool, err error) {
	events := 0
	for e, err := range p.Parse(piece) {
		if err != nil {
			if failure := new(llhttpgo.Error); !errors.As(err, &failure) || failure.Offset != p.Consumed() {
				return false, errors.New("the error is elsewhere")
			}
			return false, err
		}
		t.event(p, e)
		if events++; events == 3 && !t.noOffset {
			return true, nil
		}
	}
	return false, nil
}

func (t *trace) event(p *llhttpgo.Parser, e llhttpgo.Event) {
	at := t.start + e.Offset()
	l := line{Event: "on_" + e.Kind().String(), Offset: &at}
	upgrade, keepAlive, length := e.Upgrade(), e.KeepAlive(), e.Length()
	switch e.Kind() {
	case llhttpgo.EventHeadersComplete:
		l.Type = p.Type().String()
		if status := e.StatusCode(); p.Type() == llhttpgo.TypeResponse {
			l.Status = &status
		} else {
			l.Method = e.Method().String()
		}
		major, minor := e.Version()
		l.Version = fmt.Sprintf("%d.%d", major, minor)
		names := strings.FieldsFunc(e.Flags().String(), func(r rune) bool { return r == '|' })
		l.Flags = &names
		l.ContentLength = &length
		l.Upgrade, l.KeepAlive = &upgrade, &keepAlive
		if t.skipBody {
			p.SkipBody()
		} else if t.upgrade {
			p.SwitchProtocols()
		}
	case llhttpgo.EventMessageComplete:
		l.Upgrade, l.KeepAlive = &upgrade, &keepAlive
	case llhttpgo.EventChunkHeader:
		l.ContentLength = &length
	}
	if e.Kind().IsSpan() {
		size := len(e.Data())
		var text strings.Builder // Latin-1, so that each byte is a character
		for _, b := range e.Data() {
			text.WriteRune(rune(b))
		}
		s := text.String()
		l.Length, l.Text = &size, &s
	} else if t.noOffset {
		l.Offset = nil
	}
	t.print(l)
}

func (t *trace) print(l line) {
	t.out.Encode(l)
}
