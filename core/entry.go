//go:build amd64 || arm64

package core

// This file holds what the entry trampolines need: entry_*.s has them, and says what a new one takes.

// Func values, through which the trampolines call in the register ABI, which assembly cannot name. Static data; nobody
// writes it, which tests/freestanding sees to for all variables of this package whose names end in Func.
//
//lint:file-ignore U1000 only assembly reaches them
var (
	stepFunc           = Step
	runTapeFunc        = RunTape
	headParseFunc      = HeadParse
	headFindFunc       = HeadFind
	headMemoryFunc     = SetMemory
	listNextFunc       = ListNext
	parametersNextFunc = ParametersNext
	hasTokenFunc       = HasToken
	contentLengthsFunc = ContentLengths
	parseTargetFunc    = ParseTarget
	parseURLFunc       = ParseURL
)

// Entry gives the address of Step's trampoline, and keeps the linker from dropping any of them.
func Entry() uintptr
