"""EventParser: the events, and when errors are raised among them."""

from __future__ import annotations

import typing
from typing import Any, Optional, Union

import pytest
from samples import CHUNKED, GET, OK, POST, PREFACE, UNTIL_CLOSE, UPGRADE

from llhttpgo import (
    Body,
    Errno,
    Event,
    EventParser,
    HeadersAction,
    HeadTooLargeError,
    MessageComplete,
    Method,
    ParseError,
    ParserType,
    Request,
    Response,
    StateError,
    Upgrade,
)

HOST = (b"Host", b"example.com")
GET_HEAD = Request(
    Method.GET, b"/index.html?q=1", (1, 1), (HOST, (b"Accept", b"*/*")), None, False, upgrade=False, keep_alive=True
)
DONE = MessageComplete((), upgrade=False, keep_alive=True)


def test_requests() -> None:
    assert list(EventParser(ParserType.REQUEST).feed(GET + POST + CHUNKED)) == [
        GET_HEAD,
        DONE,
        Request(Method.POST, b"/form", (1, 1), (HOST, (b"Content-Length", b"5")), 5, False, False, True),
        Body(b"hello"),
        DONE,
        Request(Method.POST, b"/up", (1, 1), (HOST, (b"Transfer-Encoding", b"chunked")), None, True, False, True),
        Body(b"body"),
        MessageComplete(((b"Trailer", b"t"),), False, True),
    ]


def test_byte_by_byte() -> None:
    parser = EventParser(ParserType.REQUEST)
    events: list[Event] = []
    for i in range(len(GET)):
        events += parser.feed(GET[i : i + 1])
    assert events == [GET_HEAD, DONE]


def test_response_until_the_end() -> None:
    parser = EventParser(ParserType.RESPONSE)
    head = Response(200, b"OK", (1, 1), (), None, False, False, False)
    assert list(parser.feed(UNTIL_CLOSE)) == [head, Body(b"until the end")]
    assert list(parser.finish()) == [MessageComplete((), False, False)]


def test_white_space_around_values_is_gone() -> None:
    head, _ = EventParser(ParserType.REQUEST).feed(b"GET / HTTP/1.1\r\nA: \t x y \t \r\nB:\r\nC:  \r\n\r\n")
    assert isinstance(head, Request)
    assert head.headers == ((b"A", b"x y"), (b"B", b""), (b"C", b""))


def test_events_in_front_of_an_error_come_first() -> None:
    parser = EventParser(ParserType.REQUEST)
    events = parser.feed(GET + b"nonsense")
    assert next(events) == GET_HEAD
    assert next(events) == DONE
    with pytest.raises(ParseError) as info:
        next(events)
    assert info.value.errno == Errno.INVALID_METHOD
    assert info.value.position == parser.consumed == len(GET)
    with pytest.raises(ParseError):
        list(parser.feed(GET))
    with pytest.raises(ParseError):
        list(parser.finish())
    parser.reset()
    assert list(parser.feed(GET)) == [GET_HEAD, DONE]


def test_events_may_be_taken_late() -> None:
    parser = EventParser(ParserType.REQUEST)
    first = parser.feed(GET)
    second = parser.feed(POST)
    assert [type(event) for event in second] == [Request, Body, MessageComplete]
    assert list(first) == [GET_HEAD, DONE]


def test_finish_in_a_message() -> None:
    parser = EventParser(ParserType.REQUEST)
    assert list(parser.feed(GET[:-1])) == []
    with pytest.raises(ParseError) as info:
        list(parser.finish())
    assert info.value.errno == Errno.INVALID_EOF_STATE


def test_reset_forgets_the_message_under_way() -> None:
    parser = EventParser(ParserType.REQUEST)
    list(parser.feed(POST[:30]))
    parser.reset()
    assert list(parser.feed(GET)) == [GET_HEAD, DONE]


# ---- upgrades


@pytest.mark.parametrize("rest", [b"", b"\x81\x05hello"])
def test_upgrade(rest: bytes) -> None:
    parser = EventParser(ParserType.REQUEST)
    head, done, upgrade = parser.feed(UPGRADE + rest)
    assert isinstance(head, Request)
    assert head.upgrade
    assert isinstance(done, MessageComplete)
    assert done.upgrade
    assert upgrade == Upgrade(rest, http2=False)
    assert parser.upgraded
    assert parser.consumed == len(UPGRADE)
    with pytest.raises(StateError, match="resume_after_upgrade"):
        parser.feed(b"more")
    assert list(parser.finish()) == []


def test_an_upgrade_that_is_declined() -> None:
    parser = EventParser(ParserType.REQUEST)
    *_, upgrade = parser.feed(UPGRADE + GET)
    assert isinstance(upgrade, Upgrade)
    parser.resume()  # is for pauses alone
    assert parser.upgraded
    parser.resume_after_upgrade()
    assert list(parser.feed(upgrade.data)) == [GET_HEAD, DONE]


def test_http2() -> None:
    parser = EventParser(ParserType.REQUEST)
    *_, upgrade = parser.feed(PREFACE + b"frames")
    assert upgrade == Upgrade(b"frames", http2=True)
    assert parser.errno == Errno.PAUSED_H2_UPGRADE
    with pytest.raises(StateError, match="HTTP/2"):
        parser.feed(b"more")


# ---- on_headers_complete


class Client(EventParser):
    """A client that knows what it asked for."""

    def __init__(self, *methods: str) -> None:
        super().__init__(ParserType.RESPONSE)
        self.methods = list(methods)

    def on_headers_complete(self, head: Union[Request, Response]) -> Optional[HeadersAction]:
        assert isinstance(head, Response)
        if head.status_code < 200:
            return None
        return {"HEAD": HeadersAction.SKIP_BODY, "CONNECT": HeadersAction.UPGRADE}.get(self.methods.pop(0))


def test_a_response_without_the_body_that_it_announces() -> None:
    events = list(Client("HEAD", "GET").feed(b"HTTP/1.1 100 Continue\r\n\r\n" + OK[:-2] + OK))
    assert [type(event) for event in events] == [
        *(Response, MessageComplete),
        *(Response, MessageComplete),
        *(Response, Body, MessageComplete),
    ]


def test_a_tunnel() -> None:
    *_, last = Client("CONNECT").feed(b"HTTP/1.1 200 OK\r\n\r\ntunnelled")
    assert last == Upgrade(b"tunnelled", http2=False)


def test_pause_at_the_head() -> None:
    class Slow(EventParser):
        def on_headers_complete(self, head: Union[Request, Response]) -> None:
            self.pause()

    parser = Slow(ParserType.REQUEST)
    assert [type(event) for event in parser.feed(POST)] == [Request]
    assert parser.paused
    rest = POST[parser.consumed :]
    assert rest == b"hello"
    with pytest.raises(StateError, match="resume"):
        parser.feed(rest)
    parser.resume()
    assert list(parser.feed(rest)) == [Body(b"hello"), DONE]


class OnPurpose(Exception):
    pass


def test_an_exception_comes_behind_the_events() -> None:
    class Fails(EventParser):
        def on_headers_complete(self, head: Union[Request, Response]) -> None:
            if head.content_length:
                raise OnPurpose

    parser = Fails(ParserType.REQUEST)
    events = parser.feed(GET + POST)
    assert [type(next(events)) for _ in range(3)] == [Request, MessageComplete, Request]
    with pytest.raises(OnPurpose):
        next(events)
    with pytest.raises(ParseError):
        list(parser.feed(GET))


def test_an_interrupt_does_not_wait() -> None:
    class Interrupted(EventParser):
        def on_headers_complete(self, head: Union[Request, Response]) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Interrupted(ParserType.REQUEST).feed(GET)


def test_calls_from_on_headers_complete_are_refused() -> None:
    class Again(EventParser):
        def on_headers_complete(self, head: Union[Request, Response]) -> None:
            self.feed(GET)

    with pytest.raises(StateError, match="in the middle of a parse"):
        list(Again(ParserType.REQUEST).feed(GET))


# ---- the bound on what is collected


@pytest.mark.parametrize("size", [1, 50, 10000])
@pytest.mark.parametrize(
    "endless",
    [
        b"GET /" + b"x" * 5000,
        b"GET / HTTP/1.1\r\n" + b"x" * 5000,
        b"GET / HTTP/1.1\r\nA: " + b"x" * 5000,
        b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 1000,
        b"GET / HTTP/1.1\r\n" + b"A:\r\n" * 2000,
        CHUNKED[: CHUNKED.index(b"Trailer")] + b"A: b\r\n" * 1000,
    ],
)
def test_heads_without_end(endless: bytes, size: int) -> None:
    parser = EventParser(ParserType.REQUEST, max_head_size=1000)
    with pytest.raises(HeadTooLargeError, match="1000") as info:
        for start in range(0, len(endless), size):
            list(parser.feed(endless[start : start + size]))
    assert info.value.limit == 1000
    with pytest.raises(ParseError):
        list(parser.feed(GET))


@pytest.mark.parametrize(("bound", "error"), [(-1, ValueError), ("1000", TypeError), (None, TypeError)])
def test_what_is_no_bound(bound: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        EventParser(max_head_size=bound)


def test_the_bound_is_for_each_message() -> None:
    parser = EventParser(ParserType.REQUEST, max_head_size=len(GET))
    for _ in range(10):
        assert list(parser.feed(GET)) == [GET_HEAD, DONE]


def test_a_body_has_no_bound() -> None:
    parser = EventParser(ParserType.REQUEST, max_head_size=1000)
    list(parser.feed(b"POST / HTTP/1.1\r\nContent-Length: 100000\r\n\r\n"))
    bodies = [event for _ in range(100) for event in parser.feed(bytes(1000)) if isinstance(event, Body)]
    assert sum(len(body.data) for body in bodies) == 100000


def test_events_have_types() -> None:
    for event in typing.get_args(Event):
        assert set(typing.get_type_hints(event)) == set(event._fields)
