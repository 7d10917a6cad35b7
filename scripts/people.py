from pathlib import Path

from pipeline.config.people import People
from pipeline.people.step import compare_with_people
from pipeline.sources.paths import expand
from pipeline.storage.step import step

with step(snakemake) as settings:
    output = snakemake.output
    people = People.model_validate(settings["people"])
    compare_with_people(
        [Path(path) for path in snakemake.input.scores],
        preferences=expand(people.preferences, sources=settings["sources"]),
        satisfaction=expand(people.satisfaction, sources=settings["sources"]),
        dimensions=settings["dimensions"],
        settings=people,
        measures=Path(output.measures),
        comparisons=Path(output.comparisons),
    )
