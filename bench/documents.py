#!/usr/bin/env python3
"""Writes the measured figures into the documents, from the committed results (bench/results), the newest of each kind.

    bench/documents.py            writes what has changed
    bench/documents.py --check    writes nothing; fails if a document or docs/bench.svg is not up to date

A figure stands in a document between two comments, <!-- figures: NAME --> and <!-- end of figures -->, and NAME is a
function below that gives the text. What a sentence says beside the figures must follow from them, too: it is worked
out, or asserted.
"""

import argparse
import re
import sys
from pathlib import Path
from textwrap import fill

import committed
import endtoend
import loadcost

ROOT = Path(__file__).resolve().parent.parent
WIDTH = 120
REGION = re.compile(r"(<!-- figures: ([a-z-]+) -->\n).*?(<!-- end of figures -->\n)", re.DOTALL)
LEVELS = {"avx2": "AVX2", "sse4.2": "SSE4.2", "neon": "NEON", "generic": "portable"}


# ---- the parser alone: bench/run.py ----


class Benchmark:
    def __init__(self):
        self.path, self.kept = committed.newest()
        self.ratios, self.times = {}, {}
        for name, one in self.kept["sets"].items():
            for cell in one["cells"]:
                self.ratios[name, cell["peer"], cell["corpus"]] = cell["faster"]
                self.times[name, cell["peer"], cell["corpus"]] = cell["ns"][2]
            for mean in one["means"]:
                self.ratios[name, mean["peer"], mean["of"]] = mean["faster"]

    def peers(self, name, prefix):
        """The levels that were measured, best first, as pairs of peer and label."""
        measured = {cell["peer"] for cell in self.kept["sets"][name]["cells"]}
        return [(f"{prefix}-{level}", label) for level, label in LEVELS.items() if f"{prefix}-{level}" in measured]

    def rows(self, name):
        cells = self.kept["sets"][name]["cells"]
        means = self.kept["sets"][name]["means"]
        return list(dict.fromkeys([cell["corpus"] for cell in cells])), list(dict.fromkeys([m["of"] for m in means]))


def interval(estimate):
    middle, low, high = estimate
    return f"{middle:.2f} [{low:.2f} {high:.2f}]"


def nanoseconds(value):
    return f"{value:.0f} ns" if value < 10_000 else f"{value / 1000:.1f} µs"


def table(columns, rows, right=()):
    lines = [f"| {' | '.join(columns)} |", "|" + "".join(" ---: |" if c in right else " --- |" for c in columns)]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def speed():
    """The README's sentence."""
    b = Benchmark()
    ours, _ = b.peers("node", "ours")[0]
    ratio = {corpus: b.ratios["node", ours, corpus][0] for corpus in b.kept["groups"]["geomean"]}
    least, second = sorted(ratio, key=lambda corpus: ratio[corpus])[:2]
    # The words for the two are those of pieces.
    assert {least, second} == {"browser@1", "browser@100"}, "which input gains least has changed"
    return fill(
        f"With the callbacks that Node sets, a browser's request is parsed {ratio['browser']:.1f} times as fast as by "
        f"Debian's llhttp 9.4.3; over ten inputs, whole and in pieces, the geometric mean is "
        f"{b.ratios['node', ours, 'mean of ten'][0]:.1f}. Input in small pieces gains least: "
        f"{ratio['browser@100']:.2f} times as fast in pieces of 100 bytes, {ratio['browser@1']:.2f} in pieces of one.",
        WIDTH,
    )


def by_input(name):
    """Every input and every level, one set of callbacks."""
    b = Benchmark()
    base = b.kept["sets"][name]["base"]
    peers = [*b.peers(name, "ours"), ("llhttp-msse4.2", "llhttp, -msse4.2")]
    corpora, means = b.rows(name)
    rows = []
    for corpus in [*corpora, *means]:
        time = nanoseconds(b.times[name, base, corpus]) if corpus in corpora else ""
        rows.append([corpus, time, *(interval(b.ratios[name, peer, corpus]) for peer, _ in peers)])
    columns = ["input", "llhttp", *(label for _, label in peers)]
    return table(columns, rows, columns[1:])


def node_by_input():
    return by_input("node")


def by_callbacks():
    """The mean of ten for each set of callbacks."""
    b = Benchmark()
    peers = b.peers("node", "ours")
    words = {"none": "no callbacks", "node": "the 8 that Node sets", "all": "all 25"}
    rows = [
        [words[name], *(interval(b.ratios[name, peer, "mean of ten"]) for peer, _ in peers)]
        for name in ("none", "node", "all")
    ]
    columns = ["callbacks", *(label for _, label in peers)]
    return table(columns, rows, columns[1:])


def heads():
    """Spans of whole heads: time, this library's parser below its driver against the others."""
    b = Benchmark()
    peers = [*b.peers("heads", "tape"), ("pico", "picohttpparser"), ("httparse", "httparse")]
    rows = [
        [corpus, *(nanoseconds(b.times["heads", peer, corpus]) for peer, _ in peers)]
        for corpus in b.kept["groups"]["heads"]
    ]
    rows.append(
        [
            "times as fast as picohttpparser, mean",
            *(interval(b.ratios["heads", peer, "mean of five"]) for peer, _ in peers),
        ]
    )
    columns = ["input", *(label for _, label in peers)]
    return table(columns, rows, columns[1:])


def machine():
    """On what it was measured, and where that is kept."""
    b = Benchmark()
    about = b.kept["about"]
    return fill(
        f"Measured on: {about['cpu']}, {about['cpus']} processors, {about['system']}; {about['cc'].split(' ')[0]} "
        f"{about['cc'].split(' ')[-1]}, {about['go'].split(' ')[2]}; {about['date']}, revision {about['revision']}; "
        f"{about['rounds']} rounds in {about['launches']} launches. All of it is in "
        f"`{b.path.relative_to(ROOT).as_posix()}`.",
        WIDTH,
    )


# ---- whole servers: bench/endtoend.py ----


def servers():
    return "\n".join(endtoend.table_lines(committed.newest("endtoend")[1]))


def servers_summary():
    path, kept = committed.newest("endtoend")

    def span(values, factor=100, decimals=1):
        return f"{min(values) * factor:.{decimals}f} to {max(values) * factor:.{decimals}f}"

    part = {
        (which, server): [row["parser"][which][0] for row in kept["rows"] if row["server"] in server]
        for which in endtoend.LIBRARIES
        for server in (("node",), ("uvicorn",), ("node", "uvicorn"))
    }
    saved = [1 - row["sampled ratio"][0] for row in kept["rows"]]
    kernel = [row["kernel"]["llhttp"][0] for row in kept["rows"]]
    return fill(
        f"So llhttp takes {span(part['llhttp', ('node',)])} % of the CPU time of a Node server that does nothing but "
        f"HTTP, and {span(part['llhttp', ('uvicorn',)])} % of uvicorn's; this library takes "
        f"{span(part['ours', ('node', 'uvicorn')])} %. A server saves {span(saved)} % of its CPU time, less if it has "
        f"work of its own. {span(kernel, decimals=0)} % of the time is the kernel's. The figures are those of "
        f"`{path.relative_to(ROOT).as_posix()}`; `bench/endtoend.py --show FILE` prints the table.",
        WIDTH,
    )


# ---- what loading costs: bench/loadcost.py ----


def loading():
    return "\n".join(loadcost.table_lines(committed.newest("loadcost")[1]))


def loading_summary():
    path, kept = committed.newest("loadcost")
    about = kept["about"]
    return fill(
        f"Medians over {about['rounds']} processes, quartiles with the times; measured on a virtual machine with a "
        f"load average of {about['load before'][0]:.0f} (`{path.relative_to(ROOT).as_posix()}`), where one CPUID "
        f"instruction takes {about['cpuid_us']} µs.",
        WIDTH,
    )


def in_a_process():
    """The README's sentence."""
    cells = committed.newest("loadcost")[1]["libraries"]
    ours, theirs = cells["this library"], cells["llhttp"]
    return fill(
        f"In a process it costs {ours['load_us'][0] / 1000:.2f} ms to load "
        f"(llhttp: {theirs['load_us'][0] / 1000:.2f}), "
        f"{ours['resident_kib'][0]:.0f} KiB of memory, of which {ours['private_kib'][0]:.0f} are the process's own "
        f"({theirs['resident_kib'][0]:.0f} and {theirs['private_kib'][0]:.0f}), {ours['threads'][0]:.0f} threads and "
        f"{len(ours['signals'].split())} signal handlers: [docs/compat.md](docs/compat.md#what-loading-costs).",
        WIDTH,
    )


# ---- all of them ----


def text_of(name):
    function = globals().get(name.replace("-", "_"))
    if function is None:
        raise SystemExit(f"documents: there are no figures called '{name}'")
    return function()


def drawn_from_these():
    """Whether the picture says that it was drawn from the results as they are."""
    path, kept = committed.newest()
    if committed.fingerprint(kept) in (ROOT / "docs/bench.svg").read_text():
        return True
    print(
        f"docs/bench.svg is not drawn from {path.name}: bench/report.py --svg docs/bench.svg {path.relative_to(ROOT)}"
    )
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if something is not up to date")
    options = parser.parse_args()
    fine, regions = drawn_from_these(), 0
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]:
        text = path.read_text()
        new, count = REGION.subn(lambda m: f"{m[1]}{text_of(m[2])}\n{m[3]}", text)
        regions += count
        if new.count("<!-- figures:") != count or new.count("<!-- end of figures -->") != count:
            raise SystemExit(f"documents: {path.relative_to(ROOT)}: a comment without the other")
        if new == text:
            continue
        if options.check:
            print(f"{path.relative_to(ROOT)} is not up to date: run bench/documents.py")
            fine = False
        else:
            path.write_text(new)
            print(f"{path.relative_to(ROOT)}: written")
    print(f"{regions} figures")
    return 0 if fine and regions else 1


if __name__ == "__main__":
    sys.exit(main())
