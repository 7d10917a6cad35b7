from pathlib import Path

from pipeline.pages import collection
from pipeline.pages import needed
from pipeline.pages.readability.step import estimate, measure
from pipeline.pages.readability.worker import CountingTask
from pipeline.sources.paths import expand
from pipeline.storage.step import step

with step(snakemake):
    given, made, params = snakemake.input, snakemake.output, snakemake.params
    notes = []
    if given.text:
        estimate(
            Path(given.text[0]),
            out=Path(made.table),
            engine=params.task["engine"],
            told=Path(given.text[1]),
            facts=Path(made.facts),
        )
    else:
        measure(
            collection.read(
                expand(params.patterns, sources=params.sources),
                notes=notes,
                shard=int(snakemake.wildcards.shard),
                shards=params.shards,
                wanted=needed.read(Path(given.needed[0])) if given.needed else None,
            ),
            out=Path(made.table),
            facts=Path(made.facts),
            notes=notes,
            task=CountingTask(**params.task),
            threads=snakemake.threads,
            seconds=params.seconds,
            log=Path(snakemake.log[0]),
        )
