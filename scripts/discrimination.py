from pathlib import Path

from pipeline.errors import reported
from pipeline.statistics.significance import summarise

with reported(snakemake.log):
    summarise(
        [Path(path) for path in snakemake.input.summaries],
        out=Path(snakemake.output[0]),
    )
