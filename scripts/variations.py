from pathlib import Path

from pipeline.storage.step import step
from pipeline.judging.variations import vary

with step(snakemake):
    vary(
        [Path(path) for path in snakemake.input.scores],
        need=snakemake.params.need,
        needs=Path(snakemake.output.needs),
        runs=Path(snakemake.output.runs),
    )
