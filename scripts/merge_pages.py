from pathlib import Path

from pipeline.storage.step import step
from pipeline.pages.readability.merging import merge

with step(snakemake):
    merge(
        [Path(path) for path in snakemake.input.shards],
        facts=[Path(path) for path in snakemake.input.facts],
        wanted=Path(snakemake.input.needed[0]) if snakemake.input.needed else None,
        out=Path(snakemake.output.readability),
        missing=Path(snakemake.output.missing),
        summary=Path(snakemake.output.summary),
    )
