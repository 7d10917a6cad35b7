from pathlib import Path

from pipeline.sources.paths import expand
from pipeline.gains.costs import build
from pipeline.labels.costs import Costs, read
from pipeline.storage.plain import restored
from pipeline.storage.step import step
from pipeline.labels.topics import read_counted

with step(snakemake):
    costs = restored(Costs, snakemake.params.costs)
    build(
        rankings=Path(snakemake.input.rankings),
        costs=read(expand([costs.file], sources=snakemake.params.sources)[0]),
        usual=costs.usual,
        topics=[t.id for t in read_counted(Path(snakemake.input.topics)) if t.counts],
        out=Path(snakemake.output[0]),
    )
