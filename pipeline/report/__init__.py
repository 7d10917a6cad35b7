"""The report of a campaign: one HTML page that opens offline, with every number traceable.

The way through the package: `data` and `forensics` read the campaign's files, `story` says in
words what they show, `charts` draws, `page` escapes and assembles. Nothing here knows the time or
the machine: the same inputs give the same bytes.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.correlation import read_means
from pipeline.files import atomic
from pipeline.report import audit as audits
from pipeline.report import charts, data, forensics, judging, page, story
from pipeline.report import reading as readings

__all__ = ["write"]


def write(
    *,
    out: Path,
    campaign: str,
    title: str,
    means: Path,
    scores: Sequence[Path],
    correlations: Path,
    checks: Path,
    facts: Mapping[str, Any],
    scatter: tuple[str, str],
    topics: Mapping[str, str],
    audit: Path | None = None,
    tables: Sequence[Path] = (),
    readability: Path | None = None,
    pages: Path | None = None,
) -> None:
    """Write the report of one campaign to `out`.

    `scatter` names the two measures the report contrasts: the first orders the leaderboard, the
    second gives the rank arrows. `topics` maps topic ids to their text. `audit` is the summary of
    the audit, where there is one; `tables` are what the steps about pools and judgements wrote.
    `readability` and `pages` are readability.parquet and the pages' summary, where dimensions are
    estimated. `facts` is what only the caller knows; each key may be missing:

    - generated: a sentence, or a list of them, to add to the summary
    - judged: number of judged documents
    - dimensions: name -> description (a mapping)
    - policies: name -> value
    - inputs: [{path, sha256, bytes}, ...]
    - measures: canonical name -> {formula, citation}
    - versions: tool -> version
    - command: the command that makes this report again
    """
    board = data.read_board(
        means=read_means(means), source=means, scores=scores, contrast=scatter, topics=topics
    )
    agreement = data.read_agreement(correlations, measures=board.measures)
    line = story.regression(board)
    reading = (
        readings.read(
            readability=readability,
            summary=pages,
            correlations=correlations,
            dimensions=facts.get("dimensions") or {},
            board=board,
        )
        if readability and pages
        else None
    )
    html = page.render(
        campaign=campaign,
        title=title,
        board=board,
        agreement=agreement,
        checks=forensics.read(checks),
        audit=audits.read(audit) if audit else None,
        summary=story.summary(board=board, facts=facts),
        regression=line,
        specs={
            "scatter": charts.scatter(board, regression=line),
            "agreement": charts.agreement(agreement),
            **(reading.specs if reading else {}),
        },
        reading=reading,
        facts=facts,
        judging=judging.read(tables),
    )
    with atomic(out) as draft:
        draft.write_text(html, encoding="utf-8", newline="\n")
