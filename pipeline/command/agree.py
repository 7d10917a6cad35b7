"""`fathom agree`: how far judgement sets agree."""

from pathlib import Path

import click

from pipeline.command.files import as_options, read_labels
from pipeline.command.output import Output, Table, Value, output_options
from pipeline.errors import InputError, Problem

EPILOG = """\b
Examples:
  fathom agree expert.qrels crowd.qrels
  fathom agree expert=a.txt crowd=b.txt:0..3 model=c.txt:0..3 --by-topic -f csv"""
SHORT = ("kappa", "kappa_quadratic", "jaccard", "fleiss", "alpha_ordinal")


@click.command(epilog=EPILOG)
@click.argument("sets", nargs=-1, required=True)
@click.option("--by-topic", "-q", is_flag=True, help="Also each topic by itself.")
@click.option("--samples", default=1000, show_default=True, type=click.IntRange(10),
              help="Samples of documents behind each interval.")  # fmt: skip
@click.option("--confidence", default=0.95, show_default=True, help="Of the intervals.")
@click.option("--seed", default=1, show_default=True, help="Decides the samples.")
@output_options
def command(
    sets: tuple[str, ...],
    by_topic: bool,
    samples: int,
    confidence: float,
    seed: int,
    out: Output,
) -> None:
    """Compare judgement sets.

    SETS are label files of the same documents, as FILE[:SCALE] or NAME=FILE[:SCALE]: share of
    equal labels, Cohen's and Fleiss' kappa, Krippendorff's alpha, overlap of the relevant. A
    table shows the main ones; the other formats have all, with intervals.
    """
    from pipeline.api import agree

    texts: dict[str, str] = {}
    for text in sets:
        head, equals, tail = text.partition("=")
        named = equals and "/" not in head and ":" not in head and not Path(text).exists()
        name, given = (head, tail) if named else (Path(text.split(":")[0]).stem, text)
        if name in texts:
            what, fix = f"two are called '{name}'", f"name them, for example expert={given}"
            raise InputError(Problem("SETS", what, fix))
        texts[name] = given
    every = tuple(texts.values())
    labels = {name: read_labels(name, given, like=every) for name, given in texts.items()}
    with as_options(bootstrap="samples"):
        found = agree(labels, bootstrap=samples, confidence=confidence, seed=seed)
    rows = [row for row in found if by_topic or row["topic"] == "all"]
    columns = tuple(rows[0])
    if out.wide and not out.file:
        some = [name for name in SHORT if any(row[name] for row in rows)]
        columns = ("set_a", "set_b", "topic", "documents", "raw", *some)
        columns += ("alpha_ordinal_low", "alpha_ordinal_high")
    out.show(Table(columns, [tuple(_cell(row[name]) for name in columns) for row in rows]))


def _cell(text: str) -> Value:
    """A number where it is one."""
    if not text:
        return None
    try:
        return int(text) if text.isdecimal() else float(text)
    except ValueError:
        return text
