from pathlib import Path

from pipeline.sources.paths import expand
from pipeline.storage.step import step
from pipeline.labels.scale import Scale
from pipeline.labels.tables import label

with step(snakemake):
    given = dict(snakemake.params.labels)
    label(
        expand(given["files"], sources=snakemake.params.sources),
        out=Path(snakemake.output[0]),
        key=given["key"],
        conflict=given["conflict"],
        scale=Scale.read(given),
    )
