from pathlib import Path

from pipeline.errors import reported
from pipeline.statistics.significance import compare

with reported(snakemake.log):
    compare(
        Path(snakemake.input.scores),
        pairs=Path(snakemake.output.pairs),
        runs=Path(snakemake.output.runs),
        summary=Path(snakemake.output.summary),
        **snakemake.params.settings,
    )
