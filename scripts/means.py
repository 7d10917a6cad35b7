from pathlib import Path

from pipeline.storage.step import step
from pipeline.statistics.means import means

with step(snakemake):
    means(
        [Path(path) for path in snakemake.input.overall],
        team=snakemake.params.team,
        out=Path(snakemake.output[0]),
    )
