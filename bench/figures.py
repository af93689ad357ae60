"""The figures this project promises, for `bench/run.py --check-figures`. Each is a number of times as fast, or, where
a limit is given, a ratio of two times that must stay below it."""

from dataclasses import dataclass
from typing import Optional

from samples import Estimate


@dataclass
class Figure:
    what: str
    target: float
    measured: Optional[Estimate]  # None if it was not measured
    at_most: bool = False

    def verdict(self):
        if self.measured is None:
            return "not measured"
        middle, low, high = self.measured.middle, self.measured.low, self.measured.high
        met = middle <= self.target if self.at_most else middle >= self.target
        return ("met" if met else "MISSED") + (", within the noise" if low < self.target < high else "")


def figures(s):
    """All of them, from samples (samples.Samples)."""
    ten, heads = s.groups.get("geomean", []), s.groups.get("heads", [])
    best = s.best_level()
    ours, tape = f"ours-{best}", f"tape-{best}"
    others = [c for c in s.corpora_of("node") if c not in ten]
    yield Figure(
        f"node's callbacks, {best}, against Debian's: browser", 3.0, s.faster("node", ours, "debian", "browser")
    )
    yield Figure("  geometric mean of the ten", 2.2, s.faster("node", ours, "debian", *ten))
    for corpus in [*ten, *others]:
        yield Figure(f"  {corpus}", 1.0 if corpus.endswith("@1") else 1.2, s.faster("node", ours, "debian", corpus))
    yield Figure("all callbacks: geometric mean of the ten", 1.8, s.faster("all", ours, "debian", *ten))
    yield Figure("no callbacks: geometric mean of the ten", 2.8, s.faster("none", ours, "debian", *ten))
    yield Figure(
        "node's callbacks against llhttp -msse4.2: browser", 2.4, s.faster("node", ours, "llhttp-msse4.2", "browser")
    )
    yield Figure(
        "node's callbacks, sse4.2, against Debian's: browser", 2.4, s.faster("node", "ours-sse4.2", "debian", "browser")
    )
    yield Figure(
        "node's callbacks, generic, against Debian's: browser",
        1.3,
        s.faster("node", "ours-generic", "debian", "browser"),
    )
    yield Figure("tape only against picohttpparser: browser", 2.0, s.faster("heads", tape, "pico", "browser"))
    yield Figure("  geometric mean of the whole requests", 1.5, s.faster("heads", tape, "pico", *heads))
    yield Figure("tape only against httparse: browser", 2.5, s.faster("heads", tape, "httparse", "browser"))
    for corpus in ("browser-names", "unknown-names", "all-names"):
        yield Figure(f"field_id against a binary search: {corpus}", 5.0, s.faster("names", "ours", "bsearch", corpus))
        yield Figure(f"  against gperf: {corpus}", 1.0, s.faster("names", "ours", "gperf", corpus))
    yield Figure(
        "target_parse against http_parser_parse_url: target4k",
        3.0,
        s.faster("targets", "ours", "http_parser", "target4k"),
    )
    yield Figure(
        "http_parser_parse_url against http_parser's: target4k",
        3.0,
        s.faster("targets", "ours-http_parser", "http_parser", "target4k"),
    )
    head = f"head-{best}"
    yield Figure(
        "heads, ids and links included, against picohttpparser: browser",
        1.8,
        s.faster("heads", head, "pico", "browser"),
    )
    five = ("tiny", "headers4", "browser", "headers32", "names100")
    yield Figure("  geometric mean of " + ", ".join(five), 1.4, s.faster("heads", head, "pico", *five))
    yield Figure(
        "heads, ids and links included, against httparse: browser", 2.3, s.faster("heads", head, "httparse", "browser")
    )
    yield Figure(
        "  linearity: time per header, 1000 against 100",
        1.3,
        s.cost("heads", head, "headers1000", "names100", "headers"),
        at_most=True,
    )
    yield Figure(
        "linearity: time per header, 1000 against 100",
        1.1,
        s.cost("node", ours, "headers1000", "names100", "headers"),
        at_most=True,
    )
    yield Figure(
        "linearity: 1 MiB value, time per byte, 1460-byte pieces against whole",
        1.2,
        s.cost("node", ours, "value1m@1460", "value1m", "bytes"),
        at_most=True,
    )
