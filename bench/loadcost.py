#!/usr/bin/env python3
"""What loading the library costs a process: time, memory, threads, signal handlers; what dlclose gives back; children
that are forked.

    bench/loadcost.py               llhttp as Debian ships it, this library, and its conventional build
    bench/loadcost.py --save        also writes bench/results/loadcost-<machine>-<date>.json
    bench/loadcost.py --show FILE   the table of such a file

Every number is the median over many processes, each of which loads one library by dlopen, parses one request, and
waits until threads that start have started. The order is random. With times come the quartiles, as the machine may be
busy.
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
from run import about_machine

ROUNDS = 101
FORKS = 300

ROWS = (  # what, key, unit, decimals
    ("dlopen", "load_us", "µs", 0),
    ("the first parse", "first_parse_us", "µs", 1),
    ("address space", "virtual_kib", "KiB", 0),
    ("memory in use, shared pages included", "resident_kib", "KiB", 0),
    ("of these, written to, so the process's own", "private_kib", "KiB", 0),
    ("threads started", "threads", "", 0),
    ("dlclose", "close_us", "µs", 0),
    ("still mapped after dlclose", "mapped_after_close", "", 0),
)


def measure(program, libraries, rounds):
    runs = {name: [] for name in libraries}
    for _ in range(rounds):
        for name in random.sample(list(libraries), len(libraries)):
            runs[name].append(json.loads(peers.run([str(program), str(libraries[name])])))
    results: dict[str, dict] = {}
    for name, found in runs.items():
        results[name] = {"file_kib": round(Path(libraries[name]).stat().st_size / 1024)}
        for _, key, _, _ in ROWS:
            values = sorted(run[key] for run in found)
            quartiles = statistics.quantiles(values, n=4)
            results[name][key] = [round(v, 1) for v in (statistics.median(values), quartiles[0], quartiles[2])]
        results[name]["signals"] = found[-1]["signals"].strip()
        results[name] |= json.loads(peers.run([str(program), "--fork", str(FORKS), str(libraries[name])]))
    return results


def table_lines(results):
    """The table of results, in Markdown."""
    names = list(results["libraries"])
    lines = [f"| | {' | '.join(names)} |", "| --- |" + " ---: |" * len(names)]
    cells = [results["libraries"][name] for name in names]
    sizes = [f"{cell['file_kib']} KiB" for cell in cells]
    lines.append(f"| size of the file | {' | '.join(sizes)} |")
    for what, key, unit, decimals in ROWS:
        texts = []
        for cell in cells:
            middle, low, high = cell[key]
            text = f"{middle:.{decimals}f} {unit}".strip()
            texts.append(text + (f" ({low:.{decimals}f} to {high:.{decimals}f})" if key.endswith("_us") else ""))
        if key == "mapped_after_close":
            texts = ["yes" if cell[key][0] else "no" for cell in cells]
        lines.append(f"| {what} | {' | '.join(texts)} |")
    lines.append(f"| signal handlers installed | {' | '.join(cell['signals'] or 'none' for cell in cells)} |")
    children = [f"{cell['parsed']} of {cell['forked']}" for cell in cells]
    lines.append(f"| forked children that parse | {' | '.join(children)} |")
    return lines


def show(results):
    print(*table_lines(results), sep="\n")
    print(f"\nOne CPUID instruction: {results['about']['cpuid_us']} µs.")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--rounds", type=int, default=ROUNDS, metavar="N", help=f"processes for each library (default: {ROUNDS})"
    )
    parser.add_argument("--machine", metavar="NAME", help="its name in the results (default: the CPU's)")
    parser.add_argument("--save", action="store_true", help="write bench/results/loadcost-<machine>-<date>.json")
    parser.add_argument("--show", type=Path, metavar="FILE", help="print the table of a results file, measure nothing")
    options = parser.parse_args()
    if options.show:
        show(json.loads(options.show.read_text()))
        return 0
    build = Path(os.environ.get("LLHTTP_BUILD_DIR", peers.ROOT / "build")).resolve()
    for arguments in ([], ["--conventional"]):
        subprocess.run([peers.ROOT / "build.sh", "lib", *arguments], check=True, stdout=sys.stderr)
    program = peers.compile_c(
        build / "bench/loadcost", [*peers.WARNINGS, f"-I{build / 'include'}"], [peers.BENCH / "loadcost.c"], ["-ldl"]
    )
    libraries = {
        "llhttp": peers.debian(build),
        "this library": build / "lib/libllhttp.so.9.4.3",
        "conventional build": build / "conventional/lib/libllhttp.so.9.4.3",
    }
    load = os.getloadavg()
    results = {
        "about": {
            **about_machine(options.machine),
            "rounds": options.rounds,
            "load before": [round(v, 2) for v in load],
            **json.loads(peers.run([str(program), "--cpuid"])),
        },
        "libraries": measure(program, libraries, options.rounds),
    }
    show(results)
    if options.save:
        about = results["about"]
        target = peers.BENCH / f"results/loadcost-{about['machine']}-{about['date']}.json"
        target.parent.mkdir(exist_ok=True)
        target.write_text(
            '{\n "about": '
            + json.dumps(about)
            + ',\n "libraries": {\n  '
            + ",\n  ".join(f"{json.dumps(name)}: {json.dumps(cell)}" for name, cell in results["libraries"].items())
            + "\n }\n}\n"
        )
        print(f"saved as {target.relative_to(peers.ROOT)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except peers.Missing as problem:
        sys.exit(f"loadcost: {problem}")
