from pathlib import Path

from pipeline.papers.at_hand import at_hand
from pipeline.sources.places import here
from pipeline.storage.step import step

with step(snakemake):
    campaigns = snakemake.params.campaigns
    # Places come past the params: where bytes are taken from must not make a source again.
    places = {name: here(snakemake.config, campaign=name) for name in campaigns}
    at_hand(campaigns, places=places, out=Path(snakemake.output[0]))
