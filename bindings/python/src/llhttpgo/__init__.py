"""HTTP/1 parser: the llhttpgo library for Python.

:class:`Parser` calls a method for all that it finds, as llhttp calls its callbacks. :class:`EventParser` returns whole
heads, the pieces of bodies and the ends of messages. Neither does any input or output.

Threads: a parser belongs to one thread at a time; different parsers are independent. They go on working in a forked
process.
"""

from ._base import BaseParser
from ._errors import HeadTooLargeError, LibraryError, LlhttpError, ParseError, StateError
from ._events import Body, Event, EventParser, Fields, MessageComplete, Request, Response, Upgrade
from ._library import LIBRARY
from ._parser import Parser
from ._request import COMPILED, WholeRequest, parse_request
from ._tables_gen import Errno, Flags, Lenient, Method, ParserType
from ._types import HeadersAction

__all__ = [
    "COMPILED",
    "LIBRARY",
    "BaseParser",
    "Body",
    "Errno",
    "Event",
    "EventParser",
    "Fields",
    "Flags",
    "HeadTooLargeError",
    "HeadersAction",
    "Lenient",
    "LibraryError",
    "LlhttpError",
    "MessageComplete",
    "Method",
    "ParseError",
    "Parser",
    "ParserType",
    "Request",
    "Response",
    "StateError",
    "Upgrade",
    "WholeRequest",
    "parse_request",
]
