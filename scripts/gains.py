from pathlib import Path

from pipeline.job import job
from pipeline.lookup import build
from pipeline.topics import read_counted

with job(snakemake.log):
    build(
        rankings=Path(snakemake.input.rankings),
        labels=Path(snakemake.input.labels),
        topics=[t.id for t in read_counted(Path(snakemake.input.topics)) if t.counts],
        out=Path(snakemake.output[0]),
    )
