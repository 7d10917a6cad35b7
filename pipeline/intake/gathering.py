"""What the desk is to look at: files found from the patterns of a config, whichever are there.

A pattern that matches nothing is a problem like any other, and hides none of the others.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.errors import InputError
from pipeline.intake.desk import Desk
from pipeline.intake.people import READERS
from pipeline.intake.problem import Kind, Problem, odd, sentence_parts, wrong
from pipeline.labels.reading import Labels
from pipeline.labels.topics import Topics
from pipeline.people.settings import People
from pipeline.runs.teams import Teams
from pipeline.sources.missing import missing_of
from pipeline.sources.paths import expand, split


def gather(
    *,
    runs: Sequence[str],
    form: str,
    team: Teams | None,
    labels: Mapping[str, Labels],
    further: Mapping[str, Labels],
    topics: Topics | None,
    people: People | None,
    policies: Mapping[str, Any],
    sources: str | Path,
) -> tuple[Desk, list[Problem]]:
    """What is there to be looked at, and what is not: all but `policies` name files.

    `further` labels are of judgement sets and the like: good files, but of no use to the measures.
    """
    problems: list[Problem] = []

    partial: dict[str, None] = {}  # the sources that were asked

    def found(patterns: Sequence[str], kind: Kind, name: str = "") -> list[Path]:
        files: dict[Path, None] = {}
        for pattern in patterns:
            partial[split(pattern)[0] or ""] = None
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
    asked = {name: found(getattr(people, name), "people", name) for name in READERS if people}
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
        people={name: paths for name, paths in asked.items() if paths},
        **policies,
    )
    for source in filter(None, partial):
        if lacking := missing_of(Path(sources, source)):
            what = f"only a part is here: {'; '.join(lacking)}"
            fix = "add the files to the mirror; until then figures are of the part, and say so"
            problems.append(odd("source", source, f"@{source}", what, fix))
    return desk, problems
