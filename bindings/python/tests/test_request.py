"""parse_request, compiled and not: whole requests, what is not complete, errors; against EventParser."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any, Callable, Optional

import pytest
from samples import CHUNKED, GET, POST, UPGRADE

import llhttpgo
from llhttpgo import (
    Body,
    Errno,
    EventParser,
    MessageComplete,
    ParseError,
    ParserType,
    Request,
    WholeRequest,
    parse_request,
)
from llhttpgo._library import HEAD
from llhttpgo._request import pure_parse_request

Parse = Callable[[Any], Optional[WholeRequest]]

MANY = b"GET / HTTP/1.1\r\n" + b"".join(b"N%d: v%d\r\n" % (i, i) for i in range(1000)) + b"\r\n"
LONG = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1;a=b\r\nx\r\n" * 1000 + b"0\r\nT: x\r\n\r\n"
SPACES = b"PUT * HTTP/1.0\r\nConnection: keep-alive\r\nA:\t b \r\nB:\r\nA: c\r\nContent-Length: 0\r\n\r\n"
HTTP2 = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
CONNECT = b"CONNECT host:1 HTTP/1.1\r\n\r\n"
REQUESTS = [GET, POST, CHUNKED, UPGRADE, MANY, LONG, SPACES, CONNECT, b"\r\n" + GET]


@pytest.fixture(params=[parse_request, pure_parse_request], ids=["default", "pure"])
def parse(request: pytest.FixtureRequest) -> Parse:
    function: Parse = request.param
    return function


def by_events(data: bytes) -> tuple[object, ...]:
    """What EventParser says of the first request."""
    body, head = b"", None
    for event in EventParser(ParserType.REQUEST).feed(data):
        if isinstance(event, Request):
            head = event
        elif isinstance(event, Body):
            body += event.data
        elif isinstance(event, MessageComplete):
            break
    assert head is not None
    return (head.method, head.url, head.http_version, list(head.headers), body, head.upgrade, head.keep_alive)


@pytest.mark.parametrize("data", REQUESTS)
@pytest.mark.parametrize("rest", [b"", GET, b"\xff"])
def test_the_same_as_from_events(parse: Parse, data: bytes, rest: bytes) -> None:
    request = parse(data + rest)
    assert request is not None
    assert type(request) is WholeRequest
    assert tuple(request)[:7] == by_events(data)
    assert request.consumed == len(data)


@pytest.mark.parametrize("data", [GET, POST, CHUNKED, UPGRADE, SPACES])
def test_what_is_not_complete(parse: Parse, data: bytes) -> None:
    for end in range(len(data)):
        assert parse(data[:end]) is None
        assert parse(data) is not None


def test_http2(parse: Parse) -> None:
    with pytest.raises(ParseError) as raised:
        parse(HTTP2)
    assert raised.value.errno is Errno.PAUSED_H2_UPGRADE
    assert raised.value.position == len(HTTP2)


@pytest.mark.parametrize("make", [bytes, bytearray, lambda data: memoryview(data)])
def test_input(parse: Parse, make: Callable[[bytes], Any]) -> None:
    assert parse(make(POST)) == parse(POST)
    with pytest.raises(TypeError):
        parse("GET / HTTP/1.1\r\n\r\n")


@pytest.mark.parametrize(
    "data",
    [
        b"nonsense",
        GET[:-2] + b"bad name: x\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: other\r\n\r\n",
        CHUNKED.replace(b"\r\n\r\n", b"\r\n\r\nx", 1),
    ],
)
def test_errors_are_those_of_a_parser(parse: Parse, data: bytes) -> None:
    with pytest.raises(ParseError) as expected:
        list(EventParser(ParserType.REQUEST).feed(data))
    with pytest.raises(ParseError) as raised:
        parse(data)
    assert raised.value.args == expected.value.args
    assert parse(GET) is not None


def test_the_compiled_part_is_in_use_unless_it_is_not_wanted() -> None:
    built = any(name.startswith("_speed") and name.endswith(".so") for name in os.listdir(llhttpgo.__path__[0]))
    show = [sys.executable, "-c", "import llhttpgo; print(llhttpgo.COMPILED)"]
    for value, expected in (("", built and HEAD), ("1", False)):
        environment = {**os.environ, "LLHTTPGO_PURE": value}
        shown = subprocess.run(show, env=environment, check=True, capture_output=True, text=True).stdout
        assert shown.strip() == str(expected)
