from pathlib import Path

from pipeline.storage.step import step
from pipeline.report import recipe, teams
from pipeline.labels.topics import read_counted

with step(snakemake):
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
        command=recipe.command(snakemake.wildcards.campaign),
    )
