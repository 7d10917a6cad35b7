from pathlib import Path

from pipeline.pages import collection
from pipeline.pages import needed
from pipeline.pages.readability.trying import try_all
from pipeline.pages.readability.ways import Way
from pipeline.sources.paths import expand
from pipeline.storage.step import step

with step(snakemake):
    params = snakemake.params
    try_all(
        collection.read(
            expand(params.patterns, sources=params.sources),
            notes=[],  # told by the step that reads all pages
            shard=int(snakemake.wildcards.shard),
            shards=params.shards,
            wanted=needed.read(Path(snakemake.input.compared)),
        ),
        chosen=Way(**params.chosen),
        language=params.language,
        out=Path(snakemake.output[0]),
        threads=snakemake.threads,
        seconds=params.seconds,
        log=Path(snakemake.log[0]),
    )
