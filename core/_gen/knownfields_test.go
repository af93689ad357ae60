package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestIDsAreStable holds the ids against those that were given out: a program that was built with an older header has them.
func TestIDsAreStable(t *testing.T) {
	text, err := os.ReadFile("knownfields.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for i, line := range lines {
		if i >= len(knownFields) || line != fmt.Sprintf("%d %s", i+1, knownFields[i]) {
			t.Fatalf("id %d was given out, as %q: names are appended only", i+1, line)
		}
	}
	for i := len(lines); i < len(knownFields); i++ {
		t.Errorf("append to knownfields.txt: %d %s", i+1, knownFields[i])
	}
}

// TestKnownFields shows that each name leads to a slot of its own, and that the generator notices if two do not.
func TestKnownFields(t *testing.T) {
	fields, h, err := buildKnownFields()
	if err != nil {
		t.Fatal(err)
	}
	used := map[int]string{}
	for slot, id := range h.Slots {
		if id != 0 {
			if used[id] != "" {
				t.Errorf("id %d is in two slots", id)
			}
			used[id] = fmt.Sprint(slot)
		}
	}
	if len(used) != len(knownFields) {
		t.Errorf("%d slots for %d names", len(used), len(knownFields))
	}
	for _, k := range fields {
		for _, name := range []string{k.Name, strings.ToLower(k.Name), strings.ToUpper(k.Name)} {
			if id := h.find(name); id != k.ID {
				t.Errorf("%s: id %d, want %d", name, id, k.ID)
			}
		}
	}
	before := knownFields
	defer func() { knownFields = before }()
	for _, name := range []string{"host", "CONTENT-LENGTH", "Cross-Origin-XXXXXXXX-Policy"} {
		knownFields = append(before[:len(before):len(before)], name)
		_, _, err := buildKnownFields()
		if clash := name != "Cross-Origin-XXXXXXXX-Policy"; clash && err == nil {
			t.Errorf("%s: taken twice", name)
		} else if !clash && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	knownFields = append(before[:len(before):len(before)], "X_Y")
	if _, _, err := buildKnownFields(); err == nil {
		t.Error("a name is taken that a constant's name cannot have, nor a token be told from")
	}
	// The same first and last eight bytes and the same length as one that is there.
	knownFields = append(before[:len(before):len(before)], "Cross-Origin-EmbeddeR-Policy"[:13]+"ZZZZZZZ"+"r-Policy")
	if _, _, err := buildKnownFields(); err == nil {
		t.Error("two names with one hash are taken")
	}
}
