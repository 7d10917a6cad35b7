from pathlib import Path

from pipeline.storage.step import step
from pipeline.pages.user_models.simulate import simulate

with step(snakemake):
    simulate(
        Path(snakemake.input.readability),
        out=Path(snakemake.output[0]),
        **snakemake.params.estimate,
    )
