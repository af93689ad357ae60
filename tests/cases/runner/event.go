package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// event is one line of llhttp-trace --json. Offset is nil where the tool does not know it.
type event struct {
	Event  string `json:"event"`
	Offset *int   `json:"offset"`

	Length *int    `json:"length"` // spans
	Text   *string `json:"text"`

	Type          string   `json:"type"` // on_headers_complete
	Method        string   `json:"method"`
	Status        *int     `json:"status"`
	Version       string   `json:"version"`
	Flags         []string `json:"flags"`
	ContentLength *uint64  `json:"content_length"` // and on_chunk_header
	Upgrade       *bool    `json:"upgrade"`        // and on_message_complete
	KeepAlive     *bool    `json:"keep_alive"`

	Errno  string `json:"errno"` // error, upgrade, finish
	Reason string `json:"reason"`
	Rest   int    `json:"rest"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

func (e *event) span() bool { return e.Length != nil }

// notification: a callback, but not for a span.
func (e *event) notification() bool { return !e.span() && strings.HasPrefix(e.Event, "on_") }

// decode reads the tool's lines. Most lines of a case come again in every run of it; seen saves decoding them again.
func decode(text string, seen map[string]event) ([]event, error) {
	var events []event
	for line := range strings.Lines(text) {
		e, ok := seen[line]
		if !ok {
			decoder := json.NewDecoder(strings.NewReader(line))
			decoder.DisallowUnknownFields()
			if err := decoder.Decode(&e); err != nil {
				return nil, fmt.Errorf("%q: %v", line, err)
			}
			if e.span() && (e.Offset == nil || e.Text == nil || utf8.RuneCountInString(*e.Text) != *e.Length) {
				return nil, fmt.Errorf("%q: offset, length and text do not agree", line)
			}
			seen[line] = e
		}
		events = append(events, e)
	}
	return events, nil
}

// traced is one run of the parser over the input.
type traced struct {
	cut    string // where the input was cut, for a message; empty if the mode says it
	ends   func(offset int) bool
	events []event // adjacent pieces of a span joined
}

// separate divides what the tool printed into runs.
func separate(events []event, m mode) []traced {
	if !m.splitEach {
		ends := func(offset int) bool { return m.chunk > 0 && offset%m.chunk == 0 }
		return []traced{{ends: ends, events: join(events)}}
	}
	var runs []traced
	for start := 0; start < len(events); {
		cut, next := *events[start].Offset, start+1
		for next < len(events) && events[next].Event != "split" {
			next++
		}
		runs = append(runs, traced{
			cut:    fmt.Sprintf("cut at %d\n", cut),
			ends:   func(offset int) bool { return offset == cut },
			events: join(events[start+1 : next]),
		})
		start = next
	}
	return runs
}

// join merges consecutive events of the same span where one ends at the byte at which the next begins.
func join(events []event) []event {
	var joined []event
	for _, e := range events {
		if last := len(joined) - 1; last >= 0 && e.span() && joined[last].Event == e.Event &&
			joined[last].span() && *joined[last].Offset+*joined[last].Length == *e.Offset {
			length, text := *joined[last].Length+*e.Length, *joined[last].Text+*e.Text
			joined[last].Length, joined[last].Text = &length, &text
			continue
		}
		joined = append(joined, e)
	}
	return joined
}

// dropTail removes the one event that pieces may show in addition: where an error strikes inside an open span, what lay
// before the last cut has been delivered, whereas in one piece that span is never delivered.
func dropTail(run traced, whole []event) []event {
	events, n := run.events, len(run.events)
	if n < 2 || n != len(whole)+1 || events[n-1].Event != "error" || !events[n-2].span() {
		return events
	}
	end := *events[n-2].Offset + *events[n-2].Length
	if !run.ends(end) || end > *events[n-1].Offset {
		return events
	}
	return append(append([]event{}, events[:n-2]...), events[n-1])
}

func withoutNotificationOffsets(events []event) []event {
	stripped := append([]event{}, events...)
	for i := range stripped {
		if stripped[i].notification() {
			stripped[i].Offset = nil
		}
	}
	return stripped
}

// render writes events as the log of a document.
func render(events []event) string {
	var lines []string
	for i := 0; i < len(events); i++ {
		e := &events[i]
		name := strings.TrimPrefix(e.Event, "on_")
		position := "-"
		if e.Offset != nil {
			position = fmt.Sprint(*e.Offset)
		}
		var b strings.Builder
		switch {
		case e.span():
			fmt.Fprintf(&b, "%-8s%s %s", fmt.Sprintf("%s+%d", position, *e.Length), name, quote(*e.Text))
			// The notification that a span is complete nearly always follows at once: one line for both.
			if i+1 < len(events) && events[i+1].Event == e.Event+"_complete" {
				i++
				b.WriteString("; complete")
				if events[i].Offset != nil {
					fmt.Fprintf(&b, " %d", *events[i].Offset)
				}
			}
		case name == "headers_complete":
			subject := e.Method
			if e.Status != nil {
				subject = fmt.Sprint(*e.Status)
			}
			fmt.Fprintf(&b, "%-8s%s %s %s %s%s", position, name, e.Type, subject, e.Version, e.conclusion())
		case name == "message_complete":
			fmt.Fprintf(&b, "%-8s%s%s", position, name, e.conclusion())
		case name == "chunk_header":
			fmt.Fprintf(&b, "%-8s%s length=%d", position, name, *e.ContentLength)
		case name == "error":
			fmt.Fprintf(&b, "%-8s%s %s: %s", position, name, e.Errno, e.Reason)
		case name == "upgrade":
			fmt.Fprintf(&b, "%-8s%s %s: %s", position, name, e.Errno, e.Reason)
		case name == "finish":
			fmt.Fprintf(&b, "%-8s%s %s", position, name, e.Errno)
		default:
			fmt.Fprintf(&b, "%-8s%s", position, name)
		}
		lines = append(lines, b.String())
	}
	return strings.Join(lines, "\n")
}

// conclusion is what on_headers_complete and on_message_complete see, without what is zero or false.
func (e *event) conclusion() string {
	var b strings.Builder
	if len(e.Flags) > 0 {
		fmt.Fprintf(&b, " [%s]", strings.ToLower(strings.Join(e.Flags, " ")))
	}
	if e.ContentLength != nil && *e.ContentLength > 0 {
		fmt.Fprintf(&b, " length=%d", *e.ContentLength)
	}
	if e.Upgrade != nil && *e.Upgrade {
		b.WriteString(" upgrade")
	}
	if e.KeepAlive != nil && *e.KeepAlive {
		b.WriteString(" keep-alive")
	} else {
		b.WriteString(" close")
	}
	return b.String()
}

// quote shows a text whose code units are bytes.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\\' || r == '"':
			b.WriteByte('\\')
			b.WriteByte(byte(r))
		case r < ' ' || r > '~':
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			b.WriteByte(byte(r))
		}
	}
	b.WriteByte('"')
	return b.String()
}

// diff shows two texts as a unified diff of their lines, whole (logs are short).
func diff(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	// longest[i][j]: the longest common subsequence of a[i:] and b[j:].
	longest := make([][]int, len(a)+1)
	for i := range longest {
		longest[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	out := []string{"--- expected", "+++ found"}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, " "+a[i])
			i++
			j++
		case j == len(b) || i < len(a) && longest[i+1][j] >= longest[i][j+1]:
			out = append(out, "-"+a[i])
			i++
		default:
			out = append(out, "+"+b[j])
			j++
		}
	}
	return strings.Join(out, "\n")
}
