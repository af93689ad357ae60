"""The cases of tests/cases: each callback, its bytes and what it sees, pauses, errors and upgrades."""

from __future__ import annotations

import re
from typing import Optional, Union

import pytest
from conftest import REPOSITORY
from documents import Case, read
from recorder import Recorder, RecorderBase, State, join, pieces

from llhttpgo import (
    Body,
    Errno,
    Event,
    EventParser,
    Flags,
    HeadersAction,
    Lenient,
    MessageComplete,
    Method,
    ParseError,
    ParserType,
    Request,
    Response,
    Upgrade,
)
from llhttpgo._library import library

CASES = [
    case
    for path in sorted((REPOSITORY / "tests" / "cases").glob("*.md"))
    if path.name != "README.md"
    for case in read(path)
]
SIZES = [0, 1, 7]


def test_there_are_cases() -> None:
    assert len(CASES) > 1000


# One line of a log: an offset for a notification, the name, the bytes of a span, the rest as the document has it.
Line = tuple[Optional[int], str, Optional[bytes], str]


def lenient_of(case: Case) -> Lenient:
    flags = Lenient(0)
    for name in case.lenient:
        for flag in Lenient:
            if name in ("all", str(flag.name).lower()):
                flags |= flag
    return flags


def action_of(case: Case) -> Optional[HeadersAction]:
    if "upgrade" in case.options:
        return HeadersAction.UPGRADE
    return HeadersAction.SKIP_BODY if "skip-body" in case.options else None


def expected(case: Case) -> list[Line]:
    """The log of the document, without the offsets of spans, which Python does not get."""
    lines: list[Line] = []
    for line in case.log:
        span = re.fullmatch(r'\d+\+(\d+) +(\w+) "(.*)"(?:; complete (\d+))?', line)
        if span is None:
            offset, name, rest = re.fullmatch(r"(\d+) +(\w+) ?(.*)", line).groups()  # type: ignore[union-attr]
            lines.append((int(offset), name, None, rest))
            continue
        length, name, text, complete = span.groups()
        data = re.sub(r"\\(x..|.)", byte_of, text).encode("latin-1")
        assert len(data) == int(length)
        lines.append((None, name, data, ""))
        if complete is not None:
            lines.append((int(complete), name + "_complete", None, ""))
    return lines


def byte_of(match: re.Match[str]) -> str:
    code = match.group(1)
    return chr(int(code[1:], 16)) if len(code) == 3 else {"r": "\r", "n": "\n", "t": "\t"}.get(code, code)


def describe(name: str, state: State) -> str:
    """What the document says of a notification."""
    words = []
    if name == "headers_complete":
        version = "{}.{}".format(*state.http_version)
        words += [state.type.name.lower(), str(state.method or state.status_code), version]
        flags = [str(flag.name).lower() for flag in Flags if flag & state.flags]
        words += [f"[{' '.join(flags)}]"] if flags else []
        words += [f"length={state.content_length}"] if state.content_length else []
    if name == "chunk_header":
        words.append(f"length={state.content_length}")
    if name in ("headers_complete", "message_complete"):
        words += ["upgrade"] if state.upgrade else []
        words.append("keep-alive" if state.should_keep_alive else "close")
    return " ".join(words)


def run(case: Case, size: int, pause: bool) -> list[Line]:
    """The log of the case in pieces of a size; with pause, each notification pauses, which tells its offset."""
    lines: list[Line] = []
    action = action_of(case)
    finishing = False

    def hook(recorder: RecorderBase, name: str, data: Optional[bytes]) -> Optional[HeadersAction]:
        state = recorder.seen[-1].state
        lines.append((None, name, data, describe(name, state) if data is None else ""))
        if name == "headers_complete" and action is not None:
            return action
        if pause and data is None and not finishing:
            recorder.pause()
        return None

    def settle(offset: int) -> None:
        """The notifications without an offset are those at this one."""
        for i, (known, name, data, rest) in enumerate(lines):
            if known is None and data is None:
                lines[i] = (offset, name, data, rest)

    parser = Recorder(ParserType[case.type.upper()], lenient=lenient_of(case), hook=hook)
    start = 0
    try:
        for piece in pieces(case.data, size):
            begin, rest = start, piece
            while True:
                try:
                    start += parser.feed(rest)
                except ParseError as error:
                    assert error.position is not None
                    start += error.position
                    settle(start)
                    return [*lines, (start, "error", None, f"{error.name}: {error.reason}")]
                rest = piece[start - begin :]
                if parser.upgraded:
                    settle(start)
                    reason = library.llhttp_get_error_reason(parser._address).decode()
                    lines.append((start, "upgrade", None, f"HPE_{parser.errno.name}: {reason}"))
                    if "ignore-upgrade" not in case.options:
                        return lines
                    parser.resume_after_upgrade()
                elif parser.paused:
                    settle(start)
                    parser.resume()
                else:
                    break
            assert not rest
        if "finish" in case.options:
            finishing = True
            try:
                parser.finish()
            except ParseError as error:
                assert error.position is None
                return [*lines, (start, "error", None, f"{error.name}: {error.reason}")]
            settle(start)
            lines.append((start, "finish", None, "HPE_OK"))
        return lines
    finally:
        if not pause:
            for i, (_, name, data, rest_of_line) in enumerate(lines):
                lines[i] = (None, name, data, rest_of_line)


def joined(lines: list[Line]) -> list[tuple[str, Optional[bytes]]]:
    return join((name if data is not None else f"{name} {rest}", data) for _, name, data, rest in lines)


def without_tail(got: list[tuple[str, Optional[bytes]]], whole: list[tuple[str, Optional[bytes]]]) -> None:
    """Takes away the span that in pieces may come right in front of an error which strikes inside of it."""
    if len(got) == len(whole) + 1 and got[-1][0].startswith("error") and got[-2][1] is not None:
        del got[-2]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_callbacks(case: Case) -> None:
    log = expected(case)
    assert run(case, 0, pause=True) == log
    whole = joined(log)
    for size in SIZES:
        got = joined(run(case, size, pause=False))
        without_tail(got, whole)
        assert got == whole, size


def assemble(case: Case) -> tuple[list[Event], Optional[str]]:
    """The events that EventParser must return, put together from what the callbacks of the whole input are told."""
    events: list[Event] = []
    text, name, value = b"", b"", b""
    fields: list[tuple[bytes, bytes]] = []

    def hook(recorder: RecorderBase, event: str, data: Optional[bytes]) -> Optional[HeadersAction]:
        nonlocal text, name, value
        state = recorder.state()
        if event == "message_begin":
            text, name, value = b"", b"", b""
            fields.clear()
        elif event in ("url", "status"):
            text += data or b""
        elif event == "header_field":
            name += data or b""
        elif event == "header_value":
            value += data or b""
        elif event == "header_value_complete":
            fields.append((name, value.rstrip(b" \t")))
            name, value = b"", b""
        elif event == "headers_complete":
            chunked = Flags.CHUNKED in state.flags
            length = state.content_length if Flags.CONTENT_LENGTH in state.flags and not chunked else None
            tail = (state.http_version, tuple(fields), length, chunked, state.upgrade, state.should_keep_alive)
            if state.method is not None:
                events.append(Request(Method(state.method), text, *tail))
            else:
                events.append(Response(state.status_code, text, *tail))
            fields.clear()
            return action_of(case)
        elif event == "body":
            events.append(Body(data or b""))
        elif event == "message_complete":
            events.append(MessageComplete(tuple(fields), state.upgrade, state.should_keep_alive))
        return None

    parser = Recorder(ParserType[case.type.upper()], lenient=lenient_of(case), hook=hook)
    rest = case.data
    try:
        while True:
            rest = rest[parser.feed(rest) :]
            if not parser.upgraded:
                break
            events.append(Upgrade(rest, parser.errno == Errno.PAUSED_H2_UPGRADE))
            if "ignore-upgrade" not in case.options:
                return events, None
            parser.resume_after_upgrade()
        if "finish" in case.options:
            parser.finish()
    except ParseError as error:
        return events, f"{error.name}: {error.reason}"
    return events, None


def without_cuts(events: list[Event]) -> list[Event]:
    """Puts pieces of a body together, and does not look at what is left behind an upgrade."""
    joined: list[Event] = []
    for event in events:
        if isinstance(event, Body) and joined and isinstance(joined[-1], Body):
            joined[-1] = Body(joined[-1].data + event.data)
        elif isinstance(event, Upgrade):
            joined.append(event._replace(data=b""))
        else:
            joined.append(event)
    return joined


class Collector(EventParser):
    """Says of each message what the case's options say."""

    action: Optional[HeadersAction] = None

    def on_headers_complete(self, head: Union[Request, Response]) -> Optional[HeadersAction]:
        return self.action


def events_of(case: Case, size: int) -> tuple[list[Event], Optional[str]]:
    """The events of the case in pieces of a size, and the error behind them."""
    parser = Collector(ParserType[case.type.upper()], lenient=lenient_of(case))
    parser.action = action_of(case)
    events: list[Event] = []
    try:
        for piece in pieces(case.data, size):
            rest = piece
            while True:
                for event in parser.feed(rest):
                    events.append(event)
                rest = rest[parser.consumed :]
                if not parser.upgraded:
                    break
                if "ignore-upgrade" not in case.options:
                    return events, None
                parser.resume_after_upgrade()
        if "finish" in case.options:
            events.extend(parser.finish())
    except ParseError as error:
        return events, f"{error.name}: {error.reason}"
    return events, None


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_events(case: Case) -> None:
    events, error = assemble(case)
    assert events_of(case, 0) == (events, error)
    for size in SIZES[1:]:
        got, found = events_of(case, size)
        assert (without_cuts(got), found) == (without_cuts(events), error), size
