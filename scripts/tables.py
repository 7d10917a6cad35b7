from pathlib import Path

from pipeline.report.tables import step as tables
from pipeline.storage.step import step

with step(snakemake):
    files = [Path(path) for path in snakemake.input.runs]
    tables.write(
        means=Path(snakemake.input.means),
        correlations=Path(snakemake.input.correlations),
        significance=Path(snakemake.input.significance),
        runs=dict(zip(snakemake.params.measures, files, strict=True)),
        contrast=snakemake.params.contrast,
        title=snakemake.params.title,
        out=Path(snakemake.output[0]).parent,
    )
