from pathlib import Path

from pipeline.storage.step import step
from pipeline.statistics.significance import summarise

with step(snakemake):
    summarise(
        [Path(path) for path in snakemake.input.summaries],
        out=Path(snakemake.output[0]),
    )
