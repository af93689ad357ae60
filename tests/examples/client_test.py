#!/usr/bin/env python3
"""examples/client.cpp against servers that answer with the bytes given here.

tests/examples/client_test.py CLIENT
"""

import socket
import subprocess
import sys
import threading
from contextlib import suppress

import checks

CLIENT = sys.argv[1]


def serve(server, answer, size):
    """Takes one connection, reads both requests, and answers in pieces of that size."""
    connection, _ = server.accept()
    with connection, suppress(BrokenPipeError, ConnectionResetError):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        requests = b""
        while requests.count(b"\r\n\r\n") < 2:
            requests += connection.recv(65536)
        assert requests.startswith(b"HEAD / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HTTP/1.1\r\n"), requests
        for start in range(0, len(answer), size):
            connection.sendall(answer[start : start + size])


def check(name, answer, output, error="", status=0):
    """The client asks for / by HEAD and GET, the server answers with these bytes, cut into pieces, and closes."""
    for size in (len(answer), 1, 7):
        with socket.create_server(("127.0.0.1", 0)) as server:
            thread = threading.Thread(target=serve, args=(server, answer, size))
            thread.start()
            command = [CLIENT, "127.0.0.1", str(server.getsockname()[1]), "/"]
            run = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
            thread.join()
        good = (run.stdout.splitlines(), run.returncode) == (output, status) and error in run.stderr
        good = good and bool(error) == bool(run.stderr)
        checks.check(f"{name}, pieces of {size}", good, run)


HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
kept = "{}: 200, {} bytes, keep the connection".format
closed = "{}: 200, {} bytes, close the connection".format

check("HEAD has no body", HEAD + HEAD + b"hello", [kept("HEAD", 0), kept("GET", 5)])
check(
    "1xx",
    b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + HEAD + b"HTTP/1.1 100 Continue\r\n\r\n" * 2 + HEAD + b"hello",
    ["103, and more to come", kept("HEAD", 0), "100, and more to come", "100, and more to come", kept("GET", 5)],
)
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
check("chunked", CHUNKED + CHUNKED + b"3\r\nabc\r\n0\r\nA: b\r\n\r\n", [kept("HEAD", 0), kept("GET", 3)])
check("until the end", HEAD + b"HTTP/1.1 200 OK\r\n\r\nabcd", [kept("HEAD", 0), closed("GET", 4)])
check(
    "304",
    HEAD + b"HTTP/1.1 304 x\r\nContent-Length: 5\r\n\r\n",
    [kept("HEAD", 0), "GET: 304, 0 bytes, keep the connection"],
)
check("cut off", HEAD + HEAD + b"hel", [kept("HEAD", 0)], "HPE_INVALID_EOF_STATE", 1)
check("one is missing", HEAD, [kept("HEAD", 0)], "before the last response", 1)
check("no HTTP", b"220 smtp.example.com\r\n", [], "HPE_INVALID_CONSTANT", 1)
check("one too many", (HEAD + HEAD + b"hello") + HEAD, [kept("HEAD", 0), kept("GET", 5)], "a response to nothing", 1)
check(
    "two lengths",
    HEAD + b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na",
    [kept("HEAD", 0)],
    "HPE_UNEXPECTED_CONTENT_LENGTH",
    1,
)

checks.closing()
