from pathlib import Path

from pipeline.errors import reported
from pipeline.pages.user_models import simulate

with reported(snakemake.log):
    simulate(
        Path(snakemake.input.readability),
        out=Path(snakemake.output[0]),
        **snakemake.params.estimate,
    )
