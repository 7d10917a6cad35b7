from pathlib import Path

from pipeline.errors import reported
from pipeline.gains.relevance_strings import relstrings

with reported(snakemake.log):
    relstrings(
        {Path(path).stem: Path(path) for path in snakemake.input.gains},
        out=Path(snakemake.output[0]),
        depth=snakemake.params.depth,
        unjudged=snakemake.params.unjudged,
    )
