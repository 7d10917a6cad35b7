from pathlib import Path

from pipeline.errors import reported
from pipeline.pages.readability import merge

with reported(snakemake.log):
    merge(
        [Path(path) for path in snakemake.input.shards],
        facts=[Path(path) for path in snakemake.input.facts],
        wanted=Path(snakemake.input.wanted[0]) if snakemake.input.wanted else None,
        out=Path(snakemake.output.readability),
        missing=Path(snakemake.output.missing),
        summary=Path(snakemake.output.summary),
    )
