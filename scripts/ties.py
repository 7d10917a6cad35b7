from pathlib import Path

from pipeline.job import job
from pipeline.lookup import build_scores
from pipeline.topics import read_counted

with job(snakemake.log):
    build_scores(
        rankings=Path(snakemake.input.rankings),
        topics=[t.id for t in read_counted(Path(snakemake.input.topics)) if t.counts],
        order=snakemake.params.order,
        out=Path(snakemake.output[0]),
    )
