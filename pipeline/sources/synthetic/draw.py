"""Drawing the labels of synthetic lists, all at once."""

from collections.abc import Mapping, Sequence

import numpy as np

from pipeline.errors import InputError
from pipeline.sources.synthetic.distribution import Distribution
from pipeline.storage.arrays import Floats

Correlation = float | Sequence[Sequence[float]]
TOLERANCE = 1e-9


def qualities(
    shape: tuple[int, ...],
    *,
    dimensions: int,
    correlation: Correlation,
    random: np.random.Generator,
) -> list[Floats]:
    """A standard normal variable for each dimension, with these correlations between them."""
    root = mixing(correlation, dimensions=dimensions)
    drawn = [random.standard_normal(shape) for _ in range(dimensions)]
    if root is None:
        return drawn
    return [
        np.asarray(sum(weight * one for weight, one in zip(row, drawn, strict=True) if weight))
        for row in root
    ]


def mixing(correlation: Correlation, *, dimensions: int) -> Floats | None:
    """What makes independent normal variables correlated; None if nothing need be done.

    A root by eigenvalues, since Cholesky's refuses what is just possible, as a correlation of 1.
    """
    matrix = square(correlation, dimensions=dimensions)
    if np.array_equal(matrix, np.eye(dimensions)):
        return None
    values, vectors = np.linalg.eigh(matrix)
    if values.min() < -TOLERANCE * dimensions:
        raise InputError(
            f"the correlation {_shown(correlation)} of {dimensions} dimensions is impossible: "
            f"its matrix is not positive semidefinite (smallest eigenvalue {values.min():.3g}); "
            "bring the correlations nearer to 0"
        )
    root: Floats = vectors * np.sqrt(np.maximum(values, 0.0))
    return root


def square(correlation: Correlation, *, dimensions: int) -> Floats:
    """The correlation as a matrix; one number is that of every two dimensions."""
    if isinstance(correlation, int | float):
        matrix = np.full((dimensions, dimensions), float(correlation))
        np.fill_diagonal(matrix, 1.0)
    else:
        rows = [len(row) for row in correlation]
        if rows != [dimensions] * dimensions:
            raise InputError(
                f"the correlation has rows of {', '.join(map(str, rows))} numbers for "
                f"{dimensions} dimensions; give a row and a column for each"
            )
        matrix = np.array(correlation, np.float64)
    if not (np.abs(matrix) <= 1).all():
        raise InputError(f"the correlation {_shown(correlation)} is not between -1 and 1")
    if not np.array_equal(matrix, matrix.T) or not (np.diag(matrix) == 1).all():
        raise InputError(
            f"the correlation {_shown(correlation)} is no matrix of correlations; it must have 1 "
            "on its diagonal and the same numbers on both sides of it"
        )
    return matrix


def labels(
    dimensions: Mapping[str, Distribution],
    *,
    shape: tuple[int, ...],
    correlation: Correlation = 0.0,
    random: np.random.Generator,
) -> dict[str, Floats]:
    """The labels of each dimension in lists of this shape, as [topic, rank]."""
    drawn = qualities(shape, dimensions=len(dimensions), correlation=correlation, random=random)
    return {
        name: one.labels(quality)
        for (name, one), quality in zip(dimensions.items(), drawn, strict=True)
    }


def _shown(correlation: Correlation) -> str:
    if isinstance(correlation, int | float):
        return f"{correlation:g}"
    return str([[float(value) for value in row] for row in correlation])
