from pathlib import Path

from pipeline.intake.gathering import gather
from pipeline.intake.step import receive
from pipeline.labels.reading import Labels
from pipeline.labels.topics import Topics
from pipeline.people.settings import People
from pipeline.runs.teams import Teams
from pipeline.storage.plain import restored
from pipeline.storage.step import step

with step(snakemake):
    params = snakemake.params
    topics = params.topics and restored(Topics, params.topics)
    labels = {name: restored(Labels, one) for name, one in params.labels.items() if one}
    further = {name: restored(Labels, one) for name, one in params.further.items()}
    desk, problems = gather(
        runs=params.runs["files"],
        form=params.runs["format"],
        team=params.runs["team"] and restored(Teams, params.runs["team"]),
        labels=labels,
        further=further,
        topics=topics,
        people=params.people and restored(People, params.people),
        policies=params.policies,
        sources=params.sources,
    )
    receive(
        desk,
        settings={**labels, **further},
        topics=topics,
        problems=problems,
        title=params.title,
        page=Path(snakemake.output.page),
        table=Path(snakemake.output.table),
    )
