from pathlib import Path

from pipeline.storage.step import step
from pipeline.report import figures

with step(snakemake):
    figures.write(Path(snakemake.input.charts), out=Path(snakemake.output[0]))
