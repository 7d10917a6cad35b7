from pathlib import Path

from pipeline.storage.step import step
from pipeline.sources.make import make

with step(snakemake):
    source = dict(snakemake.params.source)
    source.pop("name")
    make(Path(snakemake.output[0]), **source)
