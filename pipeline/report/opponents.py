"""A team's runs against the leader, the median of all runs and the baselines.

Two runs are compared as everywhere, by the randomised Tukey HSD of all runs. The median is not a
run: on each topic it is the median of all runs' scores, and a run's differences from it are tested
by a paired t test, corrected after Holm for the number of runs.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pipeline.report.board import FEW, Row
from pipeline.report.certainty import place_of, read_pairs
from pipeline.report.report import Report
from pipeline.statistics.ranks import EXACT
from pipeline.statistics.significance.pairwise import differences, holm, paired_t
from pipeline.storage.arrays import Floats


class Met(NamedTuple):
    """A run less its opponent: the difference of means; p and whether it is significant."""

    difference: float
    p: float | None = None  # None: not tested
    apart: bool | None = None
    above: int | None = None  # topics on which it is above, and below: of the median alone
    below: int | None = None


class Opponent(NamedTuple):
    """Whom runs are compared with: `kind` is other, median or baseline; `met` is by run."""

    kind: str
    runs: tuple[str, ...]  # several: they are tied; none: the median
    value: float
    met: Mapping[str, Met]


@dataclass(frozen=True)
class Field:
    """All runs under one measure: read once, then used for every team."""

    report: Report
    measure: str

    @cached_property
    def _means(self) -> dict[str, float]:
        means = np.round(self.report.board.values(self.measure), EXACT).tolist()
        return dict(zip(self.report.board.runs, means, strict=True))

    @cached_property
    def _tukey(self) -> Floats | None:
        path = self.report.pairs.get(self.measure)
        return read_pairs(path, runs=self.report.board.runs)["tukey"] if path else None

    @cached_property
    def _median(self) -> list[Opponent]:
        """The median as an opponent, if there are enough runs for one."""
        scores, alpha = self.report.scores.get(self.measure), self.report.alpha
        if scores is None or len(scores) <= FEW or scores.shape[1] == 0:
            return []
        median = np.median(scores, axis=0)
        gaps = np.round(scores - median, EXACT)
        pairs = [differences(np.stack([row, median])) for row in scores]
        tests = [paired_t(pair, topics=len(median), alpha=alpha) for pair in pairs]
        met = {
            run: Met(
                float(pair.mean[0]),
                _known(p),
                None if np.isnan(p) else bool(p <= alpha),
                above=int((gap > 0).sum()),
                below=int((gap < 0).sum()),
            )
            for run, pair, p, gap in zip(
                self._means, pairs, holm(np.concatenate([p for p, *_ in tests])), gaps, strict=True
            )
        }
        return [Opponent("median", (), float(median.mean()), met)]

    def against(self, rows: Sequence[Row]) -> list[Opponent]:
        """A team's runs against the best run of the others, the median and every baseline."""
        own, board = [row.run for row in rows], self.report.board
        others = self._best_first(row for row in board.rows if row.run not in own)
        best = [run for run in others if self._means[run] == self._means[others[0]]]
        baselines = self._best_first(row for row in board.rows if row.baseline)
        return [
            *([self._opponent("other", best, own)] if best else []),
            *self._median,
            *(self._opponent("baseline", [run], own) for run in baselines),
        ]

    def _best_first(self, rows: Iterable[Row]) -> list[str]:
        return sorted((row.run for row in rows), key=lambda run: -self._means[run])

    def _opponent(self, kind: str, runs: Sequence[str], own: Sequence[str]) -> Opponent:
        met = {run: self._met(run, runs[0]) for run in own}
        return Opponent(kind, tuple(runs), self._means[runs[0]], met)

    def _met(self, run: str, other: str) -> Met:
        one, two = (self.report.standings.get((self.measure, name)) for name in (run, other))
        difference = round(self._means[run] - self._means[other], EXACT)
        if one is None or two is None or not one.letters or not two.letters:
            return Met(difference)
        runs, p = self.report.board.runs, None
        if self._tukey is not None:
            at = place_of(runs.index(run), runs.index(other), size=len(runs))
            p = _known(self._tukey[at])
        return Met(difference, p, not one.shares(two))


def _known(p: float) -> float | None:
    return None if np.isnan(p) else float(p)
