from pathlib import Path

from pipeline.job import job
from pipeline.means import means

with job(snakemake.log):
    means(
        [Path(path) for path in snakemake.input.overall],
        team=snakemake.params.team,
        out=Path(snakemake.output[0]),
    )
