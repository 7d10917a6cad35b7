from pathlib import Path

from pipeline.storage.step import step
from pipeline.judging.sweep import Swept, sweep

with step(snakemake):
    sweep(
        {Path(path).stem: Path(path) for path in snakemake.input.gains},
        measures=snakemake.params.measures,
        unjudged=snakemake.params.unjudged,
        dimensions={d: Swept.read(one) for d, one in snakemake.params.dimensions.items()},
        out=Path(snakemake.output[0]),
    )
