from pathlib import Path

from pipeline.storage.step import step
from pipeline.gains.attach import build_scores
from pipeline.labels.topics import read_counted

with step(snakemake):
    build_scores(
        rankings=Path(snakemake.input.rankings),
        topics=[t.id for t in read_counted(Path(snakemake.input.topics)) if t.counts],
        order=snakemake.params.order,
        out=Path(snakemake.output[0]),
    )
