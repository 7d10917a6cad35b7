from pathlib import Path

from pipeline.job import job
from pipeline.rankings import merge

with job(snakemake.log):
    merge([Path(path) for path in snakemake.input.batches], out=Path(snakemake.output[0]))
