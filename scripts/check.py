from pathlib import Path

from pipeline.intake.check import assign_teams, inspect
from pipeline.intake.findings import in_order
from pipeline.intake.inputs import find_inputs
from pipeline.intake.page import write_check
from pipeline.config.dimensions import Labels
from pipeline.config.topics import Topics
from pipeline.config.people import People
from pipeline.config.runs import Teams
from pipeline.storage.step import step

with step(snakemake) as settings:
    team, topics, people = settings["runs"]["team"], settings["topics"], settings["people"]
    inputs, problems = find_inputs(
        runs=settings["runs"]["files"],
        form=settings["runs"]["format"],
        team=team and Teams.model_validate(team),
        labels={n: Labels.model_validate(one) for n, one in settings["labels"].items()},
        further={name: Labels.model_validate(one) for name, one in settings["further"].items()},
        topics=topics and Topics.model_validate(topics),
        people=people and People.model_validate(people),
        sources=settings["sources"],
        **settings["policies"],
    )
    write_check(
        in_order([*problems, *inspect(inputs)]),
        title=settings["title"],
        runs=inputs.runs,
        teams=assign_teams(inputs.runs, settings=inputs.team, table=inputs.team_table),
        folder=Path(snakemake.output.page).parent,
    )
