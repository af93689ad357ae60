"""The parser whose subclasses have a method per event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from ._base import BaseParser
from ._delivery import checked, settings_for
from ._library import llhttp_settings_t
from ._tables_gen import CALLBACKS
from ._tape import KINDS, PAUSED, SPANS, Events, mask_of
from ._types import HeadersAction

if TYPE_CHECKING:
    from typing_extensions import Buffer

# The methods by kind of event.
_METHODS = tuple("on_" + name for name, _ in CALLBACKS)
_HEADERS_COMPLETE = KINDS["headers_complete"]


class Parser(BaseParser):
    """Parses one direction of a connection and calls a method for all that it finds: llhttp's interface.

    Derive from it and override the methods that are of interest; the others cost nothing. What counts are the methods
    that the class has when it is created. The order of the calls for one message is

    .. code-block:: text

        on_message_begin
        request:   method, url, protocol, version     each as on_x once or more, then on_x_complete
        response:  protocol, version, status
        per field line: header_field, header_value
        on_headers_complete
        on_body, any number of times; in chunked coding, per chunk: chunk extensions, on_chunk_header,
            on_body, on_chunk_complete; field lines of the trailer section before the last on_chunk_complete
        on_message_complete
        on_reset, if a further message begins

    A method that gets bytes gets a piece of an element. It may come in several: it is cut where a piece of the input
    ends, and perhaps elsewhere, and a piece may be empty. Put them together until its ``_complete`` method is called;
    for ``on_body``, until ``on_chunk_complete`` or ``on_message_complete``.

    Methods may read the properties of the parser, and call :meth:`pause`. ``feed``, ``finish``, ``reset``, ``resume``
    and a change of ``lenient`` raise :class:`StateError` there. What they return is ignored, but for
    :meth:`on_headers_complete`. An exception that one raises stops the parser and leaves ``feed`` or ``finish``; the
    parser then has an error, such as ``CB_URL_COMPLETE``, and is of no use until it is reset.
    """

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._settings = settings_for(cls, Parser, "on_")
        cls._mask = mask_of(cls._settings)

    def feed(self, data: Buffer) -> int:
        """Parses bytes and calls the methods. Messages need not begin or end with the piece.

        :param data: anything with the buffer protocol whose bytes lie one behind the other. It is not copied, and
            cannot be resized meanwhile; a callback must not write to it.
        :return: how many bytes are parsed: all, unless the parser is :attr:`paused` or :attr:`upgraded` now.
        :raises ParseError: the bytes are not HTTP, or an error has stopped the parser before.
        :raises StateError: the parser is paused or upgraded, or this is called from a callback. No byte is parsed.
        """
        self._execute(data)
        self._raise()
        return self._consumed

    def finish(self) -> None:
        """Tells the parser that no more bytes will come. Completes a message whose body lasts until then.

        :raises ParseError: a message is incomplete, or an error has stopped the parser before.
        :raises StateError: the parser is paused, or this is called from a callback.
        """
        self._finish()
        self._raise()

    def _take_events(self, events: Events, source: bytes | memoryview, start: int) -> int:
        for offset, length, kind, _, _, _ in events:
            method = getattr(self, _METHODS[kind])
            if SPANS[kind]:
                offset += start
                method(bytes(source[offset : offset + length]))
            elif kind != _HEADERS_COMPLETE:
                method()
            else:
                action = method()
                if action is not None:
                    return checked(self, action)
            if self._pausing:
                return PAUSED
        return 0

    def on_message_begin(self) -> None:
        """A message begins: its first byte that is neither CR nor LF is there."""

    def on_protocol(self, data: bytes) -> None:
        """Protocol name of the start-line, without the "/": ``HTTP``, ``RTSP`` or ``ICE``.

        Not called for the first message of a parser for both if that is a response: ``on_method`` gets its ``HTTP/``.
        """

    def on_protocol_complete(self) -> None:
        """After the last ``on_protocol``: the "/" is there."""

    def on_method(self, data: bytes) -> None:
        """Method of a request-line."""

    def on_method_complete(self) -> None:
        """After the last ``on_method``; :attr:`method` is valid."""

    def on_url(self, data: bytes) -> None:
        """Target of a request, as sent: nothing is decoded."""

    def on_url_complete(self) -> None:
        """After the last ``on_url``."""

    def on_version(self, data: bytes) -> None:
        """Version of the start-line, such as ``1.1``."""

    def on_version_complete(self) -> None:
        """After the last ``on_version``; :attr:`http_version` is valid."""

    def on_status(self, data: bytes) -> None:
        """Reason phrase of a status-line. May be empty, or not called if so."""

    def on_status_complete(self) -> None:
        """After the last ``on_status``, also if there was none; :attr:`status_code` is valid."""

    def on_header_field(self, data: bytes) -> None:
        """Name of a field line, of the trailer section too: ``TRAILING`` is set in :attr:`flags` there."""

    def on_header_field_complete(self) -> None:
        """After the last ``on_header_field`` of a field line."""

    def on_header_value(self, data: bytes) -> None:
        """Value of a field line, without the white space in front of it and, as a rule, with that behind it."""

    def on_header_value_complete(self) -> None:
        """After the last ``on_header_value`` of a field line."""

    def on_headers_complete(self) -> Optional[HeadersAction]:
        """The field section is complete, and the parser is about to choose the length of the body.

        :return: None, or what the fields do not say. It cannot be had together with a pause.
        """
        return None

    def on_chunk_extension_name(self, data: bytes) -> None:
        """Name of a chunk extension."""

    def on_chunk_extension_name_complete(self) -> None:
        """After the last ``on_chunk_extension_name`` of an extension."""

    def on_chunk_extension_value(self, data: bytes) -> None:
        """Value of a chunk extension; with its quotes if it is a quoted string."""

    def on_chunk_extension_value_complete(self) -> None:
        """After the last ``on_chunk_extension_value`` of an extension."""

    def on_chunk_header(self) -> None:
        """The line with a chunk's size is complete; :attr:`content_length` is the size, 0 for the last chunk."""

    def on_body(self, data: bytes) -> None:
        """Bytes of the message body, without chunked coding."""

    def on_chunk_complete(self) -> None:
        """The chunk is complete; after the last chunk, so is the trailer section."""

    def on_message_complete(self) -> None:
        """The message is complete. :attr:`should_keep_alive` may be asked here for the last time."""

    def on_reset(self) -> None:
        """A further message begins on the same connection; ``on_message_begin`` follows."""


Parser._settings = llhttp_settings_t()
