"""How what the library finds reaches the methods of a parser.

C callbacks do it: one for each kind of event, made once per process, which looks up the parser by the address of its
``llhttp_t`` and calls a method. A class has a ``llhttp_settings_t`` with those callbacks that its methods are there
for, so an event that nobody wants costs nothing.

The rest of the package relies on three functions alone, and on this: methods are called one at a time, in the order of
the bytes, during ``execute`` or ``finish``; the parser's fields are then those of the event; an exception or a pause
stops the parse at once. That leaves room for another way of delivery, by a list of events that one call fills.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Callable, Optional

from . import _buffer
from ._library import NOTIFY, SPAN, library, llhttp_settings_t
from ._tables_gen import CALLBACKS, Errno
from ._types import HeadersAction

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from ._base import BaseParser

_PAUSED = int(Errno.PAUSED)
_FAILED = -1  # becomes HPE_USER or the callback's own errno

# The parsers at work, by the address of the llhttp_t.
_running: dict[int, BaseParser] = {}

_spans = frozenset(name for name, span in CALLBACKS if span)
_thunks: dict[str, Any] = {}


def _thunk(name: str, method: str) -> Any:
    """Returns the C callback on_NAME that calls a parser's method of the given name."""
    if method not in _thunks:
        if name in _spans:
            _thunks[method] = SPAN(_span(method))
        elif name == "headers_complete":
            _thunks[method] = NOTIFY(_headers_complete(method))
        else:
            _thunks[method] = NOTIFY(_notify(method))
    return _thunks[method]


# An exception must not leave a callback: C knows none. It is kept, and raised where the parse was begun.


def _span(method: str) -> Callable[[int, Optional[int], int], int]:
    def deliver(address: int, at: Optional[int], length: int) -> int:
        parser = _running[address]
        try:
            start = (at or 0) - parser._base
            getattr(parser, method)(bytes(parser._source[start : start + length]) if length else b"")
        except BaseException as error:
            parser._raised = error
            return _FAILED
        if parser._pausing:
            parser._pausing = False
            return _PAUSED
        return 0

    return deliver


def _notify(method: str) -> Callable[[int], int]:
    def deliver(address: int) -> int:
        parser = _running[address]
        try:
            getattr(parser, method)()
        except BaseException as error:
            parser._raised = error
            return _FAILED
        if parser._pausing:
            parser._pausing = False
            return _PAUSED
        return 0

    return deliver


def _headers_complete(method: str) -> Callable[[int], int]:
    def deliver(address: int) -> int:
        parser = _running[address]
        try:
            action = getattr(parser, method)()
            if action is not None:
                if not isinstance(action, HeadersAction):
                    raise TypeError(f"on_headers_complete must return a HeadersAction or None, not {action!r}")
                if parser._pausing:
                    raise ValueError("on_headers_complete cannot pause and return a HeadersAction at once")
                return action
        except BaseException as error:
            parser._raised = error
            return _FAILED
        if parser._pausing:
            parser._pausing = False
            return _PAUSED
        return 0

    return deliver


def settings_for(cls: type[BaseParser], base: type[BaseParser], prefix: str) -> llhttp_settings_t:
    """Returns the callbacks for a class: those whose methods, named PREFIX and the event, are not those of base."""
    settings = llhttp_settings_t()
    for name, _ in CALLBACKS:
        method = getattr(cls, prefix + name, None)
        if method is not None and method is not getattr(base, prefix + name, None):
            setattr(settings, "on_" + name, _thunk(name, prefix + name))
    return settings


def execute(parser: BaseParser, data: Buffer) -> int:
    """Parses data and calls the parser's methods. Returns the errno; the parser's consumed tells how far it got."""
    address = parser._address
    buffer = _buffer.hold(data)
    try:
        base, length = buffer.buf or 0, buffer.len
        parser._base = base
        parser._source = data if type(data) is bytes else _buffer.view(buffer) if length else b""
        _running[address] = parser
        code: int = library.llhttp_execute(address, base, length)
        parser._consumed = length if code == 0 else (parser._state.error_pos or base) - base
    finally:
        _running.pop(address, None)
        parser._source = b""
        parser._pausing = False
        _buffer.release(ctypes.byref(buffer))
    return code


def finish(parser: BaseParser) -> int:
    """Ends the input and calls the parser's methods. Returns the errno."""
    address = parser._address
    _running[address] = parser
    try:
        code: int = library.llhttp_finish(address)
    finally:
        del _running[address]
        parser._pausing = False  # nothing follows that could be held back
    return code
