from pathlib import Path

from pipeline.errors import reported
from pipeline.pages.readability import estimate

with reported(snakemake.log):
    estimate(
        Path(snakemake.input.text), out=Path(snakemake.output[0]), engine=snakemake.params.engine
    )
