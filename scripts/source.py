from pathlib import Path

from pipeline.storage.step import step
from pipeline.sources.kind import make

with step(snakemake):
    make(Path(snakemake.output[0]), **snakemake.params.source)
