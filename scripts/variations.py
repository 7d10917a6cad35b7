from pathlib import Path

from pipeline.errors import reported
from pipeline.judging.variations import vary

with reported(snakemake.log):
    vary(
        [Path(path) for path in snakemake.input.scores],
        need=snakemake.params.need,
        needs=Path(snakemake.output.needs),
        runs=Path(snakemake.output.runs),
    )
