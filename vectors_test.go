package llhttpgo

// The conformance vectors, as tests/vectors/convert writes them: its opening comment has the format. They are what
// llhttp says, callback by callback. A callback that fails or pauses is a loop that ends.

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

type vector struct {
	name          string
	kind          Type
	lenient       Lenient
	actions       map[string][]int // by callback; a single value of -1<<31 behind one stands for "each"
	resumeUpgrade bool
	wholeOnly     bool
	input         []byte
	events        []string
	positions     []string
	errno         string
	offset        string
	finish        bool
	finishEvents  []string
	finished      string
}

const each = -1 << 31

// action is what the callback's n-th call returns.
func (v *vector) action(name string, n int) int {
	values := v.actions[name]
	switch {
	case len(values) == 2 && values[1] == each:
		return values[0]
	case n < len(values):
		return values[n]
	}
	return 0
}

// section is what an event shows of the fields that a vector has for a callback: type method http_major http_minor
// status_code flags content_length upgrade keep_alive needs_eof.
func section(kind string, f []string) string {
	switch kind {
	case "method_complete":
		return f[1]
	case "version_complete":
		return f[2] + "." + f[3]
	case "status_complete":
		return f[4]
	case "chunk_header":
		return f[6]
	case "headers_complete", "message_complete":
		subject := f[1]
		if f[0] == "2" {
			subject = f[4]
		}
		return strings.Join([]string{f[0], subject, f[2], f[3], f[5], f[6], f[7], f[8]}, " ")
	}
	return ""
}

// linesOf gives the lines of a file that a variable of the environment names. Without it the test is skipped.
func linesOf(t *testing.T, variable, writer string) *bufio.Scanner {
	path := os.Getenv(variable)
	if path == "" {
		t.Skipf("%s, what %s has written, is not set", variable, writer)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	return lines
}

func readVectors(t *testing.T) (vectors []*vector) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	lines := linesOf(t, "LLHTTP_TEST_VECTORS", "tests/vectors/convert")
	var v *vector
	var err error
	for lines.Scan() {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		f := strings.Fields(rest)
		switch word {
		case "vector":
			v = &vector{name: rest, actions: map[string][]int{}}
			vectors = append(vectors, v)
		case "type":
			n, _ := strconv.Atoi(rest)
			v.kind = Type(n)
		case "lenient":
			i := slices.IndexFunc(lenientNames[:], func(b bitName) bool { return b.name == rest })
			v.lenient |= Lenient(lenientNames[i].bit)
		case "action":
			for _, text := range f[2:] {
				n, _ := strconv.Atoi(text)
				v.actions[strings.TrimPrefix(f[0], "on_")] = append(v.actions[strings.TrimPrefix(f[0], "on_")], n)
			}
			if f[1] == "each" {
				v.actions[strings.TrimPrefix(f[0], "on_")] = append(v.actions[strings.TrimPrefix(f[0], "on_")], each)
			}
		case "resume-upgrade":
			v.resumeUpgrade = true
		case "except":
			v.wholeOnly = v.wholeOnly || rest == "whole"
		case "input":
			if rest != "-" {
				v.input, err = hex.DecodeString(rest)
			}
		case "span", "notify":
			name := strings.TrimPrefix(f[0], "on_")
			line := "span " + name + " " + strings.Join(f[1:], " ")
			if word == "notify" {
				line = "notify " + name + " " + section(name, f[1:])
			}
			if v.finish {
				v.finishEvents = append(v.finishEvents, line)
			} else {
				v.events = append(v.events, line)
			}
		case "pause", "upgrade":
			v.events = append(v.events, word+" "+f[0])
		case "result":
			v.errno, v.offset = f[0], f[1]
		case "finish":
			v.finish = true
		case "finished":
			v.finished = f[0]
		case "pos":
			v.positions = f
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if lines.Err() != nil || len(vectors) == 0 {
		t.Fatal(lines.Err(), len(vectors))
	}
	return vectors
}

// vectorRun is one replay.
type vectorRun struct {
	v         *vector
	p         *Parser
	calls     map[string]int
	start     int // of the piece
	events    []string
	positions []string
	errno     string
	offset    int
}

func (r *vectorRun) event(e Event) (result int) {
	name := e.Kind().String()
	at := r.start + e.Offset()
	if e.Kind().IsSpan() {
		r.events = append(r.events, fmt.Sprintf("span %s %d %d", name, at, len(e.Data())))
		if len(e.Data()) == 0 {
			return 0
		}
	} else {
		r.positions = append(r.positions, strconv.Itoa(at))
		major, minor := e.Version()
		fields := ""
		switch e.Kind() {
		case EventMethodComplete:
			fields = fmt.Sprintf("%d", e.Method())
		case EventVersionComplete:
			fields = fmt.Sprintf("%d.%d", major, minor)
		case EventStatusComplete:
			fields = fmt.Sprint(e.StatusCode())
		case EventChunkHeader:
			fields = fmt.Sprint(e.Length())
		case EventHeadersComplete, EventMessageComplete:
			subject := int(e.Method())
			if r.p.Type() == TypeResponse {
				subject = e.StatusCode()
			}
			bit := map[bool]int{true: 1}
			fields = fmt.Sprintf("%d %d %d %d %d %d %d %d", r.p.Type(), subject, major, minor, e.Flags(), e.Length(), bit[e.Upgrade()], bit[e.KeepAlive()])
		}
		r.events = append(r.events, "notify "+name+" "+fields)
	}
	n := r.calls[name]
	r.calls[name]++
	return r.v.action(name, n)
}

// piece gives a piece to the parser, and tells whether the parse goes on.
func (r *vectorRun) piece(end int) bool {
	for {
		result := 0
		var failure *Error
		for e, err := range r.p.Parse(r.v.input[r.start:end]) {
			if errors.As(err, &failure) {
				break
			}
			if result = r.event(e); e.Kind() == EventHeadersComplete && (result == 1 || result == 2) {
				if result == 1 {
					r.p.SkipBody()
				} else {
					r.p.SwitchProtocols()
				}
				result = 0
			}
			if result != 0 {
				break
			}
		}
		r.start += r.p.Consumed()
		r.offset = r.start
		switch {
		case failure != nil && failure.Errno == ErrPausedUpgrade && r.v.resumeUpgrade:
			r.events = append(r.events, fmt.Sprintf("upgrade %d", r.start))
			r.p.ResumeAfterUpgrade()
		case failure != nil:
			r.errno = failure.Errno.Error()
			return false
		case Errno(result) == ErrPaused:
			r.events = append(r.events, fmt.Sprintf("pause %d", r.start))
		case result != 0:
			r.errno = "a callback's"
			return false
		default:
			return true
		}
	}
}

// joined joins spans that one ends where the next begins.
func joined(events []string) (list []string) {
	for _, e := range events {
		var name, lastName string
		var at, size, lastAt, lastSize int
		if n, _ := fmt.Sscanf(e, "span %s %d %d", &name, &at, &size); n == 3 && len(list) != 0 {
			last := &list[len(list)-1]
			if n, _ := fmt.Sscanf(*last, "span %s %d %d", &lastName, &lastAt, &lastSize); n == 3 && lastName == name && lastAt+lastSize == at {
				*last = fmt.Sprintf("span %s %d %d", name, lastAt, lastSize+size)
				continue
			}
		}
		list = append(list, e)
	}
	return list
}

func (v *vector) run(t *testing.T, ends ...int) {
	t.Helper()
	r := vectorRun{v: v, p: NewParser(v.kind), calls: map[string]int{}, errno: "HPE_OK"}
	r.p.SetLenient(v.lenient)
	for _, end := range ends {
		if !r.piece(end) {
			break
		}
	}
	got, want := r.events, v.events
	if len(ends) > 1 {
		got, want = joined(got), joined(want)
		// What lay before a cut of the span that an error strikes has been delivered.
		if r.errno != "HPE_OK" && len(got) == len(want)+1 && strings.HasPrefix(got[len(got)-1], "span ") {
			got = got[:len(got)-1]
		}
	}
	same(t, fmt.Sprintf("%s, cut at %v", v.name, ends), got, want)
	if !slices.Equal(r.positions, v.positions) {
		t.Fatalf("%s, cut at %v: positions %v, want %v", v.name, ends, r.positions, v.positions)
	}
	mine := strings.HasPrefix(v.errno, "HPE_CB_") || v.errno == "HPE_USER"
	if r.errno == "a callback's" != mine || !mine && r.errno != v.errno || v.errno != "HPE_OK" && fmt.Sprint(r.offset) != v.offset {
		t.Fatalf("%s, cut at %v: %s at %d, want %s at %s", v.name, ends, r.errno, r.offset, v.errno, v.offset)
	}
	if !v.finish || r.errno != "HPE_OK" {
		return
	}
	r.events = nil
	result := "HPE_OK"
	for e, err := range r.p.Finish() {
		if err != nil {
			result = errors.Unwrap(err).Error()
			break
		}
		if returned := r.event(e); returned != 0 { // llhttp returns what the callback has, too
			result = v.finished
		}
	}
	same(t, v.name+", finish", r.events, v.finishEvents)
	if result != v.finished {
		t.Fatalf("%s: finish gives %s, want %s", v.name, result, v.finished)
	}
}

func TestVectors(t *testing.T) {
	vectors := readVectors(t)
	best := SIMDLevels()[len(SIMDLevels())-1]
	everyLevel(t, func(t *testing.T) {
		for _, v := range vectors {
			v.run(t, len(v.input))
			if v.wholeOnly {
				continue
			}
			for cut := 1; cut < len(v.input) && SIMD() == best; cut++ {
				v.run(t, cut, len(v.input))
			}
			for _, size := range []int{1, 2, 3, 7, 16} {
				var ends []int
				for end := size; end < len(v.input); end += size {
					ends = append(ends, end)
				}
				v.run(t, append(ends, len(v.input))...)
			}
		}
		t.Logf("%d vectors", len(vectors))
	})
}
