"""Synthetic systems: rankings whose labels are drawn, in any number of correlated dimensions.

Labels come from a Gaussian copula: each document has one normal variable for each dimension, its
quality there, and the correlation is between those. A distribution turns quality into a label.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import Field, StrictStr

from pipeline.config.base import Either, FileName, Mistakes, Number, Scaled, Section, Share, Whole
from pipeline.errors import InputError, Problem
from pipeline.sources.kinds.generate import Generated, generator
from pipeline.storage.arrays import Floats
from pipeline.storage.atomic import atomic_folder

Correlation = float | Sequence[Sequence[float]]
KINDS = ("chance", "mean", "levels")
TOLERANCE = 1e-9


class Draw(Section):
    """How the labels of a dimension are drawn."""

    chance: Share | None = None
    """Label 1 with this chance, else 0."""
    mean: Number | None = None
    """Normal labels around this mean, cut to their scale and rounded."""
    sd: Number | None = Field(None, ge=0)
    """Standard deviation of normal labels; needed with `mean`."""
    scale: Scaled | None = None
    """Lowest and highest of normal labels; `[0, 100]` when null."""
    better: Literal["high", "low"] | None = None
    """Which end of the labels is the good one, to which correlations refer; `high` when null."""
    levels: dict[float, Share] | None = Field(None, json_schema_extra={"x-name": "label"})
    """The chance of each label, for example `{0: 0.5, 1: 0.3, 2: 0.2}`; they sum to 1."""

    def distribution(self, where: str) -> "Distribution":
        """The labels that are drawn `where`."""
        chosen = [kind for kind in KINDS if getattr(self, kind) is not None]
        if len(chosen) != 1:
            names = " and ".join(f"'{kind}'" for kind in chosen) or "nothing"
            raise InputError(Problem("", f"{where} has {names}", f"give one of {', '.join(KINDS)}"))
        if self.chance is not None:
            return Categorical.binary(self.chance)
        better = self.better or "high"
        if self.mean is not None:
            low, high = self.scale or (0.0, 100.0)
            if self.sd is None:
                raise InputError(Problem("", f"{where} has a mean, but no sd", "add it"))
            if not low < high:
                what = f"{where} has the scale [{low}, {high}]"
                raise InputError(Problem("", what, "put the lower end first"))
            return Normal(mean=self.mean, sd=self.sd, lowest=low, highest=high, better=better)
        chances = sorted((self.levels or {}).items(), reverse=better == "low")
        total = sum(chance for _, chance in chances)
        if abs(total - 1) > TOLERANCE:
            what = f"{where} has levels whose chances sum to {total:g}"
            raise InputError(Problem("", what, "make them sum to 1"))
        return Categorical(chances=tuple(chances))


class Synthetic(Generated):
    """Systems whose labels are drawn."""

    draws: Mapping[FileName, Draw] = Field(min_length=1, json_schema_extra={"x-name": "dimension"})
    """Of `synthetic`: each dimension by name, and how its labels are drawn, by `chance`, by `mean`
    and `sd`, or by `levels`."""
    systems: Mapping[FileName, Mapping[StrictStr, Draw]] = Field(
        min_length=1, json_schema_extra={"x-name": "system", "x-inner": "dimension"}
    )
    """Of `synthetic`: each system by name, and what it draws otherwise, for example
    `{better: {topicality: {chance: 0.6}}, worse: {}}`."""
    lists: Whole | None = Field(None, ge=1)
    """Of `synthetic`: topics, a ranking of each system for each; 50 when null."""
    length: Whole | None = Field(None, ge=1)
    """Of `synthetic`: documents of a ranking; 10 when null."""
    correlation: (
        Either[Annotated[Number, Field(ge=-1, le=1)], tuple[tuple[Number, ...], ...]] | None
    ) = None
    """Of `synthetic`: how the dimensions of a document correlate (Gaussian copula), one number for
    all pairs, or a matrix as a list of rows; 0 when null."""

    def problems(self) -> Mistakes:
        """Each system draws what there is, in a way that can be drawn."""
        for system, changed in self.systems.items():
            for dimension in changed:
                if dimension not in self.draws:
                    what = f"'{dimension}' of '{system}' is not among draws"
                    yield ("systems", system, dimension), what, "add it there"
            for name in self.draws:
                try:
                    self.distribution(system, name)
                except InputError as error:
                    for problem in error.problems:
                        yield ("systems", system), problem.what, problem.fix
        try:
            mixing(self.correlation or 0.0, dimensions=len(self.draws))
        except InputError as error:
            for problem in error.problems:
                yield ("correlation",), problem.what, problem.fix

    def distribution(self, system: str, name: str) -> "Distribution":
        """How a system draws the labels of a dimension: as usual, except for its own keys."""
        own = self.systems[system].get(name, Draw()).model_dump(exclude_none=True)
        return self.draws[name].model_copy(update=own).distribution(f"'{name}' of '{system}'")


@dataclass(frozen=True, kw_only=True)
class Normal:
    """Normal labels, cut to their scale and rounded.

    Palotti, Zuccon & Hanbury 2018, understandability phase.
    """

    mean: float
    sd: float
    lowest: float = 0.0
    highest: float = 100.0
    better: str = "high"

    def labels(self, quality: Floats) -> Floats:
        """The labels of documents of some quality."""
        sign = 1.0 if self.better == "high" else -1.0
        drawn = self.mean + sign * self.sd * quality
        return np.rint(np.clip(drawn, self.lowest, self.highest))


@dataclass(frozen=True, kw_only=True)
class Categorical:
    """Each label of a scale with its own chance."""

    chances: tuple[tuple[float, float], ...]  # label and chance, the worst label first

    @classmethod
    def binary(cls, chance: float) -> Self:
        """Label 1 with a chance, else 0 (the same paper, topicality phase)."""
        return cls(chances=((0.0, 1 - chance), (1.0, chance)))

    def labels(self, quality: Floats) -> Floats:
        """The labels of documents of some quality."""
        from scipy.special import ndtri

        label, chance = np.array(self.chances).T
        ends = ndtri(np.minimum(np.cumsum(chance)[:-1], 1.0))  # quality up to which it is worse
        return np.asarray(label[np.searchsorted(ends, quality)], np.float64)


Distribution = Normal | Categorical


def labels(
    dimensions: Mapping[str, Distribution],
    *,
    shape: tuple[int, ...],
    correlation: Correlation = 0.0,
    random: np.random.Generator,
) -> dict[str, Floats]:
    """The labels of each dimension in rankings of this shape, as [topic, rank]."""
    root = mixing(correlation, dimensions=len(dimensions))
    drawn = [random.standard_normal(shape) for _ in dimensions]
    if root is not None:
        drawn = [
            np.asarray(sum(weight * one for weight, one in zip(row, drawn, strict=True) if weight))
            for row in root
        ]
    pairs = zip(dimensions.items(), drawn, strict=True)
    return {name: distribution.labels(quality) for (name, distribution), quality in pairs}


def mixing(correlation: Correlation, *, dimensions: int) -> Floats | None:
    """What makes independent normal variables correlated; None if nothing need be done.

    `correlation` is a matrix, or one number for each pair of dimensions. A root by eigenvalues,
    since Cholesky's refuses a limiting case, for example a correlation of 1.
    """
    if isinstance(correlation, int | float):
        shown = f"the correlation {correlation:g}"
        matrix = np.full((dimensions, dimensions), float(correlation))
        np.fill_diagonal(matrix, 1.0)
    else:
        rows = [len(row) for row in correlation]
        if rows != [dimensions] * dimensions:
            lengths = ", ".join(map(str, rows))
            what = f"the correlation has rows of {lengths} numbers for {dimensions} dimensions"
            raise InputError(Problem("", what, "give a row and a column for each"))
        matrix = np.array(correlation, np.float64)
        shown = f"the correlation {matrix.tolist()}"
    if not (np.abs(matrix) <= 1).all():
        raise InputError(Problem("", f"{shown} is not between -1 and 1"))
    if not np.array_equal(matrix, matrix.T) or not (np.diag(matrix) == 1).all():
        fix = "it must have 1 on its diagonal and the same numbers on both sides of it"
        raise InputError(Problem("", f"{shown} is no matrix of correlations", fix))
    if np.array_equal(matrix, np.eye(dimensions)):
        return None
    values, vectors = np.linalg.eigh(matrix)
    if values.min() < -TOLERANCE * dimensions:
        what = (
            f"{shown} of {dimensions} dimensions is impossible: "
            f"its matrix is not positive semidefinite (smallest eigenvalue {values.min():.3g})"
        )
        raise InputError(Problem("", what, "bring the correlations nearer to 0"))
    root: Floats = vectors * np.sqrt(np.maximum(values, 0.0))
    return root


@generator(
    "synthetic",
    title="systems whose labels are drawn, in any number of correlated dimensions",
    keys=Synthetic,
    order=2,
)
def synthetic(folder: Path, **settings: Any) -> None:
    """Write runs/<system>, labels/<dimension>.qrels and topics.tsv.

    Each rank of each ranking is a document of its own. A system's draws depend on its name and the
    seed alone, so that adding a system leaves the others as they are.
    """
    keys = Synthetic(generate="synthetic", **settings)
    length = keys.length or 10
    topics = [f"t{number}" for number in range(1, (keys.lists or 50) + 1)]
    lines = [f"{topic}\tsynthetic topic {topic[1:]}\n" for topic in topics]
    files = {"topics.tsv": lines} | {f"labels/{name}.qrels": [] for name in keys.draws}
    ranked = [(topic, rank) for topic in topics for rank in range(1, length + 1)]
    for system in keys.systems:
        drawn = labels(
            {name: keys.distribution(system, name) for name in keys.draws},
            shape=(len(topics), length),
            correlation=keys.correlation or 0.0,
            random=np.random.default_rng([keys.seed, *system.encode()]),
        )
        files[f"runs/{system}"] = [
            f"{topic} Q0 {system}-{topic}-{rank} {rank} {length + 1 - rank} {system}\n"
            for topic, rank in ranked
        ]
        for name, values in drawn.items():
            files[f"labels/{name}.qrels"] += [
                f"{topic} 0 {system}-{topic}-{rank} {value:g}\n"
                for (topic, rank), value in zip(ranked, values.ravel().tolist(), strict=True)
            ]
    with atomic_folder(folder) as draft:
        (draft / "runs").mkdir()
        (draft / "labels").mkdir()
        for name, rows in files.items():
            (draft / name).write_text("".join(rows), encoding="utf-8", newline="\n")
