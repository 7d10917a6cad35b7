"""`fathom agree`: agreement of judgement sets."""

from pathlib import Path
from typing import Any

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
@click.option("--by-topic", "-q", is_flag=True, help="Also one row per topic.")
@click.option("--samples", "bootstrap", default=1000, show_default=True, type=click.IntRange(10),
              help="Bootstrap samples of documents per confidence interval.")  # fmt: skip
@click.option(
    "--confidence", default=0.95, show_default=True, help="Level of the confidence intervals."
)
@click.option("--seed", default=1, show_default=True, help="Seed of the bootstrap samples.")
@output_options
def command(sets: tuple[str, ...], by_topic: bool, out: Output, **settings: Any) -> None:
    """Compare judgement sets.

    SETS are label files of the same documents, written FILE[:SCALE] or NAME=FILE[:SCALE]. Computed
    are the share of equal labels, Cohen's and Fleiss' kappa, Krippendorff's alpha, and the overlap
    of the relevant documents. The table shows the main statistics; the other formats have all of
    them, with confidence intervals.
    """
    from pipeline.api import agree

    texts: dict[str, str] = {}
    for text in sets:
        head, equals, tail = text.partition("=")
        has_name = equals and "/" not in head and ":" not in head and not Path(text).exists()
        name, file = (head, tail) if has_name else (Path(text.split(":")[0]).stem, text)
        if name in texts:
            what, fix = f"two sets are called '{name}'", f"name them, for example expert={text}"
            raise InputError(Problem("SETS", what, fix))
        texts[name] = file
    all_files = tuple(texts.values())
    labels = {name: read_labels(name, file, like=all_files) for name, file in texts.items()}
    with as_options():
        table = agree(labels, **settings)
    rows = [row for row in table if by_topic or row["topic"] == "all"]
    columns = tuple(rows[0])
    if out.wide and not out.file:
        defined = [name for name in SHORT if any(row[name] for row in rows)]
        columns = ("set_a", "set_b", "topic", "documents", "raw", *defined)
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
