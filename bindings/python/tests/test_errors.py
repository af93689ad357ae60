"""Errors in the input: number, name, reason and position, once and as often as it is asked."""

from __future__ import annotations

import pickle

import pytest
from samples import GET, OK, POST, UNTIL_CLOSE

from llhttpgo import (
    Errno,
    HeadTooLargeError,
    Lenient,
    LibraryError,
    LlhttpError,
    ParseError,
    Parser,
    ParserType,
    StateError,
)

BAD = b"GET / HTTP/1.1\r\nHost: a\x00b\r\n\r\n"


def failure(parser: Parser, data: bytes) -> ParseError:
    with pytest.raises(ParseError) as info:
        parser.feed(data)
    return info.value


def test_what_an_error_tells() -> None:
    parser = Parser(ParserType.REQUEST)
    error = failure(parser, BAD)
    assert error.errno == Errno.INVALID_HEADER_TOKEN
    assert error.name == "HPE_INVALID_HEADER_TOKEN"
    assert error.reason == "Invalid header value char"
    assert error.position == BAD.index(b"\x00")
    assert str(error) == f"HPE_INVALID_HEADER_TOKEN: Invalid header value char, at byte {error.position}"
    assert parser.consumed == error.position
    assert parser.errno == Errno.INVALID_HEADER_TOKEN
    assert "INVALID_HEADER_TOKEN" in repr(parser)


def test_the_position_counts_from_the_start_of_the_piece() -> None:
    parser = Parser(ParserType.REQUEST)
    parser.feed(BAD[:10])
    assert failure(parser, BAD[10:]).position == BAD.index(b"\x00") - 10


def test_an_error_stays() -> None:
    parser = Parser(ParserType.REQUEST)
    first = failure(parser, BAD)
    second = failure(parser, GET)
    assert second.args == first.args
    with pytest.raises(ParseError) as info:
        parser.finish()
    assert info.value.args == first.args
    parser.resume()
    parser.pause()
    assert not parser.paused
    assert failure(parser, b"").args == first.args


def test_reset_after_an_error() -> None:
    parser = Parser(ParserType.REQUEST, lenient=Lenient.VERSION)
    failure(parser, BAD)
    parser.reset()
    assert parser.errno == Errno.OK
    assert parser.consumed == 0
    assert parser.lenient == Lenient.VERSION
    assert parser.feed(GET) == len(GET)
    parser.finish()


def test_finish_in_the_middle_of_a_message() -> None:
    parser = Parser(ParserType.REQUEST)
    parser.feed(POST[:-1])
    with pytest.raises(ParseError) as info:
        parser.finish()
    assert info.value.errno == Errno.INVALID_EOF_STATE
    assert info.value.position is None
    assert info.value.reason
    assert "at byte" not in str(info.value)


def test_finish_between_messages() -> None:
    parser = Parser(ParserType.REQUEST)
    parser.finish()
    parser.feed(POST + GET)
    parser.finish()


def test_finish_completes_a_body_that_lasts_until_the_end() -> None:
    done = []

    class Client(Parser):
        def on_message_complete(self) -> None:
            done.append(self.message_needs_eof)

    parser = Client(ParserType.RESPONSE)
    parser.feed(UNTIL_CLOSE)
    assert parser.message_needs_eof
    assert done == []
    parser.finish()
    assert done == [True]


def test_bytes_behind_the_last_message() -> None:
    parser = Parser(ParserType.RESPONSE)
    response = OK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    assert failure(parser, response + OK).errno == Errno.CLOSED_CONNECTION
    parser = Parser(ParserType.RESPONSE, lenient=Lenient.KEEP_ALIVE)
    assert parser.feed(response + OK) == len(response + OK)


def test_lenient_flags() -> None:
    parser = Parser(ParserType.REQUEST)
    assert parser.lenient == Lenient(0)
    parser.lenient = Lenient.HEADERS | Lenient.VERSION
    assert parser.lenient == Lenient.HEADERS | Lenient.VERSION
    assert parser.feed(BAD) == len(BAD)
    parser.lenient = Lenient.VERSION
    assert failure(parser, BAD).errno == Errno.INVALID_HEADER_TOKEN
    with pytest.raises(ValueError, match="not a valid"):
        parser.lenient = "headers"  # type: ignore[assignment]
    with pytest.raises(ValueError, match="no lenient flag"):
        parser.lenient = 0x1000  # type: ignore[assignment]


@pytest.mark.parametrize("kind", ["request", 3, None])
def test_the_type_must_be_one(kind: object) -> None:
    with pytest.raises(ValueError, match="ParserType"):
        Parser(kind)  # type: ignore[arg-type]


def test_both_is_decided_by_the_first_message() -> None:
    parser = Parser()
    parser.feed(OK)
    assert parser.type == ParserType.RESPONSE
    parser.reset()
    assert parser.type == ParserType.RESPONSE
    failure(parser, GET)


def test_exceptions_can_be_pickled() -> None:
    errors: list[LlhttpError] = [ParseError(Errno.STRICT, "why", 7), ParseError(Errno.USER, ""), HeadTooLargeError(9)]
    for error in errors:
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert vars(again) == vars(error)


def test_exceptions_by_base() -> None:
    for error in (ParseError, StateError, HeadTooLargeError, LibraryError):
        assert issubclass(error, LlhttpError)
    assert issubclass(StateError, RuntimeError)
    assert issubclass(LibraryError, ImportError)
