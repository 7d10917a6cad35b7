"""What commands print: tables for people at a terminal, and for programs in their formats."""

import csv
import io
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from pipeline.errors import InputError
from pipeline.storage import sheets

Value = str | float | int | None
ENDINGS = {
    ".txt": "table",
    ".csv": "csv",
    ".tsv": "tsv",
    ".json": "json",
    ".md": "markdown",
    ".tex": "latex",
    ".parquet": "parquet",
}
FORMS = tuple(ENDINGS.values())
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Table:
    """Rows under named columns; numbers are numbers, None is an empty cell."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[Value, ...]]
    title: str = ""


def output_options(function: F) -> F:
    """`--format` and `--output`."""
    function = click.option(
        "--output", "-o", type=click.Path(path_type=Path),
        help="Write to a file instead; its ending (.csv, .json, ...) chooses the format.",
    )(function)  # fmt: skip
    return click.option(
        "--format", "-f", "form", type=click.Choice(FORMS),
        help="How it is written; a table by default, with four decimals. The others have all.",
    )(function)  # fmt: skip


def terminal() -> bool:
    """Whether a person reads along."""
    return sys.stdout.isatty()


def say(sentence: str) -> None:
    """A remark to the reader, which is no part of the result."""
    click.echo(f"fathom: {sentence}", err=True)


def show(table: Table, *, form: str | None = None, output: Path | None = None) -> None:
    """Print or write a table."""
    if output is not None and form is None:
        form = ENDINGS.get(output.suffix)
        if form is None:
            raise InputError(
                f"{output}: the ending '{output.suffix}' names no format; use one of "
                f"{', '.join(ENDINGS)}, or --format"
            )
    form = form or "table"
    if form == "parquet" and output is None and terminal():
        raise InputError("Parquet is not for reading; name a file with --output, or use a pipe")
    if output is None and form == "table" and terminal():
        _rich(table)
        return
    write(written(table, form=form), output)


def write(content: bytes, output: Path | None) -> None:
    """Bytes to a file, whole or not at all, or to the standard output."""
    if output is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    from pipeline.storage.atomic import atomic

    with writable(output), atomic(output) as draft:
        draft.write_bytes(content)


@contextmanager
def writable(output: Path) -> Iterator[None]:
    """Within, a file is written; what hinders that is said."""
    if output.is_dir():
        raise InputError(f"{output}: is a folder; name a file in it")
    if not output.parent.is_dir():
        raise InputError(
            f"{output}: there is no folder '{output.parent}'; make it, or name another"
        )
    try:
        yield
    except OSError as error:
        raise InputError(f"{output}: cannot be written ({error.strerror}); name another") from None


def written(table: Table, *, form: str) -> bytes:
    """The table in one of the formats.

    >>> table = Table(("run", "AP"), [("a|b", 0.25)])
    >>> print(written(table, form="csv").decode(), end="")
    run,AP
    a|b,0.25
    >>> print(written(table, form="markdown").decode(), end="")
    | run | AP |
    | --- | --- |
    | a\\|b | 0.2500 |
    """
    return FORMATS[form](table)


def _plain(table: Table) -> bytes:
    """Columns side by side: what a pipe gets, so without colours, lines or cuts."""
    cells = [table.columns, *(tuple(map(shown, row)) for row in table.rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    right = [
        any(isinstance(row[place], float | int) for row in table.rows)
        for place in range(len(table.columns))
    ]
    lines = [
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in cells
    ]
    return "".join(f"{line}\n" for line in lines).encode()


def _separated(delimiter: str) -> Callable[[Table], bytes]:
    def made(table: Table) -> bytes:
        text = io.StringIO()
        writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
        writer.writerow(table.columns)
        writer.writerows([sheets.marked(exact(value)) for value in row] for row in table.rows)
        return text.getvalue().encode()

    return made


def _json(table: Table) -> bytes:
    rows = [
        {name: _finite(value) for name, value in zip(table.columns, row, strict=True)}
        for row in table.rows
    ]
    return (json.dumps(rows, indent=1, ensure_ascii=False) + "\n").encode()


def _markdown(table: Table) -> bytes:
    from pipeline.storage.markdown import table as markdown

    return markdown(table.columns, (tuple(map(shown, row)) for row in table.rows)).encode()


def _latex(table: Table) -> bytes:
    from pipeline.report.tables.latex import Cell, escape, tex

    def cell(value: Value) -> str:
        return tex(Cell(shown(value), number=isinstance(value, float | int)))

    kinds = ("r" if any(isinstance(row[place], float | int) for row in table.rows) else "l"
             for place in range(len(table.columns)))  # fmt: skip
    lines = [
        rf"\begin{{tabular}}{{{''.join(kinds)}}}",
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

    columns = {
        name: pa.array([_finite(row[place]) for row in table.rows])
        for place, name in enumerate(table.columns)
    }
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(columns), sink)
    return bytes(sink.getvalue())


def _rich(table: Table) -> None:
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(title=table.title or None, header_style="bold")
    for place, name in enumerate(table.columns):
        number = any(isinstance(row[place], float | int) for row in table.rows)
        drawn.add_column(Text(name), justify="right" if number else "left", overflow="fold")
    for row in table.rows:
        drawn.add_row(*(Text(shown(value)) for value in row))
    Console().print(drawn)


def shown(value: Value) -> str:
    """A cell as people read it."""
    if value is None or value != value:
        return ""
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def exact(value: Value) -> str:
    """A cell with every digit, as the campaign's own tables have it."""
    if value is None or value != value:
        return ""
    return repr(float(value)) if isinstance(value, float) else str(value)


def _finite(value: Value) -> Value:
    return None if value != value else _typed(value)


def _typed(value: Value) -> Value:
    """Numpy's numbers as Python's."""
    return float(value) if isinstance(value, float) else value


FORMATS: dict[str, Callable[[Table], bytes]] = {
    "table": _plain,
    "csv": _separated(","),
    "tsv": _separated("\t"),
    "json": _json,
    "markdown": _markdown,
    "latex": _latex,
    "parquet": _parquet,
}
