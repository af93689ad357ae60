// Convert writes the conformance vectors as lines of plain text, so that a C program reads them without a JSON library:
//
//	go run ./tests/vectors/convert VECTORS_DIR > build/vectors.txt
//
// VECTORS_DIR holds */*.jsonl and chunking-exceptions.json; its README.md says what each field means.
//
// # Format
//
// One record per line: a word, then its fields, separated by single spaces. A field that is text stands last and reaches
// to the end of the line. A text that can be absent is "-" when absent and "=" followed by the text otherwise; an offset
// that can be absent is "-" when absent. Bytes are hexadecimal, "-" when there are none. Callbacks, lenient flags and
// error codes keep their names; an error code without a name is a number.
//
//	vector NAME                           opens a vector
//	type N                                0 both, 1 request, 2 response
//	lenient FLAG                          repeated: set llhttp_set_lenient_FLAG
//	action CALLBACK each N                the callback returns N at every invocation
//	action CALLBACK list N...             one value per invocation, then 0
//	resume-upgrade                        HPE_PAUSED_UPGRADE is resumed
//	except tail CALLBACK                  in pieces, an open span may be delivered before the error
//	except whole                          replay in one piece only
//	input HEX
//	span CALLBACK OFF LEN                 events, in order
//	notify CALLBACK F*10                  the fields of the parser: type method http_major http_minor status_code flags
//	                                      content_length upgrade keep_alive needs_eof
//	pause OFF REASON
//	upgrade OFF REASON
//	result ERRNO OFF REASON               after the last execute
//	fields F*11                           as in notify, then finish
//	finish                                llhttp_finish is called; the events that follow are those it causes
//	finished RETURN ERRNO OFF REASON
//	pos OFF...                            one offset per notify event before "finish"
//	end
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

type vector struct {
	Name    string                     `json:"name"`
	Type    string                     `json:"type"`
	Lenient []string                   `json:"lenient"`
	Actions map[string]json.RawMessage `json:"actions"`
	Finish  bool                       `json:"finish"`
	Input   string                     `json:"input_b64"`
	Expect  struct {
		Events    [][]json.RawMessage    `json:"events"`
		Errno     any                    `json:"errno"`
		Reason    *string                `json:"reason"`
		ErrorOff  *int                   `json:"error_off"`
		Fields    map[string]json.Number `json:"fields"`
		NotifyOff []int                  `json:"notify_off"`
		Finish    *struct {
			Events   [][]json.RawMessage `json:"events"`
			Return   any                 `json:"return"`
			Errno    any                 `json:"errno"`
			Reason   *string             `json:"reason"`
			ErrorOff *int                `json:"error_off"`
		} `json:"finish"`
	} `json:"expect"`
}

type exceptions struct {
	TailSpan   map[string]string `json:"tail_span"`
	SpanAction []string          `json:"span_action"`
}

var types = map[string]int{"both": 0, "request": 1, "response": 2}

var notifyFields = []string{"type", "method", "http_major", "http_minor", "status_code", "flags", "content_length",
	"upgrade", "keep_alive", "needs_eof"}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: convert VECTORS_DIR > vectors.txt")
		os.Exit(2)
	}
	out := bufio.NewWriter(os.Stdout)
	err := run(os.Args[1], out)
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "convert:", err)
		os.Exit(1)
	}
}

func run(dir string, out io.Writer) error {
	var exc exceptions
	data, err := os.ReadFile(filepath.Join(dir, "chunking-exceptions.json"))
	if err != nil {
		return err
	}
	if err := decode(data, &exc); err != nil {
		return fmt.Errorf("chunking-exceptions.json: %w", err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.jsonl"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("no */*.jsonl below %s", dir)
	}
	sort.Strings(files)
	whole := map[string]bool{}
	for _, name := range exc.SpanAction {
		whole[name] = true
	}
	seen := map[string]bool{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for i, line := range bytes.Split(data, []byte("\n")) {
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			var v vector
			err := decode(line, &v)
			if err == nil && seen[v.Name] {
				err = errors.New("name used twice")
			}
			if err == nil {
				seen[v.Name] = true
				err = emit(out, &v, exc.TailSpan[v.Name], whole[v.Name])
			}
			if err != nil {
				return fmt.Errorf("%s:%d: %w", filepath.Base(file), i+1, err)
			}
		}
	}
	for name := range exc.TailSpan {
		if !seen[name] {
			return fmt.Errorf("exception for unknown vector %q", name)
		}
	}
	for name := range whole {
		if !seen[name] {
			return fmt.Errorf("exception for unknown vector %q", name)
		}
	}
	return nil
}

// decode keeps numbers as written: content_length uses all 64 bits, more than a float64 holds.
func decode(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return d.Decode(into)
}

func emit(out io.Writer, v *vector, tail string, whole bool) error {
	typ, ok := types[v.Type]
	if !ok {
		return fmt.Errorf("unknown type %q", v.Type)
	}
	input, err := base64.StdEncoding.DecodeString(v.Input)
	if err != nil {
		return err
	}
	if strings.ContainsAny(v.Name, "\r\n") {
		return fmt.Errorf("line end in name %q", v.Name)
	}
	fmt.Fprintf(out, "vector %s\ntype %d\n", v.Name, typ)
	for _, flag := range v.Lenient {
		fmt.Fprintf(out, "lenient %s\n", flag)
	}
	if err := emitActions(out, v.Actions); err != nil {
		return err
	}
	if tail != "" {
		fmt.Fprintf(out, "except tail %s\n", tail)
	}
	if whole {
		fmt.Fprintln(out, "except whole")
	}
	if len(input) == 0 {
		fmt.Fprintln(out, "input -")
	} else {
		fmt.Fprintf(out, "input %s\n", hex.EncodeToString(input))
	}
	notifies, err := emitEvents(out, v.Expect.Events)
	if err != nil {
		return err
	}
	reason, err := text(v.Expect.Reason)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "result %v %s %s\n", v.Expect.Errno, offset(v.Expect.ErrorOff), reason)
	fields, err := joinFields(v.Expect.Fields, append(notifyFields[:len(notifyFields):len(notifyFields)], "finish"))
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "fields %s\n", fields)
	if v.Finish != (v.Expect.Finish != nil) {
		return errors.New("finish and expect.finish disagree")
	}
	if f := v.Expect.Finish; f != nil {
		fmt.Fprintln(out, "finish")
		if _, err := emitEvents(out, f.Events); err != nil {
			return err
		}
		reason, err := text(f.Reason)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "finished %v %v %s %s\n", f.Return, f.Errno, offset(f.ErrorOff), reason)
	}
	if len(v.Expect.NotifyOff) != notifies {
		return fmt.Errorf("%d notify_off for %d notify events", len(v.Expect.NotifyOff), notifies)
	}
	if notifies > 0 {
		fmt.Fprintln(out, "pos", strings.Trim(fmt.Sprint(v.Expect.NotifyOff), "[]"))
	}
	_, err = fmt.Fprintln(out, "end")
	return err
}

func emitActions(out io.Writer, actions map[string]json.RawMessage) error {
	names := make([]string, 0, len(actions))
	for name := range actions {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		var value any
		if err := decode(actions[name], &value); err != nil {
			return err
		}
		switch value := value.(type) {
		case bool:
			if name != "resume_after_upgrade" || !value {
				return fmt.Errorf("action %s: unexpected %v", name, value)
			}
			fmt.Fprintln(out, "resume-upgrade")
		case json.Number:
			fmt.Fprintf(out, "action %s each %s\n", name, value)
		case []any:
			fmt.Fprintf(out, "action %s list %s\n", name, strings.Trim(fmt.Sprint(value), "[]"))
		default:
			return fmt.Errorf("action %s: unexpected %v", name, value)
		}
	}
	return nil
}

// emitEvents returns how many of the events are notify callbacks.
func emitEvents(out io.Writer, events [][]json.RawMessage) (int, error) {
	notifies := 0
	for _, event := range events {
		var name string
		if len(event) < 2 {
			return 0, errors.New("short event")
		}
		if err := decode(event[0], &name); err != nil {
			return 0, err
		}
		switch {
		case len(event) == 3:
			var off, n int
			if err := decode(event[1], &off); err != nil {
				return 0, err
			}
			if err := decode(event[2], &n); err != nil {
				return 0, err
			}
			fmt.Fprintf(out, "span %s %d %d\n", name, off, n)
		case name == "pause" || name == "upgrade":
			var at struct {
				Off    *int    `json:"off"`
				Reason *string `json:"reason"`
			}
			if err := decode(event[1], &at); err != nil {
				return 0, err
			}
			reason, err := text(at.Reason)
			if err != nil {
				return 0, err
			}
			fmt.Fprintf(out, "%s %s %s\n", name, offset(at.Off), reason)
		default:
			var fields map[string]json.Number
			if err := decode(event[1], &fields); err != nil {
				return 0, err
			}
			list, err := joinFields(fields, notifyFields)
			if err != nil {
				return 0, err
			}
			fmt.Fprintf(out, "notify %s %s\n", name, list)
			notifies++
		}
	}
	return notifies, nil
}

func joinFields(fields map[string]json.Number, names []string) (string, error) {
	if len(fields) != len(names) {
		return "", fmt.Errorf("%d fields, want %d", len(fields), len(names))
	}
	list := make([]string, len(names))
	for i, name := range names {
		value, ok := fields[name]
		if !ok {
			return "", fmt.Errorf("no field %s", name)
		}
		list[i] = value.String()
	}
	return strings.Join(list, " "), nil
}

func offset(off *int) string {
	if off == nil {
		return "-"
	}
	return fmt.Sprint(*off)
}

func text(s *string) (string, error) {
	if s == nil {
		return "-", nil
	}
	if strings.ContainsAny(*s, "\r\n") {
		return "", fmt.Errorf("line end in %q", *s)
	}
	return "=" + *s, nil
}
