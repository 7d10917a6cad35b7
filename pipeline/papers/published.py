"""Printed figures, and how ours compare with them.

What a paper printed is a CSV beside its module: table, row, column, published, where. `published`
is kept as it was printed, because its digits say how exact it is; `where` cites the place.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.storage import sheets

COLUMNS = ("table", "row", "column", "published", "where")

# Verdicts, best first, and what each says on the page.
VERDICTS: Mapping[str, str] = {
    "agrees": "ours is the printed figure, to its last digit or within the chance of its draws",
    "rounds": "one unit of the last printed digit apart",
    "near": "apart, but by no more than the deviation the page accounts for",
    "differs": "not the printed figure",
    "impossible": "the printed figure cannot come from the experiment as described",
    "absent": "not recomputed, because what it needs is not here",
}


@dataclass(frozen=True)
class PrintedFigure:
    """One printed figure, at its place in the paper."""

    table: str
    row: str
    column: str
    text: str
    where: str

    @property
    def value(self) -> float:
        """The figure as a number."""
        return float(self.text.replace(",", "").rstrip("%"))

    @property
    def unit(self) -> float:
        """One unit of the last printed digit.

        >>> PrintedFigure(table="", row="", column="", text=".26", where="").unit
        0.01
        """
        return float(10.0 ** -len(self.text.rstrip("%").partition(".")[2]))

    @property
    def key(self) -> tuple[str, str, str]:
        """Its place."""
        return self.table, self.row, self.column


@dataclass(frozen=True, kw_only=True)
class ComparedFigure:
    """A printed figure with ours beside it."""

    printed: PrintedFigure
    ours: float | None
    verdict: str
    why: str

    @property
    def row(self) -> str:
        """Its row in the paper's table."""
        return self.printed.row

    @property
    def column(self) -> str:
        """Its column there."""
        return self.printed.column

    @property
    def difference(self) -> float | None:
        """Ours less the printed one."""
        return None if self.ours is None else self.ours - self.printed.value

    @property
    def shown(self) -> str:
        """Ours, one digit more exact than it was printed; whole numbers as they are."""
        if self.ours is None:
            return ""
        places = len(self.printed.text.rstrip("%").partition(".")[2])
        if not places and self.ours == round(self.ours):
            return f"{self.ours:,.0f}"
        return f"{self.ours:,.{places + 1}f}"


Figures = Mapping[tuple[str, str, str], PrintedFigure]  # by table, row and column


def read(module: str, name: str) -> Figures:
    """The printed figures of a paper, by table, row and column, from a table beside its module."""
    path = Path(module).with_name(name)
    rows = [PrintedFigure(*(row[column] for column in COLUMNS)) for row in sheets.read(path)]
    figures = {one.key: one for one in rows}
    if len(figures) < len(rows):
        raise ValueError(f"{path}: a figure stands there twice")
    return figures


def compared(
    printed: PrintedFigure,
    ours: float | None,
    *,
    chance: float = 0.0,
    within: float = 0.0,
    why: str = "",
    impossible: bool = False,
    note: str = "",
) -> ComparedFigure:
    """The cell of a printed figure; the verdict follows from the numbers.

    `chance` is how far two draws of a random experiment lie apart, and counts as agreement;
    `within` is a deviation the page accounts for, `why` the account. `impossible` is for figures
    shown elsewhere on the page to contradict the paper's own description. A `note` is added
    whatever the verdict is.
    """
    if ours is None or math.isnan(ours):
        ours, verdict = None, "absent"
    else:
        gap, half = abs(ours - printed.value) - 1e-9, printed.unit / 2
        if impossible:
            verdict = "impossible"
        elif gap <= half + chance:
            verdict = "agrees"
            why = f"within the chance of the draws, {chance:.3g}" if gap > half else ""
        elif gap <= printed.unit + chance:
            verdict = "rounds"
        else:
            verdict = "near" if gap <= within else "differs"
    text = "; ".join(filter(None, (why, note)))
    return ComparedFigure(printed=printed, ours=ours, verdict=verdict, why=text)


def absent(printed: Sequence[PrintedFigure], *, why: str) -> list[ComparedFigure]:
    """Cells of figures that were not recomputed."""
    return [compared(one, None, why=why) for one in printed]


def fitting(values: Sequence[float], *, places: int, below: int = 130) -> list[int]:
    """The numbers of runs without ties for which Kendall's tau can round to all the values.

    Of n runs tau is 1 - 2k / (n(n-1)/2) for a whole number k of swapped pairs.

    >>> fitting([0.333], places=3, below=8)
    [3, 4, 6, 7]
    """

    def taus(n: int) -> set[float]:
        pairs = n * (n - 1) // 2
        return {round(1 - 2 * swapped / pairs, places) for swapped in range(pairs + 1)}

    return [n for n in range(2, below) if taus(n).issuperset(values)]
