"""A parser that writes down all that it is told, and a way to feed it in pieces of any size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Callable, NamedTuple, Optional

from llhttpgo import Flags, HeadersAction, Lenient, Parser, ParserType
from llhttpgo._tables_gen import CALLBACKS


class State(NamedTuple):
    """What a notification sees of the parser."""

    type: ParserType
    method: Optional[str]
    http_version: tuple[int, int]
    status_code: int
    flags: Flags
    content_length: int
    upgrade: bool
    should_keep_alive: bool
    message_needs_eof: bool


class Seen(NamedTuple):
    """One call of a method: bytes for a span, the state for a notification."""

    name: str
    data: Optional[bytes]
    state: State


class RecorderBase(Parser):
    """Writes an event down, and then asks a hook what to do."""

    def __init__(
        self, type: ParserType = ParserType.BOTH, *, lenient: Lenient = Lenient(0), hook: Optional[Hook] = None
    ) -> None:
        super().__init__(type, lenient=lenient)
        self.seen: list[Seen] = []
        self.hook = hook

    def state(self) -> State:
        return State(*(getattr(self, name) for name in State._fields))

    def record(self, name: str, data: Optional[bytes]) -> Optional[HeadersAction]:
        self.seen.append(Seen(name, data, self.state()))
        return self.hook(self, name, data) if self.hook else None

    @property
    def names(self) -> list[str]:
        return [event.name for event in self.seen]

    def joined(self) -> list[tuple[str, Optional[bytes]]]:
        """The events, pieces of one element put together."""
        return join((event.name, event.data) for event in self.seen)


Hook = Callable[[RecorderBase, str, Optional[bytes]], Optional[HeadersAction]]


def _method(name: str, span: bool) -> Callable[..., Optional[HeadersAction]]:
    def on_span(self: RecorderBase, data: bytes) -> Optional[HeadersAction]:
        return self.record(name, data)

    def on_notification(self: RecorderBase) -> Optional[HeadersAction]:
        return self.record(name, None)

    return on_span if span else on_notification


_methods: dict[str, Any] = {"on_" + name: _method(name, span) for name, span in CALLBACKS}


class Recorder(type("AllCallbacks", (RecorderBase,), _methods)):  # type: ignore[misc]
    """Has all callbacks."""


def join(events: Iterator[tuple[str, Optional[bytes]]]) -> list[tuple[str, Optional[bytes]]]:
    """Puts pieces of one element together that follow each other."""
    joined: list[tuple[str, Optional[bytes]]] = []
    for name, data in events:
        if data is not None and joined and joined[-1][0] == name:
            joined[-1] = (name, (joined[-1][1] or b"") + data)
        else:
            joined.append((name, data))
    return joined


def pieces(data: bytes, size: int) -> Iterator[bytes]:
    """Cuts data; 0 is no cut."""
    for start in range(0, len(data), size or len(data) or 1):
        yield data[start : start + size] if size else data
