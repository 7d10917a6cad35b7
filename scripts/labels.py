from functools import partial
from pathlib import Path

from pipeline.config.dimensions import Labels
from pipeline.labels.tables import tabulate
from pipeline.config.topics import Topics
from pipeline.labels.topics import count
from pipeline.sources.paths import expand
from pipeline.storage.atomic import atomic_folder
from pipeline.storage.step import step

with step(snakemake) as settings:
    output = snakemake.output
    find = partial(expand, sources=settings["sources"])
    with atomic_folder(output.labels) as folder:
        for name, given in settings["labels"].items():
            labels = Labels.model_validate(given)
            tabulate(
                find(labels.files),
                out=folder / f"{name}.parquet",
                scale=labels.scale,
                key=labels.key,
                conflict=labels.conflict,
                subtopics=labels.subtopics,
                intents=labels.intents_file(find),
            )
    topics = settings["topics"] and Topics.model_validate(settings["topics"])
    count(
        next((Path(output.labels, f"{name}.parquet") for name in settings["first"]), None),
        file=find([topics.file])[0] if topics else None,
        topics=topics,
        policy=settings["policy"],
        out=Path(output.topics),
    )
