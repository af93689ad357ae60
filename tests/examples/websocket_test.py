#!/usr/bin/env python3
"""examples/websocket.py, as clients see it.

tests/examples/websocket_test.py SERVER [ARGUMENT]...
"""

import os
import struct
import subprocess
import sys

from checks import ask, check, closing

KEY = b"dGhlIHNhbXBsZSBub25jZQ=="  # the example of RFC 6455, Section 1.3, and what it answers
ACCEPT = b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
REQUEST = (
    b"GET /chat HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: %b\r\nSec-WebSocket-Version: 13\r\n\r\n" % KEY
)
GRANTED = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %b\r\n\r\n"
    % ACCEPT
)
REFUSED = b"HTTP/1.1 426 Upgrade Required\r\n"


def frame(first, payload, masked=True):
    size, bit = len(payload), 0x80 if masked else 0
    if size < 126:
        head = bytes([first, bit | size])
    elif size <= 0xFFFF:
        head = struct.pack(">BBH", first, bit | 126, size)
    else:
        head = struct.pack(">BBQ", first, bit | 127, size)
    if not masked:
        return head + payload
    mask = os.urandom(4)
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


CLOSE = frame(0x88, struct.pack(">H", 1000))
CLOSED = frame(0x88, struct.pack(">H", 1000), masked=False)
payloads = [b"", b"hello", b"x" * 125, b"y" * 126, b"z" * 65535, os.urandom(65536)]
frames = (
    b"".join(frame(0x82, payload) for payload in payloads) + frame(0x01, b"he") + frame(0x89, b"?") + frame(0x80, b"y")
)
echoed = (
    b"".join(frame(0x82, payload, masked=False) for payload in payloads)
    + frame(0x01, b"he", masked=False)
    + frame(0x8A, b"?", masked=False)
    + frame(0x80, b"y", masked=False)
)
with subprocess.Popen([*sys.argv[1:], "0"], stdout=subprocess.PIPE, text=True) as process:
    assert process.stdout is not None
    port = int(process.stdout.readline().rpartition(":")[2].rstrip("/\n"))
    for size in (0, 1000, 3001):
        got = ask(port, REQUEST + frames + CLOSE, size)
        check(f"frames right behind the request, pieces of {size}", got == GRANTED + echoed + CLOSED, got[:400])
    small = REQUEST + frame(0x81, b"hello") + CLOSE
    got = ask(port, small, 1)
    check("byte by byte", got == GRANTED + frame(0x81, b"hello", masked=False) + CLOSED, got)
    cuts = [ask(port, small, cut) for cut in range(len(REQUEST) - 3, len(REQUEST) + 8)]
    check("cut around the end of HTTP", all(got.endswith(CLOSED) and got.startswith(GRANTED) for got in cuts), cuts)
    plain = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    got = ask(port, plain + REQUEST + CLOSE)
    check("HTTP, then WebSocket", got.startswith(REFUSED) and got.endswith(GRANTED + CLOSED), got)
    for name, other in [
        ("another protocol", REQUEST.replace(b"websocket", b"h2c")),
        ("another version", REQUEST.replace(b": 13", b": 8")),
        ("no key", REQUEST.replace(b"Sec-WebSocket-Key", b"X")),
        ("no Connection: upgrade", REQUEST.replace(b"Connection: Upgrade", b"Connection: keep-alive")),
    ]:
        got = ask(port, other * 3 + plain)
        check(f"{name}: declined, and HTTP goes on", got.count(REFUSED) == 4 and b" 101 " not in got, got)
    got = ask(port, REQUEST.replace(b"websocket", b"h2c") * 2000)
    check("very many in one piece", got.count(REFUSED) == 2000, len(got))
    got = ask(port, REQUEST + frame(0x81, b"hello", masked=False))
    check("a frame without a mask: 1002", got == GRANTED + frame(0x88, struct.pack(">H", 1002), masked=False), got)
    got = ask(port, b"nonsense\r\n")
    check("no HTTP: 400", got.startswith(b"HTTP/1.1 400 "), got)
    process.terminate()

closing()
