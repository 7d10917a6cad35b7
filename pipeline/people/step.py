"""The tables of the comparison with people: one row per measure, one row per pair of measures."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.config.people import People
from pipeline.measures.score_table import read as read_scores
from pipeline.people.agreement import ByTopic, Verdicts, compare, correlations, verdicts, wilson
from pipeline.people.reading import Known, Pairs, pairs_of, read_preferences, read_ratings
from pipeline.statistics.correlation.statistics.pairs import spearman, tau_b
from pipeline.storage import sheets

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
    """Write how far each measure agrees with people, and pairwise comparisons of measures.

    `dimensions` are those that each measure reads.
    """
    tables = [read_scores(path) for path in scores]
    names = [table.measure for table in tables]
    values = [table.values for table in tables]
    known = Known(topics=tables[0].topics, runs=tables[0].runs)
    asked: list[tuple[str, Pairs, dict[str, ByTopic]]] = []
    if preferences:
        asked.append((PREFERENCES, read_preferences(preferences, known=known), {}))
    if satisfaction:
        ratings = read_ratings(satisfaction, known=known)
        correlated = {
            name: correlations(values, ratings, statistic=statistic)
            for name, statistic in STATISTICS.items()
        }
        asked.append((SATISFACTION, pairs_of(ratings), correlated))
    found: list[Row] = []
    compared: list[Row] = []
    for kind, pairs, correlated in asked:
        said = verdicts(values, pairs)
        for name, row in zip(names, _rows(said, correlated, settings=settings), strict=True):
            read = " + ".join(dimensions[name])
            found.append({"people": kind, "measure": name, "dimensions": read, **row})
        for row in _comparisons(said, correlated, names=names, settings=settings):
            compared.append({"people": kind, **row})
    for path, head, table in ((measures, MEASURES, found), (comparisons, COMPARISONS, compared)):
        sheets.write(path, head, [{key: _text(cell) for key, cell in row.items()} for row in table])


def _rows(said: Verdicts, correlated: Mapping[str, ByTopic], *, settings: People) -> list[Row]:
    """One row per measure: how often it agrees with people, with its intervals."""
    by_topic, pairs = said.by_topic, said.said.shape[1]
    ends = wilson(by_topic.gained.sum(axis=1), pairs, confidence=settings.confidence)
    same: Row = {"topics": len(by_topic.weight), "pairs": pairs, "people_tie": said.tied_pairs}
    same["confidence"] = f"{settings.confidence:g}"
    columns = {"wilson_lower": ends[0], "wilson_upper": ends[1], "tie_too": said.tied_too}
    for name, sign in (("agree", 1), ("tie", 0), ("disagree", -1)):
        columns[name] = (said.said == sign).sum(axis=1)
    tail = (1 - settings.confidence) / 2
    for name, found in (("agreement", by_topic), *correlated.items()):
        drawn = found.drawn(samples=settings.samples, seed=settings.seed)
        prefix = "" if name == "agreement" else f"{name}_"
        low, high = np.quantile(drawn, [tail, 1 - tail], axis=0)
        columns |= {name: found.figure, f"{prefix}lower": low, f"{prefix}upper": high}
    rows = zip(*columns.values(), strict=True)
    return [same | dict(zip(columns, row, strict=True)) for row in rows]


def _comparisons(
    said: Verdicts, correlated: Mapping[str, ByTopic], *, names: Sequence[str], settings: People
) -> Iterator[Row]:
    """One row per pair of measures and statistic."""
    compared = {"agreement": said.by_topic} | {n: c for n, c in correlated.items() if n == "tau_b"}
    credit = said.credit
    for statistic, found in compared.items():
        pairs, columns = compare(
            found, samples=settings.samples, confidence=settings.confidence, seed=settings.seed
        )
        numbers = zip(*columns.values(), strict=True)
        for a, b, each in zip(pairs.first.tolist(), pairs.second.tolist(), numbers, strict=True):
            row: Row = {"statistic": statistic, "measure_a": names[a], "measure_b": names[b]}
            row |= {"value_a": found.figure[a], "value_b": found.figure[b]}
            row |= dict(zip(columns, each, strict=True))
            if statistic == "agreement":  # pairs that one of the two has right, the other has not
                row["only_a"] = int((credit[a] > credit[b]).sum())
                row["only_b"] = int((credit[b] > credit[a]).sum())
            yield row


def _text(value: object) -> object:
    return sheets.decimals(value) if isinstance(value, float) else value
