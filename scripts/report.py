from pathlib import Path

from pipeline.report import provenance, recipe
from pipeline.report import step as report
from pipeline.storage.step import step
from pipeline.labels.topics import read_counted

with step(snakemake):
    given, params = snakemake.input, snakemake.params
    report.write(
        out=Path(snakemake.output.page),
        charts=Path(snakemake.output.charts),
        campaign=snakemake.wildcards.campaign,
        title=params.title,
        means=Path(given.means),
        scores=[Path(path) for path in given.scores],
        standings=dict(zip(params.measures, map(Path, given.standings), strict=True)),
        pairs=dict(zip(params.measures, map(Path, given.pairs), strict=True)),
        correlations=Path(given.correlations),
        swaps=Path(given.swaps),
        checks=Path(given.checks),
        tops=Path(given.top_documents),
        labels=dict(zip(params.dimensions, map(Path, given.labels), strict=True)),
        audit=Path(given.audit[0]) if given.audit else None,
        tables=[Path(path) for path in given.judging],
        readability=Path(given.reading[0]) if given.reading else None,
        pages=Path(given.reading[1]) if given.reading else None,
        team_pages=True,
        scatter=tuple(params.scatter),
        topics={topic.id: topic.text for topic in read_counted(Path(given.topics))},
        facts=provenance.gather(
            policies=params.policies,
            dimensions=params.dimensions,
            command=recipe.command(snakemake.wildcards.campaign),
            originals=[Path(path) for path in given.originals],
            measures=params.measures,
        )
        | {"sources": params.made},
    )
