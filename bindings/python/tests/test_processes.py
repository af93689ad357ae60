"""Parsers in threads, in forked processes, and in an event loop."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Optional

import pytest
from recorder import Recorder, RecorderBase
from samples import CHUNKED, GET, OK, POST, UPGRADE

from llhttpgo import (
    Body,
    EventParser,
    MessageComplete,
    ParseError,
    Parser,
    ParserType,
    Request,
    Response,
    StateError,
    Upgrade,
)

DATA = GET + CHUNKED + POST


def whole() -> list[tuple[str, Optional[bytes]]]:
    parser = Recorder(ParserType.REQUEST)
    parser.feed(DATA)
    return list(parser.joined())


# ---- threads


def test_a_parser_per_thread() -> None:
    wanted = whole()

    def work(size: int) -> int:
        parser = Recorder(ParserType.REQUEST)
        rounds = 0
        for _ in range(20):
            parser.seen.clear()
            for start in range(0, len(DATA), size):
                parser.feed(DATA[start : start + size])
            got = parser.joined()
            assert got[bool(rounds) :] == wanted  # on_reset stands before all but the first
            rounds += 1
        return rounds

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(work, range(1, 25))) == [20] * 24
    finally:
        sys.setswitchinterval(interval)


def test_a_parser_may_move_between_threads() -> None:
    parser = Recorder(ParserType.REQUEST)
    for i in range(len(DATA)):
        thread = threading.Thread(target=parser.feed, args=(DATA[i : i + 1],))
        thread.start()
        thread.join()
    assert parser.joined() == whole()


def test_one_parser_in_two_threads_at_once_is_refused() -> None:
    inside, leave = threading.Event(), threading.Event()

    def wait(parser: RecorderBase, name: str, data: Optional[bytes]) -> None:
        if name == "url":
            inside.set()
            assert leave.wait(10)

    parser = Recorder(ParserType.REQUEST, hook=wait)
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(parser.feed, GET)
        assert inside.wait(10)
        with pytest.raises(StateError, match="another thread"):
            parser.feed(GET)
        with pytest.raises(StateError, match="another thread"):
            parser.finish()
        leave.set()
        assert future.result() == len(GET)
    assert parser.names.count("message_complete") == 1


# ---- processes


def in_child(status: int) -> int:
    """Waits for a child and returns its exit status."""
    _, code = os.waitpid(status, 0)
    return os.waitstatus_to_exitcode(code)


@pytest.mark.parametrize("cut", [0, 10, len(GET) + 80])
def test_fork_in_the_middle_of_a_message(cut: int) -> None:
    parser = Recorder(ParserType.REQUEST)
    parser.feed(DATA[:cut])
    child = os.fork()
    if child == 0:
        code = 1
        try:
            parser.feed(DATA[cut:])
            code = 0 if parser.joined() == whole() else 2
        finally:
            os._exit(code)
    parser.feed(DATA[cut:])
    assert in_child(child) == 0
    assert parser.joined() == whole()


def test_fork_in_a_callback() -> None:
    children: list[int] = []

    def fork(parser: RecorderBase, name: str, data: Optional[bytes]) -> None:
        if name == "headers_complete" and not children:
            children.append(os.fork())

    parser = Recorder(ParserType.REQUEST, hook=fork)
    try:
        parser.feed(DATA)
        same = parser.joined() == whole()
    finally:
        if children == [0]:
            os._exit(0 if same else 1)
    assert in_child(children[0]) == 0
    assert same


def methods_of(data: bytes) -> list[str]:
    return [event.method for event in EventParser(ParserType.REQUEST).feed(data) if isinstance(event, Request)]


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_worker_processes(method: str) -> None:
    with multiprocessing.get_context(method).Pool(2) as pool:
        results = pool.map(methods_of, [DATA, GET, CHUNKED])
        assert results == [["GET", "POST", "POST"], ["GET"], ["POST"]]
        with pytest.raises(ParseError, match="HPE_INVALID_METHOD"):
            pool.map(methods_of, [b"nonsense"])


# ---- an event loop


class Server(asyncio.Protocol):
    """Answers each request with its target and body; on an upgrade, echoes what comes."""

    def __init__(self) -> None:
        self.parser = EventParser(ParserType.REQUEST)
        self.body = b""
        self.url = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        if self.parser.upgraded:
            self.transport.write(data)
            return
        try:
            for event in self.parser.feed(data):
                if isinstance(event, Request):
                    self.url, self.body = event.url, b""
                elif isinstance(event, MessageComplete):
                    self.answer(event)
                elif isinstance(event, Body):
                    self.body += event.data
                elif isinstance(event, Upgrade):
                    self.transport.write(event.data)
        except ParseError as error:
            self.transport.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n" + error.name.encode())
            self.transport.close()

    def answer(self, event: MessageComplete) -> None:
        if event.upgrade:
            self.transport.write(b"HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n")
            return
        content = self.url + b" " + self.body
        self.transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(content) + content)
        if not event.keep_alive:
            self.transport.close()


class Answers(Parser):
    """A client's side: what comes, response by response."""

    def __init__(self) -> None:
        super().__init__(ParserType.RESPONSE)
        self.received: list[tuple[int, bytes]] = []
        self.body = b""

    def on_headers_complete(self) -> None:
        self.body = b""

    def on_body(self, data: bytes) -> None:
        self.body += data

    def on_message_complete(self) -> None:
        self.received.append((self.status_code, self.body))


async def talk(data: bytes, size: int) -> tuple[list[tuple[int, bytes]], bytes]:
    """Sends data in pieces to a server; returns the answers, and what follows an upgrade."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Server, "127.0.0.1", 0)
    async with server:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        for start in range(0, len(data), size):
            writer.write(data[start : start + size])
            await writer.drain()
            await asyncio.sleep(0)
        writer.write_eof()
        answers, rest = Answers(), b""
        while piece := await reader.read(7):
            if answers.upgraded:
                rest += piece
            else:
                rest += piece[answers.feed(piece) :]
        answers.finish()
        writer.close()
        await writer.wait_closed()
    return answers.received, rest


@pytest.mark.parametrize("size", [1, 11, 1000])
def test_asyncio(size: int) -> None:
    answers, rest = asyncio.run(talk(DATA, size))
    assert answers == [(200, b"/index.html?q=1 "), (200, b"/up body"), (200, b"/form hello")]
    assert rest == b""


@pytest.mark.parametrize("size", [1, 11, 1000])
def test_asyncio_upgrade(size: int) -> None:
    answers, rest = asyncio.run(talk(GET + UPGRADE + b"not HTTP any more", size))
    assert answers == [(200, b"/index.html?q=1 "), (101, b"")]
    assert rest == b"not HTTP any more"


def test_asyncio_error() -> None:
    answers, _ = asyncio.run(talk(GET + b"nonsense", 1000))
    assert answers == [(200, b"/index.html?q=1 "), (400, b"HPE_INVALID_METHOD")]


def test_asyncio_many_connections() -> None:
    async def many() -> list[tuple[list[tuple[int, bytes]], bytes]]:
        return await asyncio.gather(*(talk(DATA, size) for size in range(3, 40)))

    results = asyncio.run(many())
    assert all(result == results[0] for result in results)
    assert len(results[0][0]) == 3


def test_both_sides_in_one_process() -> None:
    parser = EventParser()
    (head, *_) = parser.feed(OK)
    assert isinstance(head, Response)
