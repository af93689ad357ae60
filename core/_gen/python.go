package main

import (
	"fmt"
	"strings"
)

// pythonTypes has the ctypes type of each C type that a member of a struct has.
var pythonTypes = map[string]string{
	"int32_t":  "ctypes.c_int32",
	"uint8_t":  "ctypes.c_uint8",
	"uint16_t": "ctypes.c_uint16",
	"uint32_t": "ctypes.c_uint32",
	"uint64_t": "ctypes.c_uint64",
	"size_t":   "ctypes.c_size_t",
}

// PythonType is the member's type in a ctypes Structure. Pointers are plain addresses, so that a position can be told as
// an offset.
func (m member) PythonType() (string, error) {
	if strings.HasSuffix(m.Type, "*") {
		return "ctypes.c_void_p", nil
	}
	if t, ok := pythonTypes[m.Type]; ok {
		return t, nil
	}
	return "", fmt.Errorf("member %s: no ctypes type for %s", m.Name, m.Type)
}

// PythonType is the field's.
func (f field) PythonType() (string, error) {
	t, err := f.member.PythonType()
	if err == nil && f.Count != 1 {
		t += fmt.Sprint(" * ", f.Count)
	}
	return t, err
}

// PythonName is an enum's constant without what a Python class says already: REQUEST for HTTP_REQUEST, CHUNKED for
// F_CHUNKED.
func (v enumValue) PythonName() string {
	_, name, _ := strings.Cut(v.C, "_")
	return name
}
