"""How what the library finds reaches the methods of a parser, by C callbacks: where the library has no tape, and at the
end of the input.

There is one callback for each kind of event, made once per process, which looks up the parser by the address of its
``llhttp_t`` and calls a method. A class has a ``llhttp_settings_t`` with those callbacks that its methods are there
for, so an event that nobody wants costs nothing.

With this module or _tape, methods are called one at a time, in the order of the bytes, during ``execute`` or
``finish``; the parser's fields are then those of the event; an exception or a pause stops the parse at once.
"""

from __future__ import annotations

import ctypes
import sys
import threading
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
_functions: list[Callable[..., int]] = []  # what the thunks call


def _thunk(name: str, method: str) -> Any:
    """Returns the C callback on_NAME that calls a parser's method of the given name."""
    if method not in _thunks:
        kind, make = (SPAN, _span) if name in _spans else (NOTIFY, _notify)
        if name == "headers_complete":
            make = _headers_complete
        _functions.append(make(method))
        _thunks[method] = kind(_functions[-1])
    return _thunks[method]


# An exception must not leave a callback: C knows none. It is kept, and raised where the parse was begun. So all that
# the functions below have is a try; see _catch for what escapes even so.


def _span(method: str) -> Callable[..., int]:
    def deliver(address: int, at: Optional[int], length: int) -> int:
        try:
            parser = _running[address]
            start = (at or 0) - parser._base
            getattr(parser, method)(bytes(parser._source[start : start + length]) if length else b"")
            if parser._pausing:
                parser._pausing = False
                return _PAUSED
            return 0
        except BaseException as error:
            _running[address]._raised = error
            return _FAILED

    return deliver


def _notify(method: str) -> Callable[..., int]:
    def deliver(address: int) -> int:
        try:
            parser = _running[address]
            getattr(parser, method)()
            if parser._pausing:
                parser._pausing = False
                return _PAUSED
            return 0
        except BaseException as error:
            _running[address]._raised = error
            return _FAILED

    return deliver


def checked(parser: BaseParser, action: object) -> HeadersAction:
    """Returns what on_headers_complete has returned, if it may return that."""
    if not isinstance(action, HeadersAction):
        raise TypeError(f"on_headers_complete must return a HeadersAction or None, not {action!r}")
    if parser._pausing:
        raise ValueError("on_headers_complete cannot pause and return a HeadersAction at once")
    return action


def _headers_complete(method: str) -> Callable[..., int]:
    def deliver(address: int) -> int:
        try:
            parser = _running[address]
            action = getattr(parser, method)()
            if action is not None:
                return checked(parser, action)
            if parser._pausing:
                parser._pausing = False
                return _PAUSED
            return 0
        except BaseException as error:
            _running[address]._raised = error
            return _FAILED

    return deliver


def settings_for(cls: type[BaseParser], base: type[BaseParser], prefix: str) -> llhttp_settings_t:
    """Returns the callbacks for a class: those whose methods, named PREFIX and the event, are not those of base."""
    settings = llhttp_settings_t()
    for name, _ in CALLBACKS:
        method = getattr(cls, prefix + name, None)
        if method is not None and method is not getattr(base, prefix + name, None):
            setattr(settings, "on_" + name, _thunk(name, prefix + name))
    return settings


# The handler of a signal, above all the one that raises KeyboardInterrupt, runs in the main thread at the next chance:
# when a callback has been entered, and its try has not. ctypes then reports the exception as one that nobody can
# handle, and leaves to chance what C gets as the result. While the main thread parses, such reports are taken for what
# they are.

_report: Callable[[sys.UnraisableHookArgs], Any] = sys.unraisablehook
_escaped: dict[int, BaseException] = {}  # by thread


def _catch(report: sys.UnraisableHookArgs) -> None:
    """Stands in for sys.unraisablehook."""
    # From Python 3.13 on the function is named in the text alone.
    message = report.err_msg or ""
    if any(report.object is function or repr(function) in message for function in _functions):
        _escaped[threading.get_ident()] = report.exc_value or report.exc_type()
    else:
        _report(report)


def _guard() -> bool:
    """Puts _catch in place, if need be; the caller then puts the other one back. Where it stays it does no harm."""
    global _report
    if sys.unraisablehook is _catch or threading.get_ident() != threading.main_thread().ident:
        return False
    _report = sys.unraisablehook
    sys.unraisablehook = _catch
    return True


def _call(parser: BaseParser, function: Callable[..., int], *arguments: object) -> int:
    """Calls a function of the library that calls the parser's methods. What they raise is in _raised then."""
    address = parser._address
    guarded = False
    try:
        _running[address] = parser
        guarded = _guard()
        return function(address, *arguments)
    finally:
        _running.pop(address, None)
        parser._pausing = False
        if guarded and sys.unraisablehook is _catch:
            sys.unraisablehook = _report
        if _escaped:
            parser._raised = _escaped.pop(threading.get_ident(), parser._raised)


def execute(parser: BaseParser, data: Buffer) -> int:
    """Parses data and calls the parser's methods. Returns the errno; the parser's consumed tells how far it got."""
    buffer = _buffer.hold(data)
    try:
        base, length = buffer.buf or 0, buffer.len
        parser._base = base
        parser._source = data if type(data) is bytes else _buffer.view(buffer) if length else b""
        code = _call(parser, library.llhttp_execute, ctypes.c_void_p(base), ctypes.c_size_t(length))
        parser._consumed = length if code == 0 else (parser._state.error_pos or base) - base
    finally:
        parser._source = b""
        _buffer.release(ctypes.byref(buffer))
    return code


def finish(parser: BaseParser) -> int:
    """Ends the input and calls the parser's methods. Returns the errno."""
    return _call(parser, library.llhttp_finish)
