"""One ranking explained: each document's labels, gain, weight and what it adds to the figure."""

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
from pipeline.runs.mappings import Mapped
from pipeline.runs.reader import Policies, RunReader
from pipeline.storage.arrays import Floats

if TYPE_CHECKING:
    from pandas import DataFrame

SHOWN = 20  # documents the text form shows


@dataclass(frozen=True)
class Material:
    """What an evaluation is made from: the gains, and the runs, labels and policies behind them."""

    gains: Gains
    runs: Mapping[str, Path | Mapped]
    labels: Mapping[str, Judgements]
    reading: Policies


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
    material: Material, measure: Measure, *, run: str, topic: str, against: str | None
) -> Explanation:
    """Explain one ranking of an evaluation; `against` is another run, or None."""
    parts, note = _parts(measure, material.gains, run, topic)
    known = {name: _labels(judged, topic) for name, judged in material.labels.items()}
    documents = _documents(material, run, topic)
    if material.gains.length[_row(material.gains, run, topic)] < len(documents):
        judged = known[next(iter(known))]  # condensed: without the unjudged
        documents = [name for name in documents if judged.get(name) is not None]
    lines: list[dict[str, Any]] = [
        {"rank": place + 1, "document": document}
        | {name: labels.get(document) for name, labels in known.items()}
        | {name: _at(getattr(parts, name), place) for name in ("gain", "weight", "contribution")}
        for place, document in enumerate(documents)
    ]
    other = None
    if against is not None:
        other, _ = _parts(measure, material.gains, against, topic)
        ranks = {name: rank for rank, name in enumerate(_documents(material, against, topic), 1)}
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
    """What each document adds, as far as the measure looks, and a note about it."""
    row = _row(gains, run, topic)
    if sums := contributions(measure, gains, row):
        base = f"{sums.base:.4g} is what a ranking without any gain scores"
        return sums, base if sums.base else ""
    alone, gain = gains.rows(np.array([row])), np.empty(0)
    if isinstance(measure, Single):
        view = alone.view(measure.readings, mix=measure.mix).at(measure.cutoff)
        gain = view.gain[0, : int(view.length[0])]
    value = float(measure.value(alone)[0])
    note = f"{measure.name} is not a sum over the documents, so none has a part of it"
    return Contributions(gain, np.empty(0), np.empty(0), 0.0, value), note


def _at(values: Floats, place: int) -> float | None:
    return float(values[place]) if place < len(values) and values[place] == values[place] else None


def _labels(judged: Judgements, topic: str) -> dict[str, float | None]:
    """The labels of the documents in one topic; None where the assessors could not judge."""
    rows = zip(judged.topic, judged.document, judged.label.tolist(), judged.gain.tolist(),
               strict=True)  # fmt: skip
    return {
        document: label if gain == gain else None
        for where, document, label, gain in rows
        if where is None or where == topic
    }


def _documents(material: Material, run: str, topic: str) -> list[str]:
    """The documents of one ranking, in the order they were ranked in."""
    source, reading = material.runs[run], material.reading
    if not isinstance(source, Path):
        best_first = mappings.ranked(source.get(topic, {}), reading.order, reading.depth)
        return [document for document, _ in best_first]
    reader = RunReader(reading)
    rows = reader.read(source).rows
    topics, (starts, text) = reader.topics(), reader.documents()
    for number, place in rows.groups:
        if topics[number] == topic:
            documents = rows.document[place].tolist()
            return [text[starts[at] : starts[at + 1]].decode() for at in documents]
    return []
