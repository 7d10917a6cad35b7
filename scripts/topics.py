from pathlib import Path

from pipeline.sources.paths import expand
from pipeline.storage.plain import restored
from pipeline.storage.step import step
from pipeline.labels.topics import Topics, count

with step(snakemake):
    params = snakemake.params
    topics = params.topics and restored(Topics, params.topics)
    count(
        Path(snakemake.input.labels[0]) if snakemake.input.labels else None,
        file=expand([topics.file], sources=params.sources)[0] if topics else None,
        match=topics.match if topics else None,
        replace=topics.replace if topics else None,
        query=topics.query if topics else None,
        policy=params.policy,
        out=Path(snakemake.output[0]),
    )
