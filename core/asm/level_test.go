package asm

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestAvailable fails if a level is missing that LLHTTP_REQUIRE_LEVELS lists: whoever tests on a machine of a certain kind
// wants its kernels tested, not skipped.
func TestAvailable(t *testing.T) {
	levels := Available()
	t.Log(join(levels))
	if !slices.IsSorted(levels) || len(slices.Compact(slices.Clone(levels))) != len(levels) || levels[0] != lowest {
		t.Errorf("levels %v from %v on", levels, lowest)
	}
	for name := range strings.SplitSeq(os.Getenv("LLHTTP_REQUIRE_LEVELS"), ",") {
		if name == "" {
			continue
		}
		if l, err := ParseLevel(name); err != nil {
			t.Error(err)
		} else if !slices.Contains(levels, l) {
			t.Errorf("%s is required and not available", name)
		}
	}
}

func TestSet(t *testing.T) {
	defer setLevel(Current())
	for _, l := range Available() {
		if err := Set(l); err != nil || Current() != l {
			t.Errorf("Set(%v): %v, level is %v", l, err, Current())
		}
	}
	last := Current()
	available := "; available: " + join(Available())
	for l := range Level(len(levelNames)) {
		if slices.Contains(Available(), l) {
			continue
		}
		want := l.String() + ": not available on this CPU" + available
		if l < lowest {
			want = l.String() + ": not in this build" + available
		}
		if err := Set(l); err == nil || err.Error() != want {
			t.Errorf("Set(%v): %v, want %s", l, err, want)
		}
	}
	for _, l := range []Level{Level(len(levelNames)), 255} {
		if err := Set(l); err == nil || err.Error() != "<unknown>: unknown level; known: generic, sse4.2, avx2, neon" {
			t.Errorf("Set(%d): %v", l, err)
		}
	}
	if Current() != last {
		t.Errorf("a refused level changed %v to %v", last, Current())
	}
}

func TestParseLevel(t *testing.T) {
	for l, name := range []string{"generic", "sse4.2", "avx2", "neon"} {
		if got, err := ParseLevel(name); err != nil || got != Level(l) || got.String() != name {
			t.Errorf("%s: level %d, %v", name, got, err)
		}
	}
	for _, name := range []string{"", "AVX2", "avx2 ", "avx", "<unknown>"} {
		if l, err := ParseLevel(name); err == nil {
			t.Errorf("%q is level %d", name, l)
		}
	}
}

// The texts are those of capi/simd.c, which tests/c/simd.c expects as well.
func TestEnvironment(t *testing.T) {
	levels := Available()
	best := levels[len(levels)-1]
	available := "; available: " + join(levels)
	const unknown = ": unknown level; known: generic, sse4.2, avx2, neon"
	long := strings.Repeat("x", 32)
	tests := []struct {
		name  string
		level Level
		err   string
	}{
		{"", best, ""},
		{"avx9", best, "LLHTTP_SIMD=avx9 is ignored" + unknown},
		{"AVX2", best, "LLHTTP_SIMD=AVX2 is ignored" + unknown},
		{"a: \n\x80\x7f", best, "LLHTTP_SIMD=a: ??? is ignored" + unknown},
		{long, best, "LLHTTP_SIMD=" + long + " is ignored" + unknown},
		{long + "x", best, "LLHTTP_SIMD=" + long + "... is ignored" + unknown},
	}
	for l, name := range levelNames {
		if l := Level(l); slices.Contains(levels, l) {
			tests = append(tests, struct {
				name  string
				level Level
				err   string
			}{name, l, ""})
		}
	}
	if !slices.Contains(levels, NEON) {
		tests = append(tests, struct {
			name  string
			level Level
			err   string
		}{"neon", best, "LLHTTP_SIMD=neon is ignored: not available on this CPU" + available})
	}
	if lowest != Generic {
		tests = append(tests, struct {
			name  string
			level Level
			err   string
		}{"generic", best, "LLHTTP_SIMD=generic is ignored: not in this build" + available})
	}
	for _, test := range tests {
		t.Setenv("LLHTTP_SIMD", test.name)
		level, err := initial(environment())
		text := ""
		if err != nil {
			text = err.Error()
		}
		if level != test.level || text != test.err {
			t.Errorf("%q: %v, %q; want %v, %q", test.name, level, text, test.level, test.err)
		}
	}
}
