from pathlib import Path

from pipeline.campaign import expand
from pipeline.costs import build, read
from pipeline.job import job
from pipeline.topics import read_counted

with job(snakemake.log):
    given = snakemake.params.costs
    build(
        rankings=Path(snakemake.input.rankings),
        costs=read(expand([given["file"]], sources=snakemake.params.sources)[0]),
        usual=given["usual"],
        topics=[t.id for t in read_counted(Path(snakemake.input.topics)) if t.counts],
        out=Path(snakemake.output[0]),
    )
