from pathlib import Path

from pipeline.runs.teams import read_teams
from pipeline.storage.plain import restored
from pipeline.storage.step import step
from pipeline.pooling.plan import Plan
from pipeline.pooling.pool import pool

with step(snakemake):
    labels = snakemake.input.labels
    pool(
        Path(snakemake.input.rankings),
        plan=restored(Plan, snakemake.params.plan),
        teams=read_teams(Path(snakemake.input.teams)),
        labels=Path(labels[0]) if labels else None,
        out=Path(snakemake.output[0]),
    )
