from pathlib import Path

from pipeline.runs.fusion import Fused, fuse
from pipeline.storage.step import step

with step(snakemake):
    fuse(
        [Path(path) for path in snakemake.input.batches],
        systems=[Fused(**system) for system in snakemake.params.systems],
        out=Path(snakemake.output.rankings),
        facts=Path(snakemake.output.facts),
    )
