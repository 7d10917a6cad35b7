from pathlib import Path

from pipeline.judging.agreement import Agreement, agree
from pipeline.judging.exchange import swap
from pipeline.storage.plain import restored
from pipeline.measures.own import load_all
from pipeline.storage.step import step

with step(snakemake):
    load_all(snakemake.params.own)
    dimension, params = snakemake.wildcards.dimension, snakemake.params
    sets = {Path(path).stem: Path(path) for path in snakemake.input.sets}
    settings = restored(Agreement, params.settings)
    agree(
        {"labels": Path(snakemake.input.labels), **sets},
        out=Path(snakemake.output.agreement),
        settings=settings,
    )
    swap(
        {Path(path).stem: Path(path) for path in snakemake.input.gains},
        dimension=dimension,
        sets={Path(path).stem: Path(path) for path in snakemake.input.set_gains},
        measures=params.measures,
        unjudged=params.unjudged,
        significance=settings.significance,
        out=Path(snakemake.output.swaps),
    )
