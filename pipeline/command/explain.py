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


@click.command(epilog=EPILOG)
@click.argument("run")
@labels_options()
@policy_options
@click.option("--topic", "-t", required=True, help="Id of the topic.")
@click.option("--against", metavar="RUN", help="Another run to compare with.")
@click.option("--top", default=20, show_default=True, type=click.IntRange(1),
              help="Number of documents in the table; the other formats have all.")  # fmt: skip
@output_options
def command(
    run: str, topic: str, against: str | None, top: int, out: Output, **settings: Any
) -> None:
    """Show where a score comes from, document by document.

    RUN is a run file. Each row has a document of the ranking, its labels, its gain under the
    measure, the weight of its rank, and its contribution to the score.
    """
    if len(settings["measures"]) > 1:
        raise click.UsageError("give one measure (-m)")
    evaluation = evaluated((run, *([against] if against else [])), usual=("nDCG@10",), **settings)
    other = evaluation.runs[1] if against else None
    explained = evaluation.explain(evaluation.runs[0], topic, evaluation.measures[0], against=other)
    rows = explained.rows()
    columns = tuple(rows[0]) if rows else ("rank", "document")
    if out.for_people:
        click.echo(f"{explained.heading}\n")
    shown = rows[:top] if out.for_people else rows
    cells = [
        tuple(_grade(row[name]) if name in evaluation.dimensions else row[name] for name in columns)
        for row in shown
    ]
    out.show(Table(columns, cells))
    if out.for_people and len(rows) > top:
        click.echo(f"... and {len(rows) - top} more documents")
    for note in explained.notes:
        say(note)


def _grade(label: float | None) -> Value:
    """A label as assessors write it: 2, not 2.0."""
    return int(label) if label is not None and label == int(label) else label
