#!/usr/bin/env python3
"""examples/proxy.js between clients and an origin server, both of which are here.

tests/examples/proxy_test.py PROXY [ARGUMENT]...
"""

import re
import socket
import subprocess
import sys
import threading
from contextlib import suppress

from checks import ask, check, closing

seen = []  # requests as the origin got them
answers = []  # what it answers, in their order


def whole(request):
    head, end, body = request.partition(b"\r\n\r\n")
    if b"transfer-encoding" in head.lower():
        return body.endswith(b"0\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head.lower())
    return end and (not length or len(body) >= int(length[1]))


def origin(server):
    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        with connection:
            data = b""
            while not whole(data) and (piece := connection.recv(1 << 20)):
                data += piece
            seen.append(data)
            with suppress(BrokenPipeError, ConnectionResetError):  # the proxy may have had enough
                connection.sendall(answers.pop(0))


OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
PASSED = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nVia: 1.1 proxy\r\n\r\nok"
GET = b"GET /a HTTP/1.1\r\nHost: h\r\n\r\n"


def through(request, *replies, size=0):
    """What the client and the origin get."""
    seen.clear()
    answers[:] = replies
    got = ask(port, request, size)
    return got, list(seen)


with socket.create_server(("127.0.0.1", 0)) as server:
    threading.Thread(target=origin, args=(server,), daemon=True).start()
    command = [*sys.argv[1:], "0", str(server.getsockname()[1])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline().rpartition(":")[2].rstrip("/\n"))

        for size in (0, 1, 5):
            got, sent = through(GET, OK, size=size)
            check(f"GET, pieces of {size}", got == PASSED, got)
            want = b"GET /a HTTP/1.1\r\nHost: h\r\nVia: 1.1 proxy\r\nConnection: close\r\n\r\n"
            check(f"GET, pieces of {size}: what the origin gets", sent == [want], sent)
        fields = b"Connection: keep-alive, X-Hop\r\nX-Hop: 1\r\nTE: trailers\r\nKeep-Alive: 5\r\nX-End: 2\r\n"
        got, sent = through(b"GET / HTTP/1.1\r\nHost: h\r\n" + fields + b"\r\n", OK)
        check(
            "fields for one hop stay",
            b"X-Hop" not in sent[0] and b"TE:" not in sent[0] and b"X-End: 2" in sent[0],
            sent,
        )
        got, sent = through(b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello" + GET, OK, OK)
        check("a body", sent[0].endswith(b"\r\n\r\nhello") and b"Content-Length: 5\r\n" in sent[0], sent)
        check("pipelined, in order", got == PASSED * 2 and len(sent) == 2, got)
        body = b"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        body += b"3;e=f\r\nabc\r\n2\r\nde\r\n0\r\nT: u\r\n\r\n"
        for size in (0, 1):
            got, sent = through(body + GET, OK, OK, size=size)
            check(
                f"chunks are framed anew, pieces of {size}",
                got == PASSED * 2 and b"e=f" not in sent[0] and b"T: u" not in sent[0],
                sent,
            )
        got, _ = through(GET, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: y\r\n\r\n2;e\r\nok\r\n0\r\n\r\n")
        want = b"HTTP/1.1 200 OK\r\nX: y\r\nTransfer-Encoding: chunked\r\nVia: 1.1 proxy\r\n\r\n2\r\nok\r\n0\r\n\r\n"
        check("a chunked response", got == want, got)
        got, _ = through(GET, b"HTTP/1.1 200 OK\r\n\r\nuntil the end")
        check("a response that ends with the connection", got.endswith(b"\r\n\r\nd\r\nuntil the end\r\n0\r\n\r\n"), got)
        got, _ = through(GET.replace(b"1.1", b"1.0") + GET, b"HTTP/1.1 200 OK\r\n\r\nabc", OK)
        check("the same, for HTTP/1.0", got.endswith(b"Connection: close\r\n\r\nabc") and b"chunked" not in got, got)
        got, _ = through(GET.replace(b"GET", b"HEAD") + GET, b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n", OK)
        check("HEAD", got == b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\nVia: 1.1 proxy\r\n\r\n" + PASSED, got)
        got, _ = through(GET, b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + OK)
        check("1xx", got == PASSED, got)
        got, sent = through(
            GET.replace(b"\r\n\r\n", b"\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n") + GET, OK, OK
        )
        check("an upgrade is not passed on", got == PASSED * 2 and b"pgrade" not in sent[0], sent)
        got, _ = through(GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n") + GET, OK)
        check("Connection: close", got == PASSED.replace(b"proxy\r\n", b"proxy\r\nConnection: close\r\n"), got)
        big = b"z" * 5_000_000
        got, sent = through(
            b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5000000\r\n\r\n" + big,
            b"HTTP/1.1 200 OK\r\nContent-Length: 5000000\r\n\r\n" + big,
        )
        check("large bodies", got.endswith(b"\r\n\r\n" + big) and sent[0].endswith(big), (len(got), len(sent[0])))

        for name, status, request in [
            (
                "length and coding",
                b"400",
                b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            ),
            ("no Host", b"400", b"GET / HTTP/1.1\r\n\r\n"),
            ("CONNECT", b"501", b"CONNECT h:1 HTTP/1.1\r\nHost: h:1\r\n\r\n"),
            (
                "another coding",
                b"501",
                b"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            ),
            ("a bare LF", b"400", b"GET / HTTP/1.1\nHost: h\n\n"),
            ("too many fields", b"431", b"GET / HTTP/1.1\r\nHost: h\r\nA: " + b"b" * 66000 + b"\r\n\r\n"),
        ]:
            got, sent = through(request + GET, OK)
            check(
                f"{name}: refused, and the origin sees nothing",
                got.startswith(b"HTTP/1.1 " + status) and not sent,
                (got, sent),
            )
        for name, reply in [
            ("no HTTP", b"220 smtp\r\n"),
            ("two lengths", b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nok"),
            ("nothing", b""),
            ("101, though nobody asked", b"HTTP/1.1 101 x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nabc"),
        ]:
            got, _ = through(GET, reply)
            check(f"the origin answers with {name}: 502", got.startswith(b"HTTP/1.1 502 "), got)
        got, _ = through(GET, b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok")
        check(
            "a response that is cut off is so for the client",
            not got.endswith(b"0\r\n\r\n") and b"Content-Length: 9" in got,
            got,
        )
        process.terminate()

closing()
