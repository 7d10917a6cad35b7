from pathlib import Path

from pipeline.pages.baselines.index import index
from pipeline.storage.step import step

with step(snakemake):
    index(
        [Path(path) for path in snakemake.input.shards],
        stemmer=snakemake.wildcards.stemmer,
        out=Path(snakemake.output[0]),
    )
