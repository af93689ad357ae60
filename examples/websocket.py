#!/usr/bin/env python3
"""A WebSocket server (RFC 6455) that sends back what it gets: how a connection leaves HTTP.

    pip install ./bindings/python
    examples/websocket.py [PORT]

What must hold: what follows the request belongs to WebSocket from its first byte on, be it in the same piece of input
or not; and a request that is refused leaves the connection with HTTP.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import struct
import sys

from llhttpgo import EventParser, LlhttpError, MessageComplete, Method, ParserType, Request, Upgrade

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, Section 1.3
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
MAX_FRAME = 1 << 20
UPGRADE_REQUIRED = (
    b"HTTP/1.1 426 Upgrade Required\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n%bContent-Length: 0\r\n\r\n"
)


def accept_key(request: Request) -> bytes | None:
    """The answer to a request for WebSocket, None if it is no such request (RFC 6455, Section 4.2)."""
    fields = {name.lower(): value for name, value in request.headers}
    key = fields.get(b"sec-websocket-key", b"")
    if (
        request.method != Method.GET
        or not request.upgrade
        or request.http_version < (1, 1)
        or fields.get(b"upgrade", b"").lower() != b"websocket"
        or fields.get(b"sec-websocket-version") != b"13"
        or len(key) != 24
    ):
        return None
    return base64.b64encode(hashlib.sha1(key + GUID).digest())


class Echo:
    """The frames of one connection."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self.transport = transport
        self.data = bytearray()

    def feed(self, data: bytes) -> None:
        self.data += data
        while not self.transport.is_closing() and self.take_frame():
            pass

    def take_frame(self) -> bool:
        """Takes one frame off the front of what has come. Returns whether one was whole (RFC 6455, Section 5.2)."""
        if len(self.data) < 2:
            return False
        size, start = self.data[1] & 0x7F, 2
        if size >= 126:
            form = ">H" if size == 126 else ">Q"
            start += struct.calcsize(form)
            if len(self.data) < start:
                return False
            (size,) = struct.unpack_from(form, self.data, 2)
        if self.data[1] & 0x80 == 0 or size > MAX_FRAME:
            # 1002: a client must mask; 1009: too large.
            self.send(0x80 | CLOSE, struct.pack(">H", 1009 if size > MAX_FRAME else 1002))
            self.transport.close()
            return False
        end = start + 4 + size
        if len(self.data) < end:
            return False
        mask = (self.data[start : start + 4] * (size // 4 + 1))[:size]
        payload = bytes(a ^ b for a, b in zip(self.data[start + 4 : end], mask))
        first = self.data[0]
        del self.data[:end]
        self.on_frame(first, payload)
        return True

    def on_frame(self, first: int, payload: bytes) -> None:
        opcode = first & 0x0F
        if opcode == PING:
            self.send(0x80 | PONG, payload)
        elif opcode == CLOSE:
            self.send(0x80 | CLOSE, payload[:2])
            self.transport.close()
        elif opcode != PONG:
            self.send(first, payload)

    def send(self, first: int, payload: bytes) -> None:
        size = len(payload)
        if size < 126:
            head = bytes([first, size])
        elif size <= 0xFFFF:
            head = struct.pack(">BBH", first, 126, size)
        else:
            head = struct.pack(">BBQ", first, 127, size)
        self.transport.write(head + payload)


class Connection(asyncio.Protocol):
    """One client: HTTP until a request for WebSocket is granted."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: asyncio.Transport = transport  # type: ignore[assignment]
        self.parser = EventParser(ParserType.REQUEST)
        self.accept: bytes | None = None  # the request under way asks for WebSocket, and gets it
        self.echo: Echo | None = None

    def data_received(self, data: bytes) -> None:
        rest: bytes | None = data
        try:
            while rest is not None and self.echo is None:
                rest = self.parse(rest)
        except LlhttpError:
            self.transport.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            self.transport.close()
        if rest is not None and self.echo is not None:
            self.echo.feed(rest)

    def parse(self, data: bytes) -> bytes | None:
        """Parses HTTP. Returns what stands behind a request that asks to leave it: whether it does, we have decided."""
        for event in self.parser.feed(data):
            if isinstance(event, Request):
                self.accept = accept_key(event)
            elif isinstance(event, MessageComplete):
                self.answer(event.keep_alive)
            elif isinstance(event, Upgrade):
                if self.accept is not None:
                    self.echo = Echo(self.transport)
                elif event.http2:
                    self.transport.close()
                    return None
                else:
                    self.parser.resume_after_upgrade()
                return event.data
        return None

    def answer(self, keep_alive: bool) -> None:
        if self.accept is not None:
            self.transport.write(
                b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Accept: " + self.accept + b"\r\n\r\n"
            )
        else:
            self.transport.write(UPGRADE_REQUIRED % (b"" if keep_alive else b"Connection: close\r\n"))
            if not keep_alive:
                self.transport.close()


async def main(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(Connection, "127.0.0.1", port)
    print(f"listening on http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 8080))
