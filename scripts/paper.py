from pathlib import Path

from pipeline.papers.paper import paper_inputs
from pipeline.papers.step import rerun
from pipeline.storage.step import step

with step(snakemake) as settings:
    paper, roles = settings["paper"], settings["roles"]
    note = next((Path(path) for path in snakemake.input if path.endswith("/available.json")), None)
    inputs = paper_inputs(paper, settings["settings"], roles=roles, note=note)
    out = Path(snakemake.output.page).parent
    rerun(snakemake.wildcards.paper, paper=paper, inputs=inputs, out=out)
