"""`fathom compare`: which runs are significantly better."""

from pathlib import Path
from typing import Any

import click

from pipeline.command.files import (
    as_options,
    evaluated,
    labels_options,
    policy_options,
    runs_argument,
)
from pipeline.command.output import Output, Table, output_options, write

EPILOG = """\b
Examples:
  fathom compare --qrels qrels.txt bm25.run neural.run
  fathom compare --qrels qrels.txt runs/* -m AP -m nDCG@10 --html compare.html
  fathom compare --qrels qrels.txt a b c -f csv   every pair of runs, every test

Runs that share a letter do not differ significantly by the randomised Tukey HSD, which needs no
further correction for many runs."""


@click.command(epilog=EPILOG)
@runs_argument
@labels_options()
@policy_options
@click.option("--alpha", default=0.05, show_default=True, type=click.FloatRange(0.0001, 0.5),
              help="Level of the tests; intervals cover the rest.")  # fmt: skip
@click.option("--seed", default=1, show_default=True, help="Decides the shuffles.")
@click.option("--html", type=click.Path(path_type=Path), help="Write a page with plots, too.")
@output_options
def command(
    runs: tuple[str, ...],
    alpha: float,
    seed: int,
    html: Path | None,
    out: Output,
    **given: Any,
) -> None:
    """Test which runs are significantly better.

    RUNS are two files or more. Shown are means with intervals and letters, then pairs of runs:
    difference, interval, effect (mean difference by its standard deviation) and p of the paired t
    test, a permutation test and the randomised Tukey HSD.
    """
    found = evaluated(runs, usual=("nDCG@10", "AP"), **given)
    with as_options():
        compared = found.compare(alpha=alpha, seed=seed)
    if html:
        from pipeline.command.page import page

        write(page(compared).encode(), html)
    if out.for_people:
        click.echo(f"{compared}\n")
    else:
        pairs = list(compared.pairs())
        out.show(Table(tuple(pairs[0]), [tuple(row.values()) for row in pairs]))
