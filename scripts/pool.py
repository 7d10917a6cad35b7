from pathlib import Path

from pipeline.job import job
from pipeline.pooling import Plan, pool

with job(snakemake.log):
    labels = snakemake.input.labels
    pool(
        Path(snakemake.input.rankings),
        plan=Plan.read(snakemake.params.plan),
        team=snakemake.params.team,
        labels=Path(labels[0]) if labels else None,
        out=Path(snakemake.output[0]),
    )
