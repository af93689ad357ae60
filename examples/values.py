"""What llhttp_ext.h has for the parts of a request, from Python, by ctypes alone.

    python3 examples/values.py [LIBRARY]

LIBRARY: build/lib/libllhttp.so, say; without it the one that LLHTTP_LIBRARY names, or the system's.
"""

import ctypes
import os
import sys
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_ssize_t, c_uint8, c_uint16, c_uint32

if len(sys.argv) > 2:
    sys.exit(__doc__)
try:
    llhttp = ctypes.CDLL(sys.argv[1] if sys.argv[1:] else os.environ.get("LLHTTP_LIBRARY") or "libllhttp.so.9.4")
except OSError as error:
    sys.exit(f"{error}\n\n{__doc__}")


class Span(ctypes.Structure):
    _fields_ = [("offset", c_uint32), ("length", c_uint32)]

    def of(self, text):
        return text[self.offset : self.offset + self.length].decode("ascii")


class Target(ctypes.Structure):
    _fields_ = [
        ("form", c_uint8),
        ("host_kind", c_uint8),
        ("flags", c_uint16),
        ("port", c_uint16),
        ("_reserved", c_uint16),
        *((name, Span) for name in ("scheme", "userinfo", "host", "port_text", "path", "query", "fragment")),
        ("error_offset", c_uint32),
    ]


class List(ctypes.Structure):
    _fields_ = [
        ("value", c_char_p),
        ("length", c_size_t),
        ("next", c_size_t),
        ("offset", c_size_t),
        ("size", c_size_t),
        ("_error", c_ssize_t),
    ]


class Parameters(ctypes.Structure):
    _fields_ = [
        ("value", c_char_p),
        ("length", c_size_t),
        ("next", c_size_t),
        ("name_offset", c_size_t),
        ("name_length", c_size_t),
        ("value_offset", c_size_t),
        ("value_length", c_size_t),
        ("flags", c_size_t),
        ("_error", c_ssize_t),
    ]


llhttp.llhttp_ext_target_parse.argtypes = [c_char_p, c_size_t, c_int, POINTER(Target)]
llhttp.llhttp_ext_field_id.argtypes = [c_char_p, c_size_t]
llhttp.llhttp_ext_field_name.argtypes = [c_int, POINTER(c_size_t)]
llhttp.llhttp_ext_field_name.restype = c_char_p
llhttp.llhttp_ext_list_init.argtypes = [POINTER(List), c_char_p, c_size_t]
llhttp.llhttp_ext_list_next.argtypes = [POINTER(List)]
llhttp.llhttp_ext_parameters_init.argtypes = [POINTER(Parameters), c_char_p, c_size_t]
llhttp.llhttp_ext_parameters_next.argtypes = [POINTER(Parameters)]
llhttp.llhttp_ext_has_token.argtypes = [c_char_p, c_size_t, c_char_p, c_size_t]


def parameters(member):
    at = Parameters()
    llhttp.llhttp_ext_parameters_init(byref(at), member, len(member))
    while (found := llhttp.llhttp_ext_parameters_next(byref(at))) > 0:
        yield (
            member[at.name_offset : at.name_offset + at.name_length].decode("ascii"),
            member[at.value_offset : at.value_offset + at.value_length].decode("latin-1"),
        )
    if found < 0:
        raise ValueError(f"error {found} at byte {at.next} of {member!r}")


def members(value):
    at = List()
    llhttp.llhttp_ext_list_init(byref(at), value, len(value))
    while (found := llhttp.llhttp_ext_list_next(byref(at))) > 0:
        yield value[at.offset : at.offset + at.size]
    if found < 0:
        raise ValueError(f"error {found} at byte {at.next} of {value!r}")


text = b"http://example.org:8080/search?q=http"
target = Target()
if llhttp.llhttp_ext_target_parse(text, len(text), 0, byref(target)) != 0:
    raise ValueError(f"no target, at byte {target.error_offset}")
print("host", target.host.of(text))
print("port", target.port)
print("path", target.path.of(text))
print("query", target.query.of(text))

fields = [
    (b"HOST", b"example.org:8080"),
    (b"Accept", b'text/html;level="1", */*;q=0.8'),
    (b"Connection", b"keep-alive, Upgrade"),
    (b"X-Own", b"a"),
]
for name, value in fields:
    known = llhttp.llhttp_ext_field_name(llhttp.llhttp_ext_field_id(name, len(name)), None)
    print("field", (known or name).decode("ascii"))
    if known == b"Accept":
        for member in members(value):
            print("  member", member.decode("latin-1"))
            for parameter, meaning in parameters(member):
                print(f"    {parameter} is {meaning}")
    elif known == b"Connection":
        print("  upgrade:", "yes" if llhttp.llhttp_ext_has_token(value, len(value), b"upgrade", 7) > 0 else "no")
