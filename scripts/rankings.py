from pathlib import Path

from pipeline.errors import reported
from pipeline.runs.rankings import merge

with reported(snakemake.log):
    merge([Path(path) for path in snakemake.input.batches], out=Path(snakemake.output[0]))
