"""Evaluate one measure over all runs and topics."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from pipeline.gains.files import read as read_gains
from pipeline.gains.gains import Gains
from pipeline.measures import parse
from pipeline.measures.measure import Combined, Measure, Scores, scores_of
from pipeline.measures.score_table import ScoreTable
from pipeline.measures.ties import Ties, under_ties
from pipeline.storage import arrow


def evaluate(
    measure: str,
    *,
    dimensions: Sequence[str],
    gains: Mapping[str, Path],
    scores: Path | None,
    costs: Path | None = None,
    unjudged: str,
    ties: str,
    out: Path,
    overall: Path,
) -> ScoreTable:
    """Score all runs on all evaluated topics; write one tidy table, with bounds.

    `overall` gets one row per run, with its score over the topics. Under the policy `ties: report`
    both tables also have the worst, expected and best value over the orders of tied documents, or
    blanks where these are not known exactly.
    """
    definition = parse(measure, dimensions=dimensions)
    only_ties = not definition.scored
    data = read_gains(gains, unjudged=unjudged, scores=scores, only_ties=only_ties, costs=costs)
    (by_topic,) = scores_of([definition], data)
    ends = by_topic._asdict().items()
    by_run = Scores(*(definition.overall(values, data, end=end) for end, values in ends))
    columns, figures = _columns(by_topic), _columns(by_run)
    if ties == "report":
        tied = under_ties(definition, data, by_topic.value)
        columns |= _columns(tied)
        figures |= _columns(_over_topics(definition, tied, data))
    runs, topics = len(data.runs), len(data.topics)
    names = {
        "run": arrow.coded(np.repeat(np.arange(runs), topics), data.runs),
        "topic": arrow.coded(np.tile(np.arange(topics), runs), data.topics),
        "measure": arrow.coded(np.zeros(runs * topics), [definition.name]),
    }
    arrow.write(out, names | columns)
    names = {"run": arrow.coded(np.arange(runs), data.runs)}
    names["measure"] = arrow.coded(np.zeros(runs), [definition.name])
    arrow.write(overall, names | figures)
    values = by_topic.value.reshape(runs, topics)
    return ScoreTable.of(definition.name, data.runs, data.topics, values)


def _over_topics(measure: Measure, tied: Ties, gains: Gains) -> Ties:
    """[run]: means and sums over topics under ties; NaN for other aggregates."""
    geometric = any(part.declaration.aggregate == "geometric" for part in measure.parts)
    if measure.combination.means if isinstance(measure, Combined) else geometric:
        unknown = np.full(len(gains.runs), np.nan)
        return Ties(unknown, unknown, unknown)
    return Ties(*(measure.overall(values, gains) for values in tied))


def _columns(values_of: Scores | Ties) -> dict[str, pa.Array]:
    """A column per field, blank where a value is unknown."""
    return {end: arrow.numbers(values, blanks=True) for end, values in values_of._asdict().items()}
