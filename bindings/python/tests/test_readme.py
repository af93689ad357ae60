"""The examples of the documentation print what it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import REPOSITORY

EXAMPLE = re.compile(r"^```python\n(.*?)^```\n+```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples() -> list[object]:
    found: list[object] = []
    for path in (REPOSITORY / "README.md", REPOSITORY / "bindings" / "python" / "README.md"):
        text = path.read_text()
        here = EXAMPLE.findall(text)
        assert len(here) == text.count("```python\n") > 0, path
        found += named(path, here)
    # There code without an output is code that does not end by itself.
    for path in sorted((REPOSITORY / "docs").glob("**/*.md")):
        found += named(path, EXAMPLE.findall(path.read_text()))
    return found


def named(path: Path, examples: list[tuple[str, str]]) -> list[object]:
    name = path.relative_to(REPOSITORY)
    return [pytest.param(*example, id=f"{name} {i}") for i, example in enumerate(examples, 1)]


@pytest.mark.parametrize(("code", "output"), examples())
def test_example(code: str, output: str) -> None:
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.stderr == ""
    assert result.stdout == output
