"""Sections on measures: agreement, discriminative power, ranks, curves, intervals."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from pipeline.measures import parse
from pipeline.measures.measure import Single
from pipeline.report.board import FEW, Board
from pipeline.report.charts import SHOWN, Chart, Spec, filled
from pipeline.report.markup import Rows
from pipeline.report.report import Report
from pipeline.report.section import Content, section
from pipeline.report.wording import RELATIONS, SIGNS, shown_short
from pipeline.storage.arrays import Floats

KEYS = ("measure_a", "measure_b", "n")
NUMBERED = 25  # with more measures the cells are too small for numbers


class Agreement(NamedTuple):
    """A symmetric statistic between measures; `values` are those of correlations.csv."""

    statistic: str
    measures: tuple[str, ...]
    values: Mapping[tuple[str, str], float]

    @property
    def cell(self) -> tuple[int, int]:
        """The minimal width and the height of a cell in pixels."""
        return (46, 36) if len(self.measures) <= NUMBERED else (14, 14)


@section("agreement", order=60, template="agreement.html.j2", title="Agreement")
def agreement(report: Report) -> Content | None:
    """The heat map of a statistic between the measures."""
    path, runs = report.results.correlations, len(report.board.rows)
    if not report.has(path):
        return None
    statistics = read_agreement(report.rows(path), measures=report.board.measures)
    title, spec = "Agreement between measures", heat_map(statistics)
    heat = Chart(name="agreement", title=title, spec=spec, around=150, wide=True)
    values = {"agreement": statistics, "few": runs if runs <= FEW else 0}
    return Content(values, [heat] if runs > FEW and statistics.values else [])


def read_agreement(rows: Rows, *, measures: Sequence[str]) -> Agreement:
    """tau_b of correlations.csv, or else the first statistic; without blanks."""
    statistics = [name for name in (rows[0] if rows else ()) if name not in KEYS]
    statistic = statistics[0] if rows and "tau_b" not in statistics else "tau_b"
    known = (row for row in rows if row[statistic])
    values = {(row["measure_a"], row["measure_b"]): float(row[statistic]) for row in known}
    return Agreement(statistic, tuple(measures), values)


def heat_map(agreement: Agreement) -> Spec:
    """Heat map of a statistic between all measures, with numbers in the cells if they fit."""
    statistic, measures, values = agreement
    pairs = (pair for pair in product(measures, repeat=2) if pair in values)
    cells = [{"a": a, "b": b, "value": values[a, b]} for a, b in pairs]
    return filled(
        "agreement.yaml",
        {"cells": cells},
        description=f"Heat map of {statistic} between the measures.",
        statistic=statistic,
        height=agreement.cell[1] * len(measures),
        measures=list(measures),
        short=shown_short(measures),
        numbers="cells" if len(measures) <= NUMBERED else "",
    )


@section("discrimination", order=62, template="discrimination.html.j2")
def discrimination(report: Report) -> Content | None:
    """Discriminative power (Sakai, SIGIR 2006), highest first; absent with one run or topic."""
    rows = report.rows(report.results.discrimination)
    if not any(row["power_tukey"] for row in rows):
        return None
    powers = sorted(rows, key=lambda row: -float(row["power_tukey"] or -1))
    return Content({"powers": powers})


FOCUS = 12  # runs in colour at once: the number of distinct colours
NAMED_ON_PAPER = 30  # with at most this many runs, all have names on paper


@section("ranks", order=40, template="ranks.html.j2", title="Ranks")
def ranks(report: Report) -> Content | None:
    """The bump chart, with at least two runs and two measures."""
    board = report.board
    if len(board.rows) < 2 or len(board.measures) < 2:
        return None
    title = "Ranks from measure to measure"
    bump = Chart(name="bump", title=title, spec=chart(board), around=160, wide=True)
    return Content({"focus": min(FOCUS, len(board.rows))}, [bump])


def chart(board: Board) -> Spec:
    """The rank of each run under each measure; runs in focus have colour, shape and name."""
    runs = len(board.rows)
    height = max(300, min(1300, 14 * runs))
    step = next(s for s in (1, 5, 10, 20, 50, 100, 1000) if runs / s <= 15)
    points = _points(board)
    best = {run: at for at, run in enumerate(board.runs[:FOCUS])}
    focus = [
        {**{key: point[key] for key in ("run", "measure", "rank", "place")}, "tone": tone}
        for point in points
        if (tone := best.get(point["run"])) is not None or runs <= NAMED_ON_PAPER
    ]
    heads = [{"measure": name, "short": short} for name, short in board.short.items()]
    return filled(
        "bump.yaml",
        {"points": points, SHOWN: focus, "heads": heads},
        height=height,
        below=height + 10,
        measures=list(board.measures),
        domain=[0.3, runs + 0.7],
        ticks=sorted({1, *range(step, runs + 1, step)}),
        tones=list(range(FOCUS)),
        last=f"datum.measure === {json.dumps(board.measures[-1])}",
    )


def _points(board: Board) -> list[dict[str, Any]]:
    """Every run under every measure; `place` is the position of its name."""
    ranks = [board.ranks(measure) for measure in board.measures]
    places, place = [0.0] * len(board.rows), 0.0
    # Tied runs share a rank; their names are below each other.
    for run in sorted(range(len(board.rows)), key=lambda run: (ranks[-1][run], run)):
        places[run] = place = max(place + 1, ranks[-1][run])
    return [
        {"run": row.run, "team": row.group, "measure": measure, "rank": ranks[at][number]}
        | {"value": round(row.cells[at].value, 6), "place": places[number]}
        for number, row in enumerate(board.rows)
        for at, measure in enumerate(board.measures)
    ]


MEASURE, POINT = "IPrec", "recall"
FEWEST = 3  # points of a curve, at least
NAMED = 6  # runs with a colour, the best by the measure that orders the leaderboard
Points = dict[float, str]  # the measures of a curve, by recall


@section("curves", order=55, template="curves.html.j2", title="Curves")
def curves(report: Report) -> Content | None:
    """Interpolated precision against recall, for each dimension with IPrec measures."""
    board, charts = report.board, []
    for dimension, measures in points(board, dimensions=report.dimensions).items():
        name, title = f"curves_{dimension}", f"Precision against recall: {dimension}"
        charts.append(Chart(name=name, title=title, spec=_chart(board, measures), around=90))
    values = {"drawn": charts, "named": min(NAMED, len(board.rows))}
    return Content(values, charts) if charts else None


def points(board: Board, *, dimensions: list[str]) -> dict[str, Points]:
    """By dimension, the curves with enough points."""
    curves: dict[str, Points] = {}
    for name in board.measures:
        if name.startswith(f"{MEASURE}("):
            parsed = parse(name, dimensions=dimensions)
            if isinstance(parsed, Single) and len(parsed.dimensions) == 1:
                curves.setdefault(parsed.dimensions[0], {})[float(parsed.params[POINT])] = name
    return {name: dict(sorted(at.items())) for name, at in curves.items() if len(at) >= FEWEST}


def _chart(board: Board, measures: Points) -> Spec:
    columns = {recall: board.values(name).tolist() for recall, name in measures.items()}
    points = [
        {"run": run, "recall": recall, "precision": round(column[number], 6)}
        for number, run in enumerate(board.runs)
        for recall, column in columns.items()
    ]
    named = min(NAMED, len(board.rows)) * len(columns)
    data = {"others": points[named:], "named": points[:named]}
    return filled("curves.yaml", data, best=board.runs[:NAMED])


Values = list[dict[str, Any]]


@section("intervals", order=70, template="intervals.html.j2", title="Measures")
def intervals(report: Report) -> Content:
    """Means with confidence intervals, the difficulty of the topics, and all scores."""
    board = report.board
    first, runs, topics = board.contrast[0], board.runs, [topic.id for topic in board.topics]
    height = (16 if len(runs) <= 40 else 13 if len(runs) <= 100 else 7) * len(runs)
    font, count = _font(len(runs)), len(topics)
    title = f"{first} with confidence intervals, bounds and significance"
    data = {SHOWN: shown_intervals(report, measure=first)}
    interval = f"{report.confidence} confidence interval"
    spec = filled("intervals.yaml", data, height=height, font=font, interval=interval)
    charts = [Chart(name="intervals", title=title, spec=spec, filled=True)]
    if first in report.scores and topics:
        scores = report.scores[first]
        axis = {"labelAngle": -90, "labelFontSize": _font(count), "labels": count <= 150}
        width = max(2, min(9, 700 // count))
        data = {SHOWN: shown_topics(topics, scores)}
        spec = filled("difficulty.yaml", data, axis=axis, stroke=width, size=8 * width)
        title, wide = f"Difficulty of the topics by {first}", count > 30  # else ids overlap
        chart = partial(Chart, filled=True, around=90)
        charts.append(chart(name="difficulty", title=title, spec=spec, wide=wide))
        data = {SHOWN: shown_scores(runs, topics, scores)}
        spec = filled("heat.yaml", data, axis=axis, height=height, font=font)
        title = f"{first} of every run on every topic"
        charts.append(chart(name="heat", title=title, spec=spec, wide=True))
    return Content({"tested": bool(report.standings)}, charts)


def shown_intervals(report: Report, *, measure: str) -> Values:
    """The rows of the chart of intervals, best first, as explore.js computes them."""
    sides = report.from_best[measure]
    rows = []
    ordered = sorted(report.board.cells(measure).items(), key=lambda item: -item[1].value)
    for place, (run, cell) in enumerate(ordered):
        stand, side = report.standings.get((measure, run)), sides.get(run, "")
        # Unknown bounds are the mean: a scale needs numbers.
        lower = cell.value if cell.lower is None else cell.lower
        upper = cell.value if cell.upper is None else cell.upper
        rows.append(
            {"run": run, "place": place, "mean": cell.value, "lower": lower, "upper": upper}
            | {"t_lower": stand and stand.lower, "t_upper": stand and stand.upper}
            | {"sign": SIGNS.get(side, ""), "relation": RELATIONS.get(side)}
            | {"reach": max(cell.value, upper, stand.upper if stand else cell.value)}
        )
    return rows


def shown_topics(topics: Sequence[str], scores: Floats) -> Values:
    """The columns of the chart of topics, hard first, as explore.js computes them."""
    names = ("worst", "low", "median", "high", "best")
    quantiles = np.quantile(scores, (0, 0.25, 0.5, 0.75, 1), axis=0).T.tolist()
    return [
        {"topic": topics[at], "place": place, **dict(zip(names, quantiles[at], strict=True))}
        for place, at in enumerate(_hard_first(scores))
    ]


def shown_scores(runs: Sequence[str], topics: Sequence[str], scores: Floats) -> Values:
    """The cells of the heat map, as explore.js computes them."""
    ordered = np.argsort(-scores.mean(axis=1), kind="stable").tolist()
    return [
        {"run": runs[run], "topic": topics[topic], "run_place": row, "topic_place": column}
        | {"value": round(float(scores[run, topic]), 4)}
        for row, run in enumerate(ordered)
        for column, topic in enumerate(_hard_first(scores))
    ]


def _hard_first(scores: Floats) -> list[int]:
    return list(np.argsort(np.median(scores, axis=0), kind="stable").tolist())


def _font(count: int) -> int:
    return 12 if count <= 40 else 10 if count <= 100 else 6
