from pathlib import Path

from pipeline.sources.paths import expand
from pipeline.errors import reported
from pipeline.labels.scale import Scale
from pipeline.labels.tables import label

with reported(snakemake.log):
    given = dict(snakemake.params.labels)
    label(
        expand(given["files"], sources=snakemake.params.sources),
        out=Path(snakemake.output[0]),
        key=given["key"],
        conflict=given["conflict"],
        scale=Scale.read(given),
    )
