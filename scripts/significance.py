from pathlib import Path

from pipeline.storage.step import step
from pipeline.statistics.significance import compare

with step(snakemake):
    compare(
        Path(snakemake.input.scores),
        pairs=Path(snakemake.output.pairs),
        runs=Path(snakemake.output.runs),
        summary=Path(snakemake.output.summary),
        **snakemake.params.settings,
    )
