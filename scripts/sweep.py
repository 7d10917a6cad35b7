from pathlib import Path

from pipeline.judging.sweep import Sweep, sweep
from pipeline.storage.plain import restored
from pipeline.measures.own import load_all
from pipeline.storage.step import step

with step(snakemake):
    load_all(snakemake.params.own)
    given = snakemake.params.dimensions
    sweep(
        {Path(path).stem: Path(path) for path in snakemake.input.gains},
        measures=snakemake.params.measures,
        unjudged=snakemake.params.unjudged,
        dimensions={name: restored(Sweep, one) for name, one in given.items()},
        out=Path(snakemake.output[0]),
    )
