"""A team's runs against the leader, the median of all runs and the baselines.

Two runs are told apart as everywhere, by the randomised Tukey HSD of all runs. The median is no
run: on each topic it is the median of all runs' scores, and a run's differences from it are tested
by a paired t test, corrected after Holm for the number of runs.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pipeline.report.board import FEW, Row
from pipeline.report.certainty import read_pairs
from pipeline.report.results import Results
from pipeline.statistics.ranks import EXACT
from pipeline.statistics.significance.adjust import holm
from pipeline.statistics.significance.pairwise import Differences, differences, paired_t
from pipeline.storage.arrays import Floats


@dataclass(frozen=True)
class Met:
    """A run less its opponent: the difference of means; p and whether they are told apart."""

    difference: float
    p: float | None = None  # None: no test was made
    apart: bool | None = None
    above: int | None = None  # topics on which it is above, and below: of the median alone
    below: int | None = None


@dataclass(frozen=True)
class Opponent:
    """Whom runs are held against: `kind` is other, median or baseline; `met` is by run."""

    kind: str
    runs: tuple[str, ...]  # several: they are tied; none: the median
    value: float
    met: Mapping[str, Met]


@dataclass(frozen=True)
class Against:
    """One measure: the opponents there are, in the order of the page."""

    measure: str
    opponents: tuple[Opponent, ...]

    def find(self, kind: str) -> Opponent | None:
        """The first opponent of a kind: of the baselines the best."""
        return next((one for one in self.opponents if one.kind == kind), None)


@dataclass(frozen=True)
class Field:
    """All runs under one measure: read once, then asked by every team."""

    results: Results
    measure: str
    alpha: float

    @cached_property
    def _runs(self) -> list[str]:
        return [row.run for row in self.results.board.rows]

    @cached_property
    def _means(self) -> dict[str, float]:
        at = self.results.board.measures.index(self.measure)
        return {row.run: row.cells[at].value for row in self.results.board.rows}

    @cached_property
    def _tukey(self) -> Floats | None:
        path = self.results.files.pairs.get(self.measure)
        return read_pairs(path, runs=self._runs)["tukey"] if path else None

    @cached_property
    def _median(self) -> Opponent | None:
        scores = self.results.scores.of.get(self.measure)
        if scores is None or len(scores) <= FEW or scores.shape[1] == 0:
            return None
        median = np.median(scores, axis=0)
        size, topics = scores.shape
        gaps = np.round(scores - median, EXACT)
        every = differences(np.vstack([scores, median]))
        mine = every.second == size
        pairs = Differences(
            every.first[mine], every.second[mine], every.mean[mine], every.deviation[mine]
        )
        p = holm(paired_t(pairs, topics=topics, alpha=self.alpha)[0])
        return Opponent(
            "median",
            (),
            float(median.mean()),
            {
                run: Met(
                    difference=float(pairs.mean[at]),
                    p=_known(p[at]),
                    apart=None if np.isnan(p[at]) else bool(p[at] <= self.alpha),
                    above=int((gaps[at] > 0).sum()),
                    below=int((gaps[at] < 0).sum()),
                )
                for at, run in enumerate(self._runs)
            },
        )

    def against(self, mine: Sequence[Row]) -> Against:
        """A team's runs against the best run of the others, the median and every baseline."""
        ours = {row.run for row in mine}
        others = self._best_first(r for r in self.results.board.rows if r.run not in ours)
        baselines = self._best_first(r for r in self.results.board.rows if r.baseline)
        best = [run for run in others if self._level(run) == self._level(others[0])]
        found = [self._opponent("other", best, mine)] if others else []
        if self._median is not None:
            found.append(self._median)
        found += [self._opponent("baseline", [run], mine) for run in baselines]
        return Against(self.measure, tuple(found))

    def _level(self, run: str) -> float:
        return round(self._means[run], EXACT)

    def _best_first(self, rows: Iterable[Row]) -> list[str]:
        return sorted((row.run for row in rows), key=lambda run: -self._level(run))

    def _opponent(self, kind: str, runs: Sequence[str], mine: Sequence[Row]) -> Opponent:
        met = {one.run: self._met(one.run, runs[0]) for one in mine}
        return Opponent(kind, tuple(runs), self._means[runs[0]], met)

    def _met(self, run: str, other: str) -> Met:
        standings = self.results.standings
        one, two = standings.get((self.measure, run)), standings.get((self.measure, other))
        difference = round(self._means[run] - self._means[other], EXACT)
        if one is None or two is None or not one.letters or not two.letters:
            return Met(difference)
        return Met(difference, p=self._p(run, other), apart=not one.shares(two))

    def _p(self, run: str, other: str) -> float | None:
        if self._tukey is None:
            return None
        first, second = sorted((self._runs.index(run), self._runs.index(other)))
        at = first * (2 * len(self._runs) - first - 1) // 2 + second - first - 1
        return _known(self._tukey[at])


def _known(p: float) -> float | None:
    return None if np.isnan(p) else float(p)
