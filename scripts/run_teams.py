import json
from pathlib import Path

from pipeline.runs.teams import Teams, teams_of, write_teams
from pipeline.sources.paths import expand
from pipeline.storage.plain import restored
from pipeline.storage.step import step

with step(snakemake):
    params = snakemake.params
    facts = [fact for path in snakemake.input.facts for fact in json.loads(Path(path).read_text())]
    given = params.team and restored(Teams, params.team)
    table = expand([given.table], sources=params.sources)[0] if given and given.table else None
    files = {fact["run"]: None if fact.get("made") else fact["file"] for fact in facts}
    write_teams(teams_of(files, given=given, table=table), out=Path(snakemake.output[0]))
