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
GOOD = ("agrees", "rounds", "near")


@dataclass(frozen=True, kw_only=True)
class Printed:
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

        >>> Printed(table="", row="", column="", text=".26", where="").unit
        0.01
        """
        return float(10.0 ** -len(self.text.rstrip("%").partition(".")[2]))

    @property
    def key(self) -> tuple[str, str, str]:
        """Its place."""
        return self.table, self.row, self.column


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A printed figure with ours beside it."""

    printed: Printed
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


def read(module: str, name: str) -> Mapping[tuple[str, str, str], Printed]:
    """The printed figures of a paper, by table, row and column, from a table beside its module."""
    path = Path(module).with_name(name)
    rows = sheets.read(path)
    made = [
        Printed(
            table=row["table"],
            row=row["row"],
            column=row["column"],
            text=row["published"],
            where=row["where"],
        )
        for row in rows
    ]
    found = {one.key: one for one in made}
    if len(found) < len(made):
        raise ValueError(f"{path}: a figure stands there twice")
    return found


def compared(
    printed: Printed,
    ours: float | None,
    *,
    chance: float = 0.0,
    within: float = 0.0,
    why: str = "",
    impossible: bool = False,
    note: str = "",
) -> Cell:
    """The cell of a printed figure; the verdict follows from the numbers.

    `chance` is how far two draws of a random experiment lie apart, and counts as agreement;
    `within` is a deviation the page accounts for, `why` the account. `impossible` is for figures
    shown elsewhere on the page to contradict the paper's own description. A `note` is told whatever
    the verdict is.
    """
    if ours is None or math.isnan(ours):
        told = "; ".join(filter(None, (why, note)))
        return Cell(printed=printed, ours=None, verdict="absent", why=told)
    gap = abs(ours - printed.value)
    slack = chance + 1e-9
    reason = why
    if impossible:
        verdict = "impossible"
    elif gap <= printed.unit / 2 + slack:
        verdict = "agrees"
        near_miss = gap > printed.unit / 2 + 1e-9
        reason = f"within the chance of the draws, {chance:.3g}" if near_miss else ""
    elif gap <= printed.unit + slack:
        verdict = "rounds"
    elif gap <= within + 1e-9:
        verdict = "near"
    else:
        verdict = "differs"
    told = "; ".join(filter(None, (reason, note)))
    return Cell(printed=printed, ours=ours, verdict=verdict, why=told)


def absent(printed: Sequence[Printed], *, why: str) -> list[Cell]:
    """Cells of figures that were not recomputed."""
    return [compared(one, None, why=why) for one in printed]
