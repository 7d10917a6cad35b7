"""`fathom fuse`: runs fused into one, in TREC's form."""

from pathlib import Path

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
              help="rrf, rbp, borda, condorcet, combsum, combmnz, combmin, ...")  # fmt: skip
@click.option("--norm", default="min_max", show_default=True,
              help="How scores are put on one scale before a comb...")  # fmt: skip
@click.option("--k", default=60.0, show_default=True, help="Constant of rrf.")
@click.option("--p", default=0.8, show_default=True, help="Persistence of rbp.")
@click.option("--depth", default=1000, show_default=True, type=click.IntRange(1),
              help="Documents kept per topic.")  # fmt: skip
@click.option("--tag", default="fused", show_default=True, help="Name of the fused run.")
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Write to a file instead.")
def command(
    runs: tuple[str, ...],
    method: str,
    norm: str,
    k: float,
    p: float,
    depth: int,
    tag: str,
    output: Path | None,
) -> None:
    """Fuse runs into one.

    RUNS are files, patterns or folders.
    """
    from pipeline.api.steps import fused_lines

    if tag.split() != [tag]:
        raise InputError(Problem("--tag", f"'{tag}' is not one word", "leave out its spaces"))
    settings = {"method": method, "norm": norm, "k": k, "p": p, "depth": depth}
    with as_options(), found(runs) as files:
        if len(files) < 2:
            raise InputError(Problem("RUNS", "there is only one run", "name at least two to fuse"))
        lines = fused_lines(files, tag=tag, **settings)  # type: ignore[arg-type]
        content = "".join(f"{line}\n" for line in lines).encode()
    if output is not None and output.suffix == ".gz":
        import gzip

        content = gzip.compress(content, mtime=0)
    write(content, output)
