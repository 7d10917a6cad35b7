"""`fathom fuse`: fuse runs into one run in the TREC format."""

from pathlib import Path
from typing import Any

import click

from pipeline.command.files import as_options, found, runs_argument
from pipeline.command.output import write
from pipeline.errors import InputError, Problem

EPILOG = """\b
Examples:
  fathom fuse bm25.run neural.run > fused.run
  fathom fuse runs/* --method combmnz --norm z_score -o fused.run.gz
  fathom fuse runs/* | fathom evaluate --qrels qrels.txt -"""


@click.command(epilog=EPILOG)
@runs_argument
@click.option("--method", default="rrf", show_default=True,
              help="Fusion method: rrf, rbp, borda, condorcet, combsum, combmnz, ...")  # fmt: skip
@click.option("--norm", default="min_max", show_default=True,
              help="Score normalisation before combsum, combmnz, ...")  # fmt: skip
@click.option("--k", default=60.0, show_default=True, help="Constant k of rrf.")
@click.option("--p", default=0.8, show_default=True, help="Persistence p of rbp.")
@click.option("--depth", default=1000, show_default=True, type=click.IntRange(1),
              help="Documents kept per topic.")  # fmt: skip
@click.option("--tag", default="fused", show_default=True, help="Name of the fused run.")
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Write to this file instead.")
def command(runs: tuple[str, ...], tag: str, output: Path | None, **settings: Any) -> None:
    """Fuse runs into one.

    RUNS are files, patterns or folders.
    """
    from pipeline.api.steps import fused_lines

    if tag.split() != [tag]:
        raise InputError(Problem("--tag", f"'{tag}' is not one word", "leave out its spaces"))
    with as_options(), found(runs) as files:
        if len(files) < 2:
            raise InputError(Problem("RUNS", "there is only one run", "name two or more"))
        lines = fused_lines(files, tag=tag, **settings)
        content = "".join(f"{line}\n" for line in lines).encode()
    if output is not None and output.suffix == ".gz":
        import gzip

        content = gzip.compress(content, mtime=0)
    write(content, output)
