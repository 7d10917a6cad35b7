from pathlib import Path

from pipeline.storage.step import step
from pipeline.runs.rankings import merge

with step(snakemake):
    merge([Path(path) for path in snakemake.input.batches], out=Path(snakemake.output[0]))
