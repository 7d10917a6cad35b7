from pathlib import Path

from pipeline.evaluate import evaluate
from pipeline.job import job

with job(snakemake.log):
    evaluate(
        snakemake.params.measure,
        dimensions=snakemake.params.dimensions,
        gains={Path(path).stem: Path(path) for path in snakemake.input.gains},
        unjudged=snakemake.params.unjudged,
        out=Path(snakemake.output[0]),
    )
