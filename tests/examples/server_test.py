#!/usr/bin/env python3
"""One of the example servers, as clients see it: keep-alive, pipelining, both codings, limits, errors, timeouts, end.

    tests/examples/server_test.py [--no-extension-limit] SERVER [ARGUMENT]...

SERVER is started with the arguments, a port and a number of seconds behind them. A server made with sanitizers fails
the test by its exit status.
"""

import re
import select
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress

from checks import check, closing

SECONDS = 1  # a client may take
PATIENCE = 15  # seconds until a server that says nothing has failed


@contextmanager
def running(command, seconds=SECONDS):
    with subprocess.Popen([*command, "0", str(seconds)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        try:
            match = re.fullmatch(r"listening on http://127\.0\.0\.1:(\d+)/\n", line)
            assert match, line
            yield process, int(match[1])
        finally:
            if process.poll() is None:
                process.kill()


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)


def read_all(client):
    """What comes until the server shuts its side."""
    data = b""
    while piece := client.recv(65536):
        data += piece
    return data


def split(data, heads=()):
    """Responses as (status, fields, body). `heads`: places of those that answer HEAD."""
    responses = []
    while data:
        head, found, data = data.partition(b"\r\n\r\n")
        assert found, head
        lines = head.decode("ascii").split("\r\n")
        match = re.fullmatch(r"HTTP/1\.1 (\d{3}) .*", lines[0])
        assert match, lines
        status = int(match[1])
        fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
        body = b""
        if status >= 200 and len([r for r in responses if r[0] >= 200]) not in heads:
            if fields.get("transfer-encoding") == "chunked":
                while size := int(data.partition(b"\r\n")[0], 16):
                    _, _, data = data.partition(b"\r\n")
                    body += data[:size]
                    assert data[size : size + 2] == b"\r\n"
                    data = data[size + 2 :]
                assert data.startswith(b"0\r\n\r\n")
                data = data[5:]
            else:
                size = int(fields["content-length"])
                body, data = data[:size], data[size:]
        responses.append((status, fields, body))
    return responses


def ask(port, *pieces, heads=(), delay=0.0):
    """Sends the pieces, shuts our side, and returns all responses."""
    with connect(port) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for piece in pieces:
            client.sendall(piece)
            if delay:
                time.sleep(delay)
        client.shutdown(socket.SHUT_WR)
        return split(read_all(client), heads)


def statuses(responses):
    return [status for status, _, _ in responses]


def request(method=b"GET", target=b"/", fields=b"", body=b"", version=b"1.1"):
    return b"%b %b HTTP/%b\r\nHost: a\r\n%b\r\n%b" % (method, target, version, fields, body)


def post(body, target=b"/echo", fields=b""):
    return request(b"POST", target, b"Content-Length: %d\r\n%b" % (len(body), fields), body)


CHUNKED = b"Transfer-Encoding: chunked\r\n"


def answers(port):
    got = ask(port, request())
    check("GET", statuses(got) == [200] and got[0][2] == b"Hello, world\n", got)
    check("GET: kept", "connection" not in got[0][1], got)
    check("GET: date", re.fullmatch(r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT", got[0][1].get("date", "")), got)
    got = ask(port, request(b"HEAD"), request(), heads={0})
    check("HEAD", statuses(got) == [200, 200] and got[0][1]["content-length"] == "13" and got[1][2], got)
    got = ask(port, request(target=b"/chunked"))
    check("chunked", got[0][1].get("transfer-encoding") == "chunked" and got[0][2] == b"Hello, world\n", got)
    got = ask(port, request(target=b"/chunked", version=b"1.0"))
    check("chunked, to HTTP/1.0", "transfer-encoding" not in got[0][1] and got[0][2] == b"Hello, world\n", got)
    check("HTTP/1.0 closes", got[0][1]["connection"] == "close", got)
    got = ask(port, request(version=b"1.0", fields=b"Connection: keep-alive\r\n"), request())
    check("HTTP/1.0 is kept if asked", statuses(got) == [200, 200] and got[0][1]["connection"] == "keep-alive", got)
    got = ask(port, request(fields=b"Connection: close\r\n"), request())
    check("Connection: close", statuses(got) == [200] and got[0][1]["connection"] == "close", got)
    got = ask(port, post(b"abc" * 1000))
    check("echo", got[0][2] == b"abc" * 1000 and "content-length" in got[0][1], got)
    got = ask(port, request(b"POST", b"/echo", CHUNKED, b"3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nT: u\r\n\r\n"), request())
    check("echo, chunked", got[0][1].get("transfer-encoding") == "chunked" and got[0][2] == b"abcde", got)
    check("echo, chunked: the next", statuses(got) == [200, 200], got)
    got = ask(port, request(b"POST", b"/echo", CHUNKED, b"0\r\n\r\n"))
    check("echo, chunked and empty", statuses(got) == [200] and got[0][2] == b"", got)
    for name, want, piece in [
        ("not found", 404, request(target=b"/nothing")),
        ("not allowed", 405, request(b"GET", b"/echo")),
        ("not allowed: POST", 405, post(b"", b"/")),
        ("a method that nothing has", 501, request(b"DELETE")),
    ]:
        got = ask(port, piece, request())
        check(f"{name}, and goes on", statuses(got) == [want, 200], got)
    got = ask(port, request(fields=b"Connection: upgrade\r\nUpgrade: websocket\r\n"), request())
    check("an upgrade is declined", statuses(got) == [200, 200], got)


def pieces(port):
    many = b"".join([request(), post(b"12345"), request(b"POST", b"/echo", CHUNKED, b"1\r\na\r\n0\r\n\r\n")] * 3)
    want = [b"Hello, world\n", b"12345", b"a"] * 3
    check("pipelined", [r[2] for r in ask(port, many)] == want)
    check("byte by byte", [r[2] for r in ask(port, *[many[i : i + 1] for i in range(len(many))])] == want)
    for size in (2, 7, 31):
        cut = [many[i : i + size] for i in range(0, len(many), size)]
        check(f"in pieces of {size}", [r[2] for r in ask(port, *cut, delay=0.001)] == want)
    small = request() + post(b"xyz") + request(target=b"/chunked")
    got = [ask(port, small[:cut], small[cut:], delay=0.001) for cut in range(1, len(small), 5)]
    check("cut in two", all([r[2] for r in g] == [b"Hello, world\n", b"xyz", b"Hello, world\n"] for g in got))
    with connect(port) as client:
        for i in range(20):
            client.sendall(post(b"%d" % i))
            data = client.recv(65536)
            while not data.endswith(b"\r\n\r\n%d" % i):
                data += client.recv(65536)
        check("twenty requests on one connection", True)


def expectations(port):
    with connect(port) as client:
        client.sendall(request(b"POST", b"/echo", b"Content-Length: 5\r\nExpect: 100-Continue\r\n"))
        interim = client.recv(65536)
        check("100 (Continue) comes first", interim == b"HTTP/1.1 100 Continue\r\n\r\n", interim)
        client.sendall(b"hello")
        client.shutdown(socket.SHUT_WR)
        got = split(read_all(client))
        check("then the answer", statuses(got) == [200] and got[0][2] == b"hello", got)
    got = ask(port, request(fields=b"Expect: coffee\r\n"))
    check("another expectation", statuses(got) == [417], got)
    got = ask(port, request(b"POST", b"/echo", b"Content-Length: 2000000\r\nExpect: 100-continue\r\n"))
    check("refused in place of 100 (Continue)", statuses(got) == [413], got)


def refusals(port, extension_limit):
    """Each is answered behind what came before it, with Connection: close, and nothing behind it is."""
    big = 1 << 20
    cases = [
        ("no method", 501, b"FETCH / HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("no HTTP", 501, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc"),
        ("no target", 400, b"GET  HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("a bare LF", 400, b"GET / HTTP/1.1\nHost: a\n\n"),
        ("another version", 505, request(version=b"1.7")),
        ("HTTP/2", 505, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        ("CONNECT", 501, b"CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n"),
        ("no Host", 400, b"GET / HTTP/1.1\r\n\r\n"),
        ("two Hosts", 400, request(fields=b"Host: b\r\n")),
        ("white space before a colon", 400, request(fields=b"A : b\r\n")),
        ("a NUL in a value", 400, request(fields=b"A: \0\r\n")),
        ("two lengths", 400, request(b"POST", b"/echo", b"Content-Length: 1\r\nContent-Length: 1\r\n", b"a")),
        ("length and coding", 400, request(b"POST", b"/echo", b"Content-Length: 1\r\n" + CHUNKED, b"0\r\n\r\n")),
        ("a chunk-size that is none", 400, request(b"POST", b"/echo", CHUNKED, b"x\r\n")),
        ("a body that is too long", 413, request(b"POST", b"/echo", b"Content-Length: %d\r\n" % (big + 1))),
        (
            "a chunked body that is too long",
            413,
            request(b"POST", b"/echo", CHUNKED, b"%x\r\n" % (big + 1) + bytes(big + 1)),
        ),
        ("a target that is too long", 414, request(target=b"/" + b"a" * 8000)),
        ("a field that is too long", 431, request(fields=b"A: " + b"a" * 66000 + b"\r\n")),
        ("too many fields", 431, request(fields=b"A: b\r\n" * 100)),
        ("trailers that are too long", 431, request(b"POST", b"/echo", CHUNKED, b"0\r\nA: " + b"a" * 66000)),
    ]
    if extension_limit:
        cases.append(
            ("chunk extensions that are too long", 413, request(b"POST", b"/echo", CHUNKED, b"1;" + b"a" * 16385))
        )
    for name, want, piece in cases:
        got = ask(port, request() + piece + request() * 3)
        check(name, statuses(got) == [200, want] and got[1][1].get("connection") == "close", got)
    # HTTP/0.9 has no version, and is one that is not supported: both answers are right.
    got = statuses(ask(port, request() + b"GET /\r\n\r\n" + request()))
    check("no version", got in ([200, 400], [200, 505]), got)
    got = ask(port, request(target=b"/" + b"a" * 7998), request(fields=b"A: b\r\n" * 99), post(bytes(big)))
    check("the limits themselves", statuses(got) == [404, 200, 200] and len(got[2][2]) == big, statuses(got))
    with connect(port) as client:
        # The answer is not lost though the server never reads what is sent behind the error.
        with suppress(BrokenPipeError, ConnectionResetError):
            client.sendall(b"nonsense\r\n" + bytes(4 << 20))
        check("an answer in spite of what follows", statuses(split(read_all(client))) == [501])
    got = ask(port, b"GET / HTTP/1.1\r\nHos")
    check("a request that is cut off", got == [], got)
    check("no request", ask(port, b"") == [])
    check("empty lines", statuses(ask(port, b"\r\n\r\n" + request())) == [200])


def slow_readers(port):
    """Many answers to a client that does not read: the server must neither lose any nor grow without end."""
    count, size = 60, 1_000_000
    everything = memoryview(post(b"z" * size) * count)
    with connect(port) as client:
        client.settimeout(0.3)
        sent, data = 0, bytearray()
        try:
            while sent < len(everything):
                sent += client.send(everything[sent : sent + 65536])
        except TimeoutError:
            pass
        check("back-pressure", sent < len(everything), sent)
        client.setblocking(False)
        while True:
            readable, writable, _ = select.select([client], [client] if sent < len(everything) else [], [], PATIENCE)
            if writable:
                sent += client.send(everything[sent : sent + 65536])
                if sent == len(everything):
                    client.shutdown(socket.SHUT_WR)
            if readable:
                piece = client.recv(1 << 20)
                data += piece
            if (readable and not piece) or not (readable or writable):
                break
    got = data.split(b"\r\n\r\n")
    check("partial writes", len(got) == count + 1 and data.count(b"z") == count * size, (len(got), len(data)))


def timeouts(port):
    started = time.monotonic()
    clients = [connect(port) for _ in range(4)]
    idle, head, body, dribble = clients
    head.sendall(b"GET / HTTP/1.1\r\nHost")
    body.sendall(request(b"POST", b"/echo", b"Content-Length: 10\r\n", b"abc"))
    with suppress(BrokenPipeError, ConnectionResetError):
        dribble.sendall(b"GET /")
        while time.monotonic() - started < 2 * SECONDS:
            dribble.sendall(b"a")
            time.sleep(SECONDS / 8)
    check("idle: closed without a word", read_all(idle) == b"")
    check("a slow head: 408", statuses(split(read_all(head))) == [408])
    try:
        check("bytes one by one do not prolong it: 408", statuses(split(read_all(dribble))) == [408])
    except ConnectionResetError:
        check("bytes one by one do not prolong it: closed", True)
    check("a slow body: 408", statuses(split(read_all(body))) == [408])
    for client in clients:
        client.close()


def end(command):
    with running(command, 10) as (process, port):
        with connect(port) as idle, connect(port) as busy:
            idle.sendall(request())
            idle.recv(65536)
            busy.sendall(request(b"POST", b"/echo", b"Content-Length: 3\r\nExpect: 100-continue\r\n"))
            busy.recv(65536)  # 100 (Continue): the server knows of the request
            process.send_signal(signal.SIGTERM)
            check("SIGTERM: an idle connection is closed", read_all(idle) == b"")
            try:
                connect(port).close()
                check("SIGTERM: no new connections", False)
            except ConnectionRefusedError:
                check("SIGTERM: no new connections", True)
            busy.sendall(b"abc")
            busy.shutdown(socket.SHUT_WR)
            got = split(read_all(busy))
            check("SIGTERM: a request under way is answered", statuses(got) == [200] and got[0][2] == b"abc", got)
            check("SIGTERM: and told", got and got[0][1].get("connection") == "close", got)
        try:
            check("SIGTERM: the exit status", process.wait(PATIENCE) == 0, process.returncode)
        except subprocess.TimeoutExpired:
            check("SIGTERM: the server ends", False)


def main():
    arguments = sys.argv[1:]
    extension_limit = arguments[0] != "--no-extension-limit"
    command = arguments if extension_limit else arguments[1:]
    with running(command, 10) as (process, port):
        answers(port)
        pieces(port)
        expectations(port)
        refusals(port, extension_limit)
        slow_readers(port)
        process.send_signal(signal.SIGTERM)
        check("the exit status", process.wait(PATIENCE) == 0, process.returncode)
    with running(command) as (process, port):
        timeouts(port)
        process.send_signal(signal.SIGTERM)
        check("the exit status behind timeouts", process.wait(PATIENCE) == 0, process.returncode)
    end(command)
    closing()


main()
