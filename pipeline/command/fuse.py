"""`fathom fuse`: runs fused into one, in TREC's form."""

from pathlib import Path

import click

from pipeline.command.files import found, runs_argument
from pipeline.command.output import write

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
              help="Documents kept a topic.")  # fmt: skip
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
    from pipeline.errors import InputError
    from pipeline.runs.fusion.declaration import METHODS, NORMS
    from pipeline.runs.fusion.from_files import fuse_files
    from pipeline.runs.fusion.settings import Fusion

    for registry, name in ((METHODS, method), (NORMS, norm)):
        if name not in registry:
            raise InputError(registry.unknown(name))
    if tag.split() != [tag]:
        raise InputError(f"--tag '{tag}' must be one word; the last column of a run is")
    fusion = Fusion(method=method, norm=norm, k=k, p=p, depth=depth)
    with found(runs) as files:
        if len(files) < 2:
            raise InputError("there is one run only; name at least two to fuse")
        content = "".join(f"{line}\n" for line in fuse_files(files, fusion=fusion, tag=tag))
    packed = content.encode()
    if output is not None and output.suffix == ".gz":
        import gzip

        packed = gzip.compress(packed, mtime=0)
    write(packed, output)
