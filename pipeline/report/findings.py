"""Tables that steps wrote, as sections show them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

Rows = Sequence[Mapping[str, str]]


@dataclass(frozen=True)
class Table:
    """One table: a caption, its columns, and rows of text; `open` if the reader sees it at once."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    open: bool = False

    @cached_property
    def numeric(self) -> tuple[bool, ...]:
        """Whether each column holds numbers; found once, since every cell of a column asks."""
        return tuple(
            all(_is_number(row[place]) for row in self.rows if row[place])
            for place in range(len(self.columns))
        )


@dataclass(frozen=True)
class Findings:
    """The tables of a section; the macro `listed` of the template shows them."""

    tables: tuple[Table, ...]
    template: ClassVar[str] = "findings.html.j2"


def table(
    caption: str, rows: Rows, *, columns: Sequence[str] | None = None, open: bool = False
) -> Table:
    """A table of some columns of some rows, or of all."""
    head = tuple(columns or (rows[0] if rows else ()))
    return Table(caption, head, tuple(tuple(row[key] for key in head) for row in rows), open)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
