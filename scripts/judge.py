from pathlib import Path

from pipeline.storage.step import step
from pipeline.pooling.relevation import Files, export
from pipeline.labels.topics import read_counted

with step(snakemake):
    export(
        Path(snakemake.input.pool),
        texts={topic.id: topic.text for topic in read_counted(Path(snakemake.input.topics))},
        seed=snakemake.params.seed,
        out=Files(**{name: Path(path) for name, path in snakemake.output.items()}),
    )
