from pathlib import Path

from pipeline.job import job
from pipeline.wanted import want

with job(snakemake.log):
    want(
        Path(snakemake.input.source),
        documents=snakemake.params.documents,
        depth=snakemake.params.depth,
        out=Path(snakemake.output[0]),
    )
