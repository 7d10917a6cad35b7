from pathlib import Path

from pipeline.storage.step import step
from pipeline.gains.attach import build
from pipeline.labels.topics import read_counted

with step(snakemake):
    build(
        rankings=Path(snakemake.input.rankings),
        labels=Path(snakemake.input.labels),
        topics=[t.id for t in read_counted(Path(snakemake.input.topics)) if t.counts],
        out=Path(snakemake.output[0]),
        dimension=snakemake.wildcards.dimension,
    )
