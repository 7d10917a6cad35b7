from pathlib import Path

from pipeline.correlation import correlate
from pipeline.job import job

with job(snakemake.log):
    correlate(
        Path(snakemake.input.means),
        out=Path(snakemake.output[0]),
        statistics=snakemake.params.statistics,
    )
