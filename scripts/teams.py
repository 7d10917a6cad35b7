from pathlib import Path

from pipeline.errors import reported
from pipeline.report import teams
from pipeline.labels.topics import read_counted

with reported(snakemake.log):
    params = snakemake.params
    standings = [Path(path) for path in snakemake.input.standings]
    teams.write(
        out=Path(snakemake.output[0]),
        title=params.title,
        means=Path(snakemake.input.means),
        scores=[Path(path) for path in snakemake.input.scores],
        standings=dict(zip(params.measures, standings, strict=True)),
        checks=Path(snakemake.input.checks),
        scatter=tuple(params.scatter),
        topics={topic.id: topic.text for topic in read_counted(Path(snakemake.input.topics))},
        command=params.command,
    )
