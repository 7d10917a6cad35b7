from pathlib import Path

from pipeline.report.changes.step import change
from pipeline.measures.own import load_all
from pipeline.storage.step import step

with step(snakemake):
    load_all(snakemake.params.own)
    given, params = snakemake.input, snakemake.params
    change(
        Path(params.folder),
        Path(given.means).parent,
        gains={Path(path).stem: Path(path) for path in given.gains},
        rankings=Path(given.rankings),
        scores=next(map(Path, given.ties), None),
        costs=next(map(Path, given.costs), None),
        title=params.title,
        contrast=params.contrast,
        unjudged=params.unjudged,
        alpha=params.alpha,
        page=Path(snakemake.output.page),
        table=Path(snakemake.output.table),
    )
