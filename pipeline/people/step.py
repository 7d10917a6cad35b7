"""The tables of the comparison with people: one row per measure, and one per pair of measures."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.config.people import People
from pipeline.measures.score_table import read as read_scores
from pipeline.people import reading
from pipeline.people.agreement import ByTopic, Verdicts, compare, correlations, verdicts, wilson
from pipeline.statistics.correlation.statistics.pairs import spearman, tau_b
from pipeline.storage import sheets

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


def compare_with_people(
    scores: Sequence[Path],
    *,
    preferences: Sequence[Path],
    satisfaction: Sequence[Path],
    dimensions: Mapping[str, Sequence[str]],
    settings: People,
    measures: Path,
    comparisons: Path,
) -> None:
    """Write the agreement of each measure with people, and pairwise comparisons of measures.

    `dimensions` are those of each measure.
    """
    tables = [read_scores(path) for path in scores]
    names = [table.measure for table in tables]
    values = [table.values for table in tables]
    known = reading.KnownNames(topics=tables[0].topics, runs=tables[0].runs)
    kinds: list[tuple[str, reading.PreferencePairs, dict[str, ByTopic]]] = []
    if preferences:
        kinds.append(("preferences", reading.read_preferences(preferences, known=known), {}))
    if satisfaction:
        ratings = reading.read_ratings(satisfaction, known=known)
        correlated = {n: correlations(values, ratings, statistic=s) for n, s in STATISTICS.items()}
        kinds.append(("satisfaction", reading.pairs_of(ratings), correlated))
    rows: list[Row] = []
    pair_rows: list[Row] = []
    for kind, pairs, correlated in kinds:
        outcomes = verdicts(values, pairs)
        for name, row in zip(names, _rows(outcomes, correlated, settings=settings), strict=True):
            used = " + ".join(dimensions[name])
            rows.append({"people": kind, "measure": name, "dimensions": used, **row})
        for row in _comparisons(outcomes, correlated, names=names, settings=settings):
            pair_rows.append({"people": kind, **row})
    for path, head, table in ((measures, MEASURES, rows), (comparisons, COMPARISONS, pair_rows)):
        sheets.write(path, head, [{key: _text(cell) for key, cell in row.items()} for row in table])


def _rows(outcomes: Verdicts, correlated: Mapping[str, ByTopic], *, settings: People) -> list[Row]:
    by_topic, pairs = outcomes.by_topic, outcomes.outcome.shape[1]
    ends = wilson(by_topic.gained.sum(axis=1), pairs, confidence=settings.confidence)
    same: Row = {"topics": len(by_topic.weight), "pairs": pairs, "people_tie": outcomes.tied_pairs}
    same["confidence"] = f"{settings.confidence:g}"
    columns = {"wilson_lower": ends[0], "wilson_upper": ends[1], "tie_too": outcomes.tied_too}
    for name, sign in (("agree", 1), ("tie", 0), ("disagree", -1)):
        columns[name] = (outcomes.outcome == sign).sum(axis=1)
    tail = (1 - settings.confidence) / 2
    for name, ratio in (("agreement", by_topic), *correlated.items()):
        resampled = ratio.resample(samples=settings.samples, seed=settings.seed)
        prefix = "" if name == "agreement" else f"{name}_"
        low, high = np.quantile(resampled, [tail, 1 - tail], axis=0)
        columns |= {name: ratio.figure, f"{prefix}lower": low, f"{prefix}upper": high}
    rows = zip(*columns.values(), strict=True)
    return [same | dict(zip(columns, row, strict=True)) for row in rows]


def _comparisons(
    outcomes: Verdicts, correlated: Mapping[str, ByTopic], *, names: Sequence[str], settings: People
) -> Iterator[Row]:
    statistics = {"agreement": outcomes.by_topic}
    statistics |= {name: ratio for name, ratio in correlated.items() if name == "tau_b"}
    credit = outcomes.credit
    for statistic, ratio in statistics.items():
        pairs, columns = compare(
            ratio, samples=settings.samples, confidence=settings.confidence, seed=settings.seed
        )
        numbers = zip(*columns.values(), strict=True)
        for a, b, cells in zip(pairs.first.tolist(), pairs.second.tolist(), numbers, strict=True):
            row: Row = {"statistic": statistic, "measure_a": names[a], "measure_b": names[b]}
            row |= {"value_a": ratio.figure[a], "value_b": ratio.figure[b]}
            row |= dict(zip(columns, cells, strict=True))
            if statistic == "agreement":  # pairs on which one of the two agrees more
                row["only_a"] = int((credit[a] > credit[b]).sum())
                row["only_b"] = int((credit[b] > credit[a]).sum())
            yield row


def _text(value: object) -> object:
    return sheets.decimals(value) if isinstance(value, float) else value
