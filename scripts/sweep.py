from pathlib import Path

from pipeline.job import job
from pipeline.labels import Scale
from pipeline.sweep import Swept, sweep

with job(snakemake.log):
    sweep(
        {Path(path).stem: Path(path) for path in snakemake.input.gains},
        measures=snakemake.params.measures,
        unjudged=snakemake.params.unjudged,
        dimensions={
            name: Swept(
                scale=Scale.read(one["labels"]),
                thresholds=one["thresholds"],
                gains=one["gains"],
            )
            for name, one in snakemake.params.dimensions.items()
        },
        out=Path(snakemake.output[0]),
    )
