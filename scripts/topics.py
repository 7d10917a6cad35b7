from pathlib import Path

from pipeline.sources.paths import expand
from pipeline.storage.step import step
from pipeline.labels.topics import count

with step(snakemake):
    given = snakemake.params.topics
    count(
        Path(snakemake.input.labels[0]) if snakemake.input.labels else None,
        file=expand([given["file"]], sources=snakemake.params.sources)[0] if given else None,
        match=given["match"] if given else None,
        replace=given["replace"] if given else None,
        policy=snakemake.params.policy,
        out=Path(snakemake.output[0]),
    )
