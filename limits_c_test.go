package llhttpgo

// Limits and rules as the C library has them, on generated input: what `splits --tell` (tests/splits) has written of a case
// must be what a Parser says, in one piece; limits_test.go is about pieces. A case is two lines:
//
//	TYPE LENIENT RULES LIMIT,... xINPUT ERRNO POSITION STATUS TYPE EVENT...
//	REASON
//
// with the input in hexadecimal, the type as it is known at the end, and the events as describeC has them.

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// describeC makes a word of an event.
func describeC(p *Parser, e Event) string {
	bit := map[bool]int{true: 1}
	switch {
	case e.Kind().IsSpan():
		return fmt.Sprintf("%v=%d+%d", e.Kind(), e.Offset(), len(e.Data()))
	case e.Kind() == EventChunkHeader:
		return fmt.Sprintf("%v=%d", e.Kind(), e.Length())
	case sections>>e.Kind()&1 != 0:
		major, minor := e.Version()
		subject := int(e.Method())
		if p.Type() == TypeResponse {
			subject = e.StatusCode()
		}
		return fmt.Sprintf("%v=%d/%d.%d/%d/%d/%d/%d", e.Kind(), subject, major, minor, e.Flags(), e.Length(), bit[e.Upgrade()], bit[e.KeepAlive()])
	}
	return e.Kind().String()
}

func TestAgainstC(t *testing.T) {
	lines := linesOf(t, "LLHTTP_TEST_SPLITS", "splits --tell")
	cases, refused := 0, 0
	for lines.Scan() {
		var kind, lenient, rules int
		var numbered, input string
		words := strings.Fields(lines.Text())
		if _, err := fmt.Sscan(strings.Join(words[:5], " "), &kind, &lenient, &rules, &numbered, &input); err != nil || !lines.Scan() {
			t.Fatal(err)
		}
		data, err := hex.DecodeString(input[1:])
		if err != nil {
			t.Fatal(err)
		}
		want := append(words[5:], lines.Text())
		var most Limits
		for i, number := range strings.Split(numbered, ",") {
			if _, err := fmt.Sscan(number, numbers(&most)[i]); err != nil {
				t.Fatal(err)
			}
		}
		p := NewParser(Type(kind))
		p.SetLenient(Lenient(lenient))
		p.SetRules(Rules(rules))
		p.SetLimits(most)
		var events []string
		failure := new(Error)
		for e, err := range p.Parse(data) {
			if !errors.As(err, &failure) {
				events = append(events, describeC(p, e))
			}
		}
		got := []string{fmt.Sprint(uint8(failure.Errno)), fmt.Sprint(p.Consumed()), fmt.Sprint(HTTPStatus(p.Err())), fmt.Sprint(uint8(p.Type()))}
		got = append(append(got, events...), failure.Reason)
		if !slices.Equal(got, want) {
			t.Fatalf("%q, type %v, lenient [%v], rules [%v], %+v:\n%q, want\n%q", data, Type(kind), Lenient(lenient), Rules(rules), most, got, want)
		}
		cases++
		if failure.Errno != 0 {
			refused++
		}
	}
	if lines.Err() != nil || refused == 0 || refused == cases {
		t.Errorf("%v; of %d cases %d were refused", lines.Err(), cases, refused)
	}
	t.Logf("%d cases, %d refused", cases, refused)
}
