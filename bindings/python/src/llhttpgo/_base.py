"""What the parsers of this package share: the state, and all that is not about events.

A parser belongs to one thread at a time. Its lock only shows misuse: it is held while the parser is at work, nobody
waits for it.
"""

from __future__ import annotations

import ctypes
import threading
from typing import TYPE_CHECKING, ClassVar, NoReturn, Optional

from . import _delivery, _tape
from ._errors import ParseError, StateError
from ._library import TAPE, library, llhttp_settings_t, llhttp_t, setter
from ._tables_gen import METHODS, Errno, Flags, Lenient, Method, ParserType

if TYPE_CHECKING:
    from typing_extensions import Buffer, Self

_UPGRADES = (Errno.PAUSED_UPGRADE, Errno.PAUSED_H2_UPGRADE)
_PAUSES = (Errno.PAUSED, *_UPGRADES)
_KNOWN = frozenset(Errno)
_HEADERS_COMPLETE = 1 << _tape.KINDS["headers_complete"]
_ERRORS = _KNOWN - {Errno.OK, *_PAUSES}


class BaseParser:
    """What :class:`Parser` and :class:`EventParser` share. It is not for use by itself."""

    __slots__ = (
        "__weakref__",
        "_address",
        "_base",
        "_consumed",
        "_failure",
        "_lock",
        "_pausing",
        "_pointer",
        "_raised",
        "_run",
        "_source",
        "_state",
    )

    _settings: ClassVar[llhttp_settings_t]
    _mask: ClassVar[int] = 0  # the events that _settings has callbacks for
    _copies: ClassVar[bool] = False  # whether it wants bytes: what is none is parsed from a copy

    _state: llhttp_t
    _address: int
    _pointer: ctypes.c_void_p
    _lock: threading.Lock
    _consumed: int
    # The error that has stopped the parser, as often as it is asked; no exception, whose traceback has the parser.
    _failure: Optional[tuple[Errno, str, int]]
    # While the parser is at work: the bytes, where they are, whether a method wants a pause, what it has raised.
    _source: bytes | memoryview
    _base: int
    _pausing: bool
    _raised: Optional[BaseException]
    # While events are taken from a tape.
    _run: Optional[_tape.Run]

    def __new__(cls, *_args: object, **_named: object) -> Self:
        """Makes a parser for both. The memory that C works on is made here, once: ``__init__`` may be called again."""
        self = super().__new__(cls)
        self._state = llhttp_t()
        self._address = ctypes.addressof(self._state)
        self._pointer = ctypes.c_void_p(self._address)
        self._lock = threading.Lock()
        self._consumed = 0
        self._failure = None
        self._source = b""
        self._base = 0
        self._pausing = False
        self._raised = None
        self._run = None
        library.llhttp_init(self._address, ParserType.BOTH, ctypes.addressof(cls._settings))
        return self

    def __init__(self, type: ParserType = ParserType.BOTH, *, lenient: Lenient = Lenient(0)) -> None:
        """Makes a parser for one direction of one connection.

        :param type: what it parses. With ``BOTH`` the first start-line decides between request and response.
        :param lenient: rules that it shall relax; see :class:`Lenient` for the risks.
        """
        self._begin("__init__()")
        try:
            library.llhttp_init(self._address, ParserType(type), ctypes.addressof(self._settings))
            self._failure = None
            self._consumed = 0
        finally:
            self._lock.release()
        if lenient:
            self.lenient = lenient

    def __repr__(self) -> str:
        kind = self.__class__.__name__
        state = "" if self.errno == Errno.OK else f" {self.errno.name}"
        return f"<{kind} {self.type.name}{state} at {id(self):#x}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"a {self.__class__.__name__} cannot be copied or pickled")

    # ---- the parse. What has gone wrong in it is left in _raised, so that the caller can first deliver what came
    # before. Never in a variable: the traceback of what a callback raises has the frames of these functions.

    def _begin(self, what: str) -> None:
        """Takes the parser for a call that changes it. Whoever calls this must release the lock."""
        if not self._lock.acquire(False):
            raise StateError(f"{what} in the middle of a parse: called from a callback, or from another thread")

    def _execute(self, data: Buffer) -> None:
        """Parses data."""
        self._begin("feed()")
        try:
            if self._state.error or self._failure:
                self._refuse()
                return
            code = _tape.execute(self, data) if TAPE else _delivery.execute(self, data)
            if self._raised is None and (code == 0 or code in _PAUSES):
                return
            self._failure = (*self._cause(code), self._consumed)
            if self._raised is None:
                self._raised = ParseError(*self._failure)
        finally:
            self._lock.release()

    def _finish(self) -> None:
        """Ends the input."""
        self._begin("finish()")
        try:
            if self.paused:
                raise StateError("finish() while the parser is paused: call resume() and feed what is left first")
            if self.upgraded:
                return
            if self._state.error or self._failure:
                self._refuse()
                return
            code = _delivery.finish(self)
            if self._raised is None and code not in (Errno.OK, Errno.PAUSED):
                self._raised = ParseError(*self._cause(code))
        finally:
            self._lock.release()

    def _refuse(self) -> None:
        """Has the error raised again that has stopped the parser. Refuses input if it was a pause."""
        errno = self.errno
        if errno == Errno.PAUSED:
            raise StateError("feed() while the parser is paused: call resume() first")
        if errno == Errno.PAUSED_UPGRADE:
            raise StateError("feed() behind an upgrade: call resume_after_upgrade() first to go on with HTTP")
        if errno == Errno.PAUSED_H2_UPGRADE:
            raise StateError("feed() behind the HTTP/2 connection preface: this is no HTTP/1 connection")
        if self._failure is None:  # an interrupt has come between the parse and its result
            self._failure = (*self._cause(self._state.error), self._consumed)
        self._raised = ParseError(*self._failure)

    def _cause(self, code: int) -> tuple[Errno, str]:
        """Errno and reason of what has stopped the parse."""
        if code not in _ERRORS:
            return Errno.USER, "interrupted in a callback"
        reason: Optional[bytes] = library.llhttp_get_error_reason(self._address)
        return Errno(code), (reason or b"").decode("ascii", "backslashreplace")

    def _take_raised(self) -> Optional[BaseException]:
        raised, self._raised = self._raised, None
        return raised

    def _raise(self) -> None:
        """Raises what has gone wrong, if anything."""
        error = self._take_raised()
        if error is not None:
            try:
                raise error
            finally:
                del error  # its traceback now has this frame

    # ---- the tape

    def _wanted(self) -> tuple[int, int]:
        """Returns a mask of events, and llhttp_ext_execute's options."""
        return self._mask, _tape.STOP_AT_HEADERS if self._mask & _HEADERS_COMPLETE else 0

    def _take_events(self, events: _tape.Events, source: bytes | memoryview, start: int) -> int:
        """Takes the events of a run. Returns 0; PAUSED, if the parser is to be paused behind the last one taken; or a
        HeadersAction, if that is headers_complete.

        :param source: the input.
        :param start: where in it the offsets begin.
        """
        raise NotImplementedError

    @property
    def _now(self) -> llhttp_t:
        """The parser's fields, in a method those of its event."""
        return self._state if self._run is None else self._run.now()

    # ---- control

    def pause(self) -> None:
        """Pauses the parser.

        In a callback: behind it, so that the ``feed`` at work returns and :attr:`consumed` tells how far it got.
        Elsewhere: before the next byte. To go on, call :meth:`resume` and feed the rest, even if none is left: events
        may still be due. Has no effect in ``finish``, nor on a parser that is stopped already.
        """
        if self._lock.locked():
            self._pausing = True
        else:
            library.llhttp_pause(self._address)

    def resume(self) -> None:
        """Ends a pause. Has no effect unless the parser is :attr:`paused`."""
        self._begin("resume()")
        try:
            library.llhttp_resume(self._address)
        finally:
            self._lock.release()

    def resume_after_upgrade(self) -> None:
        """Goes on with HTTP behind a message that asked for an upgrade: a server does so when it declines.

        Has no effect unless :attr:`errno` is ``PAUSED_UPGRADE``.
        """
        self._begin("resume_after_upgrade()")
        try:
            library.llhttp_resume_after_upgrade(self._address)
        finally:
            self._lock.release()

    def reset(self) -> None:
        """Makes the parser ready for another connection, whatever its state.

        The lenient flags stay, and so does the type as it is now: a ``BOTH`` that has been decided remains decided.
        """
        self._begin("reset()")
        try:
            library.llhttp_reset(self._address)
            self._failure = None
            self._consumed = 0
        finally:
            self._lock.release()

    @property
    def lenient(self) -> Lenient:
        """The rules that are relaxed. May be set between two calls; a change counts from the next byte on."""
        return Lenient(self._state.lenient_flags)

    @lenient.setter
    def lenient(self, flags: Lenient) -> None:
        wanted = int(Lenient(flags))
        if wanted & ~sum(Lenient):
            raise ValueError(f"{wanted:#x} has bits that are no lenient flag")
        self._begin("lenient set")
        try:
            for flag in Lenient:
                getattr(library, setter(flag))(self._address, bool(wanted & flag))
        finally:
            self._lock.release()

    # ---- state

    @property
    def consumed(self) -> int:
        """How many bytes of the last piece of input the parser is done with.

        All of them, unless the parse was stopped: by a pause or an upgrade, whose first byte not parsed this is; or by
        an error, whose position it is.
        """
        return self._consumed

    @property
    def errno(self) -> Errno:
        """The error or pause that the parser is in."""
        if self._failure:
            return self._failure[0]
        code = self._now.error
        return Errno(code) if code in _KNOWN else Errno.USER

    @property
    def paused(self) -> bool:
        """Whether the parser waits for :meth:`resume`."""
        return self._now.error == Errno.PAUSED and not self._failure

    @property
    def upgraded(self) -> bool:
        """Whether the connection has left HTTP/1: what follows behind :attr:`consumed` belongs to another protocol.

        :attr:`errno` is ``PAUSED_UPGRADE``, or ``PAUSED_H2_UPGRADE`` where the bytes were an HTTP/2 connection preface.
        """
        return self._now.error in _UPGRADES and not self._failure

    @property
    def type(self) -> ParserType:
        """What the parser parses; for ``BOTH``, what the first start-line has decided, once it has."""
        return ParserType(self._now.type)

    # Of the message under way. Each is valid from the event on that announces it.

    @property
    def method(self) -> Optional[Method]:
        """Method of a request, None for a response. Valid from ``on_method_complete`` on."""
        state = self._now
        return METHODS[state.method] if state.type == ParserType.REQUEST else None

    @property
    def status_code(self) -> int:
        """Status code of a response. Valid from ``on_status_complete`` on."""
        return self._now.status_code

    @property
    def http_version(self) -> tuple[int, int]:
        """Version of the message: ``(1, 0)`` for HTTP/1.0. Valid from ``on_version_complete`` on.

        A request-line without a version counts as 0.9.
        """
        state = self._now
        return state.http_major, state.http_minor

    @property
    def flags(self) -> Flags:
        """What the field section says. Valid from ``on_headers_complete`` on.

        TRAILING is set in the trailer section.
        """
        return Flags(self._now.flags)

    @property
    def content_length(self) -> int:
        """How many bytes the body, or the chunk, still has. Valid from ``on_headers_complete`` on, and 0 if unknown."""
        return self._now.content_length

    @property
    def upgrade(self) -> bool:
        """Whether the connection may leave HTTP behind this message. Valid from ``on_headers_complete`` on.

        So it is for CONNECT, and for Upgrade together with "Connection: upgrade" in a request or in a 101 response.
        """
        return bool(self._now.upgrade)

    @property
    def should_keep_alive(self) -> bool:
        """Whether another message may follow on the connection.

        Valid in ``on_headers_complete``, in ``on_message_complete`` and between the two.
        """
        return bool(library.llhttp_should_keep_alive(ctypes.addressof(self._now)))

    @property
    def message_needs_eof(self) -> bool:
        """Whether it takes ``finish`` to complete this message, as its body lasts until the connection ends.

        Valid from ``on_headers_complete`` until ``on_message_complete`` has returned; False for every request.
        """
        return bool(library.llhttp_message_needs_eof(ctypes.addressof(self._now)))
