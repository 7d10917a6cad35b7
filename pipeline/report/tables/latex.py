"""A small table as CSV and as LaTeX (booktabs), whatever its cells hold."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.storage import sheets
from pipeline.storage.atomic import atomic

# Run names come from outside: each of these would break a document or run a command in it.
SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}


@dataclass(frozen=True)
class Cell:
    """What a cell says; `bold` and `raised` (a superscript) are for LaTeX alone."""

    text: str
    bold: bool = False
    raised: str = ""


@dataclass(frozen=True)
class Table:
    """A table: `columns` names them for CSV and LaTeX; `align` is LaTeX's, one letter each."""

    caption: str
    label: str
    columns: tuple[str, ...]
    align: str
    rows: tuple[tuple[Cell, ...], ...]


def escape(text: str) -> str:
    """Text as LaTeX prints it, on one line."""
    return "".join(SPECIAL.get(sign, sign if sign.isprintable() else " ") for sign in text)


def write_csv(table: Table, *, out: Path) -> None:
    """The table's plain text; a superscript has its own column if any row has one."""
    raised = [any(row[place].raised for row in table.rows) for place in range(len(table.columns))]
    head = _spread(table.columns, [f"{c} letters" for c in table.columns], raised)
    rows = (_spread([c.text for c in row], [c.raised for c in row], raised) for row in table.rows)
    sheets.write(out, head, rows)


def write_tex(table: Table, *, out: Path) -> None:
    r"""A table environment to \input; it needs the package booktabs."""
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escape(table.caption)}}}",
        rf"\label{{{table.label}}}",
        rf"\begin{{tabular}}{{{table.align}}}",
        r"\toprule",
        " & ".join(map(escape, table.columns)) + r" \\",
        r"\midrule",
        *(" & ".join(map(_tex, row)) + r" \\" for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    with atomic(out) as draft:
        draft.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def _tex(cell: Cell) -> str:
    text = escape(cell.text)
    text = rf"\textbf{{{text}}}" if cell.bold else text
    return text + (rf"\textsuperscript{{{escape(cell.raised)}}}" if cell.raised else "")


def _spread(main: Sequence[str], extra: Sequence[str], wanted: Sequence[bool]) -> list[str]:
    spread = []
    for first, second, both in zip(main, extra, wanted, strict=True):
        spread += [first, second] if both else [first]
    return spread
