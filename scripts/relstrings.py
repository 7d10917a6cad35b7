from pathlib import Path

from pipeline.job import job
from pipeline.relstring import relstrings

with job(snakemake.log):
    relstrings(
        {Path(path).stem: Path(path) for path in snakemake.input.gains},
        out=Path(snakemake.output[0]),
        depth=snakemake.params.depth,
        unjudged=snakemake.params.unjudged,
    )
