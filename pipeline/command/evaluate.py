"""`fathom evaluate`: score runs."""

from typing import TYPE_CHECKING, Any

import click

from pipeline.command.files import evaluated, labels_options, policy_options, runs_argument
from pipeline.command.output import Output, Table, Value, output_options

if TYPE_CHECKING:
    from pipeline.api.result import Evaluation

EPILOG = """\b
Examples:
  fathom evaluate --qrels qrels.txt bm25.run neural.run.gz
  fathom evaluate --qrels qrels.txt runs/* -m nDCG@10 -m 'RBP(p=0.8)' --bounds
  fathom evaluate --qrels qrels.txt run -q -o scores.parquet
  fathom evaluate --qrels qrels.txt -l understandability=qread.txt:0..3,threshold=2 runs/*
  zcat run.gz | fathom evaluate --qrels qrels.txt - -f json"""
ENDS = ("value", "lower", "upper")


@click.command(epilog=EPILOG)
@runs_argument
@labels_options()
@policy_options
@click.option(
    "--by-topic", "-q", is_flag=True, help="One row per run and topic as well as the means."
)
@click.option(
    "--bounds",
    is_flag=True,
    help="Also lower and upper bounds: how far unjudged documents could change the score.",
)
@output_options
def command(
    runs: tuple[str, ...], by_topic: bool, bounds: bool, out: Output, **settings: Any
) -> None:
    """Score runs.

    RUNS are files (plain or gzip), patterns, folders, or - for standard input. With further
    dimensions (-l) and no -m, default measures of these dimensions are added.
    """
    evaluation = evaluated(runs, **settings)
    if not by_topic:
        out.show(means(evaluation, bounds=bounds))
    elif out.wide:
        out.show(topics(evaluation, bounds=bounds))
    else:
        rows: list[tuple[Value, ...]] = [tuple(row) for row in evaluation.rows()]
        out.show(Table(("run", "topic", "measure", *ENDS), rows))


def means(evaluation: "Evaluation", *, bounds: bool = False) -> Table:
    """One row per run, one column per measure, with lower and upper bounds on request."""
    columns = {
        name if end == "value" else f"{name} {end}": evaluation.overall(name, end=end).tolist()
        for name in evaluation.measures
        for end in ENDS[: None if bounds else 1]
    }
    rows: list[tuple[Value, ...]] = list(zip(evaluation.runs, *columns.values(), strict=True))
    return Table(("run", *columns), rows, title=f"{len(evaluation.topics)} topics")


def topics(evaluation: "Evaluation", *, bounds: bool = False) -> Table:
    """One row per run and topic, one column per measure; then its means over the topics."""
    overall = means(evaluation, bounds=bounds)
    columns = [
        (getattr(evaluation.scores(name), end) if bounds else evaluation.values(name)).tolist()
        for name in evaluation.measures
        for end in ENDS[: None if bounds else 1]
    ]
    rows: list[tuple[Value, ...]] = []
    for r, run in enumerate(evaluation.runs):
        rows += [
            (run, topic, *(c[r][t] for c in columns)) for t, topic in enumerate(evaluation.topics)
        ]
        rows.append((run, "all", *overall.rows[r][1:]))
    return Table(("run", "topic", *overall.columns[1:]), rows)
