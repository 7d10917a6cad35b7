"""`fathom evaluate`: figures of runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipeline.command.evaluation import evaluated, policy_options
from pipeline.command.files import labels_options, runs_argument
from pipeline.command.output import Table, Value, output_options, show

if TYPE_CHECKING:
    from pipeline.api.result import Evaluation

EPILOG = """\b
Examples:
  fathom evaluate --qrels qrels.txt bm25.run neural.run.gz
  fathom evaluate --qrels qrels.txt runs/* -m nDCG@10 -m 'RBP(p=0.8)' --bounds
  fathom evaluate --qrels qrels.txt run -q -o scores.parquet
  fathom evaluate --qrels qrels.txt -l understandability=qread.txt:0..3,threshold=2 runs/*
  zcat run.gz | fathom evaluate --qrels qrels.txt - -f json"""
WIDE = ("table", "markdown", "latex")


@click.command(epilog=EPILOG)
@runs_argument
@labels_options()
@policy_options
@click.option("--by-topic", "-q", is_flag=True, help="Each topic, not only the means.")
@click.option("--bounds", is_flag=True, help="Also what the unjudged documents could change.")
@output_options
def command(
    runs: tuple[str, ...],
    by_topic: bool,
    bounds: bool,
    form: str | None,
    output: Path | None,
    **given: Any,
) -> None:
    """Score runs.

    RUNS are files (plain or gzip), patterns, folders, or - for the standard input. With further
    dimensions (-l) and no -m, their usual measures are added.
    """
    found = evaluated(runs, **given)
    wide = form in WIDE if form else (output is None or output.suffix in (".txt", ".md", ".tex"))
    if not by_topic:
        show(means(found, bounds=bounds), form=form, output=output)
    elif wide:
        show(topics(found, bounds=bounds), form=form, output=output)
    else:
        rows: list[tuple[Value, ...]] = [tuple(row) for row in found.rows()]
        columns = ("run", "topic", "measure", "value", "lower", "upper")
        show(Table(columns, rows), form=form, output=output)


def means(found: "Evaluation", *, bounds: bool = False) -> Table:
    """One row a run, one column a measure, with its lower and upper end if asked for."""
    ends = ("value", "lower", "upper") if bounds else ("value",)
    columns = {
        name if end == "value" else f"{name} {end}": found.overall(name, end=end).tolist()
        for name in found.measures
        for end in ends
    }
    rows: list[tuple[Value, ...]] = [
        (run, *values) for run, *values in zip(found.runs, *columns.values(), strict=True)
    ]
    return Table(("run", *columns), rows, title=f"{len(found.topics)} topics")


def topics(found: "Evaluation", *, bounds: bool = False) -> Table:
    """One row a run and topic, one column a measure; then the figures over the topics."""
    ends = ("value", "lower", "upper") if bounds else ("value",)
    overall = means(found, bounds=bounds)
    scores = {
        (name, end): getattr(found.scores(name), end).tolist() if bounds
        else found.values(name).tolist()
        for name in found.measures
        for end in ends
    }  # fmt: skip
    rows: list[tuple[Value, ...]] = []
    for r, run in enumerate(found.runs):
        for t, topic in enumerate(found.topics):
            rows.append((run, topic, *(values[r][t] for values in scores.values())))
        rows.append((run, "all", *overall.rows[r][1:]))
    return Table(("run", "topic", *overall.columns[1:]), rows)
