package main

import "fmt"

// The version of llhttp whose interface this is. The shared library's soname has the first two numbers.
const (
	versionMajor = 9
	versionMinor = 4
	versionPatch = 3
)

// versionText is the version as users write it.
func versionText() string { return fmt.Sprintf("%d.%d.%d", versionMajor, versionMinor, versionPatch) }

// soname is the name that programs which link the shared library ask for.
func soname() string { return fmt.Sprintf("libllhttp.so.%d.%d", versionMajor, versionMinor) }
