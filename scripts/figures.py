from pathlib import Path

from pipeline.job import job
from pipeline.report import figures

with job(snakemake.log):
    figures.write(Path(snakemake.input.charts), out=Path(snakemake.output[0]))
