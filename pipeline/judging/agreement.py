"""Agreement between judgement sets: assessors, a crowd, a model, on one dimension.

Every pair of sets, and all of them together where there are three or more; over all topics and for
each one. Intervals are a bootstrap over documents. The formulas are written for a thousand tables
at once (statsmodels and krippendorff, which the tests hold them equal to, take one at a time).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pipeline.config.dimensions import Labels
from pipeline.config.pool import Agreement
from pipeline.errors import InputError, Problem
from pipeline.labels.tables import tabulate
from pipeline.storage import arrow, sheets
from pipeline.storage.arrays import Bools, Floats, Ints
from pipeline.storage.text import natural

CELLS = 20_000_000  # of bootstrap tables at a time
COLUMNS = ("topic", "document", "label", "binary")
KAPPAS = {"kappa": 0, "kappa_linear": 1, "kappa_quadratic": 2}  # powers of the distance of labels
LEVELS = ("nominal", "ordinal", "interval")
ALL = ("raw", *KAPPAS, "jaccard", "fleiss", *(f"alpha_{level}" for level in LEVELS))
HEAD = (
    *("set_a", "set_b", "topic", "documents"),
    *(f"{name}{end}" for name in ALL for end in ("", "_low", "_high")),
)
Formula = Callable[[Floats], Mapping[str, Floats]]  # [sample, kind of document] -> [sample]


@dataclass(frozen=True)
class Judgements:
    """Labels of the same documents by several sets: NaN where a set has none."""

    sets: tuple[str, ...]
    topic: tuple[str, ...]  # '' where labels hold for every topic
    label: Floats  # [document, set]
    values: Floats  # the labels that occur, ascending
    relevant: Bools  # [value]


def agree(sets: Mapping[str, Path], *, out: Path, settings: Agreement) -> None:
    """Write how label tables agree."""
    tables = {name: arrow.read(path, COLUMNS) for name, path in sets.items()}
    sheets.write(out, HEAD, agreements(tables, settings=settings))


def agree_files(sets: Mapping[str, Labels], *, settings: Agreement) -> list[dict[str, str]]:
    """How far judgement sets agree, a row for each two of them and topic, as the campaign's."""
    if len(sets) < 2:
        what = "agreement is between judgement sets"
        raise InputError(Problem("sets", what, "give at least two"))
    tables = {}
    for name, one in sets.items():
        files = [Path(path) for path in one.files]
        tables[name] = tabulate(files, scale=one.scale, key=one.key, conflict=one.conflict)
    rows = agreements(tables, settings=settings)
    return [{name: str(row.get(name, "")) for name in HEAD} for row in rows]


def agreements(tables: Mapping[str, pa.Table], *, settings: Agreement) -> list[dict[str, Any]]:
    """The rows for label tables; a value that is not defined (one document, one label) is blank."""
    found = read(tables)
    topics = sorted(set(found.topic) - {""}, key=natural)
    topic_of = np.array(found.topic)
    random = np.random.default_rng(settings.seed)
    rows = []
    groups = [list(pair) for pair in combinations(range(len(found.sets)), 2)]
    groups += [list(range(len(found.sets)))] if len(found.sets) > 2 else []
    for group in groups:
        names, label = [found.sets[i] for i in group], found.label[:, group]
        if np.isnan(label).any(axis=1).all() and len(group) == 2:
            what, fix = "have no judged document in common", "check the topic and document ids"
            raise InputError(Problem("sets '{}' and '{}'".format(*names), what, fix))
        for topic in ("all", *topics):
            some = label if topic == "all" else label[topic_of == topic]
            first, second = names if len(names) == 2 else ("all", f"{len(names)} sets")
            row = {"set_a": first, "set_b": second, "topic": topic}
            rows.append(row | _row(some, found, settings, random))
    return rows


def read(tables: Mapping[str, pa.Table]) -> Judgements:
    """Label tables side by side; a code for "cannot judge" is no label."""
    documents: dict[tuple[str, str], int] = {}
    cells: list[tuple[int, int, float]] = []
    worth: dict[float, bool] = {}
    for place, table in enumerate(tables.values()):
        columns = table.select(COLUMNS).to_pydict().values()
        for topic, document, value, binary in zip(*columns, strict=True):
            if binary == binary:
                row = documents.setdefault((topic or "", document), len(documents))
                cells.append((row, place, value))
                worth[value] = binary > 0
    label = np.full((len(documents), len(tables)), np.nan)
    for row, place, value in cells:
        label[row, place] = value
    values = np.array(sorted(worth))
    relevant = np.array([worth[value] for value in values.tolist()], bool)
    return Judgements(tuple(tables), tuple(t for t, _ in documents), label, values, relevant)


def counts(label: Floats, values: Floats) -> Ints:
    """[document, value]: how many sets gave each value."""
    return np.stack([(label == value).sum(axis=1) for value in values], axis=1)


def contingency(label: Floats, values: Floats) -> Ints:
    """[value of the first set, value of the second]: documents both judged."""
    both = label[~np.isnan(label).any(axis=1)]
    place = np.searchsorted(values, both)
    flat = np.bincount(place[:, 0] * len(values) + place[:, 1], minlength=len(values) ** 2)
    return flat.reshape(len(values), len(values))


def _row(
    label: Floats, found: Judgements, settings: Agreement, random: np.random.Generator
) -> dict[str, Any]:
    """The statistics of some documents, with their intervals."""
    table = counts(label, found.values)
    several = table[table.sum(axis=1) > 1]
    documents, parts = len(several), []
    if label.shape[1] == 2:
        square = contingency(label, found.values)
        documents = int(square.sum())
        if documents > 1:
            parts.append(of_pairs(square, values=found.values, relevant=found.relevant))
    else:
        full = table[table.sum(axis=1) == label.shape[1]]
        if len(full) > 1:
            parts.append(of_assessors(full))
    if len(several) > 1:
        parts.append(of_any(several, values=found.values))
    row: dict[str, Any] = {"documents": documents}
    tail = 100 * (1 - settings.confidence) / 2
    for number, formula in parts:
        total, at_once = number.sum(), max(1, CELLS // max(len(number), len(found.values) ** 2))
        drawn = [
            formula(random.multinomial(total, number / total, size).astype(float))
            for start in range(0, settings.bootstrap, at_once)
            for size in [min(at_once, settings.bootstrap - start)]
        ]
        for name, (value,) in formula(number[None].astype(float)).items():
            sample = np.concatenate([part[name] for part in drawn])
            sample = sample[~np.isnan(sample)]
            ends = np.percentile(sample, [tail, 100 - tail]) if len(sample) else []
            for end, cell in zip(("", "_low", "_high"), (value, *ends), strict=False):
                row[name + end] = "" if np.isnan(value) else sheets.decimals(cell)
    return row


# Each of these gives how often every kind of document occurs (documents with the same labels are
# alike, so a sample of documents is one of kinds), and the statistics of such numbers.


def of_pairs(square: Ints, *, values: Floats, relevant: Bools) -> tuple[Ints, Formula]:
    """Two sets, given their table: share of equal labels, kappas, overlap of what is relevant."""
    used = np.flatnonzero(square.sum(axis=0) + square.sum(axis=1))
    values, relevant = values[used], relevant[used]
    apart = np.abs(values[:, None] - values)

    def formula(number: Floats) -> dict[str, Floats]:
        square = number.reshape(len(number), len(values), len(values))
        total = number.sum(axis=1)
        chance = square.sum(axis=2)[:, :, None] * square.sum(axis=1)[:, None, :]
        found = {"raw": np.trace(square, axis1=1, axis2=2) / total}
        for name, power in KAPPAS.items():
            weight = apart**power if power else (apart > 0).astype(float)
            expected = (weight * chance).sum(axis=(1, 2)) / total**2
            found[name] = 1 - _divided((weight * square).sum(axis=(1, 2)) / total, expected)
        both = square[:, relevant][:, :, relevant].sum(axis=(1, 2))
        neither = square[:, ~relevant][:, :, ~relevant].sum(axis=(1, 2))
        return found | {"jaccard": _divided(both, total - neither)}

    return square[np.ix_(used, used)].ravel(), formula


def of_assessors(table: Ints) -> tuple[Ints, Formula]:
    """Sets that all judged the same documents: full agreement, Fleiss' kappa (1971)."""
    kinds, often = np.unique(table, axis=0, return_counts=True)
    raters = kinds[0].sum()
    alike = (kinds * (kinds - 1)).sum(axis=1) / (raters * (raters - 1))

    def formula(number: Floats) -> dict[str, Floats]:
        total = number.sum(axis=1)
        share = number @ kinds / (total * raters)[:, None]
        chance = (share**2).sum(axis=1)
        kappa = _divided(number @ alike / total - chance, 1 - chance)
        return {"raw": number @ (kinds.max(axis=1) == raters) / total, "fleiss": kappa}

    return often, formula


def of_any(table: Ints, *, values: Floats) -> tuple[Ints, Formula]:
    """Sets that judged some of the documents each: Krippendorff's alpha (2011)."""
    from scipy.sparse import csr_array

    used = table.sum(axis=0) > 0
    values = values[used]
    kinds, often = np.unique(table[:, used], axis=0, return_counts=True)
    size = len(values)
    # Every ordered pair of values a document got, counted by how many pairs of judgements.
    row, a, b = np.nonzero((kinds[:, :, None] > 0) & (kinds[:, None, :] > 0))
    pairs = kinds[row, a] * (kinds[row, b] - (a == b)) / (kinds.sum(axis=1)[row] - 1)
    table_of = csr_array((pairs, (row, a * size + b)), (len(kinds), size * size))

    def formula(number: Floats) -> dict[str, Floats]:
        coincidence = np.asarray(number @ table_of).reshape(len(number), size, size)
        margin = coincidence.sum(axis=2)
        total = margin.sum(axis=1)
        middle = np.cumsum(margin, axis=1) - margin / 2
        # Ordinal distance: everything between two ranks, and half of the two themselves.
        distances = (
            (values[:, None] != values).astype(float),
            (middle[:, None, :] - middle[:, :, None]) ** 2,
            (values[:, None] - values) ** 2,
        )
        chance = margin[:, :, None] * margin[:, None, :]
        found = {}
        for level, distance in zip(LEVELS, distances, strict=True):
            seen = (coincidence * distance).sum(axis=(1, 2))
            expected = (chance * distance).sum(axis=(1, 2)) / np.maximum(total - 1, 1)
            found[f"alpha_{level}"] = 1 - _divided(seen, expected)
        return found

    return often, formula


def _divided(top: Floats, bottom: Floats) -> Floats:
    """NaN where there is nothing to divide by, even if rounding left a trace of it."""
    known = np.abs(bottom) > 1e-12
    out: Floats = np.full(np.broadcast(top, bottom).shape, np.nan)
    return np.divide(top, bottom, out=out, where=known)
