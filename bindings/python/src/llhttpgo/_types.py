"""What methods of a parser may return."""

from __future__ import annotations

import enum


class HeadersAction(enum.IntEnum):
    """What ``on_headers_complete`` may say of the message, beyond what its fields say. The values are llhttp's."""

    SKIP_BODY = 1
    """The message has no body, whatever its fields say: a client says so of the response to HEAD."""

    UPGRADE = 2
    """The message has no body, and the connection leaves HTTP behind it."""
