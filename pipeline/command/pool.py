"""`fathom pool`: choose what assessors should judge, from run files."""

from pathlib import Path
from typing import Any

import click

from pipeline.command.files import as_options, found, read_labels, runs_argument
from pipeline.command.output import Output, Table, output_options, write
from pipeline.errors import InputError, Problem

EPILOG = """\b
Examples:
  fathom pool runs/* --depth 10 -o pool.tsv
  fathom pool runs/* --method take --size 100 --by rrf
  fathom pool runs/* --method stratified --stratum 10:1 --stratum 100:0.1
  fathom pool runs/* --method bandit --size 50 --qrels qrels.txt   replays the labels there are
  fathom pool runs/* --judge judge.qrels   shuffled for assessors, every label -1"""


@click.command(epilog=EPILOG)
@runs_argument
@click.option("--method", default="depth", show_default=True,
              help="depth, take, uniform, stratified, move_to_front or bandit.")  # fmt: skip
@click.option("--depth", default=10, show_default=True, type=click.IntRange(1),
              help="Documents per run and topic (depth, uniform).")  # fmt: skip
@click.option("--size", default=100, show_default=True, type=click.IntRange(1),
              help="Documents per topic (the other methods, except stratified).")  # fmt: skip
@click.option("--by", "fusion", default="rrf", show_default=True, help="Fusion method of 'take'.")
@click.option("--stratum", "strata", multiple=True, metavar="RANK:SHARE",
              help="For 'stratified': sample this share down to this rank.")  # fmt: skip
@click.option(
    "--qrels",
    metavar="FILE[:SCALE]",
    help="Labels for methods that replay judgements (move_to_front, bandit).",
)
@click.option("--seed", default=1, show_default=True, help="Seed of samples and shuffles.")
@click.option("--judge", type=click.Path(path_type=Path),
              help="Also write the pool for assessors, as shuffled qrels.")  # fmt: skip
@output_options
def command(
    runs: tuple[str, ...], method: str, strata: tuple[str, ...], qrels: str | None, seed: int,
    judge: Path | None, out: Output, **settings: Any,
) -> None:  # fmt: skip
    """Choose what assessors should judge.

    RUNS are files, patterns or folders. Each row has a topic, a document, the number of runs that
    retrieve it, its best rank, and its inclusion probability.
    """
    from pipeline.api import pool
    from pipeline.pooling.declaration import METHODS
    from pipeline.pooling.pool import COLUMNS, by_topic
    from pipeline.pooling.relevation import qrels_lines, shuffled

    reads = METHODS[method].reads if method in METHODS else ()
    if method in METHODS and METHODS[method].replays and not qrels:
        raise InputError(
            Problem(f"--method {method}", "replays labels", "name their file with --qrels")
        )
    if "strata" in reads and not strata:
        raise InputError(
            Problem(f"--method {method}", "needs strata", "add them, for example --stratum 10:1")
        )
    labels = read_labels("topicality", qrels) if qrels else None
    with as_options(), found(runs) as files:
        rows = pool(
            files, method=method, strata=[_stratum(text) for text in strata], labels=labels,
            seed=seed, **settings,
        )  # fmt: skip
    if judge:  # first: a reader of the table may stop early
        lines = qrels_lines(shuffled(by_topic(rows), seed=seed))
        write("".join(f"{line}\n" for line in lines).encode(), judge)
    out.show(Table(COLUMNS, rows))


def _stratum(text: str) -> tuple[int, float]:
    from pipeline.storage.text import number

    to, _, share = text.partition(":")
    if not to.isdecimal() or not 0 <= number(share) <= 1:
        what = f"'{text}' is not RANK:SHARE"
        raise InputError(Problem("--stratum", what, "write it like 100:0.1"))
    return int(to), number(share)
