from pathlib import Path

from pipeline.statistics.correlation.step import correlate
from pipeline.storage.step import step

with step(snakemake):
    correlate(
        Path(snakemake.input.means),
        scores=[Path(path) for path in snakemake.input.scores],
        out=Path(snakemake.output.correlations),
        swaps=Path(snakemake.output.swaps),
        **snakemake.params.settings,
    )
