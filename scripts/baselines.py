from pathlib import Path

from pipeline.labels.topics import Topics
from pipeline.pages.baselines.queries import queries
from pipeline.pages.baselines.settings import Baseline
from pipeline.pages.baselines.step import retrieve
from pipeline.sources.paths import expand
from pipeline.storage.plain import restored
from pipeline.storage.step import step

with step(snakemake):
    params, given = snakemake.params, snakemake.input
    systems = {name: restored(Baseline, one) for name, one in params.systems.items()}
    topics = restored(Topics, params.topics)
    retrieve(
        {Path(path).name: Path(path) for path in given.indices},
        queries=queries(
            systems,
            counted=Path(given.topics),
            file=expand([topics.file], sources=params.sources)[0],
            topics=topics,
        ),
        systems=systems,
        out=Path(snakemake.output.rankings),
        facts=Path(snakemake.output.facts),
    )
