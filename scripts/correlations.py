from pathlib import Path

from pipeline.statistics.correlation import correlate
from pipeline.errors import reported

with reported(snakemake.log):
    correlate(
        Path(snakemake.input.means),
        scores=[Path(path) for path in snakemake.input.scores],
        out=Path(snakemake.output.correlations),
        swaps=Path(snakemake.output.swaps),
        **snakemake.params.settings,
    )
