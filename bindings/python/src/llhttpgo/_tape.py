"""How what the library finds reaches a parser without callbacks: one foreign call fills an array with the events of a
piece of input, the tape of ``llhttp_ext.h``, and Python reads it.

So C is ahead of the methods that are called. What must hold all the same: in a method the parser's fields are those of
the event, and an exception or a pause stops the parse at that event. Therefore a copy of the parser stays behind where
C began. If a method asks for a field the copy is taken to the event, by the same input and an array with room for no
more events. If one stops the parse the parser becomes what the copy is there.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterator
from operator import length_hint
from typing import TYPE_CHECKING, Any, Union

from . import _buffer
from ._library import NOTIFY, SPAN, TAPE, library, llhttp_ext_tape_t, llhttp_settings_t, llhttp_t
from ._tables_gen import CALLBACKS, Errno

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from ._base import BaseParser

ROOM = 256  # events

# Kinds of events by name, as bits of a mask, and which of them are spans.
KINDS = {name: kind for kind, (name, _) in enumerate(CALLBACKS)}
SPANS = tuple(span for _, span in CALLBACKS)

# What llhttp_ext_execute returns besides an errno, and its option.
FULL, AT_HEADERS = -1, -2
STOP_AT_HEADERS = 1

# The value of headers_complete and message_complete, above the flags; and the content length that stands for more.
UPGRADE, KEEP_ALIVE = 1 << 16, 1 << 17
LENGTH_SHIFT, LONGEST = 24, (1 << 40) - 1

# An event is offset, length, kind, version, id, value.
EVENT = struct.Struct("<IIBBHI")
Events = Iterator[tuple[Any, ...]]

PAUSED = int(Errno.PAUSED)

_SIZE = ctypes.c_size_t(ctypes.sizeof(llhttp_t))

# Functions without argtypes: what they are given is of the right types, and to have it looked at would take longer
# than all that they do, and fail at the limit of recursion. The index makes functions of their own, which those of
# library.name are not.
_memmove: Any = ctypes.PYFUNCTYPE(None)(ctypes.c_void_p.from_buffer(ctypes.memmove).value or 0)
_execute: Any = library["llhttp_ext_execute"] if TAPE else None
_after_headers: Any = library["llhttp_ext_after_headers"] if TAPE else None
_callbacks_execute: Any = library["llhttp_execute"]


def mask_of(settings: llhttp_settings_t) -> int:
    """Returns the kinds of events for which there are callbacks."""
    return sum(1 << kind for name, kind in KINDS.items() if getattr(settings, "on_" + name))


class Run:
    """A parse under way: the array, and the parser as it was before the events in it."""

    __slots__ = (
        "_array",
        "_at",
        "_base",
        "_behind",
        "_origin",
        "_start",
        "_taken",
        "behind",
        "end",
        "events",
        "memory",
        "pointer",
        "size",
        "tape",
    )

    def __init__(self) -> None:
        self._array = (ctypes.c_uint32 * (ROOM * EVENT.size // 4))()
        self.memory = memoryview(self._array).cast("B")
        self.tape = llhttp_ext_tape_t(ctypes.addressof(self._array), ROOM)
        self.pointer = ctypes.byref(self.tape)
        self.size = ctypes.c_size_t()  # of the input, an argument that is made once
        # The parser as it was, and as it was when events have been replayed.
        self.behind, origin = llhttp_t(), llhttp_t()
        self._behind, self._origin = ctypes.byref(self.behind), ctypes.byref(origin)
        self.events: Events = iter(())  # in the array, those that have not been taken

    def begin(self, parser: BaseParser, base: Union[bytes, ctypes.c_void_p], start: int, end: int) -> None:
        """Remembers the parser. It is about to parse the bytes from start to end, counted from base."""
        _memmove(self._behind, parser._pointer, _SIZE)
        self._base, self._start, self._at, self.end = base, start, start, end
        self._taken = 0  # events that self.behind knows of
        self.tape.count = 0
        self.events = iter(())

    def finish(self, parser: BaseParser) -> None:
        """Lets go of the parser and its input."""
        self._base = b""
        self.events = iter(())
        parser._run = None
        parser._pausing = False

    def address(self, at: int) -> ctypes.c_void_p:
        """Returns where a byte of the input is."""
        base = self._base
        if isinstance(base, bytes):
            base = ctypes.c_void_p.from_buffer(ctypes.c_char_p(base))
        return ctypes.c_void_p((base.value or 0) + at)

    def taken(self) -> int:
        """Returns how many events have been taken from the array."""
        return self.tape.count - length_hint(self.events)

    def _replay(self, events: int) -> None:
        """Takes the parser that has stayed behind to that event."""
        if self._taken == 0:
            _memmove(self._origin, self._behind, _SIZE)
        elif events < self._taken:
            _memmove(self._behind, self._origin, _SIZE)
            self._at, self._taken = self._start, 0
        if events == self._taken:
            return
        room = events - self._taken
        array = (ctypes.c_uint32 * (room * EVENT.size // 4))()
        tape = llhttp_ext_tape_t(ctypes.addressof(array), room, self.tape.mask, self.tape.options)
        _execute(self._behind, self.address(self._at), ctypes.c_size_t(self.end - self._at), ctypes.byref(tape))
        self._at += tape.consumed
        self._taken = events

    def now(self) -> llhttp_t:
        """Returns the parser as it is at the event that was taken last."""
        self._replay(self.taken())
        return self.behind

    def stop(self, parser: BaseParser, result: int) -> int:
        """Stops the parser at the event that was taken last as if its callback had returned that. Returns the position.

        The library does it itself, with a callback for that kind alone: errno, reason and position are its own.
        """
        taken = self.taken()
        self._replay(max(taken - 1, 0))
        _memmove(parser._pointer, self._behind, _SIZE)
        if not taken:
            return self._at
        state, base = parser._state, self.address(self._at)
        settings = state.settings
        kind = EVENT.unpack_from(self.memory, (taken - 1) * EVENT.size)[2]
        state.settings = ctypes.addressof(_returning(kind, result))
        _callbacks_execute(parser._pointer, base, ctypes.c_size_t(self.end - self._at))
        state.settings = settings
        return self._at + (state.error_pos or 0) - (base.value or 0)


_FAILED = -1
_settings: dict[tuple[int, int], llhttp_settings_t] = {}


def _returning(kind: int, result: int) -> llhttp_settings_t:
    """Returns a callback for that kind of event alone, with that result."""
    settings = _settings.get((kind, result))
    if settings is None:
        settings = llhttp_settings_t()
        callback = (SPAN if SPANS[kind] else NOTIFY)(lambda *_: result)
        setattr(settings, "on_" + CALLBACKS[kind][0], callback)
        _settings[kind, result] = settings
    return settings


# Runs that are not in use. There are as many as parses have been under way at once, in callbacks of each other or in
# threads.
_runs: list[Run] = []


def execute(parser: BaseParser, data: Buffer) -> int:
    """Parses data and has the parser take the events. Returns the errno; the parser's consumed tells how far it got.

    What a method raises, or a signal's handler in the middle of all this, is left in the parser's _raised.
    """
    try:
        run = _runs.pop()
    except IndexError:
        run = Run()
    if type(data) is bytes:
        try:
            return _parse(parser, run, data, data, len(data))
        finally:
            run.finish(parser)
            _runs.append(run)
    buffer = _buffer.hold(data)
    try:
        source = _buffer.view(buffer) if buffer.len else b""
        if parser._copies:
            copy = bytes(source)
            return _parse(parser, run, copy, copy, len(copy))
        return _parse(parser, run, source, ctypes.c_void_p(buffer.buf), buffer.len)
    finally:
        run.finish(parser)
        _runs.append(run)
        _buffer.release(ctypes.byref(buffer))


def _parse(
    parser: BaseParser,
    run: Run,
    source: Union[bytes, memoryview],
    base: Union[bytes, ctypes.c_void_p],
    end: int,
) -> int:
    pointer, tape, size = parser._pointer, run.tape, run.size
    start = 0
    at: Union[bytes, ctypes.c_void_p] = base
    run.begin(parser, base, 0, end)
    try:
        tape.mask, tape.options = parser._wanted()
        while True:
            parser._run = run
            size.value = end - start
            code: int = _execute(pointer, at, size, run.pointer)
            count = tape.count
            if count:
                # A copy: up to Python 3.12 the cycle collector crashes when it finds an iterator on a memoryview.
                run.events = events = EVENT.iter_unpack(run.memory[: count * EVENT.size].tobytes())
                action = parser._take_events(events, source, start)
                if action:
                    if action == PAUSED:
                        parser._consumed = run.stop(parser, PAUSED)
                        return PAUSED
                    _after_headers(pointer, action)
            # All that has been found is taken.
            parser._run = None
            start += tape.consumed
            if code >= 0:
                parser._consumed = start
                return code
            run.begin(parser, base, start, end)
            at = run.address(start)
    except BaseException as error:
        parser._raised = error
        parser._failure = (Errno.USER, "interrupted in a callback", start)
        try:
            parser._consumed = run.stop(parser, _FAILED)
        except (
            RecursionError,
            ctypes.ArgumentError,
        ):  # there is no room for that; the parser is of no use all the same
            return int(Errno.USER)
        parser._failure = None
        return parser._state.error
