"""Parsers, what they were given and what callbacks raised are freed, without the cycle collector's help."""

from __future__ import annotations

import copy
import gc
import pickle
import subprocess
import sys
import tracemalloc
import weakref
from collections.abc import Iterator
from typing import Any, Callable

import pytest
from recorder import Recorder
from samples import CHUNKED, GET, UPGRADE

from llhttpgo import BaseParser, EventParser, ParseError, Parser, ParserType
from llhttpgo import _delivery as delivery
from llhttpgo._library import TAPE


class OnPurpose(Exception):
    pass


class Fails(Parser):
    def on_url(self, data: bytes) -> None:
        raise OnPurpose


def parse(kind: type[BaseParser], data: bytes) -> BaseParser:
    """Takes a parser through a parse, an error and a reset."""
    parser = kind(ParserType.REQUEST)
    for piece in (data[:10], data[10:], b"nonsense"):
        try:
            if isinstance(parser, EventParser):
                list(parser.feed(piece))
            elif isinstance(parser, Parser):
                parser.feed(piece)
        except (ParseError, OnPurpose, RuntimeError):
            parser.reset()
    return parser


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


KINDS: list[type[BaseParser]] = [Parser, EventParser, Recorder, Fails]


@pytest.mark.usefixtures("no_collector")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("data", [GET, CHUNKED, UPGRADE])
def test_parsers_are_freed_at_once(kind: type[BaseParser], data: bytes) -> None:
    parser = parse(kind, data)
    assert parser._address not in delivery._running
    reference = weakref.ref(parser)
    del parser
    assert reference() is None


@pytest.mark.usefixtures("no_collector")
def test_a_parser_is_freed_behind_its_exception() -> None:
    parser = Fails(ParserType.REQUEST)
    reference = weakref.ref(parser)
    with pytest.raises(OnPurpose) as info:
        parser.feed(GET)
    del parser
    assert reference() is not None  # the traceback has it
    del info
    assert reference() is None


@pytest.mark.usefixtures("no_collector")
@pytest.mark.parametrize("kind", KINDS)
def test_a_parser_is_freed_behind_a_parse_error(kind: type[BaseParser]) -> None:
    def fail(parser: BaseParser) -> None:
        for _ in range(2):
            with pytest.raises((ParseError, OnPurpose)):
                if isinstance(parser, EventParser):
                    list(parser.feed(b"GET / nonsense"))
                elif isinstance(parser, Parser):
                    parser.feed(b"GET / nonsense")

    parser = kind(ParserType.REQUEST)
    fail(parser)
    reference = weakref.ref(parser)
    del parser
    assert reference() is None


@pytest.mark.usefixtures("no_collector")
def test_events_that_nobody_takes_are_freed() -> None:
    parser = EventParser(ParserType.REQUEST)
    events = parser.feed(CHUNKED)
    reference = weakref.ref(parser)
    del parser
    assert reference() is None
    assert len(list(events)) == 3


def test_classes_are_freed() -> None:
    kind = type("Short", (Parser,), {"on_url": lambda self, data: None})
    parse(kind, GET)
    reference = weakref.ref(kind)
    del kind
    gc.collect()
    assert reference() is None


@pytest.mark.parametrize("kind", KINDS)
def test_memory_does_not_grow(kind: type[BaseParser]) -> None:
    def work() -> None:
        for _ in range(100):
            parse(kind, CHUNKED)

    work()
    gc.collect()
    tracemalloc.start()
    try:
        work()
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(5):
            work()
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 500 * 8  # not one word per parser


def test_callbacks_are_made_once_per_process() -> None:
    before = len(delivery._thunks)
    for i in range(10):
        parse(type(f"Kind{i}", (Recorder,), {}), GET)
    assert len(delivery._thunks) == before


@pytest.mark.parametrize("copying", [copy.copy, copy.deepcopy, pickle.dumps])
def test_parsers_cannot_be_copied(copying: Callable[[object], object]) -> None:
    with pytest.raises(TypeError, match="cannot be copied or pickled"):
        copying(Parser())


def test_exceptions_hold_no_reference_to_the_input() -> None:
    data = bytearray(b"nonsense")
    with pytest.raises(ParseError) as info:
        Parser(ParserType.REQUEST).feed(data)
    error = info.value
    del info
    error.__traceback__ = None
    assert sys.getrefcount(data) == 2


# What the cycle collector finds in a process that it must not crash: parses that ended in the middle, each in a cycle.
GARBAGE = """
import gc
from llhttpgo import EventParser, Parser, ParserType, parse_request

class Fails(Parser):
    def on_header_value(self, data):
        raise KeyError

class Nested(Parser):
    def on_header_value(self, data):
        self.other = Fails(ParserType.REQUEST)
        self.other.feed(REQUEST)

REQUEST = b"GET / HTTP/1.1\\r\\nHost: a\\r\\nAccept: b\\r\\n\\r\\n"
CHUNKED = b"POST / HTTP/1.1\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n1\\r\\na\\r\\nnonsense"

def fails(data):
    Fails(ParserType.REQUEST).feed(data)

def fails_within(data):
    Nested(ParserType.REQUEST).feed(data)

def taken_partly(data):
    events = iter(EventParser(ParserType.REQUEST).feed(data))
    next(events)
    raise OSError(events)

for data in REQUEST, bytearray(REQUEST), memoryview(REQUEST), CHUNKED:
    for parse in fails, fails_within, taken_partly, parse_request:
        for _ in range(3):
            try:
                parse(data)
            except Exception as error:
                error.itself = error
        gc.collect()
print("all")
"""


def test_collector_finds_parses_that_ended_in_the_middle() -> None:
    result = subprocess.run([sys.executable, "-c", GARBAGE], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, "all\n", "")


# Finalizers that run while a result is made, and parse as well: the collector may run whenever an object is made.
FINALIZERS = """
import gc
from llhttpgo import parse_request

SHORT = b"GET /a HTTP/1.1\\r\\n" + b"".join(b"A%02d: %d\\r\\n" % (i, i) for i in range(20)) + b"\\r\\n"
LONG = b"GET /b HTTP/1.1\\r\\n" + b"".join(b"Name-%03d: %0200d\\r\\n" % (i, i) for i in range(250)) + b"\\r\\n"

class Finalizer:
    def __del__(self):
        self.parsed.append(parse_request(LONG))

wanted, within = parse_request(SHORT), parse_request(LONG)
parsed = []
for n in range(1, 200):
    gc.collect()
    gc.disable()
    kept = [[] for _ in range(n)]
    gc.set_threshold(100, 1000, 1000)
    garbage = Finalizer()
    garbage.itself, garbage.parsed = garbage, parsed
    del garbage
    gc.enable()
    assert parse_request(SHORT) == wanted, n
assert parsed and all(result == within for result in parsed)
print("all")
"""


def test_parse_request_in_finalizers() -> None:
    result = subprocess.run([sys.executable, "-c", FINALIZERS], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, "all\n", "")


def test_events_of_a_buffer_take_one_copy() -> None:
    data = bytearray(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\na\r\n" * 20000)
    copies: list[int] = []

    class Counting(EventParser):
        def _take_events(self, events: Any, source: Any, start: int) -> int:
            copies.append(id(source))
            assert type(source) is bytes
            return super()._take_events(events, source, start)

    assert len(list(Counting(ParserType.REQUEST).feed(data))) > 20000
    # Without a tape each event comes by itself.
    assert (len(copies) > 50, len(set(copies))) == ((True, 1) if TAPE else (False, 0))
