package llhttpgo

// This file chooses the kernels.

import "llhttpgo/core/asm"

// The level says which instructions the parser uses: "generic", "sse4.2", "avx2" or "neon". At the start of the program
// it is the best that the CPU has, or the one that the environment variable LLHTTP_SIMD names. Results never depend on
// it, only the time they take.

// SIMD gives the level in use.
func SIMD() string { return asm.Current().String() }

// SIMDLevels gives the levels that SetSIMD takes, slowest first: what the CPU has and GOAMD64 has not left out.
func SIMDLevels() []string {
	var names []string
	for _, l := range asm.Available() {
		names = append(names, l.String())
	}
	return names
}

// SetSIMD changes the level, for all parsers; a parse that is under way may use either. A level that is unknown or not
// available is an error, and nothing changes.
func SetSIMD(name string) error {
	l, err := asm.ParseLevel(name)
	if err != nil {
		return err
	}
	return asm.Set(l)
}

// SIMDError tells what was wrong with LLHTTP_SIMD when the program started, if anything: it is then ignored.
func SIMDError() error { return asm.EnvironmentError() }
