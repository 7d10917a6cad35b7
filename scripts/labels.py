from functools import partial
from pathlib import Path

from pipeline.labels.reading import Labels
from pipeline.labels.tables import label
from pipeline.sources.paths import expand
from pipeline.storage.plain import restored
from pipeline.storage.step import step

with step(snakemake):
    labels = restored(Labels, snakemake.params.labels)
    find = partial(expand, sources=snakemake.params.sources)
    label(
        find(labels.files),
        out=Path(snakemake.output[0]),
        scale=labels.scale,
        key=labels.key,
        conflict=labels.conflict,
        subtopics=labels.subtopics,
        intents=labels.intents_file(find),
    )
