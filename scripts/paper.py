from pathlib import Path

from pipeline.papers.at_hand import given
from pipeline.papers.step import rerun
from pipeline.storage.step import step

with step(snakemake):
    params, output = snakemake.params, snakemake.output
    note = next((name for name in snakemake.input if name.endswith("/at_hand.json")), None)
    rerun(
        snakemake.wildcards.paper,
        paper=params.paper,
        given=given(params.paper, params.settings, roles=params.roles, note=note),
        page=Path(output.page),
        published=Path(output.published),
        charts=Path(output.charts),
        tables=Path(output.tables),
    )
