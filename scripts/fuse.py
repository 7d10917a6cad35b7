from pathlib import Path

from pipeline.runs.fusion.settings import Fusion
from pipeline.runs.fusion.step import fuse
from pipeline.storage.plain import restored
from pipeline.storage.step import step

with step(snakemake):
    systems = snakemake.params.systems
    fuse(
        [Path(path) for path in snakemake.input.batches],
        systems={name: restored(Fusion, given) for name, given in systems.items()},
        out=Path(snakemake.output.rankings),
        facts=Path(snakemake.output.facts),
    )
