from pathlib import Path

from pipeline.papers.paper import write_absent
from pipeline.sources.places import campaign_places
from pipeline.storage.step import step

with step(snakemake) as settings:
    campaigns = settings["campaigns"]
    # Places come past the params: where bytes are taken from must not make a source again.
    places = {name: campaign_places(snakemake.config, campaign=name) for name in campaigns}
    write_absent(campaigns, places=places, out=Path(snakemake.output.note))
