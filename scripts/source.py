from pathlib import Path

from pipeline.job import job
from pipeline.sources import make

with job(snakemake.log):
    source = dict(snakemake.params.source)
    source.pop("name")
    make(Path(snakemake.output[0]), **source)
