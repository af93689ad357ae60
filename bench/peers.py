"""Builds what bench/run.py measures with: the runner, libtape.so, and the other parsers. Those are fetched, never kept
in the repository; one that cannot be had is left out, with a word."""

import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parent
ROOT = BENCH.parent
CC = os.environ.get("CC", "gcc")
X86 = platform.machine() in ("x86_64", "AMD64")


class Missing(Exception):
    """Why something cannot be built."""


def run(command, **options):
    """Runs a command and gives its output; Missing, with the end of what it says, if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, **options)
    except FileNotFoundError:
        raise Missing(f"{command[0]} is missing") from None
    if done.returncode != 0:
        lines = (done.stderr.strip() or done.stdout.strip() or f"{command[0]} failed").splitlines()
        raise Missing("\n  ".join(lines[-6:]))
    return done.stdout


def newer(target, sources):
    """True if the target is there and no source is younger."""
    return target.exists() and all(Path(s).stat().st_mtime <= target.stat().st_mtime for s in sources)


def compile_c(target, flags, sources, libraries=(), watch=()):
    """Compiles and links, if a source, or a file that it watches, or the command, has changed."""
    command = [CC, *flags, "-o", str(target), *map(str, sources), *libraries]
    stamp = target.with_suffix(target.suffix + ".command")
    if newer(target, [*sources, *watch]) and stamp.exists() and stamp.read_text() == shlex.join(command):
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(target.name + ".new")
    run([str(fresh) if part == str(target) else part for part in command])
    fresh.replace(target)
    stamp.write_text(shlex.join(command))
    return target


WARNINGS = ["-std=c11", "-O2", "-Wall", "-Wextra"]


def runner(build):
    sources = [BENCH / name for name in ("bench.c", "corpus.c", "peer_llhttp.c", "peer_heads.c")]
    include = build / "include"
    return compile_c(
        build / "bench/bench",
        [*WARNINGS, f"-I{include}"],
        sources,
        ["-ldl", "-lm"],
        [*BENCH.glob("*.h"), include / "llhttp.h", include / "llhttp_ext.h"],
    )


def tape(build):
    """From the library's own objects: what it exports does not reach below the driver."""
    objects = sorted(p for p in (build / "obj/lib").glob("*.o") if p.name not in ("all.o", "go.o"))
    if not objects:
        raise Missing(f"no objects of the library in {build / 'obj/lib'}")
    return compile_c(
        build / "bench/libtape.so",
        [*WARNINGS, "-fPIC", "-shared", "-DLLHTTP_DIRECT"],
        [BENCH / "tape.c", *objects],
        [],
        [*BENCH.glob("*.h"), ROOT / "capi/frame.h"],
    )


def parts(build):
    include = build / "include"
    return compile_c(
        build / "bench/parts",
        [*WARNINGS, f"-I{include}"],
        [BENCH / "parts.c"],
        ["-ldl"],
        [include / "llhttp_ext.h", include / "http_parser.h"],
    )


def gperf(build):
    """What gperf makes of the well-known field names, as C programs use it: letters of either case, no copy."""
    target, header = build / "bench/libgperf.so", build / "include/llhttp_ext.h"
    if newer(target, [header, __file__]):
        return target
    program = run(["sh", str(BENCH / "peers/gperf/fetch.sh"), str(build / "bench/gperf")]).strip()
    fields = re.findall(r'^  XX\((\d+), \w+, "([^"]+)"\)', header.read_text(), re.MULTILINE)
    source = build / "bench/gperf.c"
    source.write_text(
        run(
            [program, "-L", "ANSI-C", "-t", "-C", "-D", "--ignore-case"],
            input="""\
%{
#include <string.h>
%}
struct field { const char* name; int id; };
%%
"""
            + "".join(f"{name}, {number}\n" for number, name in fields)
            + """\
%%
int gperf_field_id(const char* name, size_t length) {
  const struct field* found = in_word_set(name, length);
  return found != NULL ? found->id : 0;
}
""",
        )
    )
    return compile_c(target, ["-O2", "-fPIC", "-shared"], [source])


def http_parser(build):
    """http_parser as Debian ships it."""
    return Path(run(["sh", str(ROOT / "tests/httpparser/fetch.sh"), str(build / "httpparser")]).strip())


def debian(build):
    """llhttp as Debian ships it."""
    return Path(run(["sh", str(ROOT / "tests/diff/fetch-reference.sh"), str(build / "reference")]).strip())


def llhttp_sse42(build):
    """The same source, from Debian's package, compiled like Debian's but with SSE4.2, which its code uses if it may."""
    debian(build)
    source = build / "reference/tree/usr/src/llhttp"
    sources = sorted((source / "src").glob("*.c"))
    if not X86 or not sources:
        raise Missing("for x86-64 only" if not X86 else f"no source in {source}")
    return compile_c(
        build / "bench/libllhttp-msse4.2.so",
        [
            "-std=gnu99",
            "-O2",
            "-g",
            "-fPIC",
            "-shared",
            "-fstack-protector-strong",
            "-fstack-clash-protection",
            "-fcf-protection",
            "-D_FORTIFY_SOURCE=2",
            "-msse4.2",
            f"-I{source / 'include'}",
            "-Wl,-soname,libllhttp-msse4.2.so",
            "-Wl,-z,relro",
        ],
        sources,
    )


def cargo_environment(build):
    return {**os.environ, "CARGO_TARGET_DIR": str(build / "bench/cargo")}


def pico(build):
    """picohttpparser, whose source the crate pico-sys carries."""
    manifest = str(BENCH / "peers/picohttpparser/Cargo.toml")
    target = build / "bench/libpico.so"
    if target.exists() and newer(target, [manifest]):
        return target
    environment = cargo_environment(build)
    run(["cargo", "fetch", "--quiet", "--locked", "--manifest-path", manifest], env=environment)
    packages = json.loads(
        run(
            ["cargo", "metadata", "--locked", "--offline", "--format-version", "1", "--manifest-path", manifest],
            env=environment,
        )
    )["packages"]
    crate = next(Path(p["manifest_path"]).parent for p in packages if p["name"] == "pico-sys")
    source = crate / "extern/picohttpparser/picohttpparser.c"
    if not source.exists():
        raise Missing("pico-sys has no picohttpparser.c")
    return compile_c(target, ["-O3", *(["-msse4.2"] if X86 else []), "-fPIC", "-shared"], [source])


def httparse(build):
    """httparse, which chooses SSE4.2 or AVX2 when it runs."""
    folder = BENCH / "peers/httparse-c"
    run(
        ["cargo", "build", "--quiet", "--release", "--locked", "--manifest-path", str(folder / "Cargo.toml")],
        env=cargo_environment(build),
    )
    suffix = "dylib" if sys.platform == "darwin" else "so"
    return build / f"bench/cargo/release/libhttparse_c.{suffix}"


def or_left_out(name, make, build):
    """The path, or None, with a word on stderr."""
    try:
        return make(build)
    except Missing as reason:
        print(f"bench: {name} is left out: {reason}", file=sys.stderr)
        return None


def levels():
    """The kernel levels that this CPU has, best first."""
    if not X86:
        return ["neon", "generic"] if platform.machine() in ("aarch64", "arm64") else ["generic"]
    flags = set()
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("flags"):
                flags = set(line.split())
                break
    except OSError:
        pass
    have = []
    if {"avx2", "bmi1", "bmi2"} <= flags:
        have.append("avx2")
    if "ssse3" in flags:
        have.append("sse4.2")
    return [*have, "generic"]


def report_python(build):
    """A Python that has what report.py needs; made on first use."""
    venv = build / "bench/venv"
    python = venv / "bin/python"
    wanted = BENCH / "requirements.txt"
    stamp = venv / "complete"
    if not newer(stamp, [wanted]):
        print("bench: preparing numpy, scipy and matplotlib for the report (once)", file=sys.stderr)
        shutil.rmtree(venv, ignore_errors=True)
        run([sys.executable, "-m", "venv", str(venv)])
        run([str(python), "-m", "pip", "install", "--quiet", "--requirement", str(wanted)])
        stamp.touch()
    return python
