"""`fathom pool`: what assessors should judge, from run files."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.command.files import found, read_labels, runs_argument
from pipeline.command.output import Table, output_options, show, write

if TYPE_CHECKING:
    from pipeline.pooling.plan import Stratum

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
              help="Documents of each run (depth, uniform).")  # fmt: skip
@click.option("--size", default=100, show_default=True, type=click.IntRange(1),
              help="Documents a topic (all others but stratified).")  # fmt: skip
@click.option("--by", default="rrf", show_default=True, help="How 'take' fuses the runs.")
@click.option("--stratum", "strata", multiple=True, metavar="RANK:SHARE",
              help="For 'stratified': to this best rank, this share.")  # fmt: skip
@click.option("--qrels", metavar="FILE[:SCALE]", help="Labels, for the methods that replay them.")
@click.option("--seed", default=1, show_default=True, help="Decides samples and shuffles.")
@click.option("--judge", type=click.Path(path_type=Path),
              help="Also write the pool as assessors get it, in qrels form.")  # fmt: skip
@output_options
def command(
    runs: tuple[str, ...],
    method: str,
    depth: int,
    size: int,
    by: str,
    strata: tuple[str, ...],
    qrels: str | None,
    seed: int,
    judge: Path | None,
    form: str | None,
    output: Path | None,
) -> None:
    """Choose what assessors should judge.

    RUNS are files, patterns or folders. Printed are topic, document, how many runs hold it, its
    best rank, and the chance with which it was drawn.
    """
    from pipeline.errors import InputError
    from pipeline.pooling.declaration import METHODS
    from pipeline.pooling.files import COLUMNS
    from pipeline.pooling.from_files import judge_lines, pool_files
    from pipeline.pooling.plan import Plan
    from pipeline.runs.fusion.declaration import METHODS as FUSIONS
    from pipeline.runs.fusion.settings import Fusion

    for registry, name in ((METHODS, method), (FUSIONS, by)):
        if name not in registry:
            raise InputError(registry.unknown(name))
    if METHODS[method].replays and not qrels:
        raise InputError(f"the method '{method}' replays labels; give them with --qrels")
    if "strata" in METHODS[method].reads and not strata:
        raise InputError("the method 'stratified' needs strata; add --stratum 10:1, say")
    plan = Plan(
        method=method, depth=depth, size=size, fusion=Fusion(method=by),
        strata=tuple(_stratum(text) for text in strata), runs=None, per_team=None, seed=seed,
    )  # fmt: skip
    known = read_labels("topicality", qrels) if qrels else None
    with found(runs) as files:
        rows = pool_files(files, plan=plan, labels=known)
    if judge:  # first: whoever reads the table may stop early
        write("".join(f"{line}\n" for line in judge_lines(rows, seed=seed)).encode(), judge)
    show(Table(COLUMNS, rows), form=form, output=output)


def _stratum(text: str) -> "Stratum":
    from pipeline.errors import InputError
    from pipeline.pooling.plan import Stratum
    from pipeline.storage.text import number

    to, _, share = text.partition(":")
    if not to.isdecimal() or not 0 <= number(share) <= 1:
        raise InputError(f"--stratum '{text}' must be RANK:SHARE, as 100:0.1")
    return Stratum(to=int(to), share=number(share))
