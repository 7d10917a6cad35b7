from functools import partial
from pathlib import Path

from pipeline.intake.desk import Desk
from pipeline.intake.step import receive
from pipeline.labels.reading import Labels
from pipeline.labels.topics import Topics
from pipeline.sources.paths import expand
from pipeline.storage.plain import restored
from pipeline.storage.step import step

with step(snakemake):
    params = snakemake.params
    topics = params.topics and restored(Topics, params.topics)
    labels = {name: restored(Labels, one) for name, one in params.labels.items() if one}
    find = partial(expand, sources=params.sources)
    desk = Desk(
        runs=find(params.runs["files"]),
        labels={n: find(one.files) for n, one in labels.items()},
        intents={n: one.intents_file(find) for n, one in labels.items()},
        topics=find([topics.file])[0] if topics else None,
        form=params.runs["format"],
        team=params.runs["team"],
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
