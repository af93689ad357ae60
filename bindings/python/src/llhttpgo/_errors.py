"""The exceptions of the package. All are :class:`LlhttpError`."""

from __future__ import annotations

from typing import Optional

from ._tables_gen import Errno


class LlhttpError(Exception):
    """Base of what this package raises."""


class ParseError(LlhttpError):
    """The input is not HTTP, or the parser has been stopped by an error before.

    :ivar errno: what went wrong.
    :ivar reason: one line about it, in English.
    :ivar position: where the parse stopped, in bytes from the start of the piece of input that was given to the call
        which failed: the byte that was not accepted or, with some reasons, the one behind it. None for an error at
        the end of the input.
    """

    def __init__(self, errno: Errno, reason: str, position: Optional[int] = None) -> None:
        # The arguments are those of the constructor, so that the exception can be pickled.
        super().__init__(errno, reason, position)
        self.errno = errno
        self.reason = reason
        self.position = position

    @property
    def name(self) -> str:
        """The errno's name in C, such as ``"HPE_INVALID_METHOD"``."""
        return "HPE_" + self.errno.name

    def __str__(self) -> str:
        where = "" if self.position is None else f", at byte {self.position}"
        return f"{self.name}: {self.reason}{where}"


class StateError(LlhttpError, RuntimeError):
    """The parser cannot do that now: it is paused, has left HTTP, or is at work already. Nothing has happened."""


class HeadTooLargeError(LlhttpError):
    """The start-line and field lines of a message have more bytes than an :class:`EventParser` collects.

    A server answers it with status code 431.

    :ivar limit: the ``max_head_size`` of the parser, in bytes.
    """

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit

    def __str__(self) -> str:
        return f"start-line and field lines have more than {self.limit} bytes"


class LibraryError(LlhttpError, ImportError):
    """No usable ``libllhttp`` has been found, or this is a subinterpreter. The message says what was tried."""
