"""Factorial analysis of variance with any number of scores per cell, where cells may be empty.

It has sums of squares of types I, II and III; degrees of freedom are ranks of the models. Fathom
has its own implementation because statsmodels derives degrees of freedom from the number of levels,
which is incorrect with empty cells. Tests compare the two where no cell is empty. Models are fitted
to the cell means, weighted by the number of scores; this gives the same sums of squares.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from pipeline.storage.arrays import Floats, Ints

TYPES = ("I", "II", "III")
RESIDUAL = "residual"
Term = tuple[int, ...]  # the factors of an effect, by number


@dataclass(frozen=True)
class Effect:
    """A row of the ANOVA table; `share` is the share of the total squares.

    F and p are NaN for the residual. An effect that is not estimable from the filled cells has no
    degrees of freedom.
    """

    name: str
    squares: float
    freedom: int
    f: float
    p: float
    share: float


class Design:
    """The filled cells of an experiment and the mean score in each."""

    def __init__(self, levels: Ints, scores: Floats) -> None:
        """`levels` is [score, factor]: the level of each factor, from 0."""
        unique = np.unique(levels, axis=0, return_inverse=True, return_counts=True)
        self.cells, cell, self.count = unique
        self.mean = np.bincount(cell.ravel(), weights=scores) / self.count
        # Deviations from the cell's mean: a difference of large sums would lose precision.
        self.within = float(np.sum((scores - self.mean[cell.ravel()]) ** 2))
        factors = range(levels.shape[1])
        self.terms = [term for size in factors for term in combinations(factors, size + 1)]
        self._columns = {term: self._effect(term) for term in self.terms}
        self._free = self._estimable()

    def fit(self, terms: Sequence[Term], *, free: bool = False) -> tuple[float, int]:
        """Residual sum of squares and rank of a model (`free`: of linearly independent columns)."""
        columns_of = self._free if free else self._columns
        columns = [np.ones((len(self.cells), 1)), *(columns_of[term] for term in terms)]
        weight = np.sqrt(self.count)
        matrix = np.hstack(columns) * weight[:, None]
        solution, _, rank, _ = np.linalg.lstsq(matrix, self.mean * weight, rcond=1e-10)
        residual = self.mean * weight - matrix @ solution
        return float(residual @ residual), int(rank)

    def _estimable(self) -> dict[Term, Floats]:
        """The columns of each effect that are linearly independent of those before.

        With empty cells the others are aliased and R's lm drops them, too. If they stayed, the
        other effects would make up for an effect that is removed from the full model.
        """
        independent, rank, free = np.ones((len(self.cells), 1)), 1, {}
        for term, columns in self._columns.items():
            added = []
            for column in columns.T:
                extended = np.column_stack([independent, column])
                if np.linalg.matrix_rank(extended) > rank:
                    independent, rank = extended, rank + 1
                    added.append(column)
            free[term] = np.array(added, float).reshape(len(added), len(self.cells)).T
        return free

    def _effect(self, term: Term) -> Floats:
        """The columns of an effect: products of its factors' levels in sum-to-zero coding."""
        columns = np.ones((len(self.cells), 1))
        for factor in term:
            _, level = np.unique(self.cells[:, factor], return_inverse=True)
            size = int(level.max(initial=0)) + 1
            coded = np.vstack([np.eye(size - 1), -np.ones((1, size - 1))])[level.ravel()]
            columns = (columns[:, :, None] * coded[:, None, :]).reshape(len(self.cells), -1)
        return columns


def analyse(
    levels: Ints, scores: Floats, *, factors: Sequence[str], squares: str
) -> tuple[Effect, ...]:
    """The effects of the factors and all their interactions, then the residual.

    `squares` is the type of sums of squares, that is, what each effect is adjusted for. I: the
    effects before it. II: all effects that do not contain it. III: all others, as far as they are
    estimable with empty cells.
    """
    from scipy.special import fdtrc

    design = Design(levels, scores)
    unexplained, rank = design.fit(design.terms)
    freedom, error = len(scores) - rank, design.within + unexplained
    lines: list[tuple[str, float, int]] = []
    for index, term in enumerate(design.terms):
        others = [other for other in design.terms if other != term]
        if squares == "I":
            others = design.terms[:index]
        elif squares == "II":
            others = [other for other in others if not set(term) <= set(other)]
        including = [other for other in design.terms if other == term or other in others]
        reduced, full = (design.fit(terms, free=squares == "III") for terms in (others, including))
        explained = max(reduced[0] - full[0], 0.0) if full[1] > reduced[1] else 0.0
        lines.append((":".join(factors[f] for f in term), explained, full[1] - reduced[1]))
    total = error + sum(explained for _, explained, _ in lines)
    mean_error = error / freedom if freedom else np.nan
    effects = []
    for name, explained, rank in lines:
        f = explained / rank / mean_error if rank and mean_error else np.nan
        p = float(fdtrc(rank, freedom, f)) if rank and freedom else np.nan
        effects.append(Effect(name, explained, rank, float(f), p, explained / total))
    return (*effects, Effect(RESIDUAL, error, freedom, np.nan, np.nan, error / total))
