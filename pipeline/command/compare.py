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
  fathom compare --qrels qrels.txt a b c -f csv   all pairs of runs, all tests

Runs that share a letter do not differ significantly (randomised Tukey HSD). This test already
corrects for multiple comparisons."""


@click.command(epilog=EPILOG)
@runs_argument
@labels_options()
@policy_options
@click.option("--alpha", default=0.05, show_default=True, type=click.FloatRange(0.0001, 0.5),
              help="Significance level; confidence intervals have level 1 - alpha.")  # fmt: skip
@click.option("--seed", default=1, show_default=True, help="Seed of the permutations.")
@click.option("--html", type=click.Path(path_type=Path), help="Also write an HTML page with plots.")
@output_options
def command(
    runs: tuple[str, ...], alpha: float, seed: int, html: Path | None, out: Output, **settings: Any
) -> None:
    """Test which runs are significantly better.

    RUNS are two files or more. The first table has means with confidence intervals and significance
    groups (letters). The second has pairs of runs: difference, confidence interval, effect size
    (mean difference divided by its standard deviation), and the p values of the paired t test, a
    permutation test and the randomised Tukey HSD.
    """
    evaluation = evaluated(runs, usual=("nDCG@10", "AP"), **settings)
    with as_options():
        compared = evaluation.compare(alpha=alpha, seed=seed)
    if html:
        from pipeline.command.page import page

        write(page(compared).encode(), html)
    if out.for_people:
        click.echo(f"{compared}\n")
    else:
        pairs = list(compared.pairs())
        out.show(Table(tuple(pairs[0]), [tuple(row.values()) for row in pairs]))
