#!/usr/bin/env python3
"""A small HTTP/1.1 server on asyncio and the package llhttpgo, which does the parsing.

    pip install ./bindings/python
    examples/server.py [PORT [SECONDS]]

PORT: default 8080, 0 for any; SECONDS: what a client may take, default 10.

It answers / and /chunked, and sends back what is posted to /echo, in chunked coding if it came so. Bytes go from
``data_received`` to ``EventParser.feed``, whose events go to ``Connection.on_*``, which write to the transport. What
must hold: answers are in the order of the requests, and behind the last one (``closing``) no event is looked at.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from email.utils import formatdate
from http import HTTPStatus
from typing import ClassVar

from llhttpgo import (
    Body,
    Errno,
    EventParser,
    HeadTooLargeError,
    MessageComplete,
    Method,
    ParseError,
    ParserType,
    Request,
    Upgrade,
)

MAX_TARGET = 8000  # bytes of a request-target: 414 beyond
MAX_HEAD = 65536  # bytes of target and field lines: 431 beyond
MAX_FIELDS = 100  # field lines: 431 beyond
MAX_BODY = 1 << 20  # bytes of a body: 413 beyond
HELLO = b"Hello, world\n"


def status_of(error: ParseError) -> int | None:
    """The status for an error of the parser; None: there is nobody to answer."""
    if error.errno == Errno.CLOSED_CONNECTION:
        return None
    if error.errno == Errno.INVALID_METHOD and error.reason == "Invalid method encountered":
        return HTTPStatus.NOT_IMPLEMENTED
    if error.errno == Errno.INVALID_VERSION and error.reason == "Invalid HTTP version":
        return HTTPStatus.HTTP_VERSION_NOT_SUPPORTED
    return HTTPStatus.BAD_REQUEST


def refusal(request: Request) -> int | None:
    """The status for a request that parses, and is refused all the same before its body is read."""
    hosts = [value for name, value in request.headers if name.lower() == b"host"]
    expectations = [value.lower() for name, value in request.headers if name.lower() == b"expect"]
    if request.http_version[0] != 1:
        return HTTPStatus.HTTP_VERSION_NOT_SUPPORTED
    if request.http_version >= (1, 1) and len(hosts) != 1:
        return HTTPStatus.BAD_REQUEST  # RFC 9112, Section 3.2
    if request.method == Method.CONNECT:
        return HTTPStatus.NOT_IMPLEMENTED
    if len(request.url) > MAX_TARGET:
        return HTTPStatus.REQUEST_URI_TOO_LONG
    if len(request.headers) > MAX_FIELDS:
        return HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
    if any(value != b"100-continue" for value in expectations):
        return HTTPStatus.EXPECTATION_FAILED
    if (request.content_length or 0) > MAX_BODY:
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    return None


class Connection(asyncio.Protocol):
    """One client."""

    open: ClassVar[set[Connection]] = set()
    ending = False  # the server answers what is under way, and then ends
    patience = 10.0  # seconds

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: asyncio.Transport = transport  # type: ignore[assignment]
        self.parser = EventParser(ParserType.REQUEST, max_head_size=MAX_HEAD)
        self.request: Request | None = None
        self.body = bytearray()
        self.busy = False  # a request has begun and is not answered
        self.closing = False  # no further request; our side is shut
        self.loop = asyncio.get_running_loop()
        self.timer = self.loop.call_later(self.patience, self.on_timeout)
        Connection.open.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.timer.cancel()
        Connection.open.discard(self)

    def wait_again(self) -> None:
        self.timer.cancel()
        self.timer = self.loop.call_later(self.patience, self.on_timeout)

    def on_timeout(self) -> None:
        if self.busy and not self.closing:
            self.refuse(HTTPStatus.REQUEST_TIMEOUT)
            self.wait_again()
        else:
            self.transport.abort()

    # A client that sends requests and reads no answers must not fill our memory.

    def pause_writing(self) -> None:
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        self.transport.resume_reading()
        self.wait_again()

    # ---- bytes to events

    def data_received(self, data: bytes) -> None:
        event: object = None
        if not self.busy:
            self.wait_again()  # for the whole head: single bytes do not prolong it
            self.busy = True
        try:
            while not self.closing:
                rest = None
                for event in self.parser.feed(data):
                    if isinstance(event, Request):
                        self.on_request(event)
                    elif isinstance(event, Body):
                        self.on_body(event.data)
                    elif isinstance(event, MessageComplete):
                        self.on_message_complete(event)
                    elif isinstance(event, Upgrade):
                        rest = self.on_upgrade(event)
                    if self.closing:
                        return
                if rest is None:
                    break
                data = rest
        except ParseError as error:
            self.refuse(status_of(error))
        except HeadTooLargeError:
            self.refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        # A request that has begun in the same piece behind a complete one is not seen here; its next piece is.
        self.busy = self.request is not None or not isinstance(event, MessageComplete)

    def on_request(self, request: Request) -> None:
        self.request = request
        self.body.clear()
        status = refusal(request)
        if status is not None:
            self.refuse(status)
        elif request.http_version >= (1, 1) and any(name.lower() == b"expect" for name, _ in request.headers):
            self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def on_body(self, data: bytes) -> None:
        self.wait_again()
        self.body += data
        if len(self.body) > MAX_BODY:
            self.refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)

    def on_message_complete(self, message: MessageComplete) -> None:
        self.respond(message.keep_alive and not self.ending)
        self.request = None
        self.wait_again()

    def on_upgrade(self, event: Upgrade) -> bytes:
        """The upgrade is declined: the request has been answered as any other, and HTTP goes on."""
        if event.http2:
            self.refuse(HTTPStatus.HTTP_VERSION_NOT_SUPPORTED)
        else:
            self.parser.resume_after_upgrade()
        return event.data

    def eof_received(self) -> None:
        """No more requests. Answers that wait are still written; a request that is cut off is not answered."""

    # ---- answers

    def respond(self, keep_alive: bool) -> None:
        request = self.request
        assert request is not None
        reads = request.method in (Method.GET, Method.HEAD)
        echo = request.url == b"/echo"
        if not reads and request.method != Method.POST:
            self.answer(HTTPStatus.NOT_IMPLEMENTED, keep_alive=keep_alive)
        elif request.url not in (b"/", b"/chunked", b"/echo"):
            self.answer(HTTPStatus.NOT_FOUND, b"Not Found\n", keep_alive=keep_alive)
        elif reads == echo:
            self.answer(HTTPStatus.METHOD_NOT_ALLOWED, keep_alive=keep_alive)
        elif echo:
            self.answer(HTTPStatus.OK, bytes(self.body), chunked=request.chunked, keep_alive=keep_alive)
        else:
            self.answer(HTTPStatus.OK, HELLO, chunked=request.url == b"/chunked", keep_alive=keep_alive)

    def answer(self, status: int, body: bytes = b"", *, chunked: bool = False, keep_alive: bool = True) -> None:
        request = self.request
        old = request is not None and request.http_version == (1, 0)
        head = request is not None and request.method == Method.HEAD
        lines = [
            f"HTTP/1.1 {int(status)} {HTTPStatus(status).phrase}",
            f"Date: {formatdate(usegmt=True)}",
            "Content-Type: text/plain",
        ]
        if status == HTTPStatus.METHOD_NOT_ALLOWED:
            lines.append("Allow: GET, HEAD, POST")
        if not keep_alive:
            lines.append("Connection: close")
        elif old:
            lines.append("Connection: keep-alive")
        if chunked and not old:
            lines.append("Transfer-Encoding: chunked")
            body = (b"%x\r\n%b\r\n" % (len(body), body) if body else b"") + b"0\r\n\r\n"
        else:
            lines.append(f"Content-Length: {len(body)}")
        self.transport.write("\r\n".join([*lines, "\r\n"]).encode("ascii") + (b"" if head else body))
        if not keep_alive:
            self.shut()

    def refuse(self, status: int | None) -> None:
        """The last answer of a connection: nothing behind it can be parsed, or shall be."""
        if status is None:
            self.shut()
        else:
            self.answer(status, HTTPStatus(status).phrase.encode("ascii"), keep_alive=False)

    def shut(self) -> None:
        """Shuts our side.

        To close with bytes unread would reset the connection, and the client might lose the answer.
        """
        self.closing = True
        self.transport.write_eof()
        self.wait_again()


async def main(port: int, seconds: float) -> None:
    Connection.patience = seconds
    loop = asyncio.get_running_loop()
    end = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, end.set)
    server = await loop.create_server(Connection, "127.0.0.1", port)
    print(f"listening on http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", flush=True)
    await end.wait()
    Connection.ending = True
    server.close()
    for connection in list(Connection.open):
        if not connection.busy:
            connection.transport.close()
    while Connection.open:
        await asyncio.sleep(0.05)


if __name__ == "__main__":
    asyncio.run(
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 8080, float(sys.argv[2]) if len(sys.argv) > 2 else 10.0)
    )
