from pathlib import Path

from pipeline.job import job
from pipeline.understandability import simulate

with job(snakemake.log):
    simulate(
        Path(snakemake.input.readability),
        out=Path(snakemake.output[0]),
        **snakemake.params.estimate,
    )
