from pathlib import Path

from pipeline.report import recipe, step as report
from pipeline.report.gather import gather
from pipeline.report.results import Files, Results, by_name
from pipeline.sources.missing import told
from pipeline.measures.own import load_all
from pipeline.storage.step import step
from pipeline.labels.topics import read_counted

with step(snakemake):
    load_all(snakemake.params.own)
    given, params, campaign = snakemake.input, snakemake.params, snakemake.wildcards.campaign
    files = Files(
        means=Path(given.means),
        scores=list(map(Path, given.scores)),
        overall=list(map(Path, given.overall)),
        checks=Path(given.checks),
        correlations=Path(given.correlations),
        standings=dict(zip(params.measures, map(Path, given.standings), strict=True)),
        pairs=dict(zip(params.measures, map(Path, given.pairs), strict=True)),
        swaps=Path(given.swaps),
        top_documents=Path(given.top_documents),
        judged_lists=Path(given.judged_lists),
        labels=dict(zip(params.dimensions, map(Path, given.labels), strict=True)),
        audit=Path(given.audit[0]) if given.audit else None,
        **dict(zip(("readability", "pages"), map(Path, given.reading), strict=False)),
        tables=by_name([*given.judging, given.significance], folder=Path(given.means).parent),
    )
    provenance = gather(
        policies=params.policies, dimensions=params.dimensions, measures=params.measures,
        sources=told(params.made, sources=Path(params.sources)), command=recipe.command(campaign),
        originals=list(map(Path, given.originals)),
    )  # fmt: skip
    results = Results(
        campaign=campaign, title=params.title, contrast=tuple(params.scatter), files=files,
        topics={topic.id: topic.text for topic in read_counted(Path(given.topics))},
        provenance=provenance, team_pages=True,
    )  # fmt: skip
    report.write(results, out=Path(snakemake.output.page), charts=Path(snakemake.output.charts))
