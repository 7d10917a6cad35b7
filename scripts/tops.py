from pathlib import Path

from pipeline import tops
from pipeline.job import job

with job(snakemake.log):
    tops.take(Path(snakemake.input.rankings), out=Path(snakemake.output[0]))
