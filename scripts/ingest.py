from pathlib import Path

from pipeline.campaign import expand
from pipeline.job import job
from pipeline.rankings import batch_of, ingest

with job(snakemake.log):
    made = expand(snakemake.params.made, sources=snakemake.params.sources)
    batch, batches = int(snakemake.wildcards.batch), snakemake.params.batches
    local = [Path(path) for path in snakemake.input.runs if Path(path).is_file()]
    ingest(
        [*local, *(path for path in made if batch_of(path, batches=batches) == batch)],
        out=Path(snakemake.output.rankings),
        facts=Path(snakemake.output.facts),
        **snakemake.params.policies,
    )
