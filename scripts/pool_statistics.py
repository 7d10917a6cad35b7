from pathlib import Path

from pipeline.runs.teams import read_teams
from pipeline.storage.plain import restored
from pipeline.storage.step import step
from pipeline.pooling.plan import Plan
from pipeline.pooling.statistics import FILES, describe
from pipeline.labels.topics import read_counted

with step(snakemake):
    labels = snakemake.input.labels
    describe(
        Path(snakemake.input.pool),
        rankings=Path(snakemake.input.rankings),
        labels=Path(labels[0]) if labels else None,
        topics=[t.id for t in read_counted(Path(snakemake.input.topics)) if t.counts],
        plan=restored(Plan, snakemake.params.plan),
        reach=snakemake.params.reach,
        teams=read_teams(Path(snakemake.input.teams)),
        out={name: Path(snakemake.output[name]) for name in FILES},
    )
