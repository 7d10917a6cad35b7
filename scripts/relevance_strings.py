from pathlib import Path

from pipeline.storage.step import step
from pipeline.gains.relevance_strings import relstrings

with step(snakemake):
    relstrings(
        {Path(path).stem: Path(path) for path in snakemake.input.gains},
        out=Path(snakemake.output[0]),
        depth=snakemake.params.depth,
        unjudged=snakemake.params.unjudged,
    )
