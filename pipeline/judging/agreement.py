"""Agreement between judgement sets: assessors, a crowd, a model, on one dimension.

Every pair of sets, and all of them together where there are three or more; over all topics and for
each one. Values come from statsmodels (kappas) and the krippendorff package; the intervals from a
bootstrap over documents, whose thousand tables are computed at once by the same formulas written
for arrays (the libraries take one table at a time; the tests hold the two equal).
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import InputError
from pipeline.storage import arrow, sheets
from pipeline.storage.arrays import Floats
from pipeline.storage.text import natural

CELLS = 20_000_000  # of bootstrap tables at a time
LIBRARY_CELLS = 50_000_000  # krippendorff holds documents x labels x labels
Level = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")
PAIR = ("raw", "kappa", "kappa_linear", "kappa_quadratic", "jaccard")
ALL = (*PAIR, "fleiss", *(f"alpha_{level}" for level in LEVELS))
HEAD = ("set_a", "set_b", "topic", "documents")


@dataclass(frozen=True)
class Judgements:
    """Labels of the same documents by several sets: NaN where a set has none."""

    sets: tuple[str, ...]
    topic: tuple[str, ...]  # '' where labels hold for every topic
    label: Floats  # [document, set]
    values: Floats  # the labels that occur, ascending
    relevant: NDArray[np.bool_]  # [value]


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """How judgement sets are compared."""

    bootstrap: int  # samples of documents behind each interval
    confidence: float  # of the intervals
    significance: float  # level of the test which pairs of runs differ under a set
    seed: int


def agree(sets: Mapping[str, Path], *, out: Path, settings: Agreement) -> None:
    """Compare label tables; a value that is not defined (one document, one label) stays blank."""
    found = read(sets)
    topics = sorted(set(found.topic) - {""}, key=natural)
    topic_of = np.array(found.topic)
    random = np.random.default_rng(settings.seed)
    rows = []
    groups = [list(pair) for pair in combinations(range(len(found.sets)), 2)]
    groups += [list(range(len(found.sets)))] if len(found.sets) > 2 else []
    for group in groups:
        if not (~np.isnan(found.label[:, group])).all(axis=1).any() and len(group) == 2:
            a, b = (found.sets[i] for i in group)
            raise InputError(
                f"sets '{a}' and '{b}' have no judged document in common; "
                "check the topic and document ids of both"
            )
        for topic in ("all", *topics):
            mine = found.label[:, group][topic_of == topic if topic != "all" else slice(None)]
            names = [found.sets[i] for i in group]
            first, second = names if len(names) == 2 else ("all", f"{len(names)} sets")
            table = counts(mine, found.values)
            row: dict[str, str | int] = {"set_a": first, "set_b": second, "topic": topic}
            row |= _row(mine, table, found, settings.bootstrap, settings.confidence, random)
            rows.append(row)
    head = [*HEAD, *(f"{name}{end}" for name in ALL for end in ("", "_low", "_high"))]
    sheets.write(out, head, rows)


def read(sets: Mapping[str, Path]) -> Judgements:
    """Label tables side by side; a code for "cannot judge" is no label."""
    keys: dict[tuple[str, str], int] = {}
    cells: list[list[tuple[int, float]]] = []
    worth: dict[float, bool] = {}
    for path in sets.values():
        table = arrow.read(path, ["topic", "document", "label", "binary"]).to_pydict()
        mine = []
        for topic, document, label, binary in zip(*table.values(), strict=True):
            if binary == binary:
                mine.append((keys.setdefault((topic or "", document), len(keys)), label))
                worth[label] = binary > 0
        cells.append(mine)
    label = np.full((len(keys), len(cells)), np.nan)
    for place, mine in enumerate(cells):
        for row, value in mine:
            label[row, place] = value
    values = np.array(sorted(worth))
    relevant = np.array([worth[value] for value in values.tolist()], bool)
    return Judgements(tuple(sets), tuple(t for t, _ in keys), label, values, relevant)


def counts(label: Floats, values: Floats) -> NDArray[np.int64]:
    """[document, value]: how many sets gave each value."""
    table = np.zeros((len(label), len(values)), np.int64)
    row, _ = np.nonzero(~np.isnan(label))
    np.add.at(table, (row, np.searchsorted(values, label[~np.isnan(label)])), 1)
    return table


def contingency(label: Floats, values: Floats) -> Floats:
    """[value of the first set, value of the second]: documents both judged."""
    both = label[~np.isnan(label).any(axis=1)]
    place = np.searchsorted(values, both)
    flat = np.bincount(place[:, 0] * len(values) + place[:, 1], minlength=len(values) ** 2)
    return flat.reshape(len(values), len(values)).astype(float)


def _row(
    label: Floats,
    table: NDArray[np.int64],
    found: Judgements,
    bootstrap: int,
    confidence: float,
    random: np.random.Generator,
) -> dict[str, str | int]:
    several = table[table.sum(axis=1) > 1]
    row: dict[str, str | int] = {}
    points: dict[str, float] = {}
    draws: dict[str, Floats] = {}
    if label.shape[1] == 2:
        square = contingency(label, found.values)
        row["documents"] = int(square.sum())
        if square.sum() > 1:
            points |= pair_values(square, values=found.values, relevant=found.relevant)
            draws |= _pair_draws(square, found, bootstrap, random)
    else:
        row["documents"] = len(several)
        full = table[table.sum(axis=1) == label.shape[1]]
        if len(full) > 1:
            points["raw"] = float(np.mean(full.max(axis=1) == label.shape[1]))
            points["fleiss"] = fleiss(full)
            draws |= _fleiss_draws(full, bootstrap, random)
    if len(several) > 1:
        points |= alphas(several, values=found.values)
        draws |= _alpha_draws(several, found.values, bootstrap, random)
    tail = 100 * (1 - confidence) / 2
    for name, value in points.items():
        row[name] = _text(value)
        drawn = draws[name][~np.isnan(draws[name])]
        if len(drawn) and not np.isnan(value):
            low, high = np.percentile(drawn, [tail, 100 - tail])
            row[f"{name}_low"], row[f"{name}_high"] = _text(low), _text(high)
    return row


def pair_values(square: Floats, *, values: Floats, relevant: NDArray[np.bool_]) -> dict[str, float]:
    """What two sets' table says: share of equal labels, kappas, overlap of what is relevant."""
    from statsmodels.stats.inter_rater import cohens_kappa

    used = np.flatnonzero(square.sum(axis=0) + square.sum(axis=1))
    small = square[np.ix_(used, used)]

    def kappa(kind: str | None) -> float:
        if len(used) < 2:
            return float("nan")  # one label only: nothing to agree about
        weights = None if kind is None else values[used]
        return float(cohens_kappa(small, weights=weights, wt=kind, return_results=False))

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        kappas = {
            "kappa": kappa(None),
            "kappa_linear": kappa("linear"),
            "kappa_quadratic": kappa("quadratic"),
        }
    rest = FORMULAS["jaccard"](square[None], values, relevant)[0]
    return {"raw": float(np.trace(square) / square.sum()), **kappas, "jaccard": float(rest)}


def alphas(table: NDArray[np.int64], *, values: Floats) -> dict[str, float]:
    """Krippendorff's alpha at each level of measurement; `table` is [document, value] counts."""
    used = table.sum(axis=0) > 0
    if used.sum() < 2:
        return {f"alpha_{level}": float("nan") for level in LEVELS}
    if table.shape[0] * int(used.sum()) ** 2 > LIBRARY_CELLS:
        whole = np.asarray(_coincidence(table[:, used]).sum(axis=0), dtype=np.float64)
        found = alpha_formulas(whole.reshape(1, used.sum(), used.sum()), values[used])
        return {name: float(value[0]) for name, value in found.items()}
    import krippendorff

    return {
        f"alpha_{level}": float(
            krippendorff.alpha(
                value_counts=table[:, used],
                value_domain=values[used].tolist(),
                level_of_measurement=level,
            )
        )
        for level in LEVELS
    }


def fleiss(table: NDArray[np.int64]) -> float:
    """Fleiss' kappa of many assessors who judged the same documents."""
    from statsmodels.stats.inter_rater import fleiss_kappa

    if (table.sum(axis=0) > 0).sum() < 2:
        return float("nan")
    return float(fleiss_kappa(table, method="fleiss"))


# The same, for many tables at once: `square` is [sample, value, value] or a coincidence matrix.


def _kappa(power: int | None) -> "Formula":
    def of(square: Floats, values: Floats, _: NDArray[np.bool_]) -> Floats:
        apart = np.abs(values[:, None] - values)
        weight = (apart > 0).astype(float) if power is None else apart**power
        total = square.sum(axis=(1, 2))
        chance = square.sum(axis=2)[:, :, None] * square.sum(axis=1)[:, None, :]
        expected = (weight * chance).sum(axis=(1, 2)) / total**2
        seen = (weight * square).sum(axis=(1, 2)) / total
        return 1 - _divided(seen, expected)

    return of


def _jaccard(square: Floats, _: Floats, relevant: NDArray[np.bool_]) -> Floats:
    both = square[:, relevant][:, :, relevant].sum(axis=(1, 2))
    either = square.sum(axis=(1, 2)) - square[:, ~relevant][:, :, ~relevant].sum(axis=(1, 2))
    return _divided(both, either)


Formula = Callable[[Floats, Floats, NDArray[np.bool_]], Floats]
FORMULAS: Mapping[str, Formula] = MappingProxyType(
    {
        "raw": lambda square, _, __: np.trace(square, axis1=1, axis2=2) / square.sum(axis=(1, 2)),
        "kappa": _kappa(None),
        "kappa_linear": _kappa(1),
        "kappa_quadratic": _kappa(2),
        "jaccard": _jaccard,
    }
)


def alpha_formulas(coincidence: Floats, values: Floats) -> dict[str, Floats]:
    """Krippendorff (2011): 1 - observed / expected disagreement, [sample, value, value] at once."""
    margin = coincidence.sum(axis=2)
    total = margin.sum(axis=1)
    below = np.cumsum(margin, axis=1)
    # Ordinal distance: everything between two ranks, and half of the two themselves.
    between = (below - margin / 2)[:, None, :] - (below - margin / 2)[:, :, None]
    apart = {
        "nominal": (values[:, None] != values).astype(float)[None],
        "ordinal": between**2,
        "interval": ((values[:, None] - values) ** 2)[None],
    }
    chance = margin[:, :, None] * margin[:, None, :]
    found = {}
    for level, distance in apart.items():
        seen = (coincidence * distance).sum(axis=(1, 2))
        expected = (chance * distance).sum(axis=(1, 2)) / np.maximum(total - 1, 1)
        found[f"alpha_{level}"] = 1 - _divided(seen, expected)
    return found


def fleiss_formula(table: NDArray[np.int64], weight: Floats) -> Floats:
    """Fleiss (1971) with each document as often as `weight` ([sample, document]) says."""
    raters = table[0].sum()
    alike = (table * (table - 1)).sum(axis=1) / (raters * (raters - 1))
    total = weight.sum(axis=1)
    seen = weight @ alike / total
    share = weight @ table / (total * raters)[:, None]
    chance = (share**2).sum(axis=1)
    return _divided(seen - chance, 1 - chance)


def _pair_draws(
    square: Floats, found: Judgements, bootstrap: int, random: np.random.Generator
) -> dict[str, Floats]:
    """Documents with the same two labels are alike, so a sample of documents is one of cells."""
    used = np.flatnonzero(square.sum(axis=0) + square.sum(axis=1))
    small = square[np.ix_(used, used)]
    n, parts = int(small.sum()), []
    for size in _portions(bootstrap, small.size):
        drawn = random.multinomial(n, small.ravel() / n, size).reshape(size, *small.shape)
        tables = drawn.astype(float)
        parts.append(
            {
                name: formula(tables, found.values[used], found.relevant[used])
                for name, formula in FORMULAS.items()
            }
        )
    return _joined(parts)


def _alpha_draws(
    table: NDArray[np.int64], values: Floats, bootstrap: int, random: np.random.Generator
) -> dict[str, Floats]:
    used = table.sum(axis=0) > 0
    kinds, often = np.unique(table[:, used], axis=0, return_counts=True)
    pairs = _coincidence(kinds)
    parts = []
    for size in _portions(bootstrap, max(kinds.shape[0], int(used.sum()) ** 2)):
        weight = random.multinomial(often.sum(), often / often.sum(), size).astype(float)
        shape = (size, int(used.sum()), int(used.sum()))
        parts.append(alpha_formulas(np.asarray(weight @ pairs).reshape(shape), values[used]))
    return _joined(parts)


def _fleiss_draws(
    table: NDArray[np.int64], bootstrap: int, random: np.random.Generator
) -> dict[str, Floats]:
    kinds, often = np.unique(table, axis=0, return_counts=True)
    agreed = kinds.max(axis=1) == kinds[0].sum()
    parts = []
    for size in _portions(bootstrap, kinds.size):
        weight = random.multinomial(often.sum(), often / often.sum(), size).astype(float)
        raw = weight @ agreed / weight.sum(axis=1)
        parts.append({"raw": raw, "fleiss": fleiss_formula(kinds, weight)})
    return _joined(parts)


def _coincidence(table: NDArray[np.int64]) -> Any:
    """What each document adds to the coincidence matrix, flat: [document, value x value]."""
    from scipy.sparse import csr_array

    n, size = table.shape
    row, value = np.nonzero(table)
    amount = table[row, value]
    per = np.bincount(row, minlength=n)
    first = np.concatenate([[0], np.cumsum(per)[:-1]])
    # Every ordered pair of values a document got, counted by how many pairs of judgements.
    left = np.repeat(np.arange(len(row)), per[row])
    within = np.arange(len(left)) - np.repeat(np.cumsum(per[row]) - per[row], per[row])
    right = first[row[left]] + within
    pairs = amount[left] * (amount[right] - (left == right))
    pairs = pairs / (table.sum(axis=1)[row[left]] - 1)
    return csr_array((pairs, (row[left], value[left] * size + value[right])), (n, size * size))


def _portions(total: int, cells: int) -> list[int]:
    """Samples in portions that fit into memory."""
    most = max(1, CELLS // max(1, cells))
    return [min(most, total - start) for start in range(0, total, most)]


def _joined(parts: Sequence[Mapping[str, Floats]]) -> dict[str, Floats]:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _divided(top: Floats, bottom: Floats) -> Floats:
    """NaN where there is nothing to divide by, even if rounding left a trace of it."""
    known = np.abs(bottom) > 1e-12
    out: Floats = np.full(np.broadcast(top, bottom).shape, np.nan)
    return np.divide(top, bottom, out=out, where=known)


def _text(value: float) -> str:
    return "" if np.isnan(value) else f"{value + 0.0:.6f}"
