from pathlib import Path

from pipeline.labels.reading import Labels
from pipeline.labels.tables import label
from pipeline.sources.paths import expand
from pipeline.storage.plain import restored
from pipeline.storage.step import step

with step(snakemake):
    labels = restored(Labels, snakemake.params.labels)
    label(
        expand(labels.files, sources=snakemake.params.sources),
        out=Path(snakemake.output[0]),
        scale=labels.scale,
        key=labels.key,
        conflict=labels.conflict,
    )
