"""One ranking explained: labels, gain, weight and contribution to the score of each document."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pipeline.api import show
from pipeline.gains.gains import Gains
from pipeline.labels.judgements import Judgements
from pipeline.measures import Measure
from pipeline.measures.contributions import Contributions, contributions
from pipeline.measures.measure import Single
from pipeline.runs import mappings
from pipeline.runs.mappings import RunMapping
from pipeline.runs.reader import RunPolicies, RunReader
from pipeline.storage.arrays import Floats

if TYPE_CHECKING:
    from pandas import DataFrame

SHOWN = 20  # documents in the text form


@dataclass(frozen=True)
class EvaluationInputs:
    """The gains of an evaluation, and the runs, labels and policies they come from."""

    gains: Gains
    runs: Mapping[str, Path | RunMapping]
    labels: Mapping[str, Judgements]
    policies: RunPolicies


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """A ranking as its measure sees it.

    For a measure that is a sum over documents, base + all contributions = value.
    """

    run: str
    topic: str
    measure: str
    value: float
    base: float
    against: str | None
    against_value: float | None
    lines: tuple[dict[str, Any], ...]
    notes: tuple[str, ...]

    def rows(self) -> list[dict[str, Any]]:
        """One row per document; each dimension's column holds its label."""
        return [dict(line) for line in self.lines]

    @property
    def table(self) -> "DataFrame":
        """`rows` as a DataFrame."""
        import pandas

        return pandas.DataFrame(self.rows())

    @property
    def heading(self) -> str:
        """Run, topic, measure and score."""
        other = f" ({self.against}: {self.against_value:.4f})" if self.against else ""
        return f"{self.run}, topic {self.topic}: {self.measure} = {self.value:.4f}{other}"

    def __str__(self) -> str:
        rows = self.lines[:SHOWN]
        cells = [list(row) for row in rows[:1]]
        cells += [[_cell(value) for value in row.values()] for row in rows]
        more = len(self.lines) - len(rows)
        rest = [f"... and {more} more documents"] if more else []
        right = [True] * len(cells[0]) if cells else []
        return "\n".join([self.heading, *show.aligned(cells, right=right), *rest, *self.notes])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return str(self.table.to_html(index=False))


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def explained(
    data: EvaluationInputs, measure: Measure, *, run: str, topic: str, against: str | None
) -> Explanation:
    """Explain one ranking of an evaluation; `against` is another run to compare with, or None."""
    parts, note = _parts(measure, data.gains, run, topic)
    labels = {name: _labels(judged, topic) for name, judged in data.labels.items()}
    documents = _documents(data, run, topic)
    if data.gains.length[_row(data.gains, run, topic)] < len(documents):
        judged = labels[next(iter(labels))]  # condensed: without unjudged documents
        documents = [name for name in documents if judged.get(name) is not None]
    lines: list[dict[str, Any]] = [
        {"rank": place + 1, "document": document}
        | {name: judged.get(document) for name, judged in labels.items()}
        | {name: _at(getattr(parts, name), place) for name in ("gain", "weight", "contribution")}
        for place, document in enumerate(documents)
    ]
    other = None
    if against is not None:
        other, _ = _parts(measure, data.gains, against, topic)
        ranks = {name: rank for rank, name in enumerate(_documents(data, against, topic), 1)}
        for line in lines:
            rank = line["against_rank"] = ranks.get(line["document"])
            line["against_contribution"] = _at(other.contribution, rank - 1) if rank else None
    return Explanation(
        run=run,
        topic=topic,
        measure=measure.name,
        value=parts.value,
        base=parts.base,
        against=against,
        against_value=other.value if other else None,
        lines=tuple(lines),
        notes=(note,) if note else (),
    )


def _row(gains: Gains, run: str, topic: str) -> int:
    return gains.runs.index(run) * len(gains.topics) + gains.topics.index(topic)


def _parts(measure: Measure, gains: Gains, run: str, topic: str) -> tuple[Contributions, str]:
    """The contribution of each document within the depth of the measure, and a note."""
    row = _row(gains, run, topic)
    if sums := contributions(measure, gains, row):
        return sums, f"a ranking without any gain scores {sums.base:.4g}" if sums.base else ""
    ranking, gain = gains.rows(np.array([row])), np.empty(0)
    if isinstance(measure, Single):
        view = ranking.view(measure.readings, mix=measure.mix).at(measure.cutoff)
        gain = view.gain[0, : int(view.length[0])]
    value = float(measure.value(ranking)[0])
    note = f"{measure.name} is not a sum over documents, so it has no contributions"
    return Contributions(gain, np.empty(0), np.empty(0), 0.0, value), note


def _at(values: Floats, place: int) -> float | None:
    return float(values[place]) if place < len(values) and values[place] == values[place] else None


def _labels(judged: Judgements, topic: str) -> dict[str, float | None]:
    """The labels of the documents in one topic; None where the assessors could not judge."""
    rows = zip(judged.topic, judged.document, judged.label.tolist(), judged.gain.tolist(),
               strict=True)  # fmt: skip
    return {
        document: label if gain == gain else None
        for labelled_topic, document, label, gain in rows
        if labelled_topic in (None, topic)
    }


def _documents(data: EvaluationInputs, run: str, topic: str) -> list[str]:
    source, policies = data.runs[run], data.policies
    if not isinstance(source, Path):
        best_first = mappings.rank_topic(source.get(topic, {}), policies.order, policies.depth)
        return [document for document, _ in best_first]
    reader = RunReader(policies)
    rows = reader.read(source).rows
    topics, (starts, text) = reader.topics(), reader.documents()
    for number, place in rows.groups:
        if topics[number] == topic:
            documents = rows.document[place].tolist()
            return [text[starts[at] : starts[at + 1]].decode() for at in documents]
    return []
