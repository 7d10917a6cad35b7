from pathlib import Path

from pipeline.storage.step import step
from pipeline.pooling.needed import want

with step(snakemake):
    want(
        Path(snakemake.input.source),
        documents=snakemake.params.documents,
        depth=snakemake.params.depth,
        out=Path(snakemake.output[0]),
    )
