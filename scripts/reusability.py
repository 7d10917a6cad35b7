from pathlib import Path

from pipeline.runs.teams import read_teams
from pipeline.storage.plain import restored
from pipeline.measures.own import load_all
from pipeline.storage.step import step
from pipeline.pooling.plan import Plan
from pipeline.judging.reusability import reuse

with step(snakemake):
    load_all(snakemake.params.own)
    params = snakemake.params
    reuse(
        {Path(path).stem: Path(path) for path in snakemake.input.gains},
        rankings=Path(snakemake.input.rankings),
        measures=params.measures,
        labelled=params.labelled,
        kinds=params.kinds,
        plan=restored(Plan, params.plan),
        reach=params.reach,
        teams=read_teams(Path(snakemake.input.teams)),
        unjudged=params.unjudged,
        out=Path(snakemake.output.runs),
        summary=Path(snakemake.output.summary),
    )
