from pathlib import Path

from pipeline.campaign import expand
from pipeline.job import job
from pipeline.topics import count

with job(snakemake.log):
    given = snakemake.params.topics
    count(
        Path(snakemake.input.labels[0]) if snakemake.input.labels else None,
        file=expand([given["file"]], sources=snakemake.params.sources)[0] if given else None,
        match=given["match"] if given else None,
        replace=given["replace"] if given else None,
        policy=snakemake.params.policy,
        out=Path(snakemake.output[0]),
    )
