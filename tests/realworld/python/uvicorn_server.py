"""uvicorn on httptools: three workers that answer while they are replaced; then every request of tests/cases to its
protocol, in memory.

    uvicorn_server.py CASES_FILE
"""

import asyncio
import hashlib
import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import common
from common import cases, exchange, expect, fact, library, mapped

WORKERS = 3
REQUESTS = 30  # each may wait for a delayed acknowledgement


async def app(scope, receive, send):
    """Answers with what arrived; /pid with the worker's process."""
    if scope["type"] != "http":
        return
    body = hashlib.sha256()
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return
        body.update(message["body"])
        size += len(message["body"])
        if not message.get("more_body"):
            break
    if scope["path"] == "/pid":
        text = str(os.getpid())
    else:
        fields = [[name.decode("latin-1"), value.decode("latin-1")] for name, value in scope["headers"]]
        text = repr(
            [
                scope["method"],
                scope["path"],
                scope["query_string"],
                scope["http_version"],
                fields,
                size,
                body.hexdigest(),
            ]
        )
    answer = text.encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(answer))]})
    await send({"type": "http.response.body", "body": answer})


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ask(port, path="/pid", method="GET", **more):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request(method, path, **more)
    body = connection.getresponse().read()
    connection.close()
    return body.decode()


def workers(port, count, but=frozenset()):
    """The workers' processes, once `count` that are not in `but` have answered."""
    found = set()
    deadline = time.monotonic() + 60
    while len(found) < count and time.monotonic() < deadline:
        try:
            found |= {int(ask(port))} - but
        except (OSError, http.client.HTTPException):
            time.sleep(0.05)
    return found


def gone(processes):
    deadline = time.monotonic() + 60
    while any(os.path.exists(f"/proc/{pid}") for pid in processes) and time.monotonic() < deadline:
        time.sleep(0.05)


def client(port, name):
    """One connection that is kept, requests of each kind; how many were answered right."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    right = 0
    for i in range(REQUESTS):
        chunked = [b"c" * (i * 7 % 900 + 1)] * 5
        kinds: list[tuple[str, Any]] = [("GET", b""), ("POST", b"b" * (i * 101 % 5000)), ("PUT", chunked)]
        method, body = kinds[i % 3]
        connection.request(
            method,
            f"/{name}/{i}?{'x' * (i % 150)}",
            body=body or None,
            encode_chunked=isinstance(body, list),
            headers={
                "X-Number": str(i),
                "Cookie": "c" * (i * 37 % 2000),
                **({"Transfer-Encoding": "chunked"} if isinstance(body, list) else {}),
            },
        )
        answer = connection.getresponse().read().decode()
        whole = b"".join(body) if isinstance(body, list) else body
        right += all(
            part in answer
            for part in (
                f"['{method}', '/{name}/{i}', b'{'x' * (i % 150)}', '1.1'",
                f"['x-number', '{i}']",
                f"['cookie', '{'c' * (i * 37 % 2000)}']",
                f"{len(whole)}, '{hashlib.sha256(whole).hexdigest()}'",
            )
        )
    connection.close()
    return right


def run_workers():
    port = free_port()
    server = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "uvicorn",
            "--http",
            "httptools",
            "--loop",
            "asyncio",
            "--workers",
            str(WORKERS),
            "--port",
            str(port),
            "--no-access-log",
            "--log-level",
            "error",
            "--no-date-header",
            "--no-server-header",
            "uvicorn_server:app",
        ],
        cwd=os.path.dirname(os.path.abspath(__file__)),
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    try:
        first = workers(port, WORKERS)
        expect("workers", len(first), WORKERS)
        for pid in first:
            library("uvicorn worker", mapped(pid))
        with ThreadPoolExecutor(4) as pool:
            expect("right answers", sum(pool.map(lambda name: client(port, name), "abcd")), 4 * REQUESTS)

        # A worker that dies is replaced; SIGHUP replaces all.
        os.kill(min(first), signal.SIGKILL)
        second = workers(port, WORKERS, but={min(first)})
        expect("workers after one died", [len(second), len(second - first)], [WORKERS, 1])
        server.send_signal(signal.SIGHUP)
        third = workers(port, WORKERS, but=first | second)
        gone(first | second)  # one that is about to end still accepts
        expect("workers after SIGHUP", len(third), WORKERS)
        for pid in third:
            library("uvicorn worker, later", mapped(pid))
        expect("right answers after that", client(port, "e"), REQUESTS)

        bad = b"GET / HTTP/1.1\r\nBad Name: x\r\n\r\n"
        expect(
            "a malformed request", exchange(port, bad, half_close=False).split("\r\n")[0], "HTTP/1.1 400 Bad Request"
        )
        fact("in full", exchange(port, bad, half_close=False))
        pipeline = b"".join(b"POST /%d HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nab" % i for i in range(20))
        fact(
            "pipelined",
            exchange(port, pipeline + b"GET /last HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", half_close=False),
        )
    finally:
        server.terminate()
        server.wait()


class Transport(asyncio.Transport):
    """What a protocol writes, kept."""

    def __init__(self):
        super().__init__()
        self.written = b""
        self.closed = False

    def write(self, data):
        self.written += data

    def close(self):
        self.closed = True

    def is_closing(self):
        return self.closed

    def get_extra_info(self, name, default=None):
        return {"sockname": ("127.0.0.1", 80), "peername": ("127.0.0.1", 1)}.get(name, default)

    def pause_reading(self):
        pass

    def resume_reading(self):
        pass


async def in_memory(config, pieces):
    """What the server writes for bytes that come in pieces, and whether it closes the connection."""
    from uvicorn.server import ServerState

    state = ServerState()
    protocol = config.http_protocol_class(
        config=config, server_state=state, app_state={}, _loop=asyncio.get_running_loop()
    )
    transport = Transport()
    protocol.connection_made(transport)
    for piece in pieces:
        if transport.closed:
            break
        protocol.data_received(piece)
    # What can be answered is answered before the connection ends.
    for _ in range(50):
        await asyncio.sleep(0)
    written, closed = transport.written, transport.closed
    protocol.connection_lost(None)
    while state.tasks:
        await asyncio.sleep(0)
    return [written.decode("latin-1"), closed]


async def run_cases():
    import uvicorn

    config = uvicorn.Config(
        app, http="httptools", log_level="critical", server_header=False, date_header=False, access_log=False
    )
    config.load()
    for name, data in cases(sys.argv[1], "request"):
        fact(name, await in_memory(config, [data]))
        fact(f"{name}: byte by byte", await in_memory(config, [data[i : i + 1] for i in range(len(data))]))
    library("uvicorn in memory")


def main():
    run_workers()
    asyncio.run(run_cases())
    return common.status


if __name__ == "__main__":
    sys.exit(main())
