"""Ctrl-C in the middle of a parse: what the handler of a signal raises leaves feed, wherever it strikes."""

from __future__ import annotations

import gc
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from recorder import Recorder
from samples import GET

from llhttpgo import Errno, LlhttpError, ParseError, Parser, ParserType
from llhttpgo import _base as base
from llhttpgo import _delivery as delivery

FIELDS = b"GET / HTTP/1.1\r\n" + b"Name: value\r\n" * 20 + b"\r\n"


@pytest.fixture
def interrupts() -> Iterator[None]:
    """SIGALRM does what SIGINT does. No finalizer of what other tests have left is there to swallow the interrupt."""
    gc.collect()
    gc.disable()
    handler = signal.signal(signal.SIGALRM, signal.default_int_handler)
    yield
    gc.enable()
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, handler)


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What goes to sys.unraisablehook."""
    seen: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", seen.append)
    return seen


@pytest.mark.usefixtures("interrupts")
def test_interrupts_are_never_lost(reports: list[Any]) -> None:
    for i in range(200):
        parser = Recorder(ParserType.REQUEST)
        with pytest.raises(KeyboardInterrupt):
            # Ends with the interrupt; should none ever come, with the test's time.
            signal.setitimer(signal.ITIMER_REAL, 0.0005 + i * 1e-6)
            while True:
                parser.feed(FIELDS)
                parser.seen.clear()
        signal.setitimer(signal.ITIMER_REAL, 0)
        assert reports == []
        # It may have struck between two calls, or even in what follows a parse. If it struck in a callback the parser
        # has missed an event, and must not go on.
        if parser.errno != Errno.OK:
            with pytest.raises(LlhttpError):
                parser.feed(GET)


def report_from_callback(error: BaseException) -> None:
    """Reports an error as ctypes does for a callback."""
    function = delivery._functions[0]

    class Report:
        exc_type, exc_value, object, err_msg = type(error), error, function, None

    sys.unraisablehook(Report)  # type: ignore[arg-type]


def test_what_escapes_stops_the_parser_even_if_c_has_not_noticed(
    reports: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "TAPE", False)

    class Struck(Parser):
        def on_url(self, data: bytes) -> None:
            report_from_callback(KeyboardInterrupt())

    parser = Struck(ParserType.REQUEST)
    with pytest.raises(KeyboardInterrupt):
        parser.feed(GET)
    assert reports == []
    assert parser.errno is Errno.USER
    with pytest.raises(ParseError, match="interrupted in a callback"):
        parser.feed(GET)
    with pytest.raises(ParseError, match="interrupted in a callback"):
        parser.finish()
    parser.reset()
    assert parser.feed(b"") == 0


def test_other_reports_go_where_they_went(reports: list[Any]) -> None:
    class Broken:
        def __del__(self) -> None:
            raise ValueError("in a finalizer")

    class Careless(Parser):
        def on_url(self, data: bytes) -> None:
            Broken()

    assert Careless(ParserType.REQUEST).feed(GET) == len(GET)
    assert [str(report.exc_value) for report in reports] == ["in a finalizer"]


def test_other_threads_leave_the_hook_alone() -> None:
    hook = sys.unraisablehook
    seen = []

    class Looks(Parser):
        def on_url(self, data: bytes) -> None:
            seen.append(sys.unraisablehook)

    thread = threading.Thread(target=Looks(ParserType.REQUEST).feed, args=(GET,))
    thread.start()
    thread.join()
    assert seen == [hook]
