"""Analysis of variance with several factors, of any number of scores a cell, some cells empty.

Sums of squares of types I, II and III, and degrees of freedom counted as ranks of the models. Our
own, because statsmodels takes the degrees of freedom from the number of levels, which is wrong once
a cell is empty; where none is, the tests hold the two equal. A model of cells is fitted to the
means of the cells, weighted by how many scores each has: the same squares, whatever the number.
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
    """A line of the table; `share` is of all the lines' squares, F and p are NaN for the residual.

    An effect that the filled cells cannot tell from the others has no degree of freedom.
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
        """`levels` is [score, factor], each factor's level from 0."""
        self.cells, cell, self.count = np.unique(
            levels, axis=0, return_inverse=True, return_counts=True
        )
        self.mean = np.bincount(cell.ravel(), weights=scores) / self.count
        # Around the cell's mean, not as a difference of large sums.
        self.within = float(np.sum((scores - self.mean[cell.ravel()]) ** 2))
        factors = range(levels.shape[1])
        self.terms = [term for size in factors for term in combinations(factors, size + 1)]
        self._columns = {term: self._effect(term) for term in self.terms}
        self._free = self._estimable()

    def fit(self, terms: Sequence[Term], *, free: bool = False) -> tuple[float, int]:
        """What a constant and these effects leave unexplained, and the rank of the model.

        `free`: only with the free columns of the effects.
        """
        known = self._free if free else self._columns
        columns = [np.ones((len(self.cells), 1)), *(known[term] for term in terms)]
        weight = np.sqrt(self.count)
        matrix = np.hstack(columns) * weight[:, None]
        found, _, rank, _ = np.linalg.lstsq(matrix, self.mean * weight, rcond=1e-10)
        left = self.mean * weight - matrix @ found
        return float(left @ left), int(rank)

    def _estimable(self) -> dict[Term, Floats]:
        """The columns of each effect that those before it do not already make up.

        Where cells are empty the others are aliased, as R's lm leaves them out: with them, no
        effect could be taken out of the full model without the rest making up for it.
        """
        kept, rank, free = np.ones((len(self.cells), 1)), 1, {}
        for term, columns in self._columns.items():
            own = []
            for column in columns.T:
                longer = np.column_stack([kept, column])
                if np.linalg.matrix_rank(longer) > rank:
                    kept, rank = longer, rank + 1
                    own.append(column)
            free[term] = np.array(own, float).reshape(len(own), len(self.cells)).T
        return free

    def _effect(self, term: Term) -> Floats:
        """Columns of an effect: products of its factors' levels, coded to sum to zero."""
        made = np.ones((len(self.cells), 1))
        for factor in term:
            _, level = np.unique(self.cells[:, factor], return_inverse=True)
            size = int(level.max(initial=0)) + 1
            coded = np.vstack([np.eye(size - 1), -np.ones((1, size - 1))])[level.ravel()]
            made = (made[:, :, None] * coded[:, None, :]).reshape(len(self.cells), -1)
        return made


def analyse(
    levels: Ints, scores: Floats, *, factors: Sequence[str], squares: str
) -> tuple[Effect, ...]:
    """The effects of the factors and of all their interactions, then the residual.

    `squares` is the type of sums of squares: I, each effect after those before it; II, each after
    all that do not contain it; III, each after all others, of what empty cells leave estimable.
    """
    from scipy.special import fdtrc

    design = Design(levels, scores)
    unexplained, rank = design.fit(design.terms)
    freedom, error = len(scores) - rank, design.within + unexplained
    lines: list[tuple[str, float, int]] = []
    for place, term in enumerate(design.terms):
        others = [one for one in design.terms if one != term]
        if squares == "I":
            others = design.terms[:place]
        elif squares == "II":
            others = [one for one in others if not set(term) <= set(one)]
        with_it = [one for one in design.terms if one == term or one in others]
        less, more = (design.fit(some, free=squares == "III") for some in (others, with_it))
        gained = max(less[0] - more[0], 0.0) if more[1] > less[1] else 0.0
        lines.append((":".join(factors[f] for f in term), gained, more[1] - less[1]))
    total = error + sum(gained for _, gained, _ in lines)
    mean_error = error / freedom if freedom else np.nan
    effects = []
    for name, gained, rank in lines:
        f = gained / rank / mean_error if rank and mean_error else np.nan
        p = float(fdtrc(rank, freedom, f)) if rank and freedom else np.nan
        effects.append(Effect(name, gained, rank, float(f), p, gained / total))
    return (*effects, Effect(RESIDUAL, error, freedom, np.nan, np.nan, error / total))
