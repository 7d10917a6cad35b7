from pathlib import Path

from pipeline.papers.paper import given
from pipeline.papers.step import rerun
from pipeline.storage.step import step

with step(snakemake) as settings:
    note = next((Path(one) for one in snakemake.input if one.endswith("/available.json")), None)
    rerun(
        snakemake.wildcards.paper,
        paper=settings["paper"],
        given=given(settings["paper"], settings["settings"], roles=settings["roles"], note=note),
        out=Path(snakemake.output.page).parent,
    )
