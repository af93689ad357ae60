"""Callbacks as methods: which are set, what they may do, and what becomes of exceptions."""

from __future__ import annotations

import contextlib
import sys
import traceback
from types import FrameType
from typing import Any, Callable, Optional

import pytest
from recorder import Recorder, RecorderBase
from samples import CHUNKED, GET, OK, POST, UNTIL_CLOSE

from llhttpgo import (
    BaseParser,
    Errno,
    EventParser,
    Flags,
    HeadersAction,
    Lenient,
    Method,
    ParseError,
    Parser,
    ParserType,
    Request,
    Response,
    StateError,
)
from llhttpgo._tables_gen import CALLBACKS

NAMES = [name for name, _ in CALLBACKS]
SPANS = {name for name, span in CALLBACKS if span}


def everything(parser: Parser) -> None:
    """Feeds messages that cause each callback that the parser's type has."""
    parser.feed(OK + OK if parser.type == ParserType.RESPONSE else CHUNKED + CHUNKED)


def type_for(name: str) -> ParserType:
    return ParserType.RESPONSE if name.startswith("status") else ParserType.REQUEST


def test_order_and_bytes() -> None:
    parser = Recorder(ParserType.REQUEST)
    assert parser.feed(CHUNKED) == len(CHUNKED)
    assert [(event.name, event.data) for event in parser.seen] == [
        ("message_begin", None),
        ("method", b"POST"),
        ("method_complete", None),
        ("url", b"/up"),
        ("url_complete", None),
        ("protocol", b"HTTP"),
        ("protocol_complete", None),
        ("version", b"1.1"),
        ("version_complete", None),
        ("header_field", b"Host"),
        ("header_field_complete", None),
        ("header_value", b"example.com"),
        ("header_value_complete", None),
        ("header_field", b"Transfer-Encoding"),
        ("header_field_complete", None),
        ("header_value", b"chunked"),
        ("header_value_complete", None),
        ("headers_complete", None),
        ("chunk_extension_name", b"name"),
        ("chunk_extension_name_complete", None),
        ("chunk_extension_value", b'"v"'),
        ("chunk_extension_value_complete", None),
        ("chunk_header", None),
        ("body", b"body"),
        ("chunk_complete", None),
        ("chunk_header", None),
        ("header_field", b"Trailer"),
        ("header_field_complete", None),
        ("header_value", b"t"),
        ("header_value_complete", None),
        ("chunk_complete", None),
        ("message_complete", None),
    ]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 16])
def test_pieces_of_any_size(size: int) -> None:
    whole = Recorder(ParserType.REQUEST)
    whole.feed(GET + CHUNKED + POST)
    parser = Recorder(ParserType.REQUEST)
    data = GET + CHUNKED + POST
    for start in range(0, len(data), size):
        piece = data[start : start + size]
        assert parser.feed(piece) == len(piece)
    assert parser.joined() == whole.joined()


@pytest.mark.parametrize("name", NAMES)
def test_only_what_is_overridden_is_set(name: str) -> None:
    calls: list[tuple[Any, ...]] = []
    only: type[Parser] = type("Only", (Parser,), {"on_" + name: lambda self, *data: calls.append(data)})
    set_in_c = [n for n in NAMES if getattr(only._settings, "on_" + n)]
    assert set_in_c == [name]
    everything(only(type_for(name)))
    assert calls
    assert all(len(data) == (name in SPANS) and all(type(piece) is bytes for piece in data) for data in calls)


def test_nothing_is_set_without_methods() -> None:
    assert not any(getattr(Parser._settings, "on_" + name) for name in NAMES)
    parser = Parser(ParserType.REQUEST)
    assert parser.feed(CHUNKED) == len(CHUNKED)
    assert parser.method == Method.POST


def test_methods_may_be_inherited_and_call_super() -> None:
    class Mixin:
        urls: list[bytes]

        def on_url(self, data: bytes) -> None:
            self.urls.append(data)

    class WithUrl(Mixin, Parser):
        def __init__(self) -> None:
            super().__init__(ParserType.REQUEST)
            self.urls = []

    class Both(WithUrl):
        def on_url(self, data: bytes) -> None:
            super().on_url(data)

        def on_message_complete(self) -> None:
            super().on_message_complete()
            self.urls.append(b"done")

    parser = Both()
    parser.feed(GET)
    assert parser.urls == [b"/index.html?q=1", b"done"]


def test_properties_in_callbacks() -> None:
    class Look(Parser):
        def on_headers_complete(self) -> None:
            self.head = (
                self.type,
                self.method,
                self.status_code,
                self.http_version,
                self.flags,
                self.content_length,
                self.upgrade,
                self.should_keep_alive,
                self.message_needs_eof,
            )

    parser = Look()
    assert parser.type == ParserType.BOTH
    parser.feed(POST)
    assert parser.head == (ParserType.REQUEST, "POST", 0, (1, 1), Flags.CONTENT_LENGTH, 5, False, True, False)
    parser = Look()
    parser.feed(b"HTTP/1.0 404 No\r\n\r\n")
    assert parser.head == (ParserType.RESPONSE, None, 404, (1, 0), Flags(0), 0, False, False, True)


# ---- what on_headers_complete returns


def test_skip_body() -> None:
    def head_or_not(parser: RecorderBase, name: str, data: Optional[bytes]) -> Optional[HeadersAction]:
        first = parser.names.count("headers_complete") == 1
        return HeadersAction.SKIP_BODY if name == "headers_complete" and first else None

    parser = Recorder(ParserType.RESPONSE, hook=head_or_not)
    parser.feed(OK[:-2] + OK)  # the answer to HEAD, then one to GET
    assert parser.names.count("message_complete") == 2
    assert [event.data for event in parser.seen if event.name == "body"] == [b"ok"]


def test_upgrade_by_callback() -> None:
    class Tunnel(Parser):
        def on_headers_complete(self) -> HeadersAction:
            return HeadersAction.UPGRADE

    parser = Tunnel(ParserType.REQUEST)
    assert parser.feed(GET + b"other") == len(GET)
    assert parser.upgraded
    assert parser.errno == Errno.PAUSED_UPGRADE


@pytest.mark.parametrize("result", [1, 2, 21, True, "no body"])
def test_other_results_of_headers_complete_are_refused(result: object) -> None:
    class Wrong(Parser):
        def on_headers_complete(self) -> Any:
            return result

    with pytest.raises(TypeError, match="must return a HeadersAction or None"):
        Wrong(ParserType.REQUEST).feed(GET)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "headers_complete"])
def test_other_results_are_ignored(name: str) -> None:
    returns: type[Parser] = type("Returns", (Parser,), {"on_" + name: lambda self, *data: -1})
    everything(returns(type_for(name)))


# ---- exceptions


class OnPurpose(Exception):
    pass


def raising(name: str, error: BaseException) -> type[Parser]:
    def method(self: Parser, *data: bytes) -> None:
        raise error

    return type("Raising", (Parser,), {"on_" + name: method})


@pytest.mark.parametrize("name", NAMES)
def test_exceptions_leave_feed_and_stop_the_parser(name: str) -> None:
    parser = raising(name, OnPurpose(name))(type_for(name))
    with pytest.raises(OnPurpose, match=name) as info:
        everything(parser)
    assert "method" in [frame.name for frame in traceback.extract_tb(info.value.__traceback__)]
    errno = Errno.USER if name in SPANS else Errno["CB_" + name.upper()]
    assert parser.errno == errno
    with pytest.raises(ParseError) as again:
        parser.feed(GET)
    assert again.value.errno == errno
    assert again.value.reason
    parser.reset()
    assert parser.errno == Errno.OK
    with pytest.raises(OnPurpose):
        everything(parser)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_exceptions_that_are_no_errors(error: type[BaseException]) -> None:
    with pytest.raises(error):
        raising("url", error())(ParserType.REQUEST).feed(GET)


def test_an_exception_tells_where_the_parse_stopped() -> None:
    class Fails(Parser):
        def on_headers_complete(self) -> None:
            raise OnPurpose

    parser = Fails(ParserType.REQUEST)
    with pytest.raises(OnPurpose):
        parser.feed(POST)
    assert parser.consumed == len(POST) - len("hello")


def test_no_event_behind_an_exception() -> None:
    def fail_at_url(parser: RecorderBase, name: str, data: Optional[bytes]) -> None:
        if name == "url":
            raise OnPurpose

    parser = Recorder(ParserType.REQUEST, hook=fail_at_url)
    with pytest.raises(OnPurpose):
        parser.feed(GET + GET)
    assert parser.names[-1] == "url"


def test_an_exception_in_finish() -> None:
    parser = raising("message_complete", OnPurpose())(ParserType.RESPONSE)
    parser.feed(UNTIL_CLOSE)
    with pytest.raises(OnPurpose):
        parser.finish()


def test_context_of_an_exception_is_kept() -> None:
    class Wraps(Parser):
        def on_url(self, data: bytes) -> None:
            try:
                data.decode("ascii").index("nowhere")
            except ValueError as error:
                raise OnPurpose from error

    with pytest.raises(OnPurpose) as info:
        Wraps(ParserType.REQUEST).feed(GET)
    assert isinstance(info.value.__cause__, ValueError)


# ---- pause and resume


@pytest.mark.parametrize("name", NAMES)
def test_pause_in_each_callback(name: str) -> None:
    def pause(parser: RecorderBase, event: str, data: Optional[bytes]) -> None:
        if event == name:
            parser.pause()

    data = OK + OK if type_for(name) == ParserType.RESPONSE else CHUNKED + CHUNKED
    whole = Recorder(type_for(name))
    whole.feed(data)
    parser = Recorder(type_for(name), hook=pause)
    rest, pauses = data, 0
    while True:
        rest = rest[parser.feed(rest) :]
        if not parser.paused:
            break
        pauses += 1
        assert parser.names[-1] == name
        assert parser.errno == Errno.PAUSED
        parser.resume()
    assert not rest
    assert pauses == whole.names.count(name)
    assert parser.joined() == whole.joined()


def test_pause_between_two_calls() -> None:
    parser = Recorder(ParserType.REQUEST)
    parser.feed(GET[:20])
    parser.pause()
    assert parser.paused
    with pytest.raises(StateError, match="resume"):
        parser.feed(GET[20:])
    with pytest.raises(StateError, match="resume"):
        parser.finish()
    parser.resume()
    assert parser.feed(GET[20:]) == len(GET) - 20
    assert parser.names[-1] == "message_complete"


def test_a_pause_holds_events_back_that_are_due_at_the_end() -> None:
    def pause(parser: RecorderBase, event: str, data: Optional[bytes]) -> None:
        if event == "headers_complete":
            parser.pause()

    parser = Recorder(ParserType.REQUEST, hook=pause)
    consumed = parser.feed(GET)
    assert "message_complete" not in parser.names
    parser.resume()
    parser.feed(GET[consumed:])
    assert parser.names[-1] == "message_complete"


def test_pause_and_action_exclude_each_other() -> None:
    class Confused(Parser):
        def on_headers_complete(self) -> HeadersAction:
            self.pause()
            return HeadersAction.SKIP_BODY

    parser = Confused(ParserType.RESPONSE)
    with pytest.raises(ValueError, match="cannot pause and return"):
        parser.feed(OK)
    parser.reset()
    assert not parser.paused


def test_a_pause_is_forgotten_with_the_exception_beside_it() -> None:
    class Twice(Parser):
        first = True

        def on_url(self, data: bytes) -> None:
            if self.first:
                self.first = False
                self.pause()
                raise OnPurpose

    parser = Twice(ParserType.REQUEST)
    with pytest.raises(OnPurpose):
        parser.feed(GET)
    parser.reset()
    assert parser.feed(GET) == len(GET)
    assert not parser.paused


def test_a_pause_has_no_effect_in_finish() -> None:
    class Pauses(Parser):
        def on_message_complete(self) -> None:
            self.pause()

    parser = Pauses(ParserType.RESPONSE)
    parser.feed(UNTIL_CLOSE)
    parser.finish()
    assert not parser.paused
    parser.reset()
    assert parser.feed(UNTIL_CLOSE) == len(UNTIL_CLOSE)


def test_resume_without_a_pause_does_nothing() -> None:
    parser = Recorder(ParserType.REQUEST)
    parser.resume()
    parser.resume_after_upgrade()
    parser.feed(GET)
    assert parser.names[-1] == "message_complete"


# ---- calls from callbacks


def set_lenient(parser: Parser) -> None:
    parser.lenient = Lenient.HEADERS


FORBIDDEN: dict[str, Callable[[Parser], object]] = {
    "feed": lambda parser: parser.feed(GET),
    "finish": lambda parser: parser.finish(),
    "reset": lambda parser: parser.reset(),
    "resume": lambda parser: parser.resume(),
    "resume_after_upgrade": lambda parser: parser.resume_after_upgrade(),
    "lenient": set_lenient,
    "init": lambda parser: Parser.__init__(parser, ParserType.RESPONSE),
}


@pytest.mark.parametrize("call", FORBIDDEN.values(), ids=FORBIDDEN)
def test_calls_that_change_the_parser_are_refused_in_callbacks(call: Callable[[Parser], object]) -> None:
    refused = []

    def hook(parser: RecorderBase, name: str, data: Optional[bytes]) -> None:
        if name == "url":
            with pytest.raises(StateError, match="in the middle of a parse"):
                call(parser)
            refused.append(name)

    parser = Recorder(ParserType.REQUEST, hook=hook)
    parser.feed(GET)
    assert refused == ["url"]
    assert parser.names[-1] == "message_complete"
    assert parser.lenient == Lenient(0)


def test_init_between_two_calls_begins_anew() -> None:
    parser = Recorder(ParserType.REQUEST)
    with pytest.raises(ParseError):
        parser.feed(b"nonsense")
    Parser.__init__(parser, ParserType.RESPONSE)
    assert (parser.type, parser.errno, parser.consumed) == (ParserType.RESPONSE, Errno.OK, 0)
    assert parser.feed(OK) == len(OK)


def test_a_class_that_does_not_call_init_of_its_base_parses_both() -> None:
    class Forgetful(Parser):
        def __init__(self) -> None:
            self.urls: list[bytes] = []

        def on_url(self, data: bytes) -> None:
            self.urls.append(data)

    parser = Forgetful()
    assert (parser.type, parser.lenient) == (ParserType.BOTH, Lenient(0))
    assert parser.feed(GET) == len(GET)
    assert len(parser.urls) == 1


def test_a_callback_may_use_other_parsers() -> None:
    inner: list[Recorder] = []

    def nest(parser: RecorderBase, name: str, data: Optional[bytes]) -> None:
        if name in ("url", "body", "headers_complete"):
            other = Recorder(ParserType.REQUEST)
            other.feed(CHUNKED)
            inner.append(other)

    parser = Recorder(ParserType.REQUEST, hook=nest)
    parser.feed(POST)
    plain = Recorder(ParserType.REQUEST)
    plain.feed(POST)
    assert parser.seen == plain.seen
    assert len(inner) == 3
    assert all(other.names[-1] == "message_complete" for other in inner)


def test_an_exception_of_an_inner_parser_is_that_of_the_outer_one() -> None:
    class Outer(Parser):
        def on_url(self, data: bytes) -> None:
            Parser(ParserType.REQUEST).feed(b"nonsense")

    parser = Outer(ParserType.REQUEST)
    with pytest.raises(ParseError) as info:
        parser.feed(GET)
    assert info.value.errno == Errno.INVALID_METHOD
    assert parser.errno == Errno.USER


def test_base_parser_is_what_both_share() -> None:
    assert issubclass(Parser, BaseParser)
    assert issubclass(EventParser, BaseParser)
    assert Request._fields[2:] == Response._fields[2:]


def at_depth(frames: int, call: Callable[[], object]) -> None:
    """Makes a call when that many frames are left."""
    depth = 0
    frame: Optional[FrameType] = sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(depth + frames)
    try:
        call()
    finally:
        sys.setrecursionlimit(limit)


@pytest.mark.parametrize("make", [bytes, bytearray])
def test_the_limit_of_recursion_is_no_other_error(make: Callable[[bytes], Any]) -> None:
    parser = Recorder(ParserType.REQUEST)
    for frames in range(5, 40):
        with contextlib.suppress(RecursionError):
            at_depth(frames, lambda: parser.feed(make(GET)))
        parser.reset()
    parser.seen.clear()
    parser.feed(make(GET))
    assert parser.names[-1] == "message_complete"
