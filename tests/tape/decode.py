"""The tape's layout, as other languages see it.

One array, read as ctypes' structs, by struct, as a memoryview of numbers, and by JavaScript as a Uint32Array, must give
the same.

    decode.py LIBRARY        needs node; the last line is "N passed, M failed"
"""

import ctypes
import json
import struct
import subprocess
import sys


class Event(ctypes.Structure):
    _fields_ = [
        ("offset", ctypes.c_uint32),
        ("length", ctypes.c_uint32),
        ("kind", ctypes.c_uint8),
        ("version", ctypes.c_uint8),
        ("id", ctypes.c_uint16),
        ("value", ctypes.c_uint32),
    ]


class Tape(ctypes.Structure):
    _fields_ = [
        ("events", ctypes.c_void_p),
        ("room", ctypes.c_uint32),
        ("mask", ctypes.c_uint32),
        ("options", ctypes.c_uint32),
        ("count", ctypes.c_uint32),
        ("consumed", ctypes.c_size_t),
    ]


NODE = """
const words = new Uint32Array(new Uint8Array(require('fs').readFileSync(0)).buffer);
const events = [];
for (let i = 0; i < words.length; i += 4)
  events.push([
    words[i], words[i + 1], words[i + 2] & 0xff, words[i + 2] >>> 8 & 0xff, words[i + 2] >>> 16, words[i + 3],
  ]);
console.log(JSON.stringify(events));
"""
INPUT = (
    b"HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n"
)

lib = ctypes.CDLL(sys.argv[1])
lib.llhttp_alloc.restype = ctypes.c_void_p
lib.llhttp_free.argtypes = [ctypes.c_void_p]
lib.llhttp_ext_execute.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(Tape)]
array = (Event * 100)()
tape = Tape(ctypes.addressof(array), 100, (1 << 25) - 1)
parser = lib.llhttp_alloc(2)
result = lib.llhttp_ext_execute(parser, INPUT, len(INPUT), tape)
lib.llhttp_free(parser)

structs = [[e.offset, e.length, e.kind, e.version, e.id, e.value] for e in array[: tape.count]]
raw = bytes(memoryview(array).cast("B")[: 16 * tape.count])
words = memoryview(raw).cast("I").tolist()
numbers = [
    [words[i], words[i + 1], words[i + 2] & 0xFF, words[i + 2] >> 8 & 0xFF, words[i + 2] >> 16, words[i + 3]]
    for i in range(0, len(words), 4)
]
node = subprocess.run(["node", "-e", NODE], input=raw, stdout=subprocess.PIPE, check=True).stdout
headers_complete = [e for e in structs if e[2] == 10]

checks = {
    "all of the input is used up": result == 0 and tape.consumed == len(INPUT),
    "there are events": tape.count > 20,
    "struct": [list(e) for e in struct.iter_unpack("=IIBBHI", raw)] == structs,
    "memoryview.cast": numbers == structs,
    "Uint32Array": json.loads(node) == structs,
    # Flags: chunked and transfer-encoding; the connection is kept.
    "headers_complete": headers_complete == [[INPUT.index(b"5;"), 0, 10, 0x11, 404, 0x208 | 1 << 17]],
}
for name, holds in checks.items():
    if not holds:
        print("FAIL", name)
failed = sum(not holds for holds in checks.values())
print(f"{len(checks) - failed} passed, {failed} failed")
sys.exit(failed != 0)
