from pathlib import Path

from pipeline.job import job
from pipeline.readability import estimate

with job(snakemake.log):
    estimate(
        Path(snakemake.input.text), out=Path(snakemake.output[0]), engine=snakemake.params.engine
    )
