from pathlib import Path

from pipeline.storage.step import step
from pipeline.report import recipe, teams
from pipeline.report.provenance import Provenance
from pipeline.report.results import Files, Results
from pipeline.labels.topics import read_counted

with step(snakemake):
    given, params = snakemake.input, snakemake.params
    teams.write(
        Results(
            campaign=snakemake.wildcards.campaign,
            title=params.title,
            contrast=tuple(params.scatter),
            topics={topic.id: topic.text for topic in read_counted(Path(given.topics))},
            files=Files(
                means=Path(given.means),
                scores=[Path(path) for path in given.scores],
                standings=dict(zip(params.measures, map(Path, given.standings), strict=True)),
                checks=Path(given.checks),
            ),
            provenance=Provenance(command=recipe.command(snakemake.wildcards.campaign)),
        ),
        out=Path(snakemake.output[0]),
    )
