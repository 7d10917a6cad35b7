"""What the site takes from the code while it is built: tables, formulas, the command's help.

A page asks for a part with a line `<!-- made: name -->`; nothing that the code knows is written
into a page by hand.
"""

import csv
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT)]

import measure_pages  # noqa: E402
from formula import mathml  # noqa: E402
from tables import (  # noqa: E402
    INDEX,
    MODEL,
    STATISTIC,
    entries,
    key_entries,
    sections,
)

from benchmarks import scale  # noqa: E402
from pipeline.command.main import COMMANDS, fathom  # noqa: E402
from pipeline.measures.reference import PAGES  # noqa: E402
from pipeline.pooling.declaration import METHODS as POOLING  # noqa: E402
from pipeline.runs.fusion.declaration import METHODS as FUSION  # noqa: E402
from pipeline.statistics.correlation.step import STATISTICS  # noqa: E402
from pipeline.storage.markdown import table  # noqa: E402

MADE = re.compile(r"^<!-- made: ([\w-]+) -->$", re.MULTILINE)
GRAPH = re.compile(r"^```mermaid\nflowchart LR\n(.+?)\n```$", re.MULTILINE | re.DOTALL)
FORMULA = re.compile(r"^```formula\n(.+?)\n```$", re.MULTILINE | re.DOTALL)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by MkDocs with each page."""
    made = MADE.sub(lambda place: PARTS[place[1]](), markdown)
    made = GRAPH.sub(lambda place: arrows(place[1]), made)
    return FORMULA.sub(lambda place: f'<p class="formula">{mathml(place[1])}</p>', made)


def arrows(graph: str) -> str:
    """A graph of steps as a table, since what draws one would have to come by network."""
    before: dict[str, dict[str, str]] = {}
    for line in graph.splitlines():
        first, *rest = re.split(r"\s(-->|-\.->)\s", line)
        here = [one.strip() for one in first.split("&")]
        for kind, text in zip(rest[::2], rest[1::2], strict=True):
            there = [one.strip() for one in text.split("&")]
            for name in there:
                mine = before.setdefault(name, {})
                for one in here:
                    mine.setdefault(one, f"`{one}`" if kind == "-->" else f"where wanted `{one}`")
            here = there
        for name in here + [one.strip() for one in first.split("&")]:
            before.setdefault(name, {})
    rows = ((f"`{name}`", ", ".join(mine.values())) for name, mine in sorted(before.items()))
    return table(("step", "comes behind"), rows)


def _commands() -> str:
    """The help of every subcommand, as it prints itself."""
    import click

    parent = click.Context(fathom, info_name="fathom")
    made = []
    for name in COMMANDS:
        command = fathom.get_command(parent, name)
        assert command is not None
        with click.Context(
            command, info_name=name, parent=parent, terminal_width=96, max_content_width=96
        ) as context:
            made.append(f"## fathom {name}\n\n```text\n{command.get_help(context)}\n```\n")
    return "\n".join(made)


def _benchmarks() -> str:
    """The last record of each comparison in benchmarks/history.csv, with date and commit."""
    with (ROOT / "benchmarks/history.csv").open(newline="", encoding="utf-8") as file:
        last = {(row["compared"], row["contender"]): row for row in csv.DictReader(file)}
    ordered = sorted(last.values(), key=lambda row: (row["benchmark"], row["compared"]))
    above = ["", *(row["compared"] for row in ordered)]
    rows = (
        (
            row["compared"] if row["compared"] != title else "",
            row["contender"],
            row["seconds"],
            f"{row['ratio']} x {row['base']}" if row["contender"] != row["base"] else "1",
            f"{row['date']}, {row['commit']}",
        )
        for row, title in zip(ordered, above, strict=False)
    )
    return table(("compared", "tool", "seconds", "ratio", "recorded"), rows)


NAMED = {"name": "name", "what": "title", "source": "citation"}
PARTS: dict[str, Callable[[], str]] = {
    "benchmarks": _benchmarks,
    "commands": _commands,
    "fusion": lambda: entries(FUSION, NAMED),
    "indices": lambda: measure_pages.typeset("indices", INDEX),
    "example-topic": measure_pages.topic,
    "measures": measure_pages.index,
    **{f"measures-{name}": partial(measure_pages.page, name) for name in PAGES},
    "pooling": lambda: entries(POOLING, NAMED),
    "readers": lambda: measure_pages.typeset("readers", MODEL),
    "scale-growth": lambda: f"{scale.growth(scale.read())}\n{scale.missing(scale.read())}",
    "scale-sizing": lambda: scale.sizing(scale.read()),
    "statistics": lambda: entries(STATISTICS, STATISTIC),
    "users": measure_pages.users,
    **{f"keys-{section}": partial(key_entries, section) for section in sections()},
}
