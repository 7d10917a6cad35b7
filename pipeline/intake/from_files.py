"""The intake desk without a campaign: plain files, scales guessed where nobody says them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pipeline.intake.desk import Desk, inspect
from pipeline.intake.problem import Problem
from pipeline.labels.reading import Labels
from pipeline.labels.topics import Topics
from pipeline.runs.teams import Teams


def check_files(
    runs: Sequence[Path],
    *,
    labels: Mapping[str, Labels],
    topics: Path | None = None,
    team: str | None = None,  # an expression, searched in the run's name
    form: str = "trec",
    order: str = "score",
    depth: int = 1000,
) -> list[Problem]:
    """All that is wrong or odd with some files, as a campaign with the usual policies sees it."""
    desk = Desk(
        runs=list(runs),
        labels={name: [Path(path) for path in one.files] for name, one in labels.items()},
        topics=topics,
        form=form,
        team=Teams(name=team) if team else None,
        order=order,
        depth=depth,
        duplicates="error",
        bad_scores="error",
        topics_from="labels" if labels else "topics",
    )
    given = Topics(file=str(topics), match=None, replace=None) if topics else None
    return inspect(desk, settings=labels, topics=given)
