from pathlib import Path

from pipeline.campaign import documents, expand
from pipeline.cleanse import cleanse
from pipeline.job import job

with job(snakemake.log):
    pages = expand(snakemake.params.patterns, sources=snakemake.params.sources)
    cleanse(documents(pages), out=Path(snakemake.output[0]), threads=snakemake.threads)
