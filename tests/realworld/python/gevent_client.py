"""geventhttpclient: its client against a server, with connections that are kept, in many greenlets; then every
response of tests/cases, over a socket and to its parser, whole and byte by byte.

    gevent_client.py CASES_FILE

The module has a copy of llhttp inside; the library takes part only if LD_PRELOAD names it.
"""

import sys
import threading
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import gevent
from geventhttpclient import HTTPClient
from geventhttpclient.response import HTTPResponse

import common
from common import Canned, cases, expect, fact, library

accepted = 0


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Says nothing."""

    def setup(self):
        global accepted
        accepted += 1
        super().setup()

    def do_GET(self):
        size = int(self.path.rsplit("/", 1)[1])
        body = bytes(i % 251 for i in range(size))
        self.send_response(200, "Fine")
        if self.path.startswith("/chunked"):
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for at in range(0, size, 777):
                part = body[at : at + 777]
                self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
            self.wfile.write(b"0\r\nTrailer: t\r\n\r\n")
        else:
            self.send_header("Content-Length", str(size))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

    do_HEAD = do_GET

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(201)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[::-1])


def seen(action):
    """What a response is, or what came instead."""
    try:
        response = action()
        return [
            response.status_code,
            response.status_message,
            response.version,
            response.should_close(),
            sorted([name, value] for name, value in response.items()),
            bytes(response.read()).decode("latin-1"),
        ]
    except Exception as error:  # whatever it is, it must be the same
        return [type(error).__name__, str(error)]


def fed(pieces, method="GET"):
    """What the parser of responses makes of bytes that come in pieces."""
    response = HTTPResponse(method)
    error = None
    try:
        for piece in pieces:
            response.feed(piece)
    except Exception as problem:  # whatever it is, it must be the same
        error = [type(problem).__name__, str(problem)]
    return [
        response.status_code,
        response.status_message,
        response.version,
        response.headers_complete,
        response.message_complete,
        response.should_close(),
        response.get_remaining_content_length(),
        sorted([name, value] for name, value in response.items()),
        bytes(response._body_buffer).decode("latin-1"),
        error,
    ]


def main():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    client = HTTPClient("127.0.0.1", server.server_port, concurrency=4)

    def work(greenlet):
        right = 0
        for i in range(50):
            size = (greenlet * 50 + i) * 97 % 20000
            response = client.get(f"/{'chunked' if i % 2 else 'length'}/{size}")
            right += response.status_code == 200 and response.read() == bytes(j % 251 for j in range(size))
        return right

    greenlets = [gevent.spawn(work, i) for i in range(8)]
    gevent.joinall(greenlets)
    expect("right answers", [g.value for g in greenlets], [50] * 8)
    expect("connections", accepted, 4)
    answer = client.post("/", body=b"0123456789" * 1000)
    expect("POST", [answer.status_code, answer.read() == b"9876543210" * 1000], [201, True])
    answer = client.head("/length/100")
    expect(
        "HEAD",
        [answer.status_code, answer.status_message, answer["content-length"], len(answer.read())],
        [200, "Fine", "100", 0],
    )
    client.close()

    canned = Canned()
    for name, data in cases(sys.argv[1], "response"):
        canned.response = data
        # Retries would hide an error.
        one = HTTPClient("127.0.0.1", canned.port, concurrency=1, connection_timeout=30, network_timeout=30)
        fact(f"{name}: over a socket", seen(partial(one.get, "/")))
        one.close()
        fact(f"{name}: fed", fed([data]))
        fact(f"{name}: fed byte by byte", fed([data[i : i + 1] for i in range(len(data))]))
        fact(f"{name}: to HEAD", fed([data], "HEAD"))
    library("geventhttpclient")
    return common.status


sys.exit(main())
