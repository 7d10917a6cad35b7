from pathlib import Path

from pipeline.campaign import expand
from pipeline.job import job
from pipeline.labels import Scale, label

with job(snakemake.log):
    given = dict(snakemake.params.labels)
    label(
        expand(given["files"], sources=snakemake.params.sources),
        out=Path(snakemake.output[0]),
        key=given["key"],
        conflict=given["conflict"],
        scale=Scale.read(given),
    )
