from pathlib import Path

from pipeline.pages.step import merge, required_documents
from pipeline.pages.user_models.simulate import simulate
from pipeline.storage.atomic import atomic_folder
from pipeline.storage.step import step

with step(snakemake) as settings:
    output = snakemake.output
    source, readability = snakemake.input.needed, Path(output.readability)
    merge(
        [Path(path) for path in snakemake.input.shards],
        required=required_documents(Path(source[0]), depth=settings["depth"]) if source else (),
        out=readability,
        problems=Path(output.problems),
    )
    with atomic_folder(output.estimates) as folder:
        for name, estimate in settings["estimates"].items():
            simulate(readability, out=folder / f"{name}.parquet", **estimate)
