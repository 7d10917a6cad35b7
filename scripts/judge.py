from pathlib import Path

from pipeline.job import job
from pipeline.relevation import Files, export
from pipeline.topics import read_counted

with job(snakemake.log):
    export(
        Path(snakemake.input.pool),
        texts={topic.id: topic.text for topic in read_counted(Path(snakemake.input.topics))},
        seed=snakemake.params.seed,
        out=Files(**{name: Path(path) for name, path in snakemake.output.items()}),
    )
