"""Printed figures, and their comparison with recomputed ones.

The printed figures of a paper are a CSV beside its module: table, row, column, published, where.
`published` is the text as printed, whose digits are its precision; `where` cites the place.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.storage import sheets

COLUMNS = ("table", "row", "column", "published", "where")

# Verdicts, best first, and their explanation on the page.
VERDICTS: Mapping[str, str] = {
    "agrees": "equal to the printed figure, to its last digit or within the sampling error",
    "rounds": "differs by at most one unit of the last printed digit",
    "near": "differs by no more than the deviation that the page explains",
    "differs": "differs from the printed figure by more than that",
    "impossible": "the printed figure cannot come from the experiment as described",
    "absent": "not recomputed, because its data are unavailable",
}


@dataclass(frozen=True)
class PrintedFigure:
    """A printed figure, with its place in the paper."""

    table: str
    row: str
    column: str
    text: str
    where: str

    @property
    def value(self) -> float:
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
        return self.table, self.row, self.column


@dataclass(frozen=True, kw_only=True)
class ComparedFigure:
    """A printed figure with the recomputed one (`ours`), the verdict and its reason."""

    printed: PrintedFigure
    ours: float | None
    verdict: str
    why: str

    @property
    def row(self) -> str:
        return self.printed.row

    @property
    def column(self) -> str:
        return self.printed.column

    @property
    def difference(self) -> float | None:
        """The recomputed figure minus the printed one."""
        return None if self.ours is None else self.ours - self.printed.value

    @property
    def shown(self) -> str:
        """The recomputed figure with one digit more than printed; whole numbers as they are."""
        if self.ours is None:
            return ""
        places = len(self.printed.text.rstrip("%").partition(".")[2])
        if not places and self.ours == round(self.ours):
            return f"{self.ours:,.0f}"
        return f"{self.ours:,.{places + 1}f}"


Figures = Mapping[tuple[str, str, str], PrintedFigure]  # by table, row and column


def read(module: str, name: str) -> Figures:
    """Read the printed figures of a paper, from the CSV `name` beside its module."""
    path = Path(module).with_name(name)
    rows = [PrintedFigure(*(row[column] for column in COLUMNS)) for row in sheets.read(path)]
    figures = {figure.key: figure for figure in rows}
    if len(figures) < len(rows):
        raise ValueError(f"{path}: duplicate figure")
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
    """Compare a printed figure with the recomputed one.

    `chance` is the sampling error of a random experiment: a difference within it is agreement.
    `within` is a deviation that the page explains, `why` the explanation. `impossible` is for
    figures that contradict the paper's own description. A `note` is added to any verdict.
    """
    if ours is None or math.isnan(ours):
        ours, verdict = None, "absent"
    else:
        gap, half = abs(ours - printed.value) - 1e-9, printed.unit / 2
        if impossible:
            verdict = "impossible"
        elif gap <= half + chance:
            verdict = "agrees"
            why = f"within the sampling error, {chance:.3g}" if gap > half else ""
        elif gap <= printed.unit + chance:
            verdict = "rounds"
        else:
            verdict = "near" if gap <= within else "differs"
    text = "; ".join(filter(None, (why, note)))
    return ComparedFigure(printed=printed, ours=ours, verdict=verdict, why=text)


def absent(printed: Sequence[PrintedFigure], *, why: str) -> list[ComparedFigure]:
    """Printed figures without recomputed ones."""
    return [compared(figure, None, why=why) for figure in printed]


def fitting(values: Sequence[float], *, places: int, below: int = 130) -> list[int]:
    """The numbers of runs without ties for which Kendall's tau can round to all these values.

    For n runs, tau is 1 - 2k / (n(n-1)/2) for a whole number k of swapped pairs.

    >>> fitting([0.333], places=3, below=8)
    [3, 4, 6, 7]
    """

    def taus(n: int) -> set[float]:
        pairs = n * (n - 1) // 2
        return {round(1 - 2 * swapped / pairs, places) for swapped in range(pairs + 1)}

    return [n for n in range(2, below) if taus(n).issuperset(values)]
