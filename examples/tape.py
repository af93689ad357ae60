"""The request of parse.c, parsed from Python with nothing but ctypes: one foreign call for each piece.

    python3 examples/tape.py [LIBRARY]

LIBRARY: build/lib/libllhttp.so, say; without it the one that LLHTTP_LIBRARY names, or the system's.

For programs without the package llhttpgo, which brings this struct along;
its tests hold it against llhttp_ext.h, too.
"""

import ctypes
import os
import sys

# llhttp_ext.h: enum llhttp_ext_event_kind and what is beside it.
URL, HEADER_FIELD, HEADER_VALUE, HEADERS_COMPLETE, MESSAGE_COMPLETE = 2, 6, 7, 10, 12
SPANS = {URL: "url", HEADER_FIELD: "field", HEADER_VALUE: "value"}
KEEP_ALIVE = 1 << 17
FULL = -1
HTTP_REQUEST, PAUSED_UPGRADE = 1, 22


class Tape(ctypes.Structure):
    _fields_ = [
        ("events", ctypes.c_void_p),
        ("room", ctypes.c_uint32),
        ("mask", ctypes.c_uint32),
        ("options", ctypes.c_uint32),
        ("count", ctypes.c_uint32),
        ("consumed", ctypes.c_size_t),
    ]


if len(sys.argv) > 2:
    sys.exit(__doc__)
try:
    lib = ctypes.CDLL(sys.argv[1] if sys.argv[1:] else os.environ.get("LLHTTP_LIBRARY") or "libllhttp.so.9.4")
except OSError as error:
    sys.exit(f"{error}\n\n{__doc__}")
lib.llhttp_alloc.restype = ctypes.c_void_p
lib.llhttp_free.argtypes = [ctypes.c_void_p]
lib.llhttp_ext_execute.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(Tape)]
lib.llhttp_ext_finish.argtypes = [ctypes.c_void_p, ctypes.POINTER(Tape)]
lib.llhttp_method_name.restype = ctypes.c_char_p
lib.llhttp_errno_name.restype = ctypes.c_char_p
lib.llhttp_get_error_reason.restype = ctypes.c_char_p
lib.llhttp_get_error_reason.argtypes = [ctypes.c_void_p]

ROOM = 256
array = (ctypes.c_uint32 * (4 * ROOM))()  # an event is four numbers
numbers = memoryview(array).cast("B").cast("I")
mask = sum(1 << kind for kind in (*SPANS, HEADERS_COMPLETE, MESSAGE_COMPLETE))
tape = Tape(ctypes.addressof(array), ROOM, mask)


def show(data):
    """Prints the events; offsets count from the data that was given to the call."""
    events = iter(numbers[: 4 * tape.count].tolist())
    for offset, length, tag, value in zip(events, events, events, events):
        kind, version, id = tag & 0xFF, tag >> 8 & 0xFF, tag >> 16
        if kind == HEADERS_COMPLETE:
            print(f"headers  {lib.llhttp_method_name(id).decode()}, HTTP/{version >> 4}.{version & 15}")
        elif kind == MESSAGE_COMPLETE:
            print("message ", "keep the connection" if value & KEEP_ALIVE else "close the connection")
        else:
            print(f"{SPANS[kind]:8} {data[offset : offset + length].decode()}")


parser = lib.llhttp_alloc(HTTP_REQUEST)
try:
    for data in (b"GET /index.html HTTP/1.1\r\nHost: exam", b"ple.com\r\nAccept: */*\r\n\r\n"):
        result = FULL
        while result == FULL:
            result = lib.llhttp_ext_execute(parser, data, len(data), tape)
            show(data)
            data = data[tape.consumed :]
        if result == PAUSED_UPGRADE:  # what is left of data, and the rest of the connection, is not HTTP
            print("upgrade")
            break
        if result != 0:
            sys.exit(f"{lib.llhttp_errno_name(result).decode()}: {lib.llhttp_get_error_reason(parser).decode()}")
    if result == 0 and lib.llhttp_ext_finish(parser, tape) != 0:
        sys.exit("the request is incomplete")
finally:
    lib.llhttp_free(parser)
