from pathlib import Path

from pipeline.config.topics import Topics
from pipeline.config.topics import Baseline
from pipeline.pages.baselines.step import queries_of, retrieve
from pipeline.sources.paths import expand
from pipeline.storage.step import step

with step(snakemake) as settings:
    given, output = snakemake.input, snakemake.output
    systems = {name: Baseline.model_validate(one) for name, one in settings["systems"].items()}
    topics = Topics.model_validate(settings["topics"])
    file = expand([topics.file], sources=settings["sources"])[0]
    retrieve(
        [Path(path) for path in given.shards],
        queries={
            name: queries_of(one, name=name, counted=Path(given.topics), file=file, topics=topics)
            for name, one in systems.items()
        },
        systems=systems,
        out=Path(output.rankings),
        facts=Path(output.runs),
    )
