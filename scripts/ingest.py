from pathlib import Path

from pipeline.sources.paths import expand
from pipeline.storage.step import step
from pipeline.runs.ingest import batch_of, ingest

with step(snakemake):
    made = expand(snakemake.params.made, sources=snakemake.params.sources)
    batch, batches = int(snakemake.wildcards.batch), snakemake.params.batches
    local = [Path(path) for path in snakemake.input.runs if Path(path).is_file()]
    ingest(
        [*local, *(path for path in made if batch_of(path, batches=batches) == batch)],
        out=Path(snakemake.output.rankings),
        facts=Path(snakemake.output.facts),
        form=snakemake.params.form,
        **snakemake.params.policies,
    )
