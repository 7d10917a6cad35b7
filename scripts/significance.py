from pathlib import Path

from pipeline.job import job
from pipeline.significance import compare

with job(snakemake.log):
    compare(
        Path(snakemake.input.scores),
        pairs=Path(snakemake.output.pairs),
        runs=Path(snakemake.output.runs),
        summary=Path(snakemake.output.summary),
        **snakemake.params.settings,
    )
