#!/usr/bin/env python3
"""llhttp-trace --explain on every case of tests/cases/errors.md, held against core/_gen/explain.go by way of the
pages of docs/errors: the rule, the status, and the lenient flags, which the tool finds by trying them.

    tests/trace/explain_test.py TRACE
"""

import json
import re
import subprocess
import sys
from pathlib import Path

TRACE = sys.argv[1]
ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "errors"
ESCAPES = {b"r": b"\r", b"n": b"\n", b"t": b"\t", b"0": b"\0", b"\\": b"\\"}
counts = {True: 0, False: 0}


def check(name, holds, output):
    counts[bool(holds)] += 1
    if not holds:
        print(f"FAIL {name}\n  {output!r}")


def unescape(text):
    def byte(match):
        code = match[1]
        return bytes([int(code[1:], 16)]) if code[:1] == b"x" else ESCAPES[code]

    return re.sub(rb"\\(x[0-9a-f]{2}|.)", byte, text)


def block(section, kind):
    found = re.search(rf"^```{kind}\n(.*?)^```$", section, re.M | re.S)
    return found[1] if found else ""


def decode(text):
    """The bytes of an http block; tests/cases/README.md has the rules."""
    data = b""
    for line in text.encode().splitlines():
        plain = re.sub(rb"\\\\", b"", line)
        if plain.endswith(b"\\"):
            data += unescape(line[:-1])
        else:
            data += unescape(line) + (b"" if plain.endswith((rb"\r", rb"\n")) else b"\r\n")
    return data


def explain(section):
    meta = dict(line.split(": ") for line in block(section, "meta").splitlines())
    arguments = [TRACE, "--json", "--explain", "--type", meta.get("type", "request")]
    arguments += ["--" + option for option in meta.get("options", "").split(", ") if option]
    arguments += [word for rule in meta.get("rules", "").split(", ") if rule for word in ("--rule", rule)]
    run = subprocess.run(arguments, input=decode(block(section, "http")), capture_output=True, check=False)
    return [json.loads(line) for line in run.stdout.decode("ascii").splitlines()]


def stated(page, reason):
    """What a page says of a reason: section and rule, flags."""
    _, _, text = page.partition(f"\n## {reason}\n")
    text = text.partition("\n## ")[0]
    _, _, rule = text.partition("**Rule.** ")
    _, _, flags = text.partition("**Lenient.** ")
    return " ".join(rule.partition("\n\n")[0].split()), re.findall(
        r"llhttp_set_lenient_(\w+)", flags.partition("\n\n")[0]
    )


sections = (ROOT / "tests" / "cases" / "errors.md").read_text().split("\n## ")[1:]
for section in sections:
    errno, _, reason = section.partition("\n")[0].partition(": ")
    last = explain(section)[-1]
    if errno.startswith("HPE_PAUSED"):
        check(f"{errno}: no error, no explanation", last["event"] == "upgrade", last)
        continue
    check(f"{errno}: {reason}: explained", last["event"] == "explanation" and last["errno"] == errno, last)
    page = (PAGES / f"{errno}.md").read_text()
    if errno == "HPE_INVALID_EOF_STATE":
        check(f"{errno}: no section", last["section"] is None, last)
        continue
    rule, flags = stated(page, reason)
    check(f"{errno}: {reason}: the rule", rule == f"{last['section']}. {last['rule']}", (rule, last))
    check(f"{errno}: {reason}: the flags", flags in last["lenient"] if flags else last["lenient"] == [], (flags, last))
check("there are cases", len(sections) > 50, len(sections))

print(f"{counts[True]} passed, {counts[False]} failed")
sys.exit(counts[False] != 0)
