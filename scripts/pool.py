from pathlib import Path

from pipeline.job import job
from pipeline.pooling import pool

with job(snakemake.log):
    pool(
        Path(snakemake.input.rankings),
        depth=snakemake.params.depth,
        out=Path(snakemake.output[0]),
    )
