#!/usr/bin/env python3
"""llhttp-trace on a terminal: colour, NO_COLOR, the progress bar of --stats.

tests/trace/terminal_test.py TRACE
"""

import os
import pty
import subprocess
import sys
import tempfile
from pathlib import Path

TRACE = sys.argv[1]
REQUEST = Path(__file__).resolve().parents[2] / "examples" / "request.http"
ESCAPE = b"\033["
counts = {True: 0, False: 0}


def check(name, holds, output):
    counts[bool(holds)] += 1
    if not holds:
        print(f"FAIL {name}\n  {output!r}")


def on_terminal(stream, *arguments, **environment):
    """Runs the tool with that stream on a terminal and returns what comes out there."""
    ours, theirs = pty.openpty()
    out, err = (theirs, subprocess.DEVNULL) if stream == "stdout" else (subprocess.DEVNULL, theirs)
    env = {**os.environ, "TERM": "xterm", "NO_COLOR": "", **environment}
    with subprocess.Popen([TRACE, *map(str, arguments)], env=env, stdout=out, stderr=err) as process:
        os.close(theirs)
        output = b""
        try:
            while data := os.read(ours, 65536):
                output += data
        except OSError:  # the other side is closed
            pass
    os.close(ours)
    return process.returncode, output


status, output = on_terminal("stdout", REQUEST)
check("a terminal: colour", ESCAPE in output and status == 0, output)
status, output = on_terminal("stdout", REQUEST, NO_COLOR="1")
check("NO_COLOR", ESCAPE not in output and b"on_url" in output, output)
status, output = on_terminal("stdout", REQUEST, TERM="dumb")
check("a dumb terminal", ESCAPE not in output and b"on_url" in output, output)
status, output = on_terminal("stdout", "--color=never", REQUEST)
check("--color=never", ESCAPE not in output and b"on_url" in output, output)
status, output = on_terminal("stdout", "--json", REQUEST)
check("--json has no colour", ESCAPE not in output and output.startswith(b'{"event"'), output)

with tempfile.TemporaryDirectory() as folder:
    large = Path(folder) / "large"
    size = 64 << 20
    with large.open("wb") as file:
        file.write(b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % size)
        file.truncate(file.tell() + size)
    status, output = on_terminal("stderr", "--stats", large)
    check("--stats, a large file: a bar", b" %  " in output and b"MB/s" in output, output)
    check("--stats, a large file: the bar is taken away", output.endswith(b"\r\033[K"), output)
    check("--stats, a large file: status", status == 0, output)
status, output = on_terminal("stderr", "--stats", REQUEST)
check("--stats, a small file: no bar", output == b"", output)

print(f"{counts[True]} passed, {counts[False]} failed")
sys.exit(counts[False] != 0)
