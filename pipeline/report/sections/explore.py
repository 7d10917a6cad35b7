"""The data of the section Explore: one topic, one run, two runs.

Scores and p are integers in ten-thousandths, effects in hundredths; pairs are the upper triangle.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pipeline.report.board import read_pairs
from pipeline.report.documents import first_documents
from pipeline.report.report import Report
from pipeline.report.section import Content, section
from pipeline.report.wording import RELATIONS, SIGNS
from pipeline.statistics.letters import stretch
from pipeline.storage.arrays import Floats

UNIT = 10_000
UNITS = {"effect": 100}  # printed with two decimals: rounded once, here
MOST = 1_000_000  # tested pairs on a page: some 25 MB, which a browser still opens at once


@section("explore", order=80, template="explore.html.j2", title="Explore")
def explore(report: Report) -> Content | None:
    """The numbers of all runs on all topics; absent without topics."""
    if not report.board.topics:
        return None
    numbers = block(report)
    # Whether the permutation test has no Holm correction because of the number of runs.
    tests = [
        [any(p is not None for p in measure["pairs"][test]) for test in ("t", "permutation")]
        for measure in numbers["measure"]
        if measure["pairs"]
    ]
    values = {"left_out": left_out(report), "unreached": [True, False] in tests}
    return Content(values, data={"numbers": numbers})


def left_out(report: Report) -> int:
    """The number of tested pairs that are not on the page: all, if they are too many."""
    runs = len(report.board.rows)
    pairs = runs * (runs - 1) // 2 * len(report.pairs)
    return pairs if pairs > MOST else 0


def block(report: Report) -> dict[str, Any]:
    """The data block of the page."""
    board = report.board
    places = {team: number for number, team in enumerate(board.groups)}
    return {
        "unit": UNIT,
        "runs": board.runs,
        "teams": list(board.groups),
        "team": [places[row.group] for row in board.rows],
        "topics": [[topic.id, topic.text] for topic in board.topics],
        "measures": list(board.measures),
        "contrast": [board.measures.index(name) for name in board.contrast],
        "measure": [_measure(report, name) for name in board.measures],
        "lists": first_documents(report) if report.has(report.results.rankings) else None,
        "signs": SIGNS,
        "relations": RELATIONS,
        "alpha": report.alpha,
        "confidence": report.confidence,
    }


def _measure(report: Report, name: str) -> dict[str, Any]:
    board, pairs, scores = report.board, report.pairs, report.scores.get(name)
    cells = list(board.cells(name).values())
    stands = [report.standings.get((name, run)) for run in board.runs]
    on_page = name in pairs and not left_out(report)
    tested = read_pairs(pairs[name], runs=board.runs) if on_page else {}
    triangle = np.triu_indices(len(board.runs), 1)
    compared = {key: fixed(p[triangle], UNITS.get(key, UNIT)) for key, p in tested.items()}
    return {
        "scores": None if scores is None else fixed(scores.ravel()),
        "means": fixed(board.values(name)),
        "ranks": board.ranks(name),
        **{end: fixed([getattr(c, end) for c in cells]) for end in ("lower", "upper", "past_end")},
        "t_lower": fixed([stand.lower if stand else None for stand in stands]),
        "t_upper": fixed([stand.upper if stand else None for stand in stands]),
        "letters": [stretch(stand.letters) if stand else "" for stand in stands],
        "from_best": [report.from_best[name].get(run) for run in board.runs],
        "pairs": compared or None,
    }


def fixed(values: Sequence[float | None] | Floats, unit: int = UNIT) -> list[int | None]:
    """Numbers as integers in parts of 1; None if missing."""
    numbers = np.array(values, np.float64)  # of None, NaN
    finite = np.isfinite(numbers)
    whole = np.round(np.where(finite, numbers, 0) * unit).astype(np.int64).tolist()
    return [value if is_known else None for value, is_known in zip(whole, finite, strict=True)]
