"""Options of the tests: where in the repository to find what they need, and the vectors."""

from __future__ import annotations

from pathlib import Path

import pytest

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
