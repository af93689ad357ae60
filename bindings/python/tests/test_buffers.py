"""What can be fed: anything whose bytes lie one behind the other, without a copy."""

from __future__ import annotations

import array
import ctypes
import mmap
import sys
from typing import Any, Callable

import pytest
from recorder import Recorder
from samples import CHUNKED, GET, POST

from llhttpgo import Body, EventParser, ParseError, Parser, ParserType, Upgrade, _tape
from llhttpgo._library import TAPE, library

DATA = (CHUNKED + GET).rjust(172, b"\n")  # 4 * n bytes, for the arrays


class Bytes(bytes):
    """A subclass whose items lie."""

    def __getitem__(self, index: Any) -> Any:
        raise AssertionError("the parser must look at the bytes themselves")


def mapped(data: bytes) -> mmap.mmap:
    memory = mmap.mmap(-1, len(data))
    memory.write(data)
    return memory


KINDS: dict[str, Callable[[bytes], Any]] = {
    "bytes": bytes,
    "subclass of bytes": Bytes,
    "bytearray": bytearray,
    "memoryview": memoryview,
    "memoryview of a bytearray": lambda data: memoryview(bytearray(data)),
    "read-only view of a bytearray": lambda data: memoryview(bytearray(data)).toreadonly(),
    "part of a read-only view": lambda data: memoryview(b"xx" + data + b"yy")[2:-2],
    "part of a writable view": lambda data: memoryview(bytearray(b"xx" + data + b"yy"))[2:-2],
    "array of bytes": lambda data: array.array("B", data),
    "array of words": lambda data: array.array("I", data),
    "view with two dimensions": lambda data: memoryview(data).cast("B", (4, len(data) // 4)),
    "array of C": lambda data: (ctypes.c_char * len(data)).from_buffer_copy(data),
    "array of C numbers": lambda data: (ctypes.c_uint32 * (len(data) // 4)).from_buffer_copy(data),
    "mmap": mapped,
}


@pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
def test_each_kind_of_buffer(make: Callable[[bytes], Any]) -> None:
    plain = Recorder(ParserType.REQUEST)
    plain.feed(DATA)
    parser = Recorder(ParserType.REQUEST)
    data = make(DATA)
    assert parser.feed(data) == len(DATA)
    assert parser.seen == plain.seen
    assert all(type(event.data) is bytes for event in parser.seen if event.data is not None)
    with pytest.raises(ParseError) as info:
        parser.feed(make(b"GET \x00 / HTTP/1.1\r\n\r\n"))
    assert info.value.position == 4


@pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
def test_what_is_left_behind_an_upgrade(make: Callable[[bytes], Any]) -> None:
    request = b"CONNECT a:1 HTTP/1.1\r\n\r\n"
    data = make(request + b"left over...")
    *_, last = EventParser(ParserType.REQUEST).feed(data)
    assert last == Upgrade(b"left over...", False)


@pytest.mark.parametrize("empty", [b"", bytearray(), memoryview(b""), memoryview(b"abc")[1:1], array.array("I")])
def test_empty_input(empty: Any) -> None:
    parser = Recorder(ParserType.REQUEST)
    parser.feed(GET[:10])
    assert parser.feed(empty) == 0
    parser.feed(GET[10:])
    assert parser.names[-1] == "message_complete"


@pytest.mark.parametrize("data", [memoryview(GET + GET)[::2], memoryview(GET)[::-1]])
def test_bytes_that_do_not_lie_together_are_refused(data: memoryview) -> None:
    parser = Parser(ParserType.REQUEST)
    with pytest.raises(BufferError, match="contiguous"):
        parser.feed(data)
    assert parser.feed(GET) == len(GET)


@pytest.mark.parametrize("data", ["GET / HTTP/1.1", 5, None, [71, 69, 84], object()])
def test_what_has_no_bytes_is_refused(data: Any) -> None:
    parser = Parser(ParserType.REQUEST)
    with pytest.raises(TypeError, match="bytes-like"):
        parser.feed(data)
    with pytest.raises(TypeError, match="bytes-like"):
        EventParser(ParserType.REQUEST).feed(data)
    assert parser.feed(GET) == len(GET)


def test_a_released_view_is_refused() -> None:
    data = memoryview(GET)
    data.release()
    with pytest.raises(ValueError, match="released"):
        Parser(ParserType.REQUEST).feed(data)


def test_a_bytearray_is_locked_while_it_is_parsed() -> None:
    data = bytearray(POST)

    class Grows(Parser):
        def on_body(self, piece: bytes) -> None:
            data.extend(piece)

    with pytest.raises(BufferError):
        Grows(ParserType.REQUEST).feed(data)
    data.extend(b"free again")
    assert bytes(data) == POST + b"free again"


@pytest.mark.parametrize("offset", [0, 3])
def test_the_input_is_not_copied(offset: int, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, name = (_tape, "_execute") if TAPE else (library, "llhttp_execute")
    execute = getattr(owner, name)
    seen = []

    def spy(parser: object, data: ctypes.c_void_p, *rest: object) -> int:
        seen.append(data.value)
        return int(execute(parser, data, *rest))

    monkeypatch.setattr(owner, name, spy)
    data = bytearray(b"\r\n\r" + GET)
    first = ctypes.addressof(ctypes.c_char.from_buffer(data))
    Parser(ParserType.REQUEST).feed(memoryview(data)[offset:])
    assert seen == [first + offset]


@pytest.mark.parametrize("make", [bytes, bytearray, lambda data: memoryview(bytearray(data))])
def test_no_reference_is_kept(make: Callable[[bytes], Any]) -> None:
    data = make(GET)
    parser = EventParser(ParserType.REQUEST)
    before = sys.getrefcount(data)
    events = list(parser.feed(data))
    assert sys.getrefcount(data) == before
    assert len(events) == 2


def test_a_large_body() -> None:
    size = 32 << 20
    data = bytearray(b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % size) + bytes(size)
    bodies = [event for event in EventParser(ParserType.REQUEST).feed(data) if isinstance(event, Body)]
    assert sum(len(body.data) for body in bodies) == size
