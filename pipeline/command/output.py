"""Output of commands: tables for a terminal, and formats for other programs."""

import csv
import functools
import io
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from pipeline.api.show import shown
from pipeline.api.show import table as plain_table
from pipeline.errors import InputError, Problem
from pipeline.storage import sheets

Value = str | float | int | None
WIDE = ("table", "markdown", "latex")  # formats with one column per measure


@dataclass(frozen=True)
class Table:
    """Rows under named columns; numbers are numbers, None is an empty cell."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[Value, ...]]
    title: str = ""

    @property
    def numeric(self) -> list[bool]:
        places = range(len(self.columns))
        return [any(isinstance(row[at], float | int) for row in self.rows) for at in places]


@dataclass(frozen=True)
class Output:
    """Where a result goes, and in which format."""

    form: str | None = None
    file: Path | None = None

    @property
    def for_people(self) -> bool:
        """Whether it is the table on the standard output, which may show a part of the rows."""
        return self.form in (None, "table") and not self.file

    @property
    def wide(self) -> bool:
        return self._form() in WIDE

    def _form(self) -> str | None:
        return self.form or ENDINGS.get(self.file.suffix if self.file else ".txt")

    def show(self, table: Table) -> None:
        """Print or write a table."""
        form = self._form()
        if form is None:
            what = f"the extension '{Path(str(self.file)).suffix}' is not that of an output format"
            fix = f"use one of {', '.join(ENDINGS)}, or --format"
            raise InputError(Problem(str(self.file), what, fix))
        terminal = self.file is None and sys.stdout.isatty()
        if form == "parquet" and terminal:
            fix = "name a file with --output, or use a pipe"
            raise InputError(Problem("--format", "Parquet cannot be shown in a terminal", fix))
        if form == "table" and terminal:
            _rich(table)
        else:
            write(FORMATS[form][1](table), self.file)


def output_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--format` and `--output`, as one argument `out`."""

    @click.option("--format", "-f", "form", type=click.Choice(tuple(FORMATS)),
                  help="Output format; by default a table with four decimals. The other formats "
                  "have all digits.")  # fmt: skip
    @click.option("--output", "-o", "file", type=click.Path(path_type=Path),
                  help="Write to this file instead; its extension (.csv, .json, ...) sets "
                  "the format.")  # fmt: skip
    @functools.wraps(function)
    def command(*, form: str | None, file: Path | None, **arguments: Any) -> Any:
        return function(out=Output(form, file), **arguments)

    return command


def say(sentence: str) -> None:
    """Print a note, on the standard error."""
    click.echo(f"fathom: {sentence}", err=True)


def write(content: bytes, output: Path | None) -> None:
    """Write bytes to a file, atomically, or to the standard output."""
    if output is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    from pipeline.storage.atomic import atomic

    with writable(output), atomic(output) as draft:
        draft.write_bytes(content)


@contextmanager
def writable(output: Path) -> Iterator[None]:
    """Turn errors of the system while a file is written into problems."""
    if output.is_dir():
        raise InputError(Problem(output, "is a folder", "name a file in it"))
    if not output.parent.is_dir():
        what = f"there is no folder '{output.parent}'"
        raise InputError(Problem(output, what, "create it, or name another file"))
    try:
        yield
    except OSError as error:
        problem = Problem(output, f"cannot be written ({error.strerror})", "name another file")
        raise InputError(problem) from None


def _plain(table: Table) -> bytes:
    """Aligned columns for a pipe: without colours or borders, and never truncated."""
    return "".join(f"{line}\n" for line in plain_table(table.columns, table.rows)).encode()


def _separated(table: Table, *, delimiter: str) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(table.columns)
    for row in table.rows:  # with all digits, as in the tables of a campaign
        writer.writerow([sheets.marked(value) for value in map(_finite, row)])
    return text.getvalue().encode()


def _json(table: Table) -> bytes:
    rows = [dict(zip(table.columns, map(_finite, row), strict=True)) for row in table.rows]
    return (json.dumps(rows, indent=1, ensure_ascii=False) + "\n").encode()


def _markdown(table: Table) -> bytes:
    from pipeline.storage.markdown import table as markdown

    return markdown(table.columns, (tuple(map(shown, row)) for row in table.rows)).encode()


def _latex(table: Table) -> bytes:
    from pipeline.report.latex import Cell, escape, tex

    def cell(value: Value) -> str:
        return tex(Cell(shown(value), number=isinstance(value, float | int)))

    kinds = "".join("r" if number else "l" for number in table.numeric)
    lines = [
        rf"\begin{{tabular}}{{{kinds}}}",
        r"\toprule",
        " & ".join(map(escape, table.columns)) + r" \\",
        r"\midrule",
        *(" & ".join(map(cell, row)) + r" \\" for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return ("\n".join(lines) + "\n").encode()


def _parquet(table: Table) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = [[_finite(row[at]) for row in table.rows] for at in range(len(table.columns))]
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(columns, names=list(table.columns)), sink)
    return bytes(sink.getvalue())


def _rich(table: Table) -> None:
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(title=table.title or None, header_style="bold")
    for name, number in zip(table.columns, table.numeric, strict=True):
        drawn.add_column(Text(name), justify="right" if number else "left", overflow="fold")
    for row in table.rows:
        drawn.add_row(*(Text(shown(value)) for value in row))
    Console().print(drawn)


def _finite(value: Value) -> Value:
    """The value as a plain Python number; None for NaN."""
    if value != value:
        return None
    return float(value) if isinstance(value, float) else value


# The file name extension sets the format.
FORMATS: dict[str, tuple[str, Callable[[Table], bytes]]] = {
    "table": (".txt", _plain),
    "csv": (".csv", functools.partial(_separated, delimiter=",")),
    "tsv": (".tsv", functools.partial(_separated, delimiter="\t")),
    "json": (".json", _json),
    "markdown": (".md", _markdown),
    "latex": (".tex", _latex),
    "parquet": (".parquet", _parquet),
}
ENDINGS = {ending: form for form, (ending, _) in FORMATS.items()}
