package main

import "strings"

// Names of the package for Go programs, at the root of the module, beside those that package core has.

// ErrName is the errno's constant there.
func (e errno) ErrName() string { return "Err" + camel(e.Name) }

// ErrName is that of the reason's errno.
func (r reason) ErrName() string { return "Err" + camel(r.Errno) }

// EventName is the event that stands for the callback.
func (c callback) EventName() string { return "Event" + camel(c.Name) }

// ExportedName is the flag's constant: LenientHeaders.
func (f lenientFlag) ExportedName() string { return "Lenient" + camel(f.Name) }

// PlainName is the flag's name as its setter has it.
func (f lenientFlag) PlainName() string { return strings.ToLower(f.Name) }

// ExportedName is an enum's constant: TypeRequest, FlagChunked.
func (v enumValue) ExportedName() string { return strings.ToUpper(v.Go[:1]) + v.Go[1:] }

// PlainName is an enum's constant as a word: request.
func (v enumValue) PlainName() string { return strings.ToLower(v.PythonName()) }

// goComment sets text as Go comments in lines of at most 108 columns, each behind indent.
func goComment(indent, text string) string {
	return indented(indent+"// ", text)
}
