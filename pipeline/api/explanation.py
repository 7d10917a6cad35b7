"""One ranking explained: each document's labels, gain, weight and what it adds to the figure."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pipeline.api import show
from pipeline.gains.gains import Gains
from pipeline.labels.judgements import Judgements
from pipeline.measures import Measure
from pipeline.measures.contributions import contributions
from pipeline.measures.measure import Single
from pipeline.runs import mappings
from pipeline.runs.mappings import Mapped
from pipeline.runs.reader import Policies, RunReader
from pipeline.storage.arrays import Floats

if TYPE_CHECKING:
    from pandas import DataFrame

SHOWN = 20  # documents the text form shows


@dataclass(frozen=True, kw_only=True)
class Line:
    """One document of the ranking."""

    rank: int
    document: str
    labels: Mapping[str, float | None]  # of each dimension; None: not judged
    gain: float | None  # as the measure reads the labels; None behind where it looks
    weight: float | None
    contribution: float | None
    against_rank: int | None = None  # its rank in the other run
    against_contribution: float | None = None


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """A ranking as its measure sees it; base + the contributions = value, where it is a sum."""

    run: str
    topic: str
    measure: str
    value: float
    base: float
    against: str | None
    against_value: float | None
    lines: tuple[Line, ...]
    notes: tuple[str, ...]

    def rows(self) -> list[dict[str, Any]]:
        """One row per document; each dimension's column holds its label."""
        rows = []
        for line in self.lines:
            row = {"rank": line.rank, "document": line.document, **line.labels}
            row |= {key: value for key, value in vars(line).items() if key not in (*row, "labels")}
            if self.against is None:
                del row["against_rank"], row["against_contribution"]
            rows.append(row)
        return rows

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
        rows = self.rows()[:SHOWN]
        cells = [list(rows[0])] if rows else []
        cells += [[_cell(value) for value in row.values()] for row in rows]
        more = len(self.lines) - len(rows)
        rest = [f"... and {more} more documents"] if more > 0 else []
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
    measure: Measure,
    gains: Gains,
    *,
    run: str,
    topic: str,
    against: str | None,
    sources: Mapping[str, Path | Mapped],
    labels: Mapping[str, Judgements],
    reading: Policies,
) -> Explanation:
    """Explain one ranking of an evaluation."""
    own = _parts(measure, gains, run=run, topic=topic)
    known = {name: _labels(judged, topic) for name, judged in labels.items()}
    documents = _documents(sources[run], topic, reading)
    if gains.length[_row(gains, run, topic)] < len(documents):  # condensed: without the unjudged
        first = known[next(iter(labels))]
        documents = [one for one in documents if first.get(one) is not None]
    theirs, others = None, {}
    if against is not None:
        theirs = _parts(measure, gains, run=against, topic=topic)
        ranked = _documents(sources[against], topic, reading)
        others = {document: place for place, document in enumerate(ranked)}
    lines = tuple(
        Line(
            rank=place + 1,
            document=document,
            labels={name: known[name].get(document) for name in labels},
            gain=_at(own.gain, place),
            weight=_at(own.weight, place),
            contribution=_at(own.contribution, place),
            against_rank=others[document] + 1 if document in others else None,
            against_contribution=_at(theirs and theirs.contribution, others.get(document)),
        )
        for place, document in enumerate(documents)
    )
    notes = []
    if own.contribution is None:
        notes.append(f"{measure.name} is not a sum over the documents, so none has a part of it")
    elif own.base:
        notes.append(f"{own.base:.4g} is what a ranking without any gain scores")
    return Explanation(
        run=run,
        topic=topic,
        measure=measure.name,
        value=own.value,
        base=own.base,
        against=against,
        against_value=theirs.value if theirs else None,
        lines=lines,
        notes=tuple(notes),
    )


class _Parts(NamedTuple):
    gain: Floats | None
    weight: Floats | None
    contribution: Floats | None
    base: float
    value: float


def _row(gains: Gains, run: str, topic: str) -> int:
    return gains.runs.index(run) * len(gains.topics) + gains.topics.index(topic)


def _parts(measure: Measure, gains: Gains, *, run: str, topic: str) -> _Parts:
    row = _row(gains, run, topic)
    found = contributions(measure, gains, row)
    if found is not None:
        return _Parts(**vars(found))
    one = gains.rows(np.array([row]))
    gain = None
    if isinstance(measure, Single):
        view = one.view(measure.wanted, mix=measure.mix).at(measure.cutoff)
        gain = view.gain[0, : int(view.length[0])]
    return _Parts(gain, None, None, 0.0, float(measure.value(one)[0]))


def _at(values: Floats | None, place: int | None) -> float | None:
    if values is None or place is None or place >= len(values) or np.isnan(values[place]):
        return None
    return float(values[place])


def _labels(judged: Judgements, topic: str) -> dict[str, float | None]:
    """The labels of the documents in one topic; None where the assessors could not judge."""
    rows = zip(judged.topic, judged.document, judged.label.tolist(), judged.gain.tolist(),
               strict=True)  # fmt: skip
    return {
        document: label if gain == gain else None
        for where, document, label, gain in rows
        if where is None or where == topic
    }


def _documents(source: Path | Mapped, topic: str, reading: Policies) -> list[str]:
    """The documents of one ranking, in the order they were ranked in."""
    if not isinstance(source, Path):
        found = mappings.ranked(source.get(topic, {}), reading.order, reading.depth)
        return [document for document, _ in found]
    reader = RunReader(reading)
    run = reader.read(source)
    topics, (starts, text) = reader.topics(), reader.documents()
    for number, rows in run.rows.groups:
        if topics[number] == topic:
            documents = run.rows.document[rows].tolist()
            return [text[starts[at] : starts[at + 1]].decode() for at in documents]
    return []
