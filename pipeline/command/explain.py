"""`fathom explain`: a score, document by document."""

from typing import Any

import click

from pipeline.command.files import evaluated, labels_options, policy_options
from pipeline.command.output import Output, Table, Value, output_options, say

EPILOG = """\b
Examples:
  fathom explain --qrels qrels.txt neural.run --topic 7 -m nDCG@10
  fathom explain --qrels qrels.txt neural.run --topic 7 -m AP --against bm25.run
  fathom explain --qrels qrels.txt run --topic 7 -m 'RBP(p=0.8)' -f csv"""
MOST = 20


@click.command(epilog=EPILOG)
@click.argument("run")
@labels_options()
@policy_options
@click.option("--topic", "-t", required=True, help="The topic.")
@click.option("--against", metavar="RUN", help="Another run, to see beside it.")
@click.option("--top", default=MOST, show_default=True, type=click.IntRange(1),
              help="Documents a table shows; the other formats have all.")  # fmt: skip
@output_options
def command(
    run: str,
    topic: str,
    against: str | None,
    top: int,
    out: Output,
    **given: Any,
) -> None:
    """Show where a score comes from, document by document.

    Each document of the ranking with its labels, its gain as the measure reads them, the weight of
    its place, and what it adds to the score.
    """
    if len(given["measures"]) > 1:
        raise click.UsageError("explain takes one measure")
    found = evaluated((run, *([against] if against else [])), usual=("nDCG@10",), **given)
    other = found.runs[1] if against else None
    explained = found.explain(found.runs[0], topic, found.measures[0], against=other)
    rows = explained.rows()
    columns = tuple(rows[0]) if rows else ("rank", "document")
    if out.for_people:
        click.echo(f"{explained.heading}\n")
    kept = rows[:top] if out.for_people else rows
    cells = [
        tuple(_grade(row[name]) if name in found.dimensions else row[name] for name in columns)
        for row in kept
    ]
    out.show(Table(columns, cells))
    if out.for_people and len(rows) > top:
        click.echo(f"... and {len(rows) - top} more documents")
    for note in explained.notes:
        say(note)


def _grade(label: float | None) -> Value:
    """A label as assessors write it: 2, not 2.0."""
    return int(label) if label is not None and label == int(label) else label
