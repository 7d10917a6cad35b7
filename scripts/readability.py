from pathlib import Path

from pipeline.storage.step import step
from pipeline.pages.readability.step import estimate

with step(snakemake):
    estimate(
        Path(snakemake.input.text), out=Path(snakemake.output[0]), engine=snakemake.params.engine
    )
