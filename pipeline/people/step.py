"""The tables of the comparison with people: one row a measure, and one row two measures."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.people.agreement import (
    ByTopic,
    Verdicts,
    compare,
    correlations,
    verdicts,
    wilson,
)
from pipeline.people.reading import Known, pairs_of, read_preferences, read_ratings
from pipeline.people.settings import People
from pipeline.statistics.correlation.statistics.pairs import spearman, tau_b
from pipeline.statistics.score_table import ScoreTable
from pipeline.statistics.score_table import read as read_scores
from pipeline.storage import sheets
from pipeline.storage.arrays import Floats

PREFERENCES, SATISFACTION = "preferences", "satisfaction"
STATISTICS = {"tau_b": tau_b, "spearman": spearman}
MEASURES = (
    "people", "measure", "dimensions", "topics", "pairs", "agree", "tie", "disagree",
    "people_tie", "tie_too", "confidence", "agreement", "lower", "upper", "wilson_lower",
    "wilson_upper",
    *(f"{name}{end}" for name in STATISTICS for end in ("", "_lower", "_upper")),
)  # fmt: skip
COMPARISONS = (
    "people", "statistic", "measure_a", "measure_b", "value_a", "value_b", "difference",
    "lower", "upper", "only_a", "only_b", "p", "p_holm",
)  # fmt: skip

Row = dict[str, Any]


def ask(
    scores: Sequence[Path],
    *,
    preferences: Sequence[Path],
    satisfaction: Sequence[Path],
    dimensions: Mapping[str, Sequence[str]],
    settings: People,
    measures: Path,
    comparisons: Path,
) -> None:
    """Write how far each measure agrees with people, and every two measures compared.

    `dimensions` are those that each measure reads.
    """
    tables = [read_scores(path) for path in scores]
    known = Known.of(topics=tables[0].topics, runs=tables[0].runs)
    values = [table.values for table in tables]
    found: list[Row] = []
    compared: list[Row] = []
    if preferences:
        said = verdicts(values, read_preferences(preferences, known=known))
        asked = _Asked(PREFERENCES, tables, said, {}, settings)
        found += asked.rows(dimensions)
        compared += asked.comparisons()
    if satisfaction:
        ratings = read_ratings(satisfaction, known=known)
        correlated = {
            name: correlations(values, ratings, statistic=statistic)
            for name, statistic in STATISTICS.items()
        }
        said = verdicts(values, pairs_of(ratings))
        asked = _Asked(SATISFACTION, tables, said, correlated, settings)
        found += asked.rows(dimensions)
        compared += asked.comparisons()
    _write(measures, MEASURES, found)
    _write(comparisons, COMPARISONS, compared)


class _Asked:
    """One kind of answer from people, with what the measures make of it."""

    def __init__(
        self,
        people: str,
        tables: Sequence[ScoreTable],
        said: Verdicts,
        correlated: Mapping[str, ByTopic],
        settings: People,
    ) -> None:
        self.people, self.said, self.correlated, self.settings = people, said, correlated, settings
        self.names = [table.measure for table in tables]

    def rows(self, dimensions: Mapping[str, Sequence[str]]) -> list[Row]:
        said, by_topic = self.said, self.said.by_topic
        pairs = said.said.shape[1]
        low, high = self._interval(by_topic)
        gained = by_topic.gained.sum(axis=1)
        ends = wilson(gained, pairs, confidence=self.settings.confidence)
        rows: list[Row] = [
            {
                "people": self.people,
                "measure": name,
                "dimensions": " + ".join(dimensions[name]),
                "topics": len(by_topic.weight),
                "pairs": pairs,
                "agree": int((said.said[at] > 0).sum()),
                "tie": int((said.said[at] == 0).sum()),
                "disagree": int((said.said[at] < 0).sum()),
                "people_tie": said.tied_pairs,
                "tie_too": int(said.tied_too[at]),
                "confidence": f"{self.settings.confidence:g}",
                "agreement": by_topic.figure[at],
                "lower": low[at],
                "upper": high[at],
                "wilson_lower": ends[0][at],
                "wilson_upper": ends[1][at],
            }
            for at, name in enumerate(self.names)
        ]
        for name, by_correlation in self.correlated.items():
            low, high = self._interval(by_correlation)
            for at, row in enumerate(rows):
                row[name] = by_correlation.figure[at]
                row |= {f"{name}_lower": low[at], f"{name}_upper": high[at]}
        return rows

    def comparisons(self) -> Iterator[Row]:
        compared = {"agreement": self.said.by_topic, "tau_b": self.correlated.get("tau_b")}
        for statistic, found in compared.items():
            if found is not None:
                yield from self._comparisons(statistic, found)

    def _comparisons(self, statistic: str, found: ByTopic) -> Iterator[Row]:
        chosen = self.settings
        one = compare(found, samples=chosen.samples, confidence=chosen.confidence, seed=chosen.seed)
        credit, figure = self.said.credit, found.figure
        for at, (a, b) in enumerate(zip(one.first.tolist(), one.second.tolist(), strict=True)):
            counted = statistic == "agreement"
            yield {
                "people": self.people,
                "statistic": statistic,
                "measure_a": self.names[a],
                "measure_b": self.names[b],
                "value_a": figure[a],
                "value_b": figure[b],
                "difference": one.difference[at],
                "lower": one.lower[at],
                "upper": one.upper[at],
                # Pairs that one of the two has right and the other has not.
                "only_a": int((credit[a] > credit[b]).sum()) if counted else "",
                "only_b": int((credit[b] > credit[a]).sum()) if counted else "",
                "p": one.p[at],
                "p_holm": one.p_holm[at],
            }

    def _interval(self, found: ByTopic) -> tuple[Floats, Floats]:
        drawn = found.drawn(samples=self.settings.samples, seed=self.settings.seed)
        tail = (1 - self.settings.confidence) / 2
        low, high = np.quantile(drawn, [tail, 1 - tail], axis=0)
        return low, high


def _write(path: Path, head: Sequence[str], rows: Sequence[Row]) -> None:
    sheets.write(path, head, [{key: _text(value) for key, value in row.items()} for row in rows])


def _text(value: object) -> object:
    return f"{value + 0.0:.6f}" if isinstance(value, float) else value
