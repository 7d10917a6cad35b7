from pathlib import Path

from pipeline.judging.agreement import agree
from pipeline.storage.step import step
from pipeline.judging.exchange import swap

with step(snakemake):
    dimension, params = snakemake.wildcards.dimension, snakemake.params
    sets = {Path(path).stem: Path(path) for path in snakemake.input.sets}
    given = dict(params.agreement)
    significance = given.pop("significance")
    agree(
        {"labels": Path(snakemake.input.labels), **sets},
        out=Path(snakemake.output.agreement),
        **given,
    )
    swap(
        {Path(path).stem: Path(path) for path in snakemake.input.gains},
        dimension=dimension,
        sets={Path(path).stem: Path(path) for path in snakemake.input.set_gains},
        measures=params.measures,
        unjudged=params.unjudged,
        significance=significance,
        out=Path(snakemake.output.swaps),
    )
