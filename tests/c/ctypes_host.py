"""Python loads the library with ctypes, parses with callbacks written in Python, and unloads it; 50 times over.

    ctypes_host.py LIBRARY

The module's closing line is "N passed, M failed". No thread may appear, and the library must really go.
"""

import _ctypes
import ctypes
import os
import sys
from pathlib import Path

# The interface's tables alone: the package would load a library of its own.
sys.path.insert(0, str(Path(__file__).parents[2] / "bindings/python/src/llhttpgo"))
from _tables_gen import CALLBACKS, MEMBERS

NOTIFY = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
SPAN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)


class Settings(ctypes.Structure):
    _fields_ = [("on_" + name, SPAN if span else NOTIFY) for name, span in CALLBACKS]


class Parser(ctypes.Structure):
    _fields_ = MEMBERS


INPUT = b"POST /p?q HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n4;a=b\r\nbody\r\n0\r\nT: v\r\n\r\n"
WANT = [
    "message_begin",
    ("method", b"POST"),
    "method_complete",
    ("url", b"/p?q"),
    "url_complete",
    ("protocol", b"HTTP"),
    "protocol_complete",
    ("version", b"1.1"),
    "version_complete",
    ("header_field", b"Host"),
    "header_field_complete",
    ("header_value", b"h"),
    "header_value_complete",
    ("header_field", b"Transfer-Encoding"),
    "header_field_complete",
    ("header_value", b"chunked"),
    "header_value_complete",
    "headers_complete",
    ("chunk_extension_name", b"a"),
    "chunk_extension_name_complete",
    ("chunk_extension_value", b"b"),
    "chunk_extension_value_complete",
    "chunk_header",
    ("body", b"body"),
    "chunk_complete",
    "chunk_header",
    ("header_field", b"T"),
    "header_field_complete",
    ("header_value", b"v"),
    "header_value_complete",
    "chunk_complete",
    "message_complete",
]

passed = failed = 0


def check(ok, what):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        if failed <= 20:
            print(f"ctypes_host.py: {what}", file=sys.stderr)


def threads():
    with open("/proc/self/status") as f:
        return next(int(line.split()[1]) for line in f if line.startswith("Threads:"))


def mapped(path):
    with open("/proc/self/maps") as f:
        return any(path in line for line in f)


def bind(lib):
    p, s, n = ctypes.POINTER(Parser), ctypes.POINTER(Settings), ctypes.c_size_t
    lib.llhttp_settings_init.argtypes, lib.llhttp_settings_init.restype = [s], None
    lib.llhttp_init.argtypes, lib.llhttp_init.restype = [p, ctypes.c_int, s], None
    lib.llhttp_execute.argtypes, lib.llhttp_execute.restype = [p, ctypes.c_void_p, n], ctypes.c_int
    lib.llhttp_finish.argtypes = [p]
    lib.llhttp_resume.argtypes, lib.llhttp_resume.restype = [p], None
    lib.llhttp_get_error_pos.argtypes, lib.llhttp_get_error_pos.restype = [p], ctypes.c_void_p
    lib.llhttp_get_error_reason.argtypes, lib.llhttp_get_error_reason.restype = [p], ctypes.c_char_p
    lib.llhttp_errno_name.restype = ctypes.c_char_p
    lib.llhttp_should_keep_alive.argtypes = [p]


def merge(events):
    out = []
    for e in events:
        if isinstance(e, tuple) and out and isinstance(out[-1], tuple) and out[-1][0] == e[0]:
            out[-1] = (e[0], out[-1][1] + e[1])
        else:
            out.append(e)
    return out


def parse(lib, size, pause):
    """The events of INPUT in pieces of `size`; with `pause`, every notify callback pauses."""
    events, pauses = [], 0
    settings, parser = Settings(), Parser()

    def member(name, is_span):
        if not is_span:

            def notify(_):
                events.append(name)
                return 21 if pause else 0

            return NOTIFY(notify)

        def span(_, at, length):
            events.append((name, ctypes.string_at(at, length)))
            return 0

        return SPAN(span)

    lib.llhttp_settings_init(ctypes.byref(settings))
    for name, span in CALLBACKS:
        setattr(settings, "on_" + name, member(name, span))
    lib.llhttp_init(ctypes.byref(parser), 1, ctypes.byref(settings))
    for off in range(0, len(INPUT), size):
        piece = ctypes.create_string_buffer(INPUT[off : off + size], min(size, len(INPUT) - off))
        at, end = ctypes.addressof(piece), ctypes.addressof(piece) + len(piece)
        while True:
            err = lib.llhttp_execute(ctypes.byref(parser), at, end - at)
            if err != 21:
                break
            pauses += 1
            at = lib.llhttp_get_error_pos(ctypes.byref(parser))
            lib.llhttp_resume(ctypes.byref(parser))
        check(err == 0, f"llhttp_execute returned {err}")
    check(lib.llhttp_finish(ctypes.byref(parser)) == 0, "llhttp_finish failed")
    check(parser.method == 3 and parser.http_major == 1 and parser.http_minor == 1, "members of the parser")
    check(lib.llhttp_should_keep_alive(ctypes.byref(parser)) == 1, "keep alive")
    check(pauses == (sum(isinstance(e, str) for e in WANT) if pause else 0), f"{pauses} pauses")
    return merge(events)


def main():
    path = os.path.realpath(sys.argv[1])
    check(ctypes.sizeof(Parser) == 96, "size of the parser")
    check(threads() == 1, "threads before")
    for turn in range(50):
        lib = ctypes.CDLL(path)
        bind(lib)
        check(threads() == 1, f"{threads()} threads after loading")
        check(mapped(path), "not mapped")
        for size in (len(INPUT), 1, turn + 2):
            for pause in (False, True):
                got = parse(lib, size, pause)
                check(got == WANT, f"pieces of {size}, pause {pause}: {got}")
        check(lib.llhttp_errno_name(21) == b"HPE_PAUSED", "name")
        check(threads() == 1, f"{threads()} threads after parsing")
        handle = lib._handle
        del lib
        _ctypes.dlclose(handle)
        check(not mapped(path), "still mapped after dlclose")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
