"""The conformance vectors: what each callback sees of the parser, and what callbacks do to the parse.

tests/vectors/convert describes the format of the file, --vectors is where it is.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple, Optional, Union

import pytest
from conftest import Vector
from recorder import Recorder, RecorderBase, State, pieces

from llhttpgo import Errno, Flags, HeadersAction, Lenient, LlhttpError, ParseError, ParserType
from llhttpgo._library import library
from llhttpgo._tables_gen import METHODS


class OnPurpose(Exception):
    """What a callback raises where the vector has it fail."""


class Stop(NamedTuple):
    """A pause or an upgrade that is resumed: the offset and the reason."""

    name: str
    offset: int
    reason: str


Entry = Union[tuple[str, bytes], tuple[str, State], Stop]


def state_of(numbers: list[str]) -> State:
    """The fields of a vector as Python has them."""
    kind, method, major, minor, status, flags, length, upgrade, keep_alive, needs_eof = map(int, numbers)
    return State(
        ParserType(kind),
        METHODS[method] if kind == ParserType.REQUEST else None,
        (major, minor),
        status,
        Flags(flags),
        length,
        bool(upgrade),
        bool(keep_alive),
        bool(needs_eof),
    )


def reason_of(text: str) -> str:
    return text[1:]


def expected(vector: Vector) -> tuple[list[Entry], list[Entry]]:
    """The events of feed, and those of finish."""
    events: list[Entry] = []
    of_finish: list[Entry] = []
    target = events
    for word, rest in vector.lines:
        if word == "span":
            name, start, length = rest.split()
            target.append((name[3:], vector.data[int(start) : int(start) + int(length)]))
        elif word == "notify":
            name, *numbers = rest.split()
            target.append((name[3:], state_of(numbers)))
        elif word in ("pause", "upgrade"):
            offset, reason = rest.split(" ", 1)
            target.append(Stop(word, int(offset), reason_of(reason)))
        elif word == "finish":
            target = of_finish
    return events, of_finish


def error_of(line: str) -> tuple[str, Optional[int], str]:
    """Errno, offset and reason of a result."""
    name, offset, reason = line.split(" ", 2)
    return name, None if offset == "-" else int(offset), reason_of(reason)


class Run:
    """The vector in pieces of a size."""

    def __init__(self, vector: Vector, size: int) -> None:
        self.vector = vector
        self.events: list[Entry] = []
        self.calls: Counter[str] = Counter()
        self.offset = 0
        self.raised: Optional[Exception] = None
        lenient = Lenient(0)
        for name in vector.all("lenient"):
            lenient |= Lenient[name.upper()]
        self.parser = Recorder(ParserType(int(vector.one("type"))), lenient=lenient, hook=self.hook)
        try:
            for piece in pieces(vector.data, size):
                if not self.feed(piece):
                    break
        except (ParseError, OnPurpose) as error:
            self.raised = error
            self.offset += self.parser.consumed

    def hook(self, parser: RecorderBase, name: str, data: Optional[bytes]) -> Optional[HeadersAction]:
        self.events.append((name, parser.seen[-1].state) if data is None else (name, data))
        if data == b"":
            return None
        value = self.vector.action("on_" + name, self.calls[name])
        self.calls[name] += 1
        if value == Errno.PAUSED:
            parser.pause()
        elif name == "headers_complete" and value in (1, 2):
            return HeadersAction(value)
        elif value:
            raise OnPurpose(name)
        return None

    def feed(self, piece: bytes) -> bool:
        """Feeds a piece to its end; returns whether another may follow."""
        rest = piece
        while True:
            self.offset += self.parser.feed(rest)
            rest = rest[self.parser.consumed :]
            if self.parser.paused:
                self.stop("pause")
                self.parser.resume()
            elif self.parser.errno == Errno.PAUSED_UPGRADE and self.vector.all("resume-upgrade"):
                self.stop("upgrade")
                self.parser.resume_after_upgrade()
            else:
                assert bool(rest) <= self.parser.upgraded
                return not self.parser.upgraded

    def stop(self, name: str) -> None:
        self.events.append(Stop(name, self.offset, self.reason()))

    def reason(self) -> str:
        return str((library.llhttp_get_error_reason(self.parser._address) or b"").decode())


def joined(events: list[Entry]) -> list[Entry]:
    """Pieces of one element put together."""
    out: list[Entry] = []
    for event in events:
        last = out[-1] if out else None
        if isinstance(event[1], bytes) and last is not None and last[0] == event[0] and isinstance(last[1], bytes):
            out[-1] = (event[0], last[1] + event[1])
        else:
            out.append(event)
    return out


@pytest.mark.parametrize("size", [0, 1, 2, 7])
def test_vector(vector: Vector, size: int) -> None:
    if size and vector.one("except", "") == "whole":
        size = 0
    events, of_finish = expected(vector)
    run = Run(vector, size)
    if size == 0:
        assert run.events == events
    else:
        got = joined(run.events)
        want = joined(events)
        tail = vector.one("except", "").partition("tail on_")[2]
        if tail and len(got) == len(want) + 1 and got[-1][0] == tail:
            del got[-1]
        assert got == want

    name, offset, reason = error_of(vector.one("result"))
    assert run.parser.errno == Errno[name[4:]]
    if name != "HPE_OK":
        assert run.offset == offset
        assert run.reason() == reason
    if isinstance(run.raised, ParseError):
        assert (run.raised.name, run.raised.reason) == (name, reason)
    else:
        assert (run.raised is not None) == name.startswith(("HPE_CB_", "HPE_USER"))
    *fields, finish = vector.one("fields").split()
    assert run.parser.state() == state_of(fields)
    assert run.parser._state.finish == int(finish)
    if not vector.all("finish"):
        return

    run.events.clear()
    returned, *_ = vector.one("finished").split(" ")
    if run.parser.errno in (Errno.PAUSED, Errno.OK) or run.parser.upgraded:
        try:
            run.parser.finish()
            raised = "HPE_OK"
        except ParseError as error:
            raised = error.name
        except OnPurpose:
            raised = returned
        assert run.events == of_finish
        # A pause has no effect in finish: nothing follows.
        assert raised == ("HPE_OK" if returned == "HPE_PAUSED" else returned)
    else:
        # In C, finish does nothing here and says so; in Python, the error shows again.
        assert returned == "HPE_OK"
        with pytest.raises(LlhttpError) as info:
            run.parser.finish()
        assert isinstance(info.value, ParseError)
        assert info.value.name == name
