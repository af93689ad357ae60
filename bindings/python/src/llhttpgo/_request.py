"""Whole requests in one call, for a caller that has all bytes of one in its hands.

The head is parsed by ``llhttp_ext_head_parse``, a body in chunked coding by the tape. ``_speed`` does the usual ones of
these requests in C if it has been built; LLHTTPGO_PURE in the environment keeps it out.
"""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from ._errors import ParseError
from ._library import HEAD, library, llhttp_ext_head_t, llhttp_ext_tape_t, llhttp_t
from ._parser import Parser
from ._tables_gen import METHODS, Errno, Method, ParserType
from ._tape import EVENT, FULL, KINDS

if TYPE_CHECKING:
    from typing_extensions import Buffer

VARIABLE = "LLHTTPGO_PURE"


class WholeRequest(NamedTuple):
    """A request, from its first byte to its last."""

    method: Method
    url: bytes
    """The target, as sent: nothing is decoded."""
    http_version: tuple[int, int]
    headers: list[tuple[bytes, bytes]]
    """Field lines in their order: names as sent, and values without the white space around them."""
    body: bytes
    """The body, without chunked coding and its trailer section."""
    upgrade: bool
    """Whether the connection may leave HTTP behind the request, which has no body then."""
    keep_alive: bool
    """Whether another request may follow on the connection."""
    consumed: int
    """How many bytes of the input the request has: behind them the next one begins, or another protocol."""


# llhttp_ext_body and llhttp_ext_head_result.
_LENGTH, _CHUNKED, _EOF = 1, 2, 3
_PARTIAL, _TOO_MANY = -1, -2
_HEAD_BASE, _HEAD_PER_FIELD, _MOST_FIELDS = 16, 36, 65534
_ROOM = 256
_BODY, _MESSAGE_COMPLETE = KINDS["body"], KINDS["message_complete"]

_parse: Any = library["llhttp_ext_head_parse"] if HEAD else None
_execute: Any = library["llhttp_ext_execute"] if HEAD else None
_new_tuple: Any = tuple.__new__


class _Head:
    """A head, with memory for its fields."""

    __slots__ = ("_fields", "_memory", "fields", "pointer", "room", "state", "words")

    def __init__(self, room: int) -> None:
        self.room = room
        self._memory = (ctypes.c_uint64 * ((_HEAD_BASE + _HEAD_PER_FIELD * room) // 8 + 1))()
        self.state = llhttp_ext_head_t()
        self.pointer = ctypes.byref(self.state)
        library["llhttp_ext_head_init"](
            self.pointer, int(ParserType.REQUEST), self._memory, ctypes.c_size_t(ctypes.sizeof(self._memory))
        )
        # What is read after each call, as words of 32 bits.
        first, last = (getattr(llhttp_ext_head_t, name).offset for name in ("size", "reason"))
        self.words = memoryview(self.state).cast("B")[first:last].cast("I")
        self._fields = (ctypes.c_uint32 * (room * 4)).from_address(self.state.fields)
        self.fields = memoryview(self._fields).cast("B").cast("I")


_heads: list[_Head] = []  # those that are not in use


def parse_request(data: Buffer) -> Optional[WholeRequest]:
    """Parses a request that lies in one buffer from its first byte on; what follows it is not looked at.

    Nothing is relaxed. For requests that come in pieces, and for large bodies, use :class:`EventParser`: this begins
    anew with every call.

    :param data: anything with the buffer protocol whose bytes lie one behind the other.
    :return: None if the request is not complete yet.
    :raises ParseError: the bytes are no request; ``PAUSED_H2_UPGRADE`` if they are the HTTP/2 connection preface.
    """
    source = data if type(data) is bytes else memoryview(data).tobytes()
    if _parse is None:
        return _by_callbacks(source)
    try:
        head = _heads.pop()
    except IndexError:
        head = _Head(_ROOM)
    request = _read(head, source)
    _heads.append(head)  # not where an interrupt or an error has come in between
    return request


def _read(head: _Head, data: bytes) -> Optional[WholeRequest]:
    length = ctypes.c_size_t(len(data))
    result = _parse(head.pointer, data, length)
    while result == _TOO_MANY and head.room < _MOST_FIELDS:
        head = _Head(min(head.room * 16, _MOST_FIELDS))
        result = _parse(head.pointer, data, length)
    state = head.state
    if result:
        if result == _PARTIAL:
            library["llhttp_ext_head_reset"](head.pointer)
            return None
        if result == _TOO_MANY:
            raise ParseError(Errno.USER, f"more than {_MOST_FIELDS} field lines", state.size)
        reason = ctypes.string_at(state.reason).decode("ascii", "backslashreplace") if state.reason else ""
        raise ParseError(Errno(result), reason, state.size)
    size, _, count, _, at, long, _, _ = head.words
    kind = state.body
    end = size
    body = b""
    if kind == _LENGTH:
        end += state.content_length
        if end > len(data):
            return None
        body = data[size:end]
    elif kind == _CHUNKED:
        found = _chunked(head, data, size)
        if found is None:
            return None
        body, end = found
    fields = iter(head.fields[: 4 * count].tolist())
    return _new_tuple(  # type: ignore[no-any-return]
        WholeRequest,
        (
            METHODS[state.method],
            data[at : at + long],
            (state.http_major, state.http_minor),
            [(data[n : n + i], data[v : v + j]) for n, i, v, j in zip(fields, fields, fields, fields)],
            body,
            bool(state.upgrade),
            bool(state.keep_alive),
            end,
        ),
    )


def _chunked(head: _Head, data: bytes, start: int) -> Optional[tuple[bytes, int]]:
    """Returns a body in chunked coding, and where it ends; None if it is not complete."""
    parser, array = llhttp_t(), (ctypes.c_uint32 * (_ROOM * EVENT.size // 4))()
    mask = 1 << _BODY | 1 << _MESSAGE_COMPLETE
    tape = llhttp_ext_tape_t(ctypes.addressof(array), _ROOM, mask)
    library.llhttp_init(ctypes.addressof(parser), ParserType.REQUEST, None)
    library["llhttp_ext_head_continue"](head.pointer, ctypes.byref(parser))
    base = ctypes.c_void_p.from_buffer(ctypes.c_char_p(data)).value or 0
    pieces: list[bytes] = []
    while True:
        rest = ctypes.c_size_t(len(data) - start)
        result = _execute(ctypes.byref(parser), ctypes.c_void_p(base + start), rest, ctypes.byref(tape))
        for offset, length, kind, *_ in EVENT.iter_unpack(bytes(array)[: tape.count * EVENT.size]):
            if kind == _MESSAGE_COMPLETE:
                return b"".join(pieces), start + offset
            pieces.append(data[start + offset : start + offset + length])
        start += tape.consumed
        if result == FULL:
            continue
        if result == 0:
            return None
        reason = library.llhttp_get_error_reason(ctypes.addressof(parser)) or b""
        raise ParseError(Errno(result), reason.decode("ascii", "backslashreplace"), start)


class _Collector(Parser):
    """One request, by callbacks: for llhttp's own library."""

    def __init__(self) -> None:
        super().__init__(ParserType.REQUEST)
        self.url: list[bytes] = []
        self.body: list[bytes] = []
        self.fields: list[tuple[bytes, bytes]] = []
        self.name: list[bytes] = []
        self.value: list[bytes] = []
        self.in_head = True
        self.done: Optional[tuple[bool, bool]] = None

    def on_url(self, data: bytes) -> None:
        self.url.append(data)

    def on_header_field(self, data: bytes) -> None:
        self.name.append(data)

    def on_header_value(self, data: bytes) -> None:
        self.value.append(data)

    def on_header_value_complete(self) -> None:
        if self.in_head:
            self.fields.append((b"".join(self.name), b"".join(self.value).rstrip(b" \t")))
        self.name, self.value = [], []

    def on_headers_complete(self) -> None:
        self.in_head = False

    def on_body(self, data: bytes) -> None:
        self.body.append(data)

    def on_message_complete(self) -> None:
        self.done = self.upgrade, self.should_keep_alive
        self.pause()


def _by_callbacks(data: bytes) -> Optional[WholeRequest]:
    parser = _Collector()
    consumed = parser.feed(data)
    if parser.errno is Errno.PAUSED_H2_UPGRADE:
        reason = library.llhttp_get_error_reason(parser._address) or b""
        raise ParseError(parser.errno, reason.decode("ascii", "backslashreplace"), consumed)
    method = parser.method
    if parser.done is None or method is None:
        return None
    url, body = b"".join(parser.url), b"".join(parser.body)
    return WholeRequest(method, url, parser.http_version, parser.fields, body, *parser.done, consumed)


pure_parse_request = parse_request

if HEAD and not os.environ.get(VARIABLE):
    try:
        from . import _speed
    except ImportError:
        pass
    else:
        _init, _reset, _parsing = (
            ctypes.cast(library[f"llhttp_ext_head_{name}"], ctypes.c_void_p).value or 0
            for name in ("init", "reset", "parse")
        )
        _speed.setup(_init, _reset, _parsing, METHODS, WholeRequest, pure_parse_request)
        parse_request = _speed.parse_request  # type: ignore[assignment]

# Whether the compiled part is in use.
COMPILED = parse_request is not pure_parse_request
