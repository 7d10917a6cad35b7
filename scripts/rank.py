import json
from pathlib import Path

from pipeline.config.fusion import Fusion
from pipeline.runs.rank import rank
from pipeline.runs.reader import RunPolicies
from pipeline.config.runs import Teams
from pipeline.runs.teams import teams_of, write_teams
from pipeline.sources.paths import expand
from pipeline.storage.step import step

with step(snakemake) as settings:
    output = snakemake.output
    rank(
        expand(settings["files"], sources=settings["sources"]),
        policies=RunPolicies(form=settings["form"], **settings["policies"]),
        fusion={name: Fusion.model_validate(one) for name, one in settings["fusion"].items()},
        made=[tuple(map(Path, snakemake.input.baselines))] if snakemake.input.baselines else [],
        out=Path(output.rankings),
        facts=Path(output.runs),
    )
    team = settings["team"] and Teams.model_validate(settings["team"])
    table = expand([team.table], sources=settings["sources"])[0] if team and team.table else None
    facts = json.loads(Path(output.runs).read_text())
    files = {fact["run"]: None if fact.get("made") else fact["file"] for fact in facts}
    write_teams(teams_of(files, given=team, table=table), out=Path(output.teams))
