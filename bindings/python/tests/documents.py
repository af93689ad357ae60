"""Reads the cases of the documents in tests/cases; tests/cases/README.md describes their format."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ESCAPE = re.compile(rb"\\(x[0-9a-f]{2}|.)", re.DOTALL)
BYTES = {b"r": b"\r", b"n": b"\n", b"t": b"\t", b"0": b"\0", b"\\": b"\\"}


class Case(NamedTuple):
    name: str
    type: str
    lenient: list[str]
    options: list[str]
    data: bytes
    log: list[str]


def unescape(line: str) -> bytes:
    """Turns a line of an http block into the bytes that it stands for."""
    end = b"\r\n"
    if re.search(r"(?<!\\)(\\\\)*\\$", line):  # an odd number of them: the last one is no escape
        line, end = line[:-1], b""
    elif re.search(r"(?<!\\)(\\\\)*\\[rn]$", line):
        end = b""

    def byte(match: re.Match[bytes]) -> bytes:
        code = match.group(1)
        return bytes([int(code[1:], 16)]) if code.startswith(b"x") else BYTES[code]

    return ESCAPE.sub(byte, line.encode("ascii")) + end


def read(path: Path) -> list[Case]:
    """Returns the cases of a document, without those for rules and limits, which the package cannot set."""
    cases = []
    sections = re.split(r"^## (.+)$", path.read_text(), flags=re.MULTILINE)[1:]
    for title, text in zip(sections[::2], sections[1::2]):
        blocks = dict(re.findall(r"^```(meta|http|log)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL))
        meta = dict(line.split(":", 1) for line in blocks.get("meta", "").splitlines())
        if "rules" in meta or "limits" in meta:
            continue
        cases.append(
            Case(
                f"{path.stem}: {title}",
                meta.get("type", "request").strip(),
                meta.get("lenient", "").replace(",", " ").split(),
                meta.get("options", "").replace(",", " ").split(),
                b"".join(map(unescape, blocks["http"].splitlines())),
                blocks["log"].splitlines(),
            )
        )
    return cases
