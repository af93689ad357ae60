package asm

import (
	"errors"
	"os"
	"slices"
	"strings"
)

// A Level is a set of kernels, by the instructions that they need. The values are llhttp_ext.h's, too.
type Level uint8

const (
	Generic Level = iota // portable Go
	SSE42                // amd64 with SSSE3; named after the class of CPUs, x86-64-v2
	AVX2                 // amd64 with AVX2, BMI1, BMI2: x86-64-v3
	NEON                 // arm64
)

var levelNames = [...]string{Generic: "generic", SSE42: "sse4.2", AVX2: "avx2", NEON: "neon"}

// level is the one in use, if the build does not fix it. It is set once per process: by the C library's constructor
// (llhttp_core_set_level), in Go programs by init. It has no static content: tools/extract makes what has some read-only.
var level Level

// environmentError is what EnvironmentError gives.
var environmentError error

// A Go program begins with the best level, or the one that LLHTTP_SIMD names. capi/simd.c does the same for C programs.
func init() {
	var l Level
	l, environmentError = initial(environment())
	setLevel(l)
}

// initial gives the level to begin with, and what is wrong with the name, which is empty for none.
func initial(name string) (Level, error) {
	levels := Available()
	best := levels[len(levels)-1]
	if name == "" {
		return best, nil
	}
	l := byName(name)
	if reason := refusal(l); reason != "" {
		return best, errors.New("LLHTTP_SIMD=" + printable(name) + " is ignored: " + reason)
	}
	return l, nil
}

// environment gives LLHTTP_SIMD, unless the process runs with another user's privileges.
func environment() string {
	if os.Getuid() != os.Geteuid() || os.Getgid() != os.Getegid() {
		return ""
	}
	return os.Getenv("LLHTTP_SIMD")
}

// Available gives the levels that Set takes, slowest first: those that the CPU has and the build has not left out. A build
// for newer CPUs (GOAMD64) has nothing below their level.
func Available() []Level {
	levels := []Level{lowest}
	for _, l := range detect() {
		if l > lowest {
			levels = append(levels, l)
		}
	}
	return levels
}

// Current gives the level in use.
func Current() Level { return level }

// Set changes the level, or returns an error if it is not available: it never takes another one instead. All levels give the
// same results, so a parse that is under way may use either.
func Set(l Level) error {
	if reason := refusal(l); reason != "" {
		return errors.New(l.String() + ": " + reason)
	}
	setLevel(l)
	return nil
}

// refusal tells why a level is not available; it is empty if the level is.
func refusal(l Level) string {
	levels := Available()
	switch {
	case int(l) >= len(levelNames):
		return "unknown level; known: " + strings.Join(levelNames[:], ", ")
	case slices.Contains(levels, l):
		return ""
	case l < levels[0]:
		return "not in this build; available: " + join(levels)
	}
	return "not available on this CPU; available: " + join(levels)
}

// setLevel is one byte's store. The race detector would report it against a parse in another goroutine, which is harmless.
//
//go:norace
func setLevel(l Level) { level = l }

// ParseLevel gives the level of that name, available or not.
func ParseLevel(name string) (Level, error) {
	l := byName(name)
	if int(l) >= len(levelNames) {
		return 0, errors.New(printable(name) + ": " + refusal(l))
	}
	return l, nil
}

// byName gives a level that there is not for a name that there is not.
func byName(name string) Level { return Level(slices.Index(levelNames[:], name)) }

// EnvironmentError tells what is wrong with LLHTTP_SIMD, if anything: it is then ignored as a whole.
func EnvironmentError() error { return environmentError }

// String gives the level's name, as LLHTTP_SIMD has it.
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return "<unknown>"
}

func join(levels []Level) string {
	var names []string
	for _, l := range levels {
		names = append(names, l.String())
	}
	return strings.Join(names, ", ")
}

// printable makes a value fit into a message of one line.
func printable(s string) string {
	const most = 32
	var b strings.Builder
	for i := range min(len(s), most) {
		c := s[i]
		if c < ' ' || c > '~' {
			c = '?'
		}
		b.WriteByte(c)
	}
	if len(s) > most {
		b.WriteString("...")
	}
	return b.String()
}
