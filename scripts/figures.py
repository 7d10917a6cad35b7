from pathlib import Path

from pipeline.errors import reported
from pipeline.report import figures

with reported(snakemake.log):
    figures.write(Path(snakemake.input.charts), out=Path(snakemake.output[0]))
