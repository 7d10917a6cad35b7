from pathlib import Path

from pipeline.errors import reported
from pipeline.sources.make import make

with reported(snakemake.log):
    source = dict(snakemake.params.source)
    source.pop("name")
    make(Path(snakemake.output[0]), **source)
