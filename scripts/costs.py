from pathlib import Path

from pipeline.sources.paths import expand
from pipeline.gains.costs import build
from pipeline.labels.costs import read
from pipeline.storage.step import step
from pipeline.labels.topics import read_counted

with step(snakemake):
    given = snakemake.params.costs
    build(
        rankings=Path(snakemake.input.rankings),
        costs=read(expand([given["file"]], sources=snakemake.params.sources)[0]),
        usual=given["usual"],
        topics=[t.id for t in read_counted(Path(snakemake.input.topics)) if t.counts],
        out=Path(snakemake.output[0]),
    )
