from pathlib import Path

from pipeline.correlation import correlate
from pipeline.job import job

with job(snakemake.log):
    correlate(
        Path(snakemake.input.means),
        scores=[Path(path) for path in snakemake.input.scores],
        out=Path(snakemake.output.correlations),
        swaps=Path(snakemake.output.swaps),
        **snakemake.params.settings,
    )
