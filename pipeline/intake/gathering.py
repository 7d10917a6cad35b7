"""What the desk is to look at: files found from the patterns of a config, whichever are there.

A pattern that matches nothing is a problem like any other, and hides none of the others.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.errors import InputError
from pipeline.intake.desk import Desk
from pipeline.intake.problem import Kind, Problem, sentence_parts, wrong
from pipeline.labels.reading import Labels
from pipeline.labels.topics import Topics
from pipeline.runs.teams import Teams
from pipeline.sources.paths import expand


def gather(
    *,
    runs: Sequence[str],
    form: str,
    team: Teams | None,
    labels: Mapping[str, Labels],
    further: Mapping[str, Labels],
    topics: Topics | None,
    policies: Mapping[str, Any],
    sources: str | Path,
) -> tuple[Desk, list[Problem]]:
    """What is there to be looked at, and what is not: all but `policies` name files.

    `further` labels are of judgement sets and the like: good files, but of no use to the measures.
    """
    problems: list[Problem] = []

    def found(patterns: Sequence[str], kind: Kind, name: str = "") -> list[Path]:
        files: dict[Path, None] = {}
        for pattern in patterns:
            try:
                files.update(dict.fromkeys(expand([pattern], sources=sources)))
            except InputError as error:
                _, what, fix = sentence_parts(str(error), path=Path(pattern))
                problems.append(wrong(kind, name, pattern, None, what, fix))
        return list(files)

    files = {name: found(one.files, "labels", name) for name, one in {**labels, **further}.items()}
    intents = {
        name: next(iter(found([one.intents], "labels", name)), None)
        for name, one in labels.items()
        if one.intents
    }
    tables = found([team.table], "teams") if team and team.table else []
    desk = Desk(
        runs=found(runs, "config"),
        labels={name: paths for name, paths in files.items() if paths},
        topics=next(iter(found([topics.file], "topics")), None) if topics else None,
        form=form,
        team=team,
        team_table=tables[0] if tables else None,
        further=tuple(further),
        intents=intents,
        **policies,
    )
    return desk, problems
