"""The header section of head.c, from Python with nothing but ctypes.

    python3 examples/head.py [LIBRARY]

LIBRARY: build/lib/libllhttp.so, say; without it the one that LLHTTP_LIBRARY names, or the system's.

For programs without the package llhttpgo, which brings these structs along;
its tests hold them against llhttp_ext.h, too.
"""

import ctypes
import os
import sys

HTTP_REQUEST, PARTIAL, COOKIE = 1, -1, b"Cookie"


class Field(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("name_offset", "name_length", "value_offset", "value_length")]


class Info(ctypes.Structure):
    _fields_ = [("id", ctypes.c_uint16), ("next", ctypes.c_uint16)]


class Head(ctypes.Structure):
    _fields_ = [
        ("_frame", ctypes.c_uint64 * 5),
        ("content_length", ctypes.c_uint64),
        ("type", ctypes.c_uint8),
        ("method", ctypes.c_uint8),
        ("http_major", ctypes.c_uint8),
        ("http_minor", ctypes.c_uint8),
        ("_unused", ctypes.c_uint8 * 2),
        ("lenient_flags", ctypes.c_uint16),
        ("upgrade", ctypes.c_uint8),
        ("_finish", ctypes.c_uint8),
        ("flags", ctypes.c_uint16),
        ("status_code", ctypes.c_uint16),
        ("_unused2", ctypes.c_uint8 * 2),
        ("_frame2", ctypes.c_uint64 * 4),
        ("fields", ctypes.POINTER(Field)),
        ("infos", ctypes.POINTER(Info)),
        ("size", ctypes.c_uint64),
        ("count", ctypes.c_uint32),
        ("room", ctypes.c_uint32),
        ("target_offset", ctypes.c_uint32),
        ("target_length", ctypes.c_uint32),
        ("reason_offset", ctypes.c_uint32),
        ("reason_length", ctypes.c_uint32),
        ("reason", ctypes.c_char_p),
        ("body", ctypes.c_uint8),
        ("keep_alive", ctypes.c_uint8),
        ("_private", ctypes.c_uint8 * 6),
        ("present", ctypes.c_uint64 * 8),
        ("first", ctypes.c_uint16 * 512),
        ("_private2", ctypes.c_uint64 * 192),
    ]


if len(sys.argv) > 2:
    sys.exit(__doc__)
try:
    lib = ctypes.CDLL(sys.argv[1] if sys.argv[1:] else os.environ.get("LLHTTP_LIBRARY") or "libllhttp.so.9.4")
except OSError as error:
    sys.exit(f"{error}\n\n{__doc__}")
lib.llhttp_ext_head_init.argtypes = [ctypes.POINTER(Head), ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t]
lib.llhttp_ext_head_parse.argtypes = [ctypes.POINTER(Head), ctypes.c_char_p, ctypes.c_size_t]
lib.llhttp_ext_head_first.argtypes = [ctypes.POINTER(Head), ctypes.c_int]
lib.llhttp_ext_head_next.argtypes = [ctypes.POINTER(Head), ctypes.c_int]
lib.llhttp_ext_head_find.argtypes = [ctypes.POINTER(Head), ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t]
lib.llhttp_ext_field_id.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
lib.llhttp_method_name.restype = ctypes.c_char_p

data = b"GET /index.html HTTP/1.1\r\nHost: example.com\r\nCookie: a=1\r\nX-Trace: 7\r\nCookie: b=2\r\n\r\n"
memory = (ctypes.c_uint64 * ((16 + 36 * 100) // 8))()  # LLHTTP_EXT_HEAD_MEMORY(100)
head = Head()
lib.llhttp_ext_head_init(head, HTTP_REQUEST, ctypes.addressof(memory), ctypes.sizeof(memory))
result = lib.llhttp_ext_head_parse(head, data[:40], 40)  # what the first read has brought
if result == PARTIAL:
    result = lib.llhttp_ext_head_parse(head, data, len(data))
if result != 0:
    sys.exit(f"{result}: {head.reason.decode() if result > 0 else 'no section'}, at byte {head.size}")


def value(i):
    field = head.fields[i]
    return data[field.value_offset : field.value_offset + field.value_length].decode()


target = data[head.target_offset : head.target_offset + head.target_length].decode()
print(f"{lib.llhttp_method_name(head.method).decode()} {target} HTTP/{head.http_major}.{head.http_minor}")
i = lib.llhttp_ext_head_first(head, lib.llhttp_ext_field_id(COOKIE, len(COOKIE)))
while i >= 0:
    print(f"cookie   {value(i)}")
    i = lib.llhttp_ext_head_next(head, i)
i = lib.llhttp_ext_head_find(head, data, b"x-trace", 7)
if i >= 0:
    print(f"trace    {value(i)}")
print(f"{head.count} fields, {head.size} bytes, {'keep' if head.keep_alive else 'close'} the connection")
