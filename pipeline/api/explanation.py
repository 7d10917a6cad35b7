"""One list explained: each document's labels, gain, weight and what it adds to the figure."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pipeline.gains.gains import Gains
from pipeline.gains.gather import Reading
from pipeline.labels.judgements import Judgements
from pipeline.measures import Measure
from pipeline.measures.contributions import contributions
from pipeline.measures.measure import Single
from pipeline.runs import batch, mappings
from pipeline.runs.mappings import Lists

if TYPE_CHECKING:
    from pandas import DataFrame

SHOWN = 20  # documents the text form shows


@dataclass(frozen=True, kw_only=True)
class Line:
    """One document of the list."""

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
    """A list as its measure sees it; base + the contributions = value, where it is a sum."""

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
        """A row a document; a column a dimension holds its label."""
        rows = []
        for line in self.lines:
            row: dict[str, Any] = {"rank": line.rank, "document": line.document, **line.labels}
            row |= {"gain": line.gain, "weight": line.weight, "contribution": line.contribution}
            if self.against is not None:
                row |= {
                    "against_rank": line.against_rank,
                    "against_contribution": line.against_contribution,
                }
            rows.append(row)
        return rows

    @property
    def table(self) -> "DataFrame":
        """`rows` as a DataFrame."""
        import pandas

        return pandas.DataFrame(self.rows())

    def __str__(self) -> str:
        head = f"{self.run}, topic {self.topic}: {self.measure} = {self.value:.4f}"
        if self.against is not None:
            head += f" ({self.against}: {self.against_value:.4f})"
        rows = self.rows()[:SHOWN]
        columns = list(rows[0]) if rows else []
        cells = [columns, *([_cell(row[name]) for name in columns] for row in rows)]
        widths = [max(len(line[at]) for line in cells) for at in range(len(columns))]
        lines = [
            "  ".join(f"{cell:>{width}}" for cell, width in zip(line, widths, strict=True))
            for line in cells
        ]
        more = len(self.lines) - len(rows)
        lines += [f"... and {more} more documents"] if more > 0 else []
        return "\n".join([head, *lines, *self.notes])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        html: str = self.table.to_html(index=False)
        return html


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
    sources: Mapping[str, Path | Lists],
    labels: Mapping[str, Judgements],
    reading: Reading,
) -> Explanation:
    """Explain one list of an evaluation."""
    mine = _parts(measure, gains, run=run, topic=topic)
    said = {name: _labels(judged, topic) for name, judged in labels.items()}
    known = next(iter(labels))
    condensed = int(gains.length[_row(gains, run, topic)])
    documents = _documents(sources[run], topic, reading)
    if condensed < len(documents):  # the unjudged were left out
        documents = [one for one in documents if said[known].get(one) is not None]
    other: dict[str, tuple[int, float | None]] = {}
    value = None
    if against is not None:
        theirs = _parts(measure, gains, run=against, topic=topic)
        value = theirs.value
        for place, document in enumerate(_documents(sources[against], topic, reading)):
            other[document] = (place + 1, _at(theirs.contribution, place))
    lines = tuple(
        Line(
            rank=place + 1,
            document=document,
            labels={name: said[name].get(document) for name in labels},
            gain=_at(mine.gain, place),
            weight=_at(mine.weight, place),
            contribution=_at(mine.contribution, place),
            against_rank=other.get(document, (None, None))[0],
            against_contribution=other.get(document, (None, None))[1],
        )
        for place, document in enumerate(documents)
    )
    notes = []
    if mine.contribution is None:
        notes.append(f"{measure.name} is no sum over the documents, so none has a part of it")
    elif mine.base:
        notes.append(f"{mine.base:.4g} is what a list without any gain scores")
    return Explanation(
        run=run,
        topic=topic,
        measure=measure.name,
        value=mine.value,
        base=mine.base,
        against=against,
        against_value=value,
        lines=lines,
        notes=tuple(notes),
    )


@dataclass(frozen=True)
class _Parts:
    gain: Any
    weight: Any
    contribution: Any
    base: float
    value: float


def _row(gains: Gains, run: str, topic: str) -> int:
    return gains.runs.index(run) * len(gains.topics) + gains.topics.index(topic)


def _parts(measure: Measure, gains: Gains, *, run: str, topic: str) -> _Parts:
    row = _row(gains, run, topic)
    found = contributions(measure, gains, row)
    if found is not None:
        return _Parts(found.gain, found.weight, found.contribution, found.base, found.value)
    one = gains.rows(np.array([row]))
    gain = None
    if isinstance(measure, Single):
        view = one.view(measure.wanted, mix=measure.mix).at(measure.cutoff)
        gain = view.gain[0, : int(view.length[0])]
    return _Parts(gain, None, None, 0.0, float(measure.value(one)[0]))


def _at(values: Any, place: int) -> float | None:
    if values is None or place >= len(values) or np.isnan(values[place]):
        return None
    return float(values[place])


def _labels(judged: Judgements, topic: str) -> dict[str, float | None]:
    """The labels of the documents in one topic; None where nobody could judge."""
    rows = zip(judged.topic, judged.document, judged.label.tolist(), judged.gain.tolist(),
               strict=True)  # fmt: skip
    return {
        document: label if gain == gain else None
        for where, document, label, gain in rows
        if where is None or where == topic
    }


def _documents(source: Path | Lists, topic: str, reading: Reading) -> list[str]:
    """The documents of one list, in the order they were ranked in."""
    if not isinstance(source, Path):
        found = mappings.ranked(source.get(topic, {}), order=reading.order, depth=reading.depth)
        return [document for document, _ in found]
    read = batch.read(
        [source],
        order=reading.order,
        depth=reading.depth,
        duplicates=reading.duplicates,
        bad_scores=reading.bad_scores,
        form=reading.form,
    )
    if topic not in read.topics:
        return []
    starts, text = read.documents
    mine = read.runs[0].rows.document[read.runs[0].rows.topic == read.topics.index(topic)]
    return [text[starts[at] : starts[at + 1]].decode() for at in mine.tolist()]
