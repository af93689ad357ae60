#!/usr/bin/env python3
"""The packages for Python and Node against what their users have now: one browser request, with its fields in a list.

    bench/packages.py                 both
    bench/packages.py python node     or one of them
    bench/packages.py --check         fails if a promised figure is missed

Python: httptools, compiled Cython on llhttp. Node: Node's internal parser, and http-parser-js. They are fetched from
PyPI and npm, in fixed versions, into the build folder. All parsers run in one process, in rounds: one sample of each,
in random order. What counts is the ratio of two samples of a round: its median over all rounds, and the 95 % interval
from resampled rounds. LLHTTP_BUILD_DIR: the build folder, where build.sh has built the library. LLHTTP_PYTHON: the
interpreter, python3 if not set.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
from pathlib import Path

import peers

BENCH = Path(__file__).resolve().parent
ROOT = BENCH.parent
BUILD = Path(os.environ.get("LLHTTP_BUILD_DIR", ROOT / "build")).resolve()
HTTPTOOLS, HTTP_PARSER_JS = "0.9.0", "0.5.10"
RESAMPLES = 2000
LAUNCHES = 3

# What is promised: parser, base, how many times as fast at least.
PROMISED = {
    "python": [("parse_request", "httptools", 1.0)],
    "node": [("MessageParser", "http-parser-js", 5.0), ("MessageParser", "internal", 1.0)],
}


def run(*command, **options):
    subprocess.run([str(part) for part in command], check=True, **options)


def prepare_python(folder):
    venv = folder / "python"
    python = venv / "bin/python"
    if not python.exists():
        run(os.environ.get("LLHTTP_PYTHON", "python3"), "-m", "venv", venv)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run(*pip, f"httptools=={HTTPTOOLS}")
    run(*pip, "--force-reinstall", "--no-deps", ROOT / "bindings/python")
    return [python, BENCH / "packages/python_parsers.py"], []


def prepare_node(folder):
    others = folder / "node"
    others.mkdir(parents=True, exist_ok=True)
    (others / "package.json").write_text('{"private": true}\n')
    run("npm", "install", "--silent", "--no-audit", "--no-fund", f"http-parser-js@{HTTP_PARSER_JS}", cwd=others)
    package = ROOT / "bindings/node"
    run("node", package / "scripts/build.js", env={**os.environ, "LLHTTP_BUILD_DIR": str(BUILD)})
    return ["node", "--no-warnings", BENCH / "packages/node_parsers.js"], [package, others]


def estimate(samples, parser, base):
    """How many times as fast: median, and the interval."""
    ratios = [sample[base] / sample[parser] for sample in samples]
    dice = random.Random(1)
    medians = sorted(statistics.median(dice.choices(ratios, k=len(ratios))) for _ in range(RESAMPLES))
    return statistics.median(ratios), medians[RESAMPLES // 40], medians[-RESAMPLES // 40]


def measure(name, rounds):
    folder = BUILD / "bench/packages"
    folder.mkdir(parents=True, exist_ok=True)
    request = folder / "browser.http"
    printed = subprocess.run([peers.runner(BUILD), "--print", "browser"], check=True, capture_output=True)
    request.write_bytes(printed.stdout)
    command, rest = {"python": prepare_python, "node": prepare_node}[name](folder)
    samples = []
    for _ in range(LAUNCHES):
        line = [*map(str, command), str(request), str(rounds), *map(str, rest)]
        done = subprocess.run(line, check=True, stdout=subprocess.PIPE, text=True)
        samples += [json.loads(text) for text in done.stdout.splitlines()]
    return samples


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("packages", nargs="*", choices=[[], *PROMISED], help="default: all")
    options.add_argument("--rounds", type=int, default=200, help="of each of the three launches")
    options.add_argument("--check", action="store_true", help="fail if a promised figure is missed")
    given = options.parse_args()
    missed = 0
    for name in given.packages or PROMISED:
        samples = measure(name, given.rounds)
        print(f"{name}: nanoseconds for a browser request, medians of {len(samples)} rounds")
        for parser in sorted(samples[0]):
            print(f"  {parser:24}{statistics.median(sample[parser] for sample in samples):8.0f}")
        for parser, base, least in PROMISED[name]:
            if parser not in samples[0]:
                print(f"  {parser} was not measured: it has not been built")
                missed += 1
                continue
            middle, low, high = estimate(samples, parser, base)
            missed += middle < least
            word = "reached" if middle >= least else "MISSED"
            print(f"  {parser} / {base}: {middle:.2f} [{low:.2f} {high:.2f}] times as fast, promised {least}: {word}")
    if given.check and missed:
        sys.exit(f"{missed} figures are missed")


if __name__ == "__main__":
    main()
