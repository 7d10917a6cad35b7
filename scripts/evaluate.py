from pathlib import Path

from pipeline.measures.evaluate import evaluate
from pipeline.measures.own import load_all
from pipeline.storage.step import step

with step(snakemake):
    load_all(snakemake.params.own)
    evaluate(
        snakemake.params.measure,
        dimensions=snakemake.params.dimensions,
        gains={Path(path).stem: Path(path) for path in snakemake.input.gains},
        scores=Path(snakemake.input.scores[0]) if snakemake.input.scores else None,
        costs=Path(snakemake.input.costs[0]) if snakemake.input.costs else None,
        unjudged=snakemake.params.unjudged,
        ties=snakemake.params.ties,
        out=Path(snakemake.output.scores),
        overall=Path(snakemake.output.overall),
    )
