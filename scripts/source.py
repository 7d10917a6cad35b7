from pathlib import Path

from pipeline.storage.step import step
from pipeline.sources.kind import make
from pipeline.sources.places import here

with step(snakemake):
    # Places come past the params: where bytes are taken from must not make a source again.
    places = here(snakemake.config, campaign=snakemake.wildcards.campaign)
    make(Path(snakemake.output[0]), **snakemake.params.source, places=places)
