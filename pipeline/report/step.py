"""The report of a campaign: one HTML page that opens offline, with every number traceable.

The way through the package: `data`, `certainty`, `lists` and `forensics` read the campaign's
files, `story` says in words what they show, `charts`, `plots` and `grids` draw, `numbers` packs
what the drill-down needs, `page` escapes and assembles. `teams` writes a page a team, `figures`
the charts for paper. Nothing here knows the time or the machine: the same inputs give the same
bytes.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.report import audit as audits
from pipeline.report import certainty, data, forensics, gallery, judging, numbers, page, story
from pipeline.report import reading as readings
from pipeline.report.lists import read_lists
from pipeline.report.names import slugs
from pipeline.statistics.correlation.means import read_means
from pipeline.storage.atomic import atomic

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
    standings: Mapping[str, Path] | None = None,
    pairs: Mapping[str, Path] | None = None,
    swaps: Path | None = None,
    tops: Path | None = None,
    labels: Mapping[str, Path] | None = None,
    audit: Path | None = None,
    tables: Sequence[Path] = (),
    readability: Path | None = None,
    pages: Path | None = None,
    team_pages: bool = False,
    charts: Path | None = None,
) -> None:
    """Write the report of one campaign to `out`.

    `scatter` names the two measures the report contrasts: the first orders the leaderboard, the
    second gives the rank arrows. `topics` maps topic ids to their text. What is optional adds to
    the page: `standings` (significance/runs/<measure>.csv by measure) intervals and letters,
    `pairs` (significance/<measure>.csv by measure) the tests of two runs, `swaps` (swaps.parquet)
    the runs the two measures swap, `tops` (see `top_documents`) and `labels` (tables by
    dimension) what each run showed first, `audit` the audit's summary, `tables` what the steps
    about pools and judgements wrote, `readability` the pages' FOG and with `pages` (their summary)
    what the estimated dimensions make of it, `team_pages` links to them. The charts'
    specifications go to `charts` as JSON, for the figures.

    `facts` is what only the caller knows; each key may be missing:

    - generated: a sentence, or a list of them, to add to the summary
    - judged: number of judged documents
    - dimensions: name -> description (a mapping)
    - policies: name -> value
    - inputs: [{path, sha256, bytes}, ...]
    - sources: folders made or fetched by the workflow, name -> description
    - measures: canonical name -> {formula, citation}
    - versions: tool -> version
    - command: the command that makes this report again
    """
    board = data.read_board(
        means=read_means(means), source=means, scores=scores, contrast=scatter, topics=topics
    )
    agreement = data.read_agreement(correlations, measures=board.measures)
    stands = certainty.read_standings(standings or {})
    swapped = certainty.read_swaps(swaps, contrast=scatter) if swaps else []
    per_topic = numbers.read_scores(scores, board=board)
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
    drawn = gallery.draw(
        board=board,
        agreement=agreement,
        scores=per_topic,
        standings=stands,
        swaps=swapped,
        regression=line,
        dimensions=facts.get("dimensions") or {},
        readability=readability,
        tops=tops,
    )
    lists = (
        read_lists(
            tops,
            labels=labels or {},
            runs=[row.run for row in board.rows],
            topics=[topic.id for topic in board.topics],
        )
        if tops
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
            # The reading section has its own picture of FOG; this one is then for paper only.
            **{c.name: c.on_page for c in drawn if not (reading and c.name == "fog")},
            **(reading.specs if reading else {}),
        },
        reading=reading,
        judging=judging.read(tables),
        facts=facts,
        standings=stands,
        swaps=swapped,
        team_pages=slugs(board.teams) if team_pages else {},
        numbers=numbers.block(
            board=board, scores=per_topic, standings=stands, pairs=pairs or {}, lists=lists
        ),
    )
    with atomic(out) as draft:
        draft.write_text(html, encoding="utf-8", newline="\n")
    if charts is not None:
        with atomic(charts) as draft:
            kept = {c.name: {"title": c.title, "spec": c.spec} for c in drawn}
            draft.write_text(json.dumps(kept, allow_nan=False) + "\n", encoding="utf-8")
