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

# What there is of an element.
Piece = Union[bytes, bytearray, None]


def _appended(first: Piece, data: bytes) -> Union[bytes, bytearray]:
    if first is None:
        return data
    if isinstance(first, bytes):
        return bytearray(first) + data
    first += data
    return first


class EventParser(BaseParser):
    """Parses one direction of a connection and returns what it finds.

    .. code-block:: python

        for event in parser.feed(data):
            if isinstance(event, Request): ...

    A piece of input is parsed when ``feed`` is called, whether its events are taken or not; they can be taken at any
    time. An error in the input is raised behind the last event before it.
    """

    __slots__ = ("_events", "_fields", "_name", "_room", "_text", "_value", "max_head_size")

    _copies = True

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

    # ---- the events as they are put together. What a cut has left is an element's first bytes; to append more to them
    # they become a bytearray.

    def _clear(self) -> None:
        self._text: Piece = None  # target or reason phrase
        self._name: Piece = None
        self._value: Piece = None  # it ends where the next name begins, or the field section
        self._fields: list[tuple[bytes, bytes]] = []
        self._room = self.max_head_size

    def _wanted(self) -> tuple[int, int]:
        # Nobody is asked about a message unless there is somebody.
        asked = getattr(self.on_headers_complete, "__func__", None) is not EventParser.on_headers_complete
        return self._mask, STOP_AT_HEADERS if asked else 0

    def _take_events(self, events: Events, source: bytes | memoryview, start: int) -> int:
        data = bytes(source)  # no copy: _copies
        name, value, fields, room = self._name, self._value, self._fields, self._room
        for offset, length, kind, version, number, more in events:
            begin = start + offset
            end = begin + length
            if kind == _FIELD:
                room -= length
                if value is not None:
                    fields.append((bytes(name or b""), bytes(value).rstrip(b" \t")))
                    room -= 4  # colon, space, CR and LF
                    name, value = data[begin:end], None
                else:
                    name = data[begin:end] if name is None else _appended(name, data[begin:end])
            elif kind == _VALUE:
                room -= length
                value = data[begin:end] if value is None else _appended(value, data[begin:end])
            elif kind == _BODY:
                self._events.append(Body(data[begin:end]))
            elif kind in _TEXT:
                room -= length
                self._text = data[begin:end] if self._text is None else _appended(self._text, data[begin:end])
            elif kind == _MESSAGE_BEGIN:
                self._clear()
                name, value, fields, room = self._name, self._value, self._fields, self._room
            else:
                self._name, self._value, self._room = name, value, room
                taken = self._take_fields()
                name, value, fields, room = self._name, self._value, self._fields, self._room
                upgrade, keep_alive = bool(more & UPGRADE), bool(more & KEEP_ALIVE)
                if kind == _MESSAGE_COMPLETE:
                    self._events.append(MessageComplete(taken, upgrade, keep_alive))
                    continue
                size = None
                if more & (_CONTENT_LENGTH | _CHUNKED) == _CONTENT_LENGTH:
                    size = length | more >> LENGTH_SHIFT << 32
                    if size == LONGEST:  # or more
                        size = self.content_length
                http_version = version >> 4, version & 15
                head = self._head(taken, number, http_version, size, bool(more & _CHUNKED), upgrade, keep_alive)
                action = self.on_headers_complete(head)
                if action is not None:
                    return checked(self, action)
                if self._pausing:
                    return PAUSED
            if room < 0:
                raise HeadTooLargeError(self.max_head_size)
        self._name, self._value, self._room = name, value, room
        return 0

    def _count(self, length: int) -> None:
        self._room -= length
        if self._room < 0:
            raise HeadTooLargeError(self.max_head_size)

    def _on_message_begin(self) -> None:
        self._clear()

    def _on_text(self, data: bytes) -> None:
        self._count(len(data))
        self._text = _appended(self._text, data)

    _on_url = _on_status = _on_text

    def _on_header_field(self, data: bytes) -> None:
        if self._value is not None:
            self._end_field()
        self._count(len(data))
        self._name = _appended(self._name, data)

    def _on_header_value(self, data: bytes) -> None:
        self._count(len(data))
        self._value = _appended(self._value, data)

    def _end_field(self) -> None:
        self._fields.append((bytes(self._name or b""), bytes(self._value or b"").rstrip(b" \t")))
        self._name = self._value = None
        self._count(len(b": \r\n"))

    def _take_fields(self) -> Fields:
        if self._value is not None:
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
        fields = self._take_fields()
        return self.on_headers_complete(
            self._head(fields, number, self.http_version, length, chunked, upgrade, keep_alive)
        )

    def _head(
        self,
        fields: Fields,
        number: int,
        version: tuple[int, int],
        length: Optional[int],
        chunked: bool,
        upgrade: bool,
        keep_alive: bool,
    ) -> Union[Request, Response]:
        """Puts together what is known of a message, number being its method or status code. It becomes an event."""
        text = bytes(self._text or b"")
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
