from pathlib import Path

from pipeline import collection, wanted
from pipeline.campaign import expand
from pipeline.cleanse import cleanse
from pipeline.job import job

with job(snakemake.log):
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
