from pathlib import Path

from pipeline.report import top_documents as tops
from pipeline.errors import reported

with reported(snakemake.log):
    tops.take(Path(snakemake.input.rankings), out=Path(snakemake.output[0]))
