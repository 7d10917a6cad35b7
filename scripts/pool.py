from pathlib import Path

from pipeline.labels.topics import read_counted
from pipeline.config.pool import Plan
from pipeline.pooling.pool import pool
from pipeline.runs.teams import read_teams
from pipeline.storage.step import step

with step(snakemake) as settings:
    given, output = snakemake.input, snakemake.output
    pool(
        Path(given.rankings),
        plan=Plan.model_validate(settings["plan"]),
        teams=read_teams(Path(given.teams)),
        topics=read_counted(Path(given.topics)),
        labels=next(map(Path, settings["first"]), None),
        replayed=next(map(Path, settings["replayed"]), None),
        out=Path(output.pool),
        tables={Path(path).stem: Path(path) for path in output.tables},
        assessors={Path(path).stem: Path(path) for path in (output.qrels, *output.relevation)},
    )
