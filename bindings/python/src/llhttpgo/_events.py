"""The parser that returns what it finds: whole heads, the pieces of bodies, the ends of messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, Optional, Union

from ._base import BaseParser
from ._delivery import checked, settings_for
from ._errors import HeadTooLargeError
from ._tables_gen import METHODS, Errno, Flags, Lenient, Method, ParserType
from ._tape import KEEP_ALIVE, KINDS, LENGTH_SHIFT, LONGEST, PAUSED, STOP_AT_HEADERS, UPGRADE, Events, mask_of
from ._types import HeadersAction

if TYPE_CHECKING:
    from typing_extensions import Buffer

_FIELD, _VALUE = KINDS["header_field"], KINDS["header_value"]
_TEXT, _BODY = (KINDS["url"], KINDS["status"]), KINDS["body"]
_MESSAGE_BEGIN, _HEADERS_COMPLETE, _MESSAGE_COMPLETE = (
    KINDS["message_begin"],
    KINDS["headers_complete"],
    KINDS["message_complete"],
)
_CHUNKED, _CONTENT_LENGTH = int(Flags.CHUNKED), int(Flags.CONTENT_LENGTH)

# Field lines in their order: names as sent, and values without the white space around them.
Fields = tuple[tuple[bytes, bytes], ...]


class Request(NamedTuple):
    """Start-line and field lines of a request."""

    method: Method
    url: bytes
    """The target, as sent: nothing is decoded."""
    http_version: tuple[int, int]
    headers: Fields
    content_length: Optional[int]
    """Size of the body in bytes as Content-Length has it, None without that field."""
    chunked: bool
    """Whether the body is in chunked coding."""
    upgrade: bool
    """Whether the connection may leave HTTP behind this message."""
    keep_alive: bool
    """Whether another message may follow on the connection."""


class Response(NamedTuple):
    """Start-line and field lines of a response."""

    status_code: int
    reason: bytes
    """The reason phrase of the status-line."""
    http_version: tuple[int, int]
    headers: Fields
    content_length: Optional[int]
    """Size of the body in bytes as Content-Length has it, None without that field."""
    chunked: bool
    """Whether the body is in chunked coding."""
    upgrade: bool
    """Whether the connection may leave HTTP behind this message."""
    keep_alive: bool
    """Whether another message may follow on the connection."""


class Body(NamedTuple):
    """Bytes of a message body, without chunked coding. A body may come in any number of pieces, and in none."""

    data: bytes


class MessageComplete(NamedTuple):
    """The end of a message."""

    trailers: Fields
    """Field lines of the trailer section."""
    upgrade: bool
    """Whether the connection may leave HTTP now."""
    keep_alive: bool
    """Whether another message may follow on the connection."""


class Upgrade(NamedTuple):
    """The connection has left HTTP/1. Nothing follows, unless ``resume_after_upgrade`` is called."""

    data: bytes
    """What is left of the input: it belongs to the other protocol, and so does all that follows."""
    http2: bool
    """Whether the bytes before were the HTTP/2 connection preface."""


Event = Union[Request, Response, Body, MessageComplete, Upgrade]


class EventParser(BaseParser):
    """Parses one direction of a connection and returns what it finds.

    .. code-block:: python

        for event in parser.feed(data):
            if isinstance(event, Request): ...

    A piece of input is parsed when ``feed`` is called, whether its events are taken or not; they can be taken at any
    time. An error in the input is raised behind the last event before it.
    """

    __slots__ = ("_events", "_fields", "_name", "_room", "_text", "_value", "max_head_size")

    def __init__(
        self, type: ParserType = ParserType.BOTH, *, lenient: Lenient = Lenient(0), max_head_size: int = 65536
    ) -> None:
        """Makes a parser for one direction of one connection.

        :param type: what it parses. With ``BOTH`` the first start-line decides between request and response.
        :param lenient: rules that it shall relax; see :class:`Lenient` for the risks.
        :param max_head_size: how many bytes the target or reason phrase and the field lines of a message may have, the
            trailer section included, before :class:`HeadTooLargeError` is raised. A bound on the memory that a peer can
            make this parser use.
        """
        if max_head_size < 0:
            raise ValueError(f"max_head_size must not be negative: {max_head_size}")
        super().__init__(type, lenient=lenient)
        self.max_head_size = max_head_size
        self._events: list[Event] = []
        self._clear()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._settings = settings_for(cls, BaseParser, "_on_")
        cls._mask = mask_of(cls._settings)

    def on_headers_complete(self, head: Union[Request, Response]) -> Optional[HeadersAction]:  # noqa: ARG002
        """Override it to say of a message what its fields do not: of the response to HEAD that it has no body.

        Called in the middle of a parse, so only :meth:`pause` may be called there. An exception stops the parser, and
        is raised behind the last event.

        :param head: the event that is about to be returned.
        """
        return None

    def feed(self, data: Buffer) -> Iterator[Event]:
        """Parses bytes and returns an iterator over the events. Messages need not begin or end with the piece.

        :param data: anything with the buffer protocol whose bytes lie one behind the other. It is not kept.
        :raises ParseError: from the iterator, behind the last event: the bytes are not HTTP, or an error has stopped
            the parser before.
        :raises HeadTooLargeError: from the iterator, likewise.
        :raises StateError: the parser is paused or upgraded, or this is called from :meth:`on_headers_complete`. No
            byte is parsed.
        """
        self._execute(data)
        if self.upgraded:
            rest = memoryview(data).tobytes()[self._consumed :]
            self._events.append(Upgrade(rest, self._state.error == Errno.PAUSED_H2_UPGRADE))
        return self._deliver()

    def finish(self) -> Iterator[Event]:
        """Tells the parser that no more bytes will come, and returns an iterator over the events.

        :raises ParseError: from the iterator: a message is incomplete, or an error has stopped the parser before.
        :raises StateError: the parser is paused, or this is called from :meth:`on_headers_complete`.
        """
        self._finish()
        return self._deliver()

    def reset(self) -> None:
        """Makes the parser ready for another connection, whatever its state.

        The lenient flags stay, and so does the type as it is now: a ``BOTH`` that has been decided remains decided.
        """
        super().reset()
        self._events = []
        self._clear()

    def _deliver(self) -> Iterator[Event]:
        events, self._events = self._events, []
        if not isinstance(self._raised, (Exception, type(None))):
            self._raise()  # an interrupt waits for nobody
        return _events_then(events, self._take_raised())

    # ---- the events as they are put together, from pieces: nearly always one each, and then join makes no copy

    def _clear(self) -> None:
        self._text: list[bytes] = []  # target or reason phrase
        self._name: list[bytes] = []
        self._value: list[bytes] = []  # not empty: it ends where the next name begins, or the field section
        self._fields: list[tuple[bytes, bytes]] = []
        self._room = self.max_head_size

    def _count(self, length: int) -> None:
        self._room -= length
        if self._room < 0:
            raise HeadTooLargeError(self.max_head_size)

    def _wanted(self) -> tuple[int, int]:
        # Nobody is asked about a message unless there is somebody.
        asked = getattr(self.on_headers_complete, "__func__", None) is not EventParser.on_headers_complete
        return self._mask, STOP_AT_HEADERS if asked else 0

    def _take_events(self, events: Events, source: bytes | memoryview, start: int) -> int:
        for offset, length, kind, version, number, value in events:
            offset += start
            if kind == _FIELD:
                if self._value:
                    self._end_field()
                self._count(length)
                self._name.append(bytes(source[offset : offset + length]))
            elif kind == _VALUE:
                self._count(length)
                self._value.append(bytes(source[offset : offset + length]))
            elif kind == _BODY:
                self._events.append(Body(bytes(source[offset : offset + length])))
            elif kind in _TEXT:
                self._count(length)
                self._text.append(bytes(source[offset : offset + length]))
            elif kind == _MESSAGE_BEGIN:
                self._clear()
            elif kind == _HEADERS_COMPLETE:
                size = None
                if value & (_CONTENT_LENGTH | _CHUNKED) == _CONTENT_LENGTH:
                    size = length | value >> LENGTH_SHIFT << 32
                    if size == LONGEST:  # or more
                        size = self.content_length
                head = self._head(
                    number,
                    (version >> 4, version & 15),
                    size,
                    bool(value & _CHUNKED),
                    bool(value & UPGRADE),
                    bool(value & KEEP_ALIVE),
                )
                action = self.on_headers_complete(head)
                if action is not None:
                    return checked(self, action)
                if self._pausing:
                    return PAUSED
            elif kind == _MESSAGE_COMPLETE:
                self._events.append(
                    MessageComplete(self._take_fields(), bool(value & UPGRADE), bool(value & KEEP_ALIVE))
                )
        return 0

    def _on_message_begin(self) -> None:
        self._clear()

    def _on_text(self, data: bytes) -> None:
        self._count(len(data))
        self._text.append(data)

    _on_url = _on_status = _on_text

    def _on_header_field(self, data: bytes) -> None:
        if self._value:
            self._end_field()
        self._count(len(data))
        self._name.append(data)

    def _on_header_value(self, data: bytes) -> None:
        self._count(len(data))
        self._value.append(data)

    def _end_field(self) -> None:
        self._fields.append((b"".join(self._name), b"".join(self._value).rstrip(b" \t")))
        self._name.clear()
        self._value.clear()
        self._count(len(b": \r\n"))

    def _take_fields(self) -> Fields:
        if self._value:
            self._end_field()
        fields = tuple(self._fields)
        self._fields.clear()
        return fields

    def _on_headers_complete(self) -> Optional[HeadersAction]:
        state = self._state
        flags = state.flags
        chunked = bool(flags & _CHUNKED)
        length = state.content_length if flags & _CONTENT_LENGTH and not chunked else None
        number = state.method if state.type == ParserType.REQUEST else state.status_code
        upgrade, keep_alive = bool(state.upgrade), self.should_keep_alive
        return self.on_headers_complete(self._head(number, self.http_version, length, chunked, upgrade, keep_alive))

    def _head(
        self,
        number: int,
        version: tuple[int, int],
        length: Optional[int],
        chunked: bool,
        upgrade: bool,
        keep_alive: bool,
    ) -> Union[Request, Response]:
        """Puts together what is known of a message, number being its method or status code. It becomes an event."""
        text, fields = b"".join(self._text), self._take_fields()
        head: Union[Request, Response]
        if self._state.type == ParserType.REQUEST:
            head = Request(METHODS[number], text, version, fields, length, chunked, upgrade, keep_alive)
        else:
            head = Response(number, text, version, fields, length, chunked, upgrade, keep_alive)
        self._events.append(head)
        return head

    def _on_body(self, data: bytes) -> None:
        self._events.append(Body(data))

    def _on_message_complete(self) -> None:
        self._events.append(MessageComplete(self._take_fields(), self.upgrade, self.should_keep_alive))


EventParser._settings = settings_for(EventParser, BaseParser, "_on_")
EventParser._mask = mask_of(EventParser._settings)


def _events_then(events: list[Event], error: Optional[BaseException]) -> Iterator[Event]:
    yield from events
    if error is not None:
        try:
            raise error
        finally:
            del error
