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

// FieldName is the limit in the struct Limits: MaxFields.
func (l limit) FieldName() string { return camel(l.Member()) }

// ErrName is the limit as an error.
func (l limit) ErrName() string { return "Err" + l.FieldName() }

// ExportedName is the rule's constant: StrictHost.
func (r rule) ExportedName() string { return camel(r.Name) }

// GoWhy begins the sentence that says why there is the rule.
func (r rule) GoWhy() string {
	if r.Strict() {
		return "Why: "
	}
	return "Why it opens nothing: "
}

// goText puts what Go programs have in place of the names of C that the texts of rules use.
func goText(text string) string {
	pairs := []string{
		"llhttp_should_keep_alive gives 0", "Event.KeepAlive is false",
		"on_headers_complete says that it has no body", "Parser.SkipBody is called",
		"LLHTTP_EXT_METHOD_UNKNOWN", "MethodUnknown",
		"reported through on_skipped_line", "reported by EventSkippedLine",
		"only on_method shows", "only EventMethod shows",
	}
	for _, f := range lenientFlags {
		pairs = append(pairs, "lenient_"+f.LowerName(), f.ExportedName())
	}
	for _, r := range rules {
		pairs = append(pairs, r.Name, r.ExportedName())
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// ExportedName is an enum's constant: TypeRequest, FlagChunked.
func (v enumValue) ExportedName() string { return strings.ToUpper(v.Go[:1]) + v.Go[1:] }

// PlainName is an enum's constant as a word: request.
func (v enumValue) PlainName() string { return strings.ToLower(v.PythonName()) }

// goComment sets text as Go comments in lines of at most 108 columns, each behind indent.
func goComment(indent, text string) string {
	return indented(indent+"// ", text)
}
