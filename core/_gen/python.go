package main

import (
	"fmt"
	"strings"
)

// pythonTypes has the ctypes type of each C type that a member of llhttp_t has. Pointers are plain addresses, so that a
// position can be told as an offset.
var pythonTypes = map[string]string{
	"int32_t":     "ctypes.c_int32",
	"uint8_t":     "ctypes.c_uint8",
	"uint16_t":    "ctypes.c_uint16",
	"uint64_t":    "ctypes.c_uint64",
	"void*":       "ctypes.c_void_p",
	"const char*": "ctypes.c_void_p",
}

// PythonType is the member's type in a ctypes Structure.
func (m member) PythonType() (string, error) {
	if t, ok := pythonTypes[m.Type]; ok {
		return t, nil
	}
	return "", fmt.Errorf("member %s: no ctypes type for %s", m.Name, m.Type)
}

// PythonName is an enum's constant without what a Python class says already: REQUEST for HTTP_REQUEST, CHUNKED for
// F_CHUNKED.
func (v enumValue) PythonName() string {
	_, name, _ := strings.Cut(v.C, "_")
	return name
}
