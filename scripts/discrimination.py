from pathlib import Path

from pipeline.job import job
from pipeline.significance import summarise

with job(snakemake.log):
    summarise(
        [Path(path) for path in snakemake.input.summaries],
        out=Path(snakemake.output[0]),
    )
