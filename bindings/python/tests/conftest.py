"""Options of the tests: where in the repository to find what they need, and the vectors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Optional

import pytest

from llhttpgo import Errno
from llhttpgo._tables_gen import CALLBACKS

REPOSITORY = Path(__file__).resolve().parents[3]


def pytest_addoption(parser: pytest.Parser) -> None:
    build = REPOSITORY / "build"
    parser.addoption("--include", type=Path, help="the folder that has llhttp.h", default=build / "include")
    parser.addoption(
        "--library", type=Path, help="a library to be found outside of the package", default=build / "lib/libllhttp.so"
    )
    parser.addoption("--vectors", type=Path, help="the conformance vectors, as tests/vectors/convert writes them")


@pytest.fixture(scope="session")
def include(request: pytest.FixtureRequest) -> Path:
    path: Path = request.config.getoption("--include")
    return path.resolve()


@pytest.fixture(scope="session")
def shared_library(request: pytest.FixtureRequest) -> Path:
    path: Path = request.config.getoption("--library")
    return path.resolve()


class Vector(NamedTuple):
    """One conformance vector: its lines as word and rest, but for the input."""

    name: str
    lines: list[tuple[str, str]]
    data: bytes

    def all(self, word: str) -> list[str]:
        return [rest for w, rest in self.lines if w == word]

    def one(self, word: str, default: Optional[str] = None) -> str:
        found = self.all(word)
        if not found and default is not None:
            return default
        (rest,) = found
        return rest

    def action(self, callback: str, call: int) -> int:
        """What a callback returns at its nth call."""
        for rest in self.all("action"):
            name, kind, *values = rest.split()
            if name == callback:
                numbers = [int(value) for value in values]
                return numbers[0] if kind == "each" else (numbers[call : call + 1] or [0])[0]
        return 0


def read_vectors(path: Path) -> Iterator[Vector]:
    lines: list[tuple[str, str]] = []
    name, data = "", b""
    for line in path.read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word == "vector":
            name, lines = rest, []
        elif word == "input":
            data = b"" if rest == "-" else bytes.fromhex(rest)
        elif word == "end":
            yield Vector(name, lines, data)
        else:
            lines.append((word, rest))


def expressible(vector: Vector) -> bool:
    """Whether a method can do what the vector has a callback return: fail, pause, or what HeadersAction has.

    In C a span callback may also return an errno of its own choice, without a reason.
    """
    spans = {"on_" + name for name, span in CALLBACKS if span}
    for rest in vector.all("action"):
        name, _, *values = rest.split()
        if name in spans and not set(values) <= {"0", "-1", str(int(Errno.PAUSED))}:
            return False
    return True


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "vector" in metafunc.fixturenames:
        path: Optional[Path] = metafunc.config.getoption("--vectors")
        vectors = [v for v in read_vectors(path) if expressible(v)] if path else []
        metafunc.parametrize("vector", vectors, ids=lambda vector: vector.name)
