from pathlib import Path

from pipeline.pages import collection
from pipeline.pages.step import Task, cleanse, required_documents
from pipeline.sources.paths import expand
from pipeline.storage.step import step

with step(snakemake) as settings:
    source, depth = snakemake.input.needed, settings["depth"]
    needed = required_documents(Path(source[0]), depth=depth) if source else None
    names = ("method", "sentence_ends", "language", "engine", "keep_text")
    notes = []
    cleanse(
        collection.read(
            expand(settings["files"], sources=settings["sources"]),
            notes=notes,
            shard=int(snakemake.wildcards.shard),
            shards=settings["shards"],
            documents=needed,
        ),
        out=Path(snakemake.output.counts),
        task=Task(**{name: settings[name] for name in names}),
        notes=notes,
        threads=snakemake.threads,
        seconds=settings["seconds"],
    )
