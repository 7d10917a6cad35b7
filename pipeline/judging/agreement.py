"""Agreement between judgement sets (assessors, a crowd, a model) on one dimension.

Agreement is computed for every pair of sets and, of three or more, for all sets together; over all
topics and by topic. Confidence intervals are bootstrapped over documents. The formulas take a
thousand tables at once. The tests compare them with statsmodels and krippendorff, which take one.
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

CELLS = 20_000_000  # of bootstrap tables in memory at once
COLUMNS = ("topic", "document", "label", "binary")
# Powers of the distance between labels.
KAPPAS = {"kappa": 0, "kappa_linear": 1, "kappa_quadratic": 2}
LEVELS = ("nominal", "ordinal", "interval")
ALL = ("raw", *KAPPAS, "jaccard", "fleiss", *(f"alpha_{level}" for level in LEVELS))
HEAD = (
    *("set_a", "set_b", "topic", "documents"),
    *(f"{name}{end}" for name in ALL for end in ("", "_low", "_high")),
)
Formula = Callable[[Floats], Mapping[str, Floats]]  # [sample, label pattern] -> [sample]


@dataclass(frozen=True)
class LabelMatrix:
    """The labels of several judgement sets; NaN where a set has none."""

    sets: tuple[str, ...]
    topic: tuple[str, ...]  # '' if labels hold for every topic
    label: Floats  # [document, set]
    values: Floats  # the distinct labels, ascending
    relevant: Bools  # [value]


def agree(sets: Mapping[str, Path], *, out: Path, settings: Agreement) -> None:
    """Write the agreement between label tables."""
    tables = {name: arrow.read(path, COLUMNS) for name, path in sets.items()}
    sheets.write(out, HEAD, agreements(tables, settings=settings))


def agree_files(sets: Mapping[str, Labels], *, settings: Agreement) -> list[dict[str, str]]:
    """Agreement between judgement sets: one row per pair of sets and topic."""
    if len(sets) < 2:
        what = f"agreement needs at least two judgement sets, not {len(sets)}"
        raise InputError(Problem("sets", what, "pass further judgement sets"))
    tables = {}
    for name, labels in sets.items():
        files = [Path(path) for path in labels.files]
        tables[name] = tabulate(files, scale=labels.scale, key=labels.key, conflict=labels.conflict)
    rows = agreements(tables, settings=settings)
    return [{name: str(row.get(name, "")) for name in HEAD} for row in rows]


def agreements(tables: Mapping[str, pa.Table], *, settings: Agreement) -> list[dict[str, Any]]:
    """The rows of an agreement table; an undefined value (one document, one label) is blank."""
    matrix = read(tables)
    topics = sorted(set(matrix.topic) - {""}, key=natural)
    topic_of = np.array(matrix.topic)
    generator = np.random.default_rng(settings.seed)
    rows = []
    groups = [list(pair) for pair in combinations(range(len(matrix.sets)), 2)]
    groups += [list(range(len(matrix.sets)))] if len(matrix.sets) > 2 else []
    for group in groups:
        names, label = [matrix.sets[i] for i in group], matrix.label[:, group]
        if np.isnan(label).any(axis=1).all() and len(group) == 2:
            where = "sets '{}' and '{}'".format(*names)
            fix = "check the topic and document ids of their files"
            raise InputError(Problem(where, "share no judged document", fix))
        for topic in ("all", *topics):
            chosen = label if topic == "all" else label[topic_of == topic]
            first, second = names if len(names) == 2 else ("all", f"{len(names)} sets")
            row = {"set_a": first, "set_b": second, "topic": topic}
            rows.append(row | _row(chosen, matrix, settings, generator))
    return rows


def read(tables: Mapping[str, pa.Table]) -> LabelMatrix:
    """Join label tables; codes for "cannot judge" are not labels."""
    documents: dict[tuple[str, str], int] = {}
    cells: list[tuple[int, int, float]] = []
    relevance: dict[float, bool] = {}
    for position, table in enumerate(tables.values()):
        columns = table.select(COLUMNS).to_pydict().values()
        for topic, document, value, binary in zip(*columns, strict=True):
            if binary == binary:
                row = documents.setdefault((topic or "", document), len(documents))
                cells.append((row, position, value))
                relevance[value] = binary > 0
    label = np.full((len(documents), len(tables)), np.nan)
    for row, position, value in cells:
        label[row, position] = value
    values = np.array(sorted(relevance))
    relevant = np.array([relevance[value] for value in values.tolist()], bool)
    return LabelMatrix(tuple(tables), tuple(t for t, _ in documents), label, values, relevant)


def counts(label: Floats, values: Floats) -> Ints:
    """[document, value]: the number of sets with that label."""
    return np.stack([(label == value).sum(axis=1) for value in values], axis=1)


def contingency(label: Floats, values: Floats) -> Ints:
    """[label in the first set, label in the second]: the number of documents judged by both."""
    both = label[~np.isnan(label).any(axis=1)]
    positions = np.searchsorted(values, both)
    flat = np.bincount(positions[:, 0] * len(values) + positions[:, 1], minlength=len(values) ** 2)
    return flat.reshape(len(values), len(values))


def _row(
    label: Floats, matrix: LabelMatrix, settings: Agreement, generator: np.random.Generator
) -> dict[str, Any]:
    table = counts(label, matrix.values)
    rated = table[table.sum(axis=1) > 1]
    documents, parts = len(rated), []
    if label.shape[1] == 2:
        square = contingency(label, matrix.values)
        documents = int(square.sum())
        if documents > 1:
            parts.append(pair_statistics(square, values=matrix.values, relevant=matrix.relevant))
    else:
        full = table[table.sum(axis=1) == label.shape[1]]
        if len(full) > 1:
            parts.append(fleiss_statistics(full))
    if len(rated) > 1:
        parts.append(alpha_statistics(rated, values=matrix.values))
    row: dict[str, Any] = {"documents": documents}
    tail = 100 * (1 - settings.confidence) / 2
    for number, formula in parts:
        total, at_once = number.sum(), max(1, CELLS // max(len(number), len(matrix.values) ** 2))
        samples = [
            formula(generator.multinomial(total, number / total, size).astype(float))
            for start in range(0, settings.bootstrap, at_once)
            for size in [min(at_once, settings.bootstrap - start)]
        ]
        for name, (value,) in formula(number[None].astype(float)).items():
            sample = np.concatenate([part[name] for part in samples])
            sample = sample[~np.isnan(sample)]
            ends = np.percentile(sample, [tail, 100 - tail]) if len(sample) else []
            for end, cell in zip(("", "_low", "_high"), (value, *ends), strict=False):
                row[name + end] = "" if np.isnan(value) else sheets.decimals(cell)
    return row


# Each function returns how often each label pattern occurs and a formula for such counts. Documents
# with equal labels are interchangeable, so a bootstrap sample of documents is one of patterns.


def pair_statistics(square: Ints, *, values: Floats, relevant: Bools) -> tuple[Ints, Formula]:
    """Two sets, by their contingency table: raw agreement, kappas, Jaccard of relevance."""
    used = np.flatnonzero(square.sum(axis=0) + square.sum(axis=1))
    values, relevant = values[used], relevant[used]
    distance = np.abs(values[:, None] - values)

    def formula(number: Floats) -> dict[str, Floats]:
        square = number.reshape(len(number), len(values), len(values))
        total = number.sum(axis=1)
        chance = square.sum(axis=2)[:, :, None] * square.sum(axis=1)[:, None, :]
        statistics = {"raw": np.trace(square, axis1=1, axis2=2) / total}
        for name, power in KAPPAS.items():
            weight = distance**power if power else (distance > 0).astype(float)
            expected = (weight * chance).sum(axis=(1, 2)) / total**2
            statistics[name] = 1 - _divide((weight * square).sum(axis=(1, 2)) / total, expected)
        both = square[:, relevant][:, :, relevant].sum(axis=(1, 2))
        neither = square[:, ~relevant][:, :, ~relevant].sum(axis=(1, 2))
        return statistics | {"jaccard": _divide(both, total - neither)}

    return square[np.ix_(used, used)].ravel(), formula


def fleiss_statistics(table: Ints) -> tuple[Ints, Formula]:
    """Sets that judged the same documents: full agreement and Fleiss' kappa (1971)."""
    kinds, often = np.unique(table, axis=0, return_counts=True)
    raters = kinds[0].sum()
    alike = (kinds * (kinds - 1)).sum(axis=1) / (raters * (raters - 1))

    def formula(number: Floats) -> dict[str, Floats]:
        total = number.sum(axis=1)
        share = number @ kinds / (total * raters)[:, None]
        chance = (share**2).sum(axis=1)
        kappa = _divide(number @ alike / total - chance, 1 - chance)
        return {"raw": number @ (kinds.max(axis=1) == raters) / total, "fleiss": kappa}

    return often, formula


def alpha_statistics(table: Ints, *, values: Floats) -> tuple[Ints, Formula]:
    """Sets that each judged some of the documents: Krippendorff's alpha (2011)."""
    from scipy.sparse import csr_array

    used = table.sum(axis=0) > 0
    values = values[used]
    kinds, often = np.unique(table[:, used], axis=0, return_counts=True)
    size = len(values)
    # Every ordered pair of labels of a document, weighted by its pairs of judgements.
    row, a, b = np.nonzero((kinds[:, :, None] > 0) & (kinds[:, None, :] > 0))
    pairs = kinds[row, a] * (kinds[row, b] - (a == b)) / (kinds.sum(axis=1)[row] - 1)
    table_of = csr_array((pairs, (row, a * size + b)), (len(kinds), size * size))

    def formula(number: Floats) -> dict[str, Floats]:
        coincidence = np.asarray(number @ table_of).reshape(len(number), size, size)
        margin = coincidence.sum(axis=2)
        total = margin.sum(axis=1)
        middle = np.cumsum(margin, axis=1) - margin / 2
        # Ordinal distance: all labels between two ranks, and half of those at the ranks.
        distances = (
            (values[:, None] != values).astype(float),
            (middle[:, None, :] - middle[:, :, None]) ** 2,
            (values[:, None] - values) ** 2,
        )
        chance = margin[:, :, None] * margin[:, None, :]
        alphas = {}
        for level, distance in zip(LEVELS, distances, strict=True):
            observed = (coincidence * distance).sum(axis=(1, 2))
            expected = (chance * distance).sum(axis=(1, 2)) / np.maximum(total - 1, 1)
            alphas[f"alpha_{level}"] = 1 - _divide(observed, expected)
        return alphas

    return often, formula


def _divide(top: Floats, bottom: Floats) -> Floats:
    """Divide; NaN where the divisor is 0 up to rounding."""
    out: Floats = np.full(np.broadcast(top, bottom).shape, np.nan)
    return np.divide(top, bottom, out=out, where=np.abs(bottom) > 1e-12)
