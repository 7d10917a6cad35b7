"""A page for each team, to send to its members, with its scores as a CSV file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pipeline.report.board import FEW, Board, Row, read_pairs
from pipeline.report.checks import Checks, RunChecks
from pipeline.report.documents import FIRST, UniqueDocuments, read_unique
from pipeline.report.markup import environment
from pipeline.report.report import Report
from pipeline.statistics.ranks import EXACT
from pipeline.statistics.significance.pairwise import differences, holm, paired_t
from pipeline.storage import sheets
from pipeline.storage.arrays import Floats
from pipeline.storage.atomic import atomic_folder

SHOWN = 100  # unique documents on the page; the CSV file has all
UNIQUE = ("topic", "document", "run", "rank", "rank_elsewhere")


class Comparison(NamedTuple):
    """The difference of means of a run and its opponent, p, and whether it is significant."""

    difference: float
    p: float | None = None  # None: not tested
    significant: bool | None = None
    above: int | None = None  # the number of topics above (and below) the median
    below: int | None = None


class Opponent(NamedTuple):
    """An opponent of runs: `kind` is other, median or baseline; `comparisons` are by run."""

    kind: str
    runs: tuple[str, ...]  # several if they are tied; none for the median
    value: float
    comparisons: Mapping[str, Comparison]


@dataclass(frozen=True)
class Field:
    """All runs under one measure, read once for all teams."""

    report: Report
    measure: str

    @cached_property
    def _means(self) -> dict[str, float]:
        means = np.round(self.report.board.values(self.measure), EXACT).tolist()
        return dict(zip(self.report.board.runs, means, strict=True))

    @cached_property
    def _tukey(self) -> Floats:
        path, runs = self.report.pairs.get(self.measure), self.report.board.runs
        return read_pairs(path, runs=runs)["tukey"] if path else np.full([len(runs)] * 2, np.nan)

    @cached_property
    def _median(self) -> list[Opponent]:
        scores, alpha = self.report.scores.get(self.measure), self.report.alpha
        if scores is None or len(scores) <= FEW or scores.shape[1] == 0:
            return []
        median = np.median(scores, axis=0)
        gaps = np.round(scores - median, EXACT)
        pairs = [differences(np.stack([row, median])) for row in scores]
        tests = [paired_t(pair, topics=len(median), alpha=alpha) for pair in pairs]
        corrected = holm(np.concatenate([p for p, *_ in tests]))
        comparisons = {}
        for run, pair, p, gap in zip(self._means, pairs, corrected, gaps, strict=True):
            p, significant = (None, None) if np.isnan(p) else (float(p), bool(p <= alpha))
            above, below = int((gap > 0).sum()), int((gap < 0).sum())
            comparisons[run] = Comparison(float(pair.mean[0]), p, significant, above, below)
        return [Opponent("median", (), float(median.mean()), comparisons)]

    def against(self, rows: Sequence[Row]) -> list[Opponent]:
        """The runs of a team against the best of the others, the median and every baseline."""
        team_runs = [row.run for row in rows]
        ordered = sorted(self.report.board.rows, key=lambda row: -self._means[row.run])
        others = [row.run for row in ordered if row.run not in team_runs]
        best = [run for run in others if self._means[run] == self._means[others[0]]]
        return [
            *([self._opponent("other", best, team_runs)] if best else []),
            *self._median,
            *(self._opponent("baseline", [row.run], team_runs) for row in ordered if row.baseline),
        ]

    def _opponent(self, kind: str, runs: Sequence[str], team_runs: Sequence[str]) -> Opponent:
        comparisons = {run: self._compare(run, runs[0]) for run in team_runs}
        return Opponent(kind, tuple(runs), self._means[runs[0]], comparisons)

    def _compare(self, run: str, other: str) -> Comparison:
        standing, rival = (self.report.standings.get((self.measure, name)) for name in (run, other))
        difference = round(self._means[run] - self._means[other], EXACT)
        if standing is None or rival is None or not standing.letters or not rival.letters:
            return Comparison(difference)
        first, second = sorted(map(self.report.board.runs.index, (run, other)))
        p = float(self._tukey[first, second])
        return Comparison(difference, None if np.isnan(p) else p, not standing.shares(rival))


def write(report: Report) -> None:
    """Write <team>.html, <team>.csv (scores) and, if known, <team>.unique.csv for every team."""
    template = environment().get_template("team.html.j2")
    fields = [Field(report, measure) for measure in report.board.measures]
    relevant = read_unique(report)
    with atomic_folder(report.results.team_pages) as folder:
        for team, name in report.team_files.items():
            rows = runs_of(report.board, team)
            values = _values(report, team, rows, relevant)
            against = {field.measure: field.against(rows) for field in fields}
            _write_scores(report, rows, out=folder / f"{name}.csv")
            if relevant and values["unique"]:
                head = [*UNIQUE, *relevant.dimensions]
                documents = ([*document[:-1], *document.labels] for document in values["unique"])
                sheets.write(folder / f"{name}.unique.csv", head, documents)
            html = template.render(**values, against=against, file=name)
            (folder / f"{name}.html").write_text(html, encoding="utf-8", newline="\n")


def runs_of(board: Board, team: str) -> list[Row]:
    """The runs of the team; '' has submitted runs without a team, but no baselines."""
    return [row for row in board.rows if row.team == team and not row.baseline]


def _values(
    report: Report, team: str, rows: Sequence[Row], relevant: UniqueDocuments | None
) -> dict[str, Any]:
    board, checks = report.board, report.checks
    contrast = tuple(dict.fromkeys(report.contrast))
    runs = {row.run for row in rows}
    checked = [row for row in (*checks.flagged, *checks.others) if row.run in runs]
    return {
        "report": report,
        "team": team,
        "board": board,
        "contrast": contrast,
        "few": len(board.rows) <= FEW,
        "rows": rows,
        "others": len(board.rows) - len(rows),
        "strips": {measure: _strip(board, rows, measure) for measure in board.measures},
        "topics": {
            measure: _topics(board, rows, report.scores[measure])
            for measure in contrast
            if measure in report.scores and board.topics
        },
        "relevant": relevant,
        "unique": relevant.by_team.get(team, ()) if relevant else (),
        "shown": SHOWN,
        "depth": FIRST,
        "checked": checked,
        "warnings": _file_warnings(checks, checked),
    }


def _strip(board: Board, rows: Sequence[Row], measure: str) -> dict[str, Any]:
    """The positions of the runs between the lowest and the highest mean of all, in percent."""
    means = board.values(measure)
    shares = np.round(100 * (means - means.min()) / (float(np.ptp(means)) or 1.0), 1).tolist()
    share = dict(zip(board.runs, shares, strict=True))
    rank = dict(zip(board.runs, board.ranks(measure), strict=True))
    best = min(rank[row.run] for row in rows)
    first = [row for row in rows if rank[row.run] == best]
    return {
        "measure": measure,
        "others": sorted({share[row.run] for row in board.rows if row not in rows}),
        "ours": [(share[row.run], row.run) for row in rows],
        "best": first,  # several are tied
        "rank": best,
        "value": board.cells(measure)[first[0].run].value,
    }


def _topics(board: Board, rows: Sequence[Row], scores: Floats) -> list[dict[str, Any]]:
    """The topics by lead of the team, the largest first; spreads in percent of the top score."""
    scores = np.round(scores, EXACT)
    of_team = np.isin(board.runs, [row.run for row in rows])
    team_scores, rival = scores[of_team], scores[~of_team].max(axis=0, initial=-np.inf)
    top = float(scores.max(initial=0.0)) or 1.0
    median = np.round(np.median(scores, axis=0), EXACT)
    high, low, best = scores.max(axis=0), scores.min(axis=0), team_scores.max(axis=0)
    spread = {"low": low, "median": median, "high": high, "best": best}
    lines = [
        {"place": at, "id": topic.id, "text": topic.text, "scores": team_scores[:, at].tolist()}
        | {name: 100 * float(values[at]) / top for name, values in spread.items()}
        | {"lead": round(float(best[at] - median[at]), EXACT)}  # of the best run of the team
        # `first`: no run is better, and not all are equal; `alone`: no other run is as good.
        | {"first": bool(best[at] >= rival[at] and high[at] > low[at])}
        | {"alone": bool(best[at] > rival[at])}
        for at, topic in enumerate(board.topics)
    ]
    return sorted(lines, key=lambda line: (-line["lead"], line["place"]))


def _file_warnings(checks: Checks, checked: Sequence[RunChecks]) -> list[dict[str, Any]]:
    """The warnings about the files of a team, by column; those of most runs last."""
    warnings = []
    for at, column in enumerate(checks.columns):
        if cells := [(row.run, row.cells[at]) for row in checked if row.cells[at].rule]:
            first, runs = cells[0][1], [(run, cell.text) for run, cell in cells]
            warning = {"rule": first.rule, "column": column.replace("_", " "), "runs": runs}
            warnings.append(warning | {"common": not first.flagged})
    return sorted(warnings, key=lambda entry: entry["common"])


def _write_scores(report: Report, rows: Sequence[Row], *, out: Path) -> None:
    """The unrounded scores of the team: one row per run and topic, one column per measure."""
    board, scores = report.board, report.scores
    lines = (
        [row.run, topic.id, *(float(table[place, at]) for table in scores.values())]
        for place, row in enumerate(board.rows)
        for at, topic in enumerate(board.topics)
        if row in rows
    )
    sheets.write(out, ["run", "topic", *scores], lines)
