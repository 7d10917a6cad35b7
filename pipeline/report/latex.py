r"""A table as CSV and as LaTeX (`longtable` with booktabs), safe for any text in its cells.

The LaTeX compiles under any engine; pdfTeX prints the number of a character it does not have.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.storage import sheets
from pipeline.storage.atomic import write_text

# Run names come from outside. These characters would break a document, run a command or form a
# ligature.
NAMES = {"\\": "backslash", "~": "asciitilde", "^": "asciicircum", "<": "less", ">": "greater"}
NAMES |= {"|": "bar", '"': "quotedblright", "'": "quotesingle", "`": "asciigrave"}
SPECIAL = {sign: rf"\text{name}{{}}" for sign, name in NAMES.items()}
SPECIAL |= {sign: f"{{{sign}}}" for sign in "[]*"}  # after a line end they would start an argument
SPECIAL |= {sign: f"\\{sign}" for sign in "&%$#_{}"} | {"≈": r"$\approx$", "≠": r"$\neq$"}
JOINED = re.compile(r"(?<=-)(?=-)|(?<=,)(?=,)|(?<=[?!])(?=\\textasciigrave)")
# Every text encoding of LaTeX can print ASCII and Latin letters with these accents.
ACCENTS = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c"
LETTERS = "ßæÆøØœŒłŁçÇ–—‘’“”…"  # noqa: RUF001
LONG = 30  # letters; longer cells are broken into lines
SHORT = 6  # letters of a head on one line
MOST = 10  # columns of figures per page
NUMBER = re.compile(r"-(?=\d)")


@dataclass(frozen=True)
class Cell:
    """A cell; `bold` and `raised` (a superscript) are for LaTeX, `letters` for the CSV file."""

    text: str
    bold: bool = False
    raised: str = ""
    letters: str = ""
    number: bool = False  # a hyphen before a digit is a minus


@dataclass(frozen=True)
class Table:
    """A table: `columns` are the heads of the CSV file, `heads` the short ones for LaTeX.

    `align` has one letter per column. `spans` are titles above the heads, each with its number of
    columns. Caption, heads and spans are TeX; cells are plain text.
    """

    caption: str
    label: str
    columns: tuple[str, ...]
    heads: tuple[str, ...]
    align: str
    rows: tuple[tuple[Cell, ...], ...]
    spans: tuple[tuple[str, int], ...] = ()
    fixed: int = 1  # columns that identify a row


def escape(text: str) -> str:
    """Text as LaTeX prints it, on one line."""
    return JOINED.sub("{}", "".join(map(_sign, text)))


def _sign(sign: str) -> str:
    if sign in SPECIAL:
        return SPECIAL[sign]
    if not sign.isprintable():
        return " "
    if sign.isascii() or sign in LETTERS or _accented(sign):
        return sign
    return rf"\ifdefined\Umathchar {sign}\else U+{ord(sign):04X}\fi{{}}"


def _accented(sign: str) -> bool:
    parts = unicodedata.normalize("NFD", sign)
    return sign < "\u0180" and len(parts) == 2 and parts[0].isalpha() and parts[1] in ACCENTS


def write_csv(table: Table, *, out: Path) -> None:
    """The table as plain text; letters have a column of their own if any row has some."""
    lettered = {at for row in table.rows for at, cell in enumerate(row) if cell.letters}

    def spread(cells: Iterable[tuple[str, str]]) -> list[str]:
        return [text for at, two in enumerate(cells) for text in two[: 1 + (at in lettered)]]

    head = spread((column, f"{column} letters") for column in table.columns)
    sheets.write(out, head, (spread((c.text, c.letters) for c in row) for row in table.rows))


def write_tex(table: Table, *, out: Path) -> None:
    r"""A longtable to \input, or several if it is too wide; needs booktabs and longtable."""
    import jinja2

    templates = jinja2.Environment(
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="<<",
        variable_end_string=">>",
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters["tex"] = tex
    source = Path(__file__).with_name("longtable.tex.j2").read_text("utf-8")
    text = templates.from_string(source).render(tables=list(_parts(table)))
    write_text(out, text)


def _parts(table: Table) -> Iterator[Table]:
    """Tables with at most the columns of a page, each with the `fixed` columns."""
    fixed = table.fixed
    rest = range(fixed, len(table.columns))
    parts = [rest[at : at + MOST] for at in range(0, len(rest), MOST)]
    if len(parts) < 2 or table.spans:
        yield table
        return
    for number, selected in enumerate(parts, start=1):
        kept = [*range(fixed), *selected]
        yield replace(
            table,
            caption=f"{table.caption} (Part {number} of {len(parts)}.)",
            label=table.label if number == 1 else f"{table.label}-{number}",
            columns=tuple(table.columns[at] for at in kept),
            heads=tuple(table.heads[at] for at in kept),
            align="".join(table.align[at] for at in kept),
            rows=tuple(tuple(row[at] for at in kept) for row in table.rows),
        )


def stacked(text: str) -> str:
    r"""A head with its words below each other, long ones cut.

    >>> stacked("RBP 0.8 understandability"), stacked("nDCG@100"), stacked("P@10")
    ('\\shortstack[r]{RBP \\\\ 0.8 \\\\ understa.}', '\\shortstack[r]{nDCG \\\\ @100}', 'P@10')
    """
    words = [word for part in text.split() for word in (re.split(r"(?=@)", part, maxsplit=1)
             if len(part) > SHORT else [part])]  # fmt: skip
    cut = [escape(word if len(word) <= 11 else f"{word[:8]}.") for word in words]
    return cut[0] if len(cut) == 1 else r"\shortstack[r]{" + r" \\ ".join(cut) + "}"


def tex(cell: Cell) -> str:
    """A cell as LaTeX prints it."""
    text = escape(cell.text) if len(cell.text) <= LONG else _broken(cell.text)
    text = NUMBER.sub("$-$", text) if cell.number else text
    text = rf"\textbf{{{text}}}" if cell.bold else text
    return text + (rf"\textsuperscript{{{escape(cell.raised)}}}" if cell.raised else "")


def _broken(text: str) -> str:
    """A long name on several lines, broken after other characters than letters, or 12 letters."""
    parts = re.findall(r"[^\W_]{1,12}[\W_]?|[\W_]", text)
    lines = r"\allowbreak{}".join(map(escape, parts))
    return rf"\parbox[t]{{10em}}{{\raggedright {lines}\strut}}"
