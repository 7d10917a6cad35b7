"""Basu's review: every printed figure that agrees today, and those that cannot, with the reason."""

import math

import pytest

from pipeline.papers.outcome import RerunResult
from pipeline.papers.paper import PAPERS, PaperInputs
from pipeline.papers.reruns.review import ORDERS, RECALLS, SCORES, STARS, example, values

APART = {
    ("DCG", "NIDCG", "sum"): ("near", "3/2.8"),
    ("cross entropy", "average loss", "mean of the six losses"): ("differs", "six losses by five"),
}


@pytest.fixture(scope="module")
def outcome() -> RerunResult:
    return PAPERS["review"].function(PaperInputs(settings={"seed": 1}))


def test_every_figure_but_two_agrees(outcome: RerunResult) -> None:
    assert len(outcome.cells) == 16
    for cell in outcome.cells:
        verdict, why = APART.get(cell.printed.key, ("agrees", ""))
        assert cell.verdict == verdict, cell
        assert why in cell.why
    assert {cell.printed.key for cell in outcome.cells} > APART.keys()


def test_the_figures_by_hand() -> None:
    """The list D2 to D7 with 3, 2, 3, 0, 0, 2: each sum written out."""
    dcg = 3 + 2 / math.log2(3) + 3 / 2 + 2 / math.log2(7)
    ideal = 3 + 3 / math.log2(3) + 2 / 2 + 2 / math.log2(5)
    worst = 2 / 2 + 2 / math.log2(5) + 3 / math.log2(6) + 3 / math.log2(7)
    data = example()
    assert values("DCG@6", data).tolist() == pytest.approx([dcg, ideal, worst])
    assert values("nDCGmm@6", data)[0] == pytest.approx((dcg - worst) / (ideal - worst))


def test_cross_entropy_and_precision_are_those_of_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn: make peers")
    data = example()
    relevant = [STARS[name] > 0 for name in ORDERS["as returned"]]
    scores = [SCORES[name] for name in ORDERS["as returned"]]
    assert values("CrossEntropy(scaling=none)", data)[0] == pytest.approx(
        metrics.log_loss(relevant, scores)
    )
    bits = values("CrossEntropy(scaling=none, log=log2)", data)[0]
    assert bits == pytest.approx(metrics.log_loss(relevant, scores) / math.log(2))
    assert values("AP", data)[0] == pytest.approx(metrics.average_precision_score(relevant, scores))
    precision, recall, _ = metrics.precision_recall_curve(relevant, scores)
    for point in (0.25, 0.5, 0.75, 1.0):
        best = max(p for p, r in zip(precision, recall, strict=True) if r >= point)
        assert values(f"IPrec(recall={point})", data)[0] == pytest.approx(best)


def test_the_curve_and_its_table_say_the_same(outcome: RerunResult) -> None:
    section = next(one for one in outcome.sections if one.name == "curves")
    (table,) = section.tables
    spec = section.charts[0].spec
    lines = spec["datasets"][spec["layer"][0]["data"]["name"]]
    assert [row[0] for row in table.rows] == [f"{recall:g}" for recall in RECALLS]
    for row in table.rows:
        for order, value in zip(ORDERS, row[1:], strict=True):
            drawn = [v for v in lines if v["order"] == order and v["recall"] == float(str(row[0]))]
            assert [one["precision"] for one in drawn] == [value]


def test_its_findings(outcome: RerunResult) -> None:
    first, second = outcome.findings
    assert "the worst order of these six documents is 0.606" in first
    assert "of the ranking 0.959" in first
    assert first.endswith("is 0 and 0.895.")
    assert "is 0.853 bits (0.592 with natural logarithms)" in second
