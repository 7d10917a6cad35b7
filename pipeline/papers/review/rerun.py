"""The rerun of the review: its worked example, and what else the engine says of it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.config.scale import Scale
from pipeline.gains.from_labels import from_labels
from pipeline.gains.gains import Gains
from pipeline.measures import parse
from pipeline.measures.standard.indicators import scored
from pipeline.papers.outcome import Outcome, Section, Table, Texts, side_by_side
from pipeline.papers.published import Cell, Figures, compared
from pipeline.report.charts import Chart, Spec, layered, marks, tips
from pipeline.storage.arrays import Floats

# Documents D2 to D7 in the order of the system's scores; one star counts as no feedback.
STARS = {"D2": 3, "D3": 2, "D4": 3, "D5": 0, "D6": 0, "D7": 2}
SCORES = {"D2": 0.87, "D3": 0.76, "D4": 0.62, "D5": 0.59, "D6": 0.55, "D7": 0.38}
ORDERS: Mapping[str, Sequence[str]] = {
    "as returned": ("D2", "D3", "D4", "D5", "D6", "D7"),
    "ideal": ("D2", "D4", "D3", "D7", "D5", "D6"),
    "worst": ("D6", "D5", "D7", "D3", "D4", "D2"),
}
SCALE = Scale(0, 3, "high", 1, None, ())
DEPTH = len(STARS)
MEASURES = (
    "P@6", "R@6", "Rprec", "AP", "GAP", "PAP", "nDCG@6", "nDCGmm@6", "RBP(p=0.8)", "RR",
)  # fmt: skip
RECALLS = tuple(round(0.1 * step, 1) for step in range(11))
TEXTS = Texts(Path(__file__).with_name("page.txt"))


def rerun(printed: Figures) -> Outcome:
    """Each figure of the worked example, and what else the engine says of its list."""
    data = example()
    ranked = [*_dcg(printed, data)]
    semantic = [*_semantic(printed, data)]
    return Outcome(
        cells=[*ranked, *semantic],
        findings=_findings(data),
        sections=[_ranked(ranked), _scores(semantic), _curves(data), _further(data)],
    )


def example() -> Gains:
    """Three topics: the documents as returned, in the ideal and in the worst order."""
    labels = np.array([[[STARS[name] for name in order] for order in ORDERS.values()]], float)
    scores = [[SCORES[name] for name in order] for order in ORDERS.values()]
    made = from_labels({"feedback": labels}, scales={"feedback": SCALE})
    return replace(made, score=np.array(scores))


def values(text: str, data: Gains) -> Floats:
    """A measure of the three orders."""
    return parse(text, dimensions=["feedback"]).value(data)


def _dcg(printed: Figures, data: Gains) -> list[Cell]:
    sums = [0.0, *(values(f"DCG@{rank}", data)[0] for rank in range(1, DEPTH + 1))]
    _, ideal, worst = (float(one) for one in values(f"DCG@{DEPTH}", data))
    rounded = worst - 3 / math.log2(DEPTH + 1) + 3 / 2.8
    cells = [
        compared(printed["DCG", "DCG", f"rank {rank}"], sums[rank] - sums[rank - 1])
        for rank in range(1, DEPTH + 1)
    ]
    why = "the last term is printed as 3/2.8, where log2(7) is 2.807"
    return [
        *cells,
        compared(printed["DCG", "DCG", "sum"], sums[-1]),
        compared(printed["DCG", "IDCG", "sum"], ideal),
        compared(printed["DCG", "NIDCG", "sum"], worst, within=0.003, why=why),
        compared(printed["DCG", "NIDCG", "sum, with 2.8 for log2(7)"], rounded),
        compared(
            printed["nDCG", "nDCG", "between worst and ideal"],
            float(values(f"nDCGmm@{DEPTH}", data)[0]),
        ),
    ]


def _semantic(printed: Figures, data: Gains) -> list[Cell]:
    docs = scored(data.view({"feedback": "binary"}), "none")
    means = {
        "relevant": float(docs.score[0][docs.relevant[0]].mean()),
        "irrelevant": float(docs.score[0][docs.irrelevant[0]].mean()),
        "semantic quality indicator": float(values("SQI(scaling=none)", data)[0]),
    }
    loss = _loss(data)
    at = ("cross entropy", "average loss")
    return [
        *(compared(printed["scores", row, "mean score"], value) for row, value in means.items()),
        compared(
            printed[*at, "mean of the six losses"],
            loss,
            why="the formula divides by n, the example divides six losses by five",
        ),
        compared(printed[*at, "six losses, divided by five"], loss * DEPTH / 5),
    ]


def _loss(data: Gains) -> float:
    return float(values("CrossEntropy(scaling=none, log=log2)", data)[0])


def _findings(data: Gains) -> list[str]:
    usual, between = (values(text, data) for text in (f"nDCG@{DEPTH}", f"nDCGmm@{DEPTH}"))
    loss = _loss(data)
    return [
        f"The usual nDCG of the worst order of these six documents is {usual[2]:.3f}; the paper's "
        f"nDCG, between the worst and the ideal order, makes it {between[2]:.0f} and that of the "
        f"list {between[0]:.3f} instead of {usual[0]:.3f}.",
        f"The printed cross entropy of 1.024 divides six losses by five. Their mean, as the "
        f"formula has it, is {loss:.3f} bits ({loss * math.log(2):.3f} with natural logarithms); "
        "one who says 1/2 of every document loses 1.",
    ]


def _ranked(cells: Sequence[Cell]) -> Section:
    dcg, ndcg = ([c for c in cells if c.printed.table == name] for name in ("DCG", "nDCG"))
    return TEXTS.section(
        "ranked",
        tables=[
            side_by_side(dcg, "dcg", "DCG of the three orders, ours above print"),
            side_by_side(ndcg, "ndcg", "nDCG between the worst and the ideal order"),
        ],
    )


def _scores(cells: Sequence[Cell]) -> Section:
    means, loss = (
        [c for c in cells if c.printed.table == name] for name in ("scores", "cross entropy")
    )
    return TEXTS.section(
        "scores",
        tables=[
            side_by_side(means, "scores", "Mean scores"),
            side_by_side(loss, "cross-entropy", "Cross entropy, bits"),
        ],
    )


def _curves(data: Gains) -> Section:
    relevant = np.cumsum(data.view({"feedback": "binary"}).gain > 0, axis=1)
    seen = [
        {"order": order, "recall": count / counts[-1], "precision": count / rank, "rank": rank}
        for order, counts in zip(ORDERS, relevant.tolist(), strict=True)
        for rank, count in enumerate(counts, start=1)
    ]
    interpolated = {recall: values(f"IPrec(recall={recall})", data).tolist() for recall in RECALLS}
    best = [
        {"order": order, "recall": recall, "precision": precision}
        for recall, row in interpolated.items()
        for order, precision in zip(ORDERS, row, strict=True)
    ]
    title = "Precision against recall, in three orders"
    rows = [(f"{recall:g}", *row) for recall, row in interpolated.items()]
    return TEXTS.section(
        "curves",
        charts=[Chart(name="precision_recall", title=title, spec=curve_chart(seen, best))],
        tables=[Table("precision-recall", "Interpolated precision", ("Recall", *ORDERS), rows)],
    )


def curve_chart(seen: list[dict[str, Any]], best: list[dict[str, Any]]) -> Spec:
    """Dots at every rank, and the interpolated curve of each order."""
    import altair as alt

    order: dict[str, Any] = {"title": "Order", "scale": alt.Scale(domain=list(ORDERS))}
    top = alt.Scale(domain=[0, 1.02], nice=False)
    at: dict[str, Any] = {
        "x": alt.X("recall:Q", title="Recall", scale=alt.Scale(domain=[0, 1])),
        "y": alt.Y("precision:Q", title="Precision", scale=top),
        "color": alt.Color("order:N", **order),
    }
    tooltip = tips(
        ("order:N", "Order"), ("rank:Q", "Rank"), ("recall:Q", "Recall", ".3f"),
        ("precision:Q", "Precision", ".3f"),
    )  # fmt: skip
    dots = marks(seen).mark_point(filled=True, size=70, opacity=1)
    return layered(
        marks(best).mark_line(strokeWidth=2).encode(**at),
        dots.encode(**at, shape=alt.Shape("order:N", **order), tooltip=tooltip),
        height=340,
        description="Precision against recall in three orders.",
    )


def _further(data: Gains) -> Section:
    rows = [(text, *values(text, data).tolist()) for text in MEASURES]
    table = Table("measures", "Measures of the three orders", ("Measure", *ORDERS), rows)
    return TEXTS.section("measures", tables=[table])
