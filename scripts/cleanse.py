from pathlib import Path

from pipeline.pages import collection
from pipeline.pages import needed as wanted
from pipeline.sources.paths import expand
from pipeline.pages.cleanse import cleanse
from pipeline.errors import reported

with reported(snakemake.log):
    params = snakemake.params
    notes = []
    cleanse(
        collection.read(
            expand(params.patterns, sources=params.sources),
            notes=notes,
            shard=int(snakemake.wildcards.shard),
            shards=params.shards,
            wanted=wanted.read(Path(snakemake.input.wanted[0])) if snakemake.input.wanted else None,
        ),
        out=Path(snakemake.output.text),
        facts=Path(snakemake.output.facts),
        notes=notes,
        threads=snakemake.threads,
        log=Path(snakemake.log[0]),
        **params.cleansing,
    )
