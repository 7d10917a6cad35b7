from pathlib import Path

from pipeline.measures.own import load_all
from pipeline.report import judged_lists
from pipeline.storage.step import step

with step(snakemake):
    load_all(snakemake.params.own)
    judged_lists.take(
        Path(snakemake.input.rankings),
        gains={Path(path).stem: Path(path) for path in snakemake.input.gains},
        measures=snakemake.params.measures,
        unjudged=snakemake.params.unjudged,
        alpha=snakemake.params.alpha,
        out=Path(snakemake.output[0]),
    )
