from pathlib import Path

from pipeline.report.recipe import write
from pipeline.storage.step import step

with step(snakemake):
    write(
        snakemake.params.given,
        campaign=snakemake.wildcards.campaign,
        out=Path(snakemake.output[0]),
    )
