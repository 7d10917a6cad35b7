from pathlib import Path

from pipeline.pages import collection
from pipeline.pages import needed
from pipeline.sources.paths import expand
from pipeline.pages.cleanse.step import cleanse
from pipeline.storage.step import step

with step(snakemake):
    params = snakemake.params
    notes = []
    cleanse(
        collection.read(
            expand(params.patterns, sources=params.sources),
            notes=notes,
            shard=int(snakemake.wildcards.shard),
            shards=params.shards,
            wanted=needed.read(Path(snakemake.input.needed[0])) if snakemake.input.needed else None,
        ),
        out=Path(snakemake.output.text),
        facts=Path(snakemake.output.facts),
        notes=notes,
        threads=snakemake.threads,
        log=Path(snakemake.log[0]),
        **params.cleansing,
    )
