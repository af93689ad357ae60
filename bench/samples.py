"""Samples of the runner, and what can be said from them. Rounds are paired: a ratio is taken within a round, its
median over the rounds, and its confidence interval from resampled rounds, the same ones for all inputs that a mean
covers."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy
from scipy import stats

RESAMPLES = 2000
CONFIDENCE = 95


@dataclass
class Estimate:
    middle: float
    low: float
    high: float

    def __str__(self):
        return f"{self.middle:.2f} [{self.low:.2f} {self.high:.2f}]"


class Samples:
    def __init__(self, path):
        self.groups, self.inputs, self.cells = {}, {}, {}
        for line in Path(path).read_text().splitlines():
            entry = json.loads(line)
            if "group" in entry:
                self.groups[entry["group"]] = entry["corpora"]
            elif "ns" in entry:
                self.cells[entry["corpus"], entry["set"], entry["peer"]] = numpy.array(entry["ns"])
            else:
                self.inputs[entry["corpus"]] = entry
        self.draws = {}

    def sets(self):
        return list(dict.fromkeys(s for _, s, _ in self.cells))

    def corpora_of(self, callbacks):
        return list(dict.fromkeys(c for c, s, _ in self.cells if s == callbacks))

    def peers_of(self, callbacks):
        return list(dict.fromkeys(p for _, s, p in self.cells if s == callbacks))

    def best_level(self):
        """Of this library's levels, the first measured: the runner gets them best first."""
        ours = ("ours-", "tape-", "head-")  # with --set heads there are no callbacks, and so no "ours"
        return next((p.partition("-")[2] for _, _, p in self.cells if p.startswith(ours)), "generic")

    def nanoseconds(self, corpus, callbacks, peer):
        cell = self.cells.get((corpus, callbacks, peer))
        return None if cell is None else float(numpy.median(cell))

    def estimate(self, pairs):
        """The geometric mean, over pairs of cells, of the median ratio of first to second."""
        rounds = len(pairs[0][0])
        if rounds not in self.draws:
            self.draws[rounds] = numpy.random.default_rng(1).integers(0, rounds, (RESAMPLES, rounds))
        draws = self.draws[rounds]
        middle, resampled = 0.0, numpy.zeros(RESAMPLES)
        for first, second in pairs:
            logs = numpy.log(first / second)
            middle += numpy.median(logs)
            resampled += numpy.median(logs[draws], axis=1)
        tail = (100 - CONFIDENCE) / 2
        low, high = numpy.percentile(resampled / len(pairs), [tail, 100 - tail])
        return Estimate(*(float(numpy.exp(v)) for v in (middle / len(pairs), low, high)))

    def faster(self, callbacks, peer, base, *corpora):
        """How many times as fast as the base; None if not all of it was measured."""
        pairs = [(self.cells.get((c, callbacks, base)), self.cells.get((c, callbacks, peer))) for c in corpora]
        if not pairs or any(a is None or b is None for a, b in pairs):
            return None
        return self.estimate(pairs)

    def cost(self, callbacks, peer, corpus, other, unit):
        """Time per unit ("headers", "bytes") of one input, relative to another's."""
        first, second = self.cells.get((corpus, callbacks, peer)), self.cells.get((other, callbacks, peer))
        if first is None or second is None:
            return None
        return self.estimate([(first / self.inputs[corpus][unit], second / self.inputs[other][unit])])

    def differs(self, callbacks, peer, base, corpus):
        """p of the Wilcoxon signed-rank test: that the paired samples are of one distribution."""
        logs = numpy.log(self.cells[corpus, callbacks, base] / self.cells[corpus, callbacks, peer])
        return float(stats.wilcoxon(logs).pvalue) if numpy.any(logs) else 1.0
