"""Degrees of freedom, conditions and lists that the printed tables imply.

F is the mean square of an effect divided by that of the residual. So F, both sums of squares and
the effect's degrees of freedom determine the residual's, and p must follow. Every printed figure is
taken as an interval of half a unit of its last digit to each side.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scipy.special import fdtrc

from pipeline.papers.diversity.experiment import MEASURES
from pipeline.papers.diversity.lists import FACTORS
from pipeline.papers.published import Figures, PrintedFigure

INTERACTIONS = (
    "richness * evenness", "richness * relevance", "evenness * relevance",
    "richness * evenness * relevance",
)  # fmt: skip
LARGEST = 8  # degrees of freedom of the interaction of three factors with three levels
Interval = tuple[float, float]


@dataclass(frozen=True)
class Implied:
    """Degrees of freedom that fit all printed figures."""

    residual: Interval
    effects: Mapping[str, Sequence[int]]  # all that fit, by effect

    @property
    def cells(self) -> int:
        """Filled conditions: the rank of the full model, with the fewest degrees that fit."""
        return 1 + sum(min(fitting) for fitting in self.effects.values())

    @property
    def points(self) -> Interval:
        """The number of analysed scores."""
        return self.residual[0] + self.cells, self.residual[1] + self.cells


def interval(printed: PrintedFigure) -> Interval:
    """The values that round to a printed figure; sums of squares and F are not negative."""
    return max(printed.value - printed.unit / 2, 0.0), printed.value + printed.unit / 2


def implied(printed: Figures) -> Implied:
    """The counts implied by tables 1 and 2, where main effects have 2 degrees of freedom."""
    ends = []
    for measure in MEASURES:
        residual = interval(printed["2", "residual", f"{measure}, SSE"])
        for effect in FACTORS:
            squares = interval(printed["2", effect, f"{measure}, SSE"])
            f = interval(printed["1", effect, f"{measure}, F"])
            ends.append((2 * f[0] * residual[0] / squares[1], 2 * f[1] * residual[1] / squares[0]))
    low, high = max(end for end, _ in ends), min(end for _, end in ends)
    effects: dict[str, list[int]] = {effect: [2] for effect in FACTORS}
    for effect in INTERACTIONS:
        effects[effect] = [
            freedom
            for freedom in range(1, LARGEST + 1)
            if all(_fits(printed, effect, measure, freedom, (low, high)) for measure in MEASURES)
        ]
    return Implied((low, high), effects)


def _fits(printed: Figures, effect: str, measure: str, freedom: int, residual: Interval) -> bool:
    """Whether the printed F, p and squares of an effect fit these degrees of freedom."""
    f = interval(printed["1", effect, f"{measure}, F"])
    p = interval(printed["1", effect, f"{measure}, p"])
    squares = interval(printed["2", effect, f"{measure}, SSE"])
    residual_squares = interval(printed["2", "residual", f"{measure}, SSE"])
    # The sums of squares narrow the interval of F, and p falls as F rises.
    low = max(f[0], squares[0] * residual[0] / residual_squares[1] / freedom)
    high = min(f[1], squares[1] * residual[1] / residual_squares[0] / freedom)
    if low > high:
        return False
    middle = sum(residual) / 2
    return bool(fdtrc(freedom, middle, high) <= p[1] and fdtrc(freedom, middle, low) >= p[0])
