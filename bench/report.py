#!/usr/bin/env python3
"""Says what the runner's samples say: tables, promised figures, a comparison of two builds, a results file, a picture.
Needs numpy, scipy and matplotlib (requirements.txt); bench/run.py sees to that.

A results file (bench/results) can be drawn again: bench/report.py --svg docs/bench.svg bench/results/FILE.json"""

import argparse
import json
import sys
from pathlib import Path

import picture
from figures import figures
from samples import Samples

SETS = {
    "none": "no callbacks",
    "node": "the 8 callbacks that Node sets",
    "all": "all 25 callbacks",
    "heads": "spans of whole heads, no callbacks",
    "names": "ids of field names",
    "targets": "components of request-targets",
}


def base_of(s, callbacks):
    peers = s.peers_of(callbacks)
    return next((p for p in ("debian", "a", "pico", "bsearch", "http_parser") if p in peers), peers[0])


def rows_of(s, callbacks):
    """Label and inputs: every input, and the means of the groups that were measured completely."""
    corpora = s.corpora_of(callbacks)
    rows = [(corpus, [corpus]) for corpus in corpora]
    for group, label in (("geomean", "mean of ten"), ("heads", "mean of five"), ("adversarial", "mean of adversarial")):
        members = s.groups.get(group, [])
        if members and all(c in corpora for c in members) and not (group == "heads" and callbacks != "heads"):
            rows.append((label, members))
    return rows


def tables(s, out=sys.stdout):
    for callbacks in s.sets():
        base = base_of(s, callbacks)
        peers = [base, *(p for p in s.peers_of(callbacks) if p != base)]
        print(f"\n{SETS.get(callbacks, callbacks)}: ns per pass; times as fast as {base} [95 % interval]", file=out)
        print(f"{'':20}" + f"{base:>10}" + "".join(f"  {p:>28}" for p in peers[1:]), file=out)
        for label, members in rows_of(s, callbacks):
            single = len(members) == 1
            text = f"{s.nanoseconds(members[0], callbacks, base) or 0:10.1f}" if single else f"{'':10}"
            for peer in peers[1:]:
                ratio = s.faster(callbacks, peer, base, *members)
                ns = s.nanoseconds(members[0], callbacks, peer) if single else None
                cell = f"{ns:9.1f}" if ns else f"{'':9}"
                text += f"  {cell} {str(ratio) if ratio else '-':>18}"
            print(f"{label:20}{text}", file=out)


def promised(s):
    """Prints them; True if all that was measured is met."""
    everything = list(figures(s))
    print(f"{'figure':78} {'promised':>9}  {'measured [95 %]':20}")
    for figure in everything:
        sign = "<=" if figure.at_most else ">="
        print(f"{figure.what:78} {sign} {figure.target:5.2f}   {figure.measured or '-'!s:20} {figure.verdict()}")
    missed = [f for f in everything if f.verdict().startswith("MISSED")]
    absent = [f for f in everything if f.measured is None]
    print(f"\n{len(everything) - len(missed) - len(absent)} met, {len(missed)} missed, {len(absent)} not measured")
    return not missed


def compare(s):
    """Two builds. A difference is called one if it is beyond chance, all rows considered (Holm), and above one percent:
    the place of code in memory alone makes as much."""
    rows = [(callbacks, corpus) for callbacks in s.sets() for corpus in s.corpora_of(callbacks)]
    p = {row: s.differs(row[0], "b", "a", row[1]) for row in rows}
    adjusted, worst = {}, 0.0
    for rank, row in enumerate(sorted(rows, key=lambda row: p[row])):
        worst = max(worst, min(1.0, (len(rows) - rank) * p[row]))
        adjusted[row] = worst
    print(f"{'':20} {'a':>12} {'b':>12}  b is times as fast    p")
    for callbacks in s.sets():
        print(SETS.get(callbacks, callbacks))
        for label, members in rows_of(s, callbacks):
            ratio = s.faster(callbacks, "b", "a", *members)
            change = f"{ratio.middle:.3f} [{ratio.low:.3f} {ratio.high:.3f}]"
            if len(members) > 1:
                print(f"  {label:18} {'':12} {'':12}  {change}")
                continue
            row = (callbacks, members[0])
            clear = adjusted[row] < 0.01 and abs(ratio.middle - 1) > 0.01
            word = ("b is faster" if ratio.middle > 1 else "b is SLOWER") if clear else "no clear difference"
            ns = [s.nanoseconds(members[0], callbacks, peer) for peer in "ab"]
            print(f"  {label:18} {ns[0]:12.1f} {ns[1]:12.1f}  {change}  {adjusted[row]:7.4f}  {word}")


def results(s, about):
    """What is kept: for each input, set and parser the quartiles, and how it stands to the base."""
    kept = {"about": about, "inputs": list(s.inputs.values()), "groups": s.groups, "sets": {}, "figures": []}
    for callbacks in s.sets():
        base = base_of(s, callbacks)
        kept["sets"][callbacks] = {"base": base, "cells": [], "means": []}
        for label, members in rows_of(s, callbacks):
            for peer in s.peers_of(callbacks):
                ratio = s.faster(callbacks, peer, base, *members)
                bounds = [round(v, 4) for v in (ratio.middle, ratio.low, ratio.high)] if ratio else None
                cell = s.cells.get((members[0], callbacks, peer))
                if len(members) > 1 and bounds:
                    kept["sets"][callbacks]["means"].append({"of": label, "peer": peer, "faster": bounds})
                elif len(members) == 1 and cell is not None:
                    ordered = sorted(cell.tolist())
                    quartiles = [round(ordered[(len(ordered) - 1) * i // 4], 2) for i in range(5)]
                    kept["sets"][callbacks]["cells"].append(
                        {"corpus": label, "peer": peer, "ns": quartiles, "faster": bounds}
                    )
    for figure in figures(s):
        m = figure.measured
        kept["figures"].append(
            {
                "what": figure.what.strip(),
                "promised": figure.target,
                "at_most": figure.at_most,
                "measured": [round(v, 4) for v in (m.middle, m.low, m.high)] if m else None,
            }
        )
    return kept


def dump(kept):
    """JSON with one entry a line, so that two files can be compared."""

    def lines(value, indent):
        if isinstance(value, dict) and value and indent < 3:
            inner = ",\n".join(f"{' ' * (indent + 1)}{json.dumps(k)}: {lines(v, indent + 1)}" for k, v in value.items())
            return "{\n" + inner + "\n" + " " * indent + "}"
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return "[\n" + ",\n".join(" " * (indent + 1) + json.dumps(v) for v in value) + "\n" + " " * indent + "]"
        return json.dumps(value)

    return lines(kept, 0) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input", type=Path, help="samples of the runner (JSON lines), or a results file")
    parser.add_argument("--table", action="store_true", help="print tables (the default for samples)")
    parser.add_argument(
        "--figures", action="store_true", help="compare with the promised figures; exit 1 if one is missed"
    )
    parser.add_argument("--ab", action="store_true", help="compare the parsers a and b")
    parser.add_argument("--about", type=Path, metavar="FILE", help="facts to keep with the results")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write a results file")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw a picture")
    args = parser.parse_args()

    if args.input.suffix == ".json":
        kept, met = json.loads(args.input.read_text()), True
        if not args.svg:
            parser.error("from a results file there is only --svg to make")
    else:
        s = Samples(args.input)
        about = json.loads(args.about.read_text()) if args.about else {}
        if args.ab:
            compare(s)
        if args.table or not (args.ab or args.figures):
            tables(s)
        met = promised(s) if args.figures else True
        kept = results(s, about) if args.save or args.svg else None
    if args.save:
        args.save.write_text(dump(kept))
        print(f"results: {args.save}")
    if args.svg:
        picture.draw(kept, args.svg)
        print(f"picture: {args.svg}")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
