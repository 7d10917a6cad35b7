from pathlib import Path

from pipeline.job import job
from pipeline.variations import vary

with job(snakemake.log):
    vary(
        [Path(path) for path in snakemake.input.scores],
        need=snakemake.params.need,
        needs=Path(snakemake.output.needs),
        runs=Path(snakemake.output.runs),
    )
