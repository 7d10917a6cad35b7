from pathlib import Path

from pipeline.gains.step import write
from pipeline.config.topics import Costs
from pipeline.labels.costs import read
from pipeline.labels.topics import read_counted
from pipeline.sources.paths import expand
from pipeline.storage.atomic import atomic_folder
from pipeline.storage.step import step

with step(snakemake) as settings:
    costs = Costs.model_validate(settings["costs"]) if settings["costs"] else None
    with atomic_folder(snakemake.output.gains) as folder:
        write(
            rankings=Path(snakemake.input.rankings),
            labels={name: Path(table) for name, table in settings["labels"].items()},
            topics=[t.id for t in read_counted(Path(snakemake.input.topics)) if t.counts],
            order=settings["order"],
            costs=costs
            and (read(expand([costs.file], sources=settings["sources"])[0]), costs.usual),
            out=folder,
        )
