from pathlib import Path

from pipeline.sources.kind import make
from pipeline.sources.places import campaign_places
from pipeline.storage.step import step

with step(snakemake) as settings:
    # Places come past the params: where bytes are taken from must not make a source again.
    places = campaign_places(snakemake.config, campaign=snakemake.wildcards.campaign)
    make(
        Path(snakemake.output.folder),
        kind=settings["kind"],
        settings=settings["settings"],
        places=places,
    )
