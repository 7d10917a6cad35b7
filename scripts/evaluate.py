from pathlib import Path

from pipeline.measures.evaluate import evaluate
from pipeline.measures.own import load_all
from pipeline.statistics.significance.step import compare
from pipeline.storage.step import step

with step(snakemake) as settings:
    output = snakemake.output
    load_all(settings["own"])
    gains = Path(snakemake.input.gains)
    scores = evaluate(
        settings["measure"],
        dimensions=settings["dimensions"],
        gains={name: gains / f"{name}.npz" for name in settings["gains"]},
        scores=gains / "_ties.npz" if settings["scored"] else None,
        costs=gains / "_costs.npz" if settings["costed"] else None,
        unjudged=settings["unjudged"],
        ties=settings["ties"],
        out=Path(output.scores),
        overall=Path(output.overall),
    )
    compare(
        scores,
        pairs=Path(output.pairs),
        runs=Path(output.runs),
        summary=Path(output.summary),
        **settings["significance"],
    )
