from pathlib import Path

from pipeline.storage.step import step
from pipeline.report import recipe
from pipeline.report.provenance import Provenance
from pipeline.report.results import Files, Results
from pipeline.report.teams import step as teams
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
                pairs=dict(zip(params.measures, map(Path, given.pairs), strict=True)),
                checks=Path(given.checks),
                labels=dict(zip(params.dimensions, map(Path, given.labels), strict=True)),
            ),
            provenance=Provenance(command=recipe.command(snakemake.wildcards.campaign)),
        ),
        alpha=params.alpha,
        rankings=Path(given.rankings),
        dimension=params.relevant,
        out=Path(snakemake.output[0]),
    )
