from pathlib import Path

from pipeline.errors import reported
from pipeline.pages.needed import want

with reported(snakemake.log):
    want(
        Path(snakemake.input.source),
        documents=snakemake.params.documents,
        depth=snakemake.params.depth,
        out=Path(snakemake.output[0]),
    )
