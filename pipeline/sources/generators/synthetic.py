"""Synthetic systems: rankings with random labels in any number of correlated dimensions.

Labels come from a Gaussian copula. Each document has a standard normal quality per dimension, and
the correlation is that of the qualities. A distribution maps the quality to a label.
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
    """The distribution of the labels of a dimension."""

    chance: Share | None = None
    """Probability of label 1; the other label is 0."""
    mean: Number | None = None
    """Mean of normal labels, which are clipped to their scale and rounded."""
    sd: Number | None = Field(None, ge=0)
    """Standard deviation of normal labels; needed with `mean`."""
    scale: Scaled | None = None
    """Lowest and highest normal label; `[0, 100]` when null."""
    better: Literal["high", "low"] | None = None
    """Whether high or low labels are better, to which correlations refer; `high` when null."""
    levels: dict[float, Share] | None = Field(None, json_schema_extra={"x-name": "label"})
    """Probability of each label, for example `{0: 0.5, 1: 0.3, 2: 0.2}`; they sum to 1."""

    def distribution(self, where: str) -> "Distribution":
        """The distribution; `where` names it in messages."""
        kinds = [kind for kind in KINDS if getattr(self, kind) is not None]
        if len(kinds) != 1:
            names = " and ".join(f"'{kind}'" for kind in kinds) or "nothing"
            raise InputError(Problem("", f"{where} has {names}", f"set one of {', '.join(KINDS)}"))
        if self.chance is not None:
            return Categorical.binary(self.chance)
        better = self.better or "high"
        if self.mean is not None:
            low, high = self.scale or (0.0, 100.0)
            if self.sd is None:
                raise InputError(Problem("", f"{where} has a mean, but no sd", "set sd"))
            if not low < high:
                what = f"{where} has the scale [{low}, {high}]"
                raise InputError(Problem("", what, "write the lowest label first"))
            return Normal(mean=self.mean, sd=self.sd, lowest=low, highest=high, better=better)
        chances = sorted((self.levels or {}).items(), reverse=better == "low")
        total = sum(chance for _, chance in chances)
        if abs(total - 1) > TOLERANCE:
            what = f"{where} has levels whose probabilities sum to {total:g}"
            raise InputError(Problem("", what, "make them sum to 1"))
        return Categorical(chances=tuple(chances))


class Synthetic(Generated):
    """Systems with random labels."""

    draws: Mapping[FileName, Draw] = Field(min_length=1, json_schema_extra={"x-name": "dimension"})
    """Of `synthetic`: the distribution of the labels of each dimension: `chance`, or `mean` and
    `sd`, or `levels`."""
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
        """The distribution of a system's labels: that of the dimension, with the system's keys."""
        changes = self.systems[system].get(name, Draw()).model_dump(exclude_none=True)
        return self.draws[name].model_copy(update=changes).distribution(f"'{name}' of '{system}'")


@dataclass(frozen=True, kw_only=True)
class Normal:
    """Normal labels, clipped and rounded (Palotti, Zuccon & Hanbury 2018, understandability)."""

    mean: float
    sd: float
    lowest: float = 0.0
    highest: float = 100.0
    better: str = "high"

    def labels(self, quality: Floats) -> Floats:
        sign = 1.0 if self.better == "high" else -1.0
        return np.rint(np.clip(self.mean + sign * self.sd * quality, self.lowest, self.highest))


@dataclass(frozen=True, kw_only=True)
class Categorical:
    """Labels of a scale with their probabilities."""

    chances: tuple[tuple[float, float], ...]  # label and probability, the worst label first

    @classmethod
    def binary(cls, chance: float) -> Self:
        """Label 1 with a probability, else 0 (the same paper, topicality)."""
        return cls(chances=((0.0, 1 - chance), (1.0, chance)))

    def labels(self, quality: Floats) -> Floats:
        from scipy.special import ndtri

        label, chance = np.array(self.chances).T
        ends = ndtri(np.minimum(np.cumsum(chance)[:-1], 1.0))  # highest quality of each label
        return np.asarray(label[np.searchsorted(ends, quality)], np.float64)


Distribution = Normal | Categorical


def labels(
    dimensions: Mapping[str, Distribution],
    *,
    shape: tuple[int, ...],
    correlation: Correlation = 0.0,
    random: np.random.Generator,
) -> dict[str, Floats]:
    """Random labels of each dimension, as arrays [topic, rank] of this shape."""
    root = mixing(correlation, dimensions=len(dimensions))
    normal = [random.standard_normal(shape) for _ in dimensions]
    if root is not None:
        rows = (zip(row, normal, strict=True) for row in root)
        normal = [np.asarray(sum(weight * x for weight, x in row if weight)) for row in rows]
    pairs = zip(dimensions.items(), normal, strict=True)
    return {name: distribution.labels(quality) for (name, distribution), quality in pairs}


def mixing(correlation: Correlation, *, dimensions: int) -> Floats | None:
    """The matrix root that correlates independent normal variables; None for no correlation.

    `correlation` is a matrix, or one number for all pairs of dimensions. The root is computed from
    eigenvalues, since Cholesky decomposition refuses limiting cases, for example correlation 1.
    """
    if isinstance(correlation, int | float):
        subject = f"the correlation {correlation:g}"
        matrix = np.full((dimensions, dimensions), float(correlation))
        np.fill_diagonal(matrix, 1.0)
    else:
        rows = [len(row) for row in correlation]
        if rows != [dimensions] * dimensions:
            lengths = ", ".join(map(str, rows))
            what = f"the correlation has rows of {lengths} numbers for {dimensions} dimensions"
            raise InputError(Problem("", what, "write one row and one column per dimension"))
        matrix = np.array(correlation, np.float64)
        subject = f"the correlation {matrix.tolist()}"
    if not (np.abs(matrix) <= 1).all():
        raise InputError(Problem("", f"{subject} is not between -1 and 1", "correct it"))
    if not np.array_equal(matrix, matrix.T) or not (np.diag(matrix) == 1).all():
        fix = "write a symmetric matrix with 1 on its diagonal"
        raise InputError(Problem("", f"{subject} is not a correlation matrix", fix))
    if np.array_equal(matrix, np.eye(dimensions)):
        return None
    values, vectors = np.linalg.eigh(matrix)
    if values.min() < -TOLERANCE * dimensions:
        what = (
            f"{subject} of {dimensions} dimensions is impossible: "
            f"its matrix is not positive semidefinite (smallest eigenvalue {values.min():.3g})"
        )
        raise InputError(Problem("", what, "use correlations nearer to 0"))
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))


@generator(
    "synthetic",
    title="systems with random labels, in any number of correlated dimensions",
    keys=Synthetic,
    order=2,
)
def synthetic(folder: Path, **settings: Any) -> None:
    """Write runs/<system>, labels/<dimension>.qrels and topics.tsv.

    Every rank of every ranking is a different document. A system's labels depend on its name and
    the seed alone, so adding a system does not change the others.
    """
    keys = Synthetic(generate="synthetic", **settings)
    length = keys.length or 10
    topics = [f"t{number}" for number in range(1, (keys.lists or 50) + 1)]
    lines = [f"{topic}\tsynthetic topic {topic[1:]}\n" for topic in topics]
    files = {"topics.tsv": lines} | {f"labels/{name}.qrels": [] for name in keys.draws}
    ranked = [(topic, rank) for topic in topics for rank in range(1, length + 1)]
    for system in keys.systems:
        label_table = labels(
            {name: keys.distribution(system, name) for name in keys.draws},
            shape=(len(topics), length),
            correlation=keys.correlation or 0.0,
            random=np.random.default_rng([keys.seed, *system.encode()]),
        )
        files[f"runs/{system}"] = [
            f"{topic} Q0 {system}-{topic}-{rank} {rank} {length + 1 - rank} {system}\n"
            for topic, rank in ranked
        ]
        for name, values in label_table.items():
            files[f"labels/{name}.qrels"] += [
                f"{topic} 0 {system}-{topic}-{rank} {value:g}\n"
                for (topic, rank), value in zip(ranked, values.ravel().tolist(), strict=True)
            ]
    with atomic_folder(folder) as draft:
        (draft / "runs").mkdir()
        (draft / "labels").mkdir()
        for name, rows in files.items():
            (draft / name).write_text("".join(rows), encoding="utf-8", newline="\n")
