from pathlib import Path

from pipeline.report import top_documents
from pipeline.storage.step import step

with step(snakemake):
    top_documents.take(Path(snakemake.input.rankings), out=Path(snakemake.output[0]))
