"""httptools: every case of tests/cases, whole and byte by byte, with all callbacks; then in threads and in forked
children.

    httptools_cases.py CASES_FILE
"""

import os
import sys
import threading
from typing import Any

import httptools

import common
from common import cases, expect, fact, library


class Recorder:
    """A protocol that keeps what it is told, text and bytes of one callback in a row joined."""

    names = (
        "on_message_begin",
        "on_url",
        "on_status",
        "on_header",
        "on_body",
        "on_message_complete",
        "on_chunk_header",
        "on_chunk_complete",
    )

    def __init__(self):
        self.events = []
        self.parser: Any = None
        for name in self.names:
            setattr(self, name, self.recorder(name))

    def on_headers_complete(self):
        parser = self.parser
        request = isinstance(parser, httptools.HttpRequestParser)
        self.events.append(
            [
                "on_headers_complete",
                parser.get_http_version(),
                parser.should_keep_alive(),
                parser.should_upgrade(),
                parser.get_method().decode() if request else parser.get_status_code(),
            ]
        )

    def recorder(self, name):
        def callback(*values):
            texts = [value.decode("latin-1") for value in values]
            if self.events and self.events[-1][0] == name and name in ("on_url", "on_status", "on_body"):
                self.events[-1][1] += texts[0]
            else:
                self.events.append([name, *texts])

        return callback


def begun(kind):
    recorder = Recorder()
    parser = {"request": httptools.HttpRequestParser, "response": httptools.HttpResponseParser}[kind](recorder)
    recorder.parser = parser
    return recorder, parser


def parsed(kind, pieces):
    """All that a parser says of bytes, given in pieces."""
    recorder, parser = begun(kind)
    try:
        for piece in pieces:
            parser.feed_data(piece)
    except httptools.HttpParserUpgrade as upgrade:
        recorder.events.append(["upgrade", *upgrade.args])
    except httptools.HttpParserError as error:
        recorder.events.append([type(error).__name__, str(error)])
    return recorder.events


def bytewise(data):
    return [data[i : i + 1] for i in range(len(data))]


def main():
    request = b"POST /path?q HTTP/1.1\r\nHost: h\r\nEmpty:\r\nTransfer-Encoding: chunked\r\n\r\n"
    request += b"5;a=b\r\nhello\r\n0\r\nT: v\r\n\r\n"
    wanted = [
        ["on_message_begin"],
        ["on_url", "/path?q"],
        ["on_header", "Host", "h"],
        ["on_header", "Empty", ""],
        ["on_header", "Transfer-Encoding", "chunked"],
        ["on_headers_complete", "1.1", True, False, "POST"],
        ["on_chunk_header"],
        ["on_body", "hello"],
        ["on_chunk_complete"],
        ["on_chunk_header"],
        ["on_header", "T", "v"],
        ["on_chunk_complete"],
        ["on_message_complete"],
    ]
    expect("request", parsed("request", [request]), wanted)
    expect("request, byte by byte", parsed("request", bytewise(request)), wanted)
    expect(
        "error",
        parsed("request", [b"GET / HTTP/1.1\r\nBad Name: x\r\n\r\n"])[-1],
        ["HttpParserError", "Invalid header token"],
    )

    right = []

    def work():
        for _ in range(200):
            right.append(parsed("request", bytewise(request)) == wanted)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expect("threads", [len(right), all(right)], [800, True])

    # Children forked between two pieces go on where the parent was.
    recorder, parser = begun("request")
    parser.feed_data(request[:30])
    statuses = []
    for _ in range(3):
        child = os.fork()
        if child == 0:
            parser.feed_data(request[30:])
            os._exit(
                0 if recorder.events[-1] == ["on_message_complete"] and parsed("request", [request]) == wanted else 1
            )
        statuses.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    expect("forked children", statuses, [0, 0, 0])

    for kind in ("request", "response"):
        for name, data in cases(sys.argv[1], kind):
            fact(f"{name}: {kind}", parsed(kind, [data]))
            fact(f"{name}: {kind}, byte by byte", parsed(kind, bytewise(data)))
    library("httptools")
    return common.status


sys.exit(main())
