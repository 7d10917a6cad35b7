from pathlib import Path

from pipeline.people.settings import People
from pipeline.people.step import ask
from pipeline.sources.paths import expand
from pipeline.storage.plain import restored
from pipeline.storage.step import step

with step(snakemake):
    settings = restored(People, snakemake.params.settings)
    ask(
        [Path(path) for path in snakemake.input.scores],
        preferences=expand(settings.preferences, sources=snakemake.params.sources),
        satisfaction=expand(settings.satisfaction, sources=snakemake.params.sources),
        dimensions=snakemake.params.dimensions,
        settings=settings,
        measures=Path(snakemake.output.measures),
        comparisons=Path(snakemake.output.comparisons),
    )
