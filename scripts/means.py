from pathlib import Path

from pipeline.runs.teams import read_teams
from pipeline.storage.step import step
from pipeline.statistics.means import means

with step(snakemake):
    means(
        [Path(path) for path in snakemake.input.overall],
        teams=read_teams(Path(snakemake.input.teams)),
        out=Path(snakemake.output[0]),
    )
