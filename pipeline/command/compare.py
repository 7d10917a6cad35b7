"""`fathom compare`: which runs are better, and how surely."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipeline.command.evaluation import evaluated, policy_options
from pipeline.command.files import labels_options, runs_argument
from pipeline.command.output import Table, output_options, show, write

if TYPE_CHECKING:
    from pipeline.api.comparison import Comparison

EPILOG = """\b
Examples:
  fathom compare --qrels qrels.txt bm25.run neural.run
  fathom compare --qrels qrels.txt runs/* -m AP -m nDCG@10 --html compare.html
  fathom compare --qrels qrels.txt a b c -f csv   every two runs, every test

Runs that share a letter are not told apart by the randomised Tukey HSD, which needs no further
correction for many runs."""
PAIR = ("run_a", "run_b", "difference", "lower", "upper", "effect", "p_t", "p_permutation",
        "p_tukey")  # fmt: skip
MOST = 15  # pairs a table shows; the other formats have all


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
    form: str | None,
    output: Path | None,
    **given: Any,
) -> None:
    """Say which runs are better, and how surely.

    RUNS are two files or more. Shown are means with intervals and letters, then each two runs:
    difference, interval, effect (mean difference by its standard deviation) and p of the paired t
    test, a permutation test and the randomised Tukey HSD.
    """
    found = evaluated(runs, usual=("nDCG@10", "AP"), **given)
    compared = found.compare(alpha=alpha, seed=seed)
    if html:
        from pipeline.command.page import page

        write(page(compared).encode(), html)
    if form not in (None, "table") or output:
        pairs = list(compared.pairs())
        columns = tuple(pairs[0])
        rows = [tuple(row[name] for name in columns) for row in pairs]
        show(Table(columns, rows), form=form, output=output)
        return
    for name in compared.measures:
        _shown(compared, name)


def _shown(compared: "Comparison", name: str) -> None:
    """One measure for people: the ranking, a plot, the pairs."""
    from pipeline.command.plot import differences, intervals

    ranking = compared.ranking(name)
    rows = [(one["run"], one["mean"], one["t_lower"], one["t_upper"], one["letters"])
            for one in ranking]  # fmt: skip
    click.echo(f"{name}, {len(compared.topics)} topics\n")
    show(Table(("run", "mean", "lower", "upper", "letters"), rows))
    click.echo()
    ends = [(one["t_lower"], one["t_upper"]) for one in ranking]
    click.echo(intervals([one["run"] for one in ranking], [one["mean"] for one in ranking], ends))
    pairs = [pair for pair in compared.pairs() if pair["measure"] == name]
    if len(pairs) == 1:
        a, b = pairs[0]["run_a"], pairs[0]["run_b"]
        values = [values[a] - values[b] for _, values in compared.by_topic(name)]
        up, down = sum(v > 0 for v in values), sum(v < 0 for v in values)
        click.echo(f"\n{a} less {b}: better on {up} topics, worse on {down}")
        click.echo(differences(values))
    click.echo()
    show(Table(PAIR, [tuple(pair[key] for key in PAIR) for pair in pairs[:MOST]]))
    if len(pairs) > MOST:
        click.echo(f"... and {len(pairs) - MOST} more pairs; -f csv has all")
    click.echo()
