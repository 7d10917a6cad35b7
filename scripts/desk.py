from pathlib import Path

from pipeline.intake.desk import Desk
from pipeline.intake.step import receive
from pipeline.labels.reading import Labels
from pipeline.labels.topics import Topics
from pipeline.runs.teams import Teams
from pipeline.sources.paths import expand
from pipeline.storage.plain import restored
from pipeline.storage.step import step

with step(snakemake):
    params = snakemake.params
    topics = params.topics and restored(Topics, params.topics)
    labels = {name: restored(Labels, one) for name, one in params.labels.items() if one}
    team = params.runs["team"] and restored(Teams, params.runs["team"])
    table = expand([team.table], sources=params.sources)[0] if team and team.table else None
    desk = Desk(
        runs=expand(params.runs["files"], sources=params.sources),
        labels={n: expand(one.files, sources=params.sources) for n, one in labels.items()},
        topics=expand([topics.file], sources=params.sources)[0] if topics else None,
        form=params.runs["format"],
        team=team,
        team_table=table,
        **params.policies,
    )
    receive(
        desk,
        settings=labels,
        topics=topics,
        title=params.title,
        page=Path(snakemake.output.page),
        table=Path(snakemake.output.table),
    )
