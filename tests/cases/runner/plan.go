package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// writePlans writes the cases as plans of the differential test (tests/diff/README.md), in text form.
func writePlans(w io.Writer, cases []*testCase) error {
	out := bufio.NewWriter(w)
	for _, c := range cases {
		fmt.Fprintf(out, "# %s\ntype %d\n", c, slices.Index([]string{"both", "request", "response"}, c.meta.kind))
		if len(c.meta.lenient) > 0 {
			fmt.Fprintf(out, "lenient %s\n", strings.Join(c.meta.lenient, " "))
		}
		for _, option := range c.meta.options {
			switch option {
			case "--finish":
				fmt.Fprintln(out, "ending 1")
			case "--skip-body":
				fmt.Fprintln(out, "act on_headers_complete every none 0 1")
			case "--upgrade":
				fmt.Fprintln(out, "act on_headers_complete every none 0 2")
			case "--ignore-upgrade":
				fmt.Fprintln(out, "upgrades 8")
			default:
				return fmt.Errorf("%s:%d: no plan has %s", c.path, c.line, option)
			}
		}
		fmt.Fprintln(out, "input")
		for line := range slices.Chunk(c.input, 64) {
			out.WriteString("  \"")
			for _, b := range line {
				if b < ' ' || b > '~' || b == '"' || b == '\\' {
					fmt.Fprintf(out, "\\%03o", b)
				} else {
					out.WriteByte(b)
				}
			}
			out.WriteString("\"\n")
		}
		fmt.Fprintln(out, "end")
	}
	return out.Flush()
}
