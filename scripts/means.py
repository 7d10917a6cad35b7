from pathlib import Path

from pipeline.errors import reported
from pipeline.statistics.means import means

with reported(snakemake.log):
    means(
        [Path(path) for path in snakemake.input.overall],
        team=snakemake.params.team,
        out=Path(snakemake.output[0]),
    )
