"""Basu 2019: the worked example of a review of evaluation methods, recomputed."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from pipeline.config.scale import Scale
from pipeline.gains.from_labels import from_labels
from pipeline.gains.gains import Gains
from pipeline.measures import parse
from pipeline.measures.standard.indicators import scale_scores
from pipeline.papers.outcome import PageSection, PageTable, RerunResult, Texts
from pipeline.papers.paper import Paper, PaperInputs
from pipeline.papers.published import ComparedFigure, Figures, compared, read
from pipeline.storage.arrays import Floats

# Documents D2 to D7 in the order of the system's scores; one star counts as label 0.
STARS = {"D2": 3, "D3": 2, "D4": 3, "D5": 0, "D6": 0, "D7": 2}
SCORES = {"D2": 0.87, "D3": 0.76, "D4": 0.62, "D5": 0.59, "D6": 0.55, "D7": 0.38}
ORDERS: Mapping[str, Sequence[str]] = {
    "as returned": ("D2", "D3", "D4", "D5", "D6", "D7"),
    "ideal": ("D2", "D4", "D3", "D7", "D5", "D6"),
    "worst": ("D6", "D5", "D7", "D3", "D4", "D2"),
}
SCALE = Scale(0, 3, "high", 1, None, ())
DEPTH = len(STARS)
LOSS = "CrossEntropy(scaling=none, log=log2)"
MEASURES = (
    "P@6", "R@6", "Rprec", "AP", "GAP", "PAP", "nDCG@6", "nDCGmm@6", "RBP(p=0.8)", "RR",
)  # fmt: skip
RECALLS = tuple(round(0.1 * step, 1) for step in range(11))
TEXTS = Texts(Path(__file__).with_name("review.txt"))


@Paper.declare(
    "review",
    title="A review of ways to evaluate",
    citation="Basu, Review of ways to evaluate an information retrieval system, 2019",
    order=5,
)
def review(inputs: PaperInputs) -> RerunResult:
    """The figures of the worked example, and further measures of its ranking."""
    data, printed = example(), read(__file__, "review.csv")
    cells = [*_dcg(printed, data), *_semantic(printed, data)]
    rows = [(text, *values(text, data).tolist()) for text in MEASURES]
    measures = PageTable("measures", "Measures of the three orders", ("Measure", *ORDERS), rows)
    tables = {"dcg": "DCG", "ndcg": "nDCG", "scores": "scores", "cross-entropy": "cross entropy"}
    dcg, ndcg, scores, loss = (TEXTS.beside(t, cells, of=of) for t, of in tables.items())
    return RerunResult(
        cells=cells,
        findings=_findings(data),
        sections=[
            TEXTS.section("ranked", tables=[dcg, ndcg]),
            TEXTS.section("scores", tables=[scores, loss]),
            _curves(data),
            TEXTS.section("measures", tables=[measures]),
        ],
    )


def example() -> Gains:
    """Three topics: the documents as returned, in the ideal and in the worst order."""
    labels = np.array([[[STARS[name] for name in order] for order in ORDERS.values()]], float)
    scores = [[SCORES[name] for name in order] for order in ORDERS.values()]
    gains = from_labels({"feedback": labels}, scales={"feedback": SCALE})
    return replace(gains, score=np.array(scores))


def values(text: str, data: Gains) -> Floats:
    """The values of a measure for the three orders."""
    return parse(text, dimensions=["feedback"]).value(data)


def _dcg(printed: Figures, data: Gains) -> list[ComparedFigure]:
    sums = [0.0, *(values(f"DCG@{rank}", data)[0] for rank in range(1, DEPTH + 1))]
    _, ideal, worst = values(f"DCG@{DEPTH}", data).tolist()
    rounded = worst - 3 / math.log2(DEPTH + 1) + 3 / 2.8
    between = float(values(f"nDCGmm@{DEPTH}", data)[0])
    why = "the last term is printed as 3/2.8, where log2(7) is 2.807"
    return [
        *(
            compared(printed["DCG", "DCG", f"rank {rank}"], sums[rank] - sums[rank - 1])
            for rank in range(1, DEPTH + 1)
        ),
        compared(printed["DCG", "DCG", "sum"], sums[-1]),
        compared(printed["DCG", "IDCG", "sum"], ideal),
        compared(printed["DCG", "NIDCG", "sum"], worst, within=0.003, why=why),
        compared(printed["DCG", "NIDCG", "sum, with 2.8 for log2(7)"], rounded),
        compared(printed["nDCG", "nDCG", "between worst and ideal"], between),
    ]


def _semantic(printed: Figures, data: Gains) -> list[ComparedFigure]:
    docs = scale_scores(data.view({"feedback": "binary"}), "none")
    means = {
        "relevant": float(docs.score[0][docs.relevant[0]].mean()),
        "irrelevant": float(docs.score[0][docs.irrelevant[0]].mean()),
        "semantic quality indicator": float(values("SQI(scaling=none)", data)[0]),
    }
    loss = float(values(LOSS, data)[0])
    at = ("cross entropy", "average loss")
    why = "the formula divides by n, the example divides six losses by five"
    return [
        *(compared(printed["scores", row, "mean score"], value) for row, value in means.items()),
        compared(printed[*at, "mean of the six losses"], loss, why=why),
        compared(printed[*at, "six losses, divided by five"], loss * DEPTH / 5),
    ]


def _findings(data: Gains) -> list[str]:
    usual, between = (values(text, data) for text in (f"nDCG@{DEPTH}", f"nDCGmm@{DEPTH}"))
    loss = float(values(LOSS, data)[0])
    return [
        TEXTS.sentence("finding-ndcg", usual=usual, between=between),
        TEXTS.sentence("finding-loss", bits=loss, nats=loss * math.log(2)),
    ]


def _curves(data: Gains) -> PageSection:
    relevant = np.cumsum(data.view({"feedback": "binary"}).gain > 0, axis=1)
    ranks = [
        {"order": order, "recall": count / counts[-1], "precision": count / rank, "rank": rank}
        for order, counts in zip(ORDERS, relevant.tolist(), strict=True)
        for rank, count in enumerate(counts, start=1)
    ]
    best = {recall: values(f"IPrec(recall={recall})", data).tolist() for recall in RECALLS}
    lines = [
        {"order": order, "recall": recall, "precision": precision}
        for recall, row in best.items()
        for order, precision in zip(ORDERS, row, strict=True)
    ]
    chart = TEXTS.chart(
        "review_curves.yaml",
        {"interpolated": lines, "ranks": ranks},
        name="precision_recall",
        title="Precision against recall, in three orders",
        orders=list(ORDERS),
    )
    rows = [(f"{recall:g}", *row) for recall, row in best.items()]
    table = PageTable("precision-recall", "Interpolated precision", ("Recall", *ORDERS), rows)
    return TEXTS.section("curves", charts=[chart], tables=[table])
