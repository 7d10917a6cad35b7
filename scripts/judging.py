from pathlib import Path

from pipeline.judging.step import judge
from pipeline.measures.own import load_all
from pipeline.storage.atomic import atomic_folder
from pipeline.storage.step import step

with step(snakemake) as settings:
    load_all(settings["own"])
    given = snakemake.input
    with atomic_folder(snakemake.output.folder) as out:
        judge(
            settings,
            gains=Path(given.gains),
            labels=next((Path(one) for one in given.labels if Path(one).name == "labels"), None),
            rankings=Path(given.rankings),
            teams=Path(given.teams),
            scores=given.scores,
            out=out,
        )
