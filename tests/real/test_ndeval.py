"""Against ndeval (pyndeval): with one subtopic a topic its intent-aware measures are plain ones."""

import gzip
from pathlib import Path

import pytest

from pipeline.gains.from_files import read
from pipeline.labels.scale import Scale
from pipeline.labels.tables import tabulate
from pipeline.measures import parse

pytestmark = pytest.mark.real

RUNS = ("KUCS_EN_Run.1.dat", "ECNU_EN_Run.3.dat", "CUNI_EN_Run.2.dat", "baseline_run.1.dat")
# ndeval's name, ours, and what ours is to be multiplied by: ndeval divides ERR-IA by what a list
# full of relevant documents would have, and the chance 1/2 to be satisfied by each cancels out.
PAIRS = [
    *((f"P-IA@{k}", f"P@{k}", 1.0) for k in (5, 10, 20)),
    *((f"strec@{k}", f"Success@{k}", 1.0) for k in (5, 10, 20)),
    *(
        (f"ERR-IA@{k}", f"ERR@{k}", 2 / sum(0.5**n / (n + 1) for n in range(k)))
        for k in (5, 10, 20)
    ),
    ("MAP-IA", "AP", 1.0),
]


@pytest.mark.slow
def test_intent_aware_measures_of_one_subtopic(data: Path) -> None:
    import pyndeval

    folder = data / "clef2015"
    qrels = folder / "qrels" / "qrels.eng.clef2015.qtest.bin.txt"
    table = tabulate([qrels], scale=Scale(0, 1, "high", 1, None, ()))
    judged = [
        pyndeval.SubtopicQrel(topic, "1", document, int(label))
        for topic, _, document, label in map(str.split, qrels.read_text().splitlines())
    ]
    compared = 0
    for name in RUNS:
        path = folder / "runs" / f"{name}.gz"
        gains = read([path], labels={"topicality": table}, order="score64")
        with gzip.open(path, "rt") as file:
            lines = [line.split() for line in file]
        # ndeval orders tied documents in its own way, so it is given trec_eval's order as scores.
        lines.sort(key=lambda line: (line[0], float(line[4]), line[2].encode()))
        ranked = [pyndeval.ScoredDoc(line[0], line[2], float(n)) for n, line in enumerate(lines)]
        theirs = pyndeval.ndeval(judged, ranked, measures=[peer for peer, _, _ in PAIRS])
        for peer, text, factor in PAIRS:
            values = parse(text, dimensions=["topicality"]).value(gains)
            for topic, ours in zip(gains.topics, values, strict=True):
                if topic in theirs:
                    assert factor * ours == pytest.approx(theirs[topic][peer], abs=1e-6), (
                        name, topic, peer,
                    )  # fmt: skip
                    compared += 1
    print(f"{compared:,} values of ndeval compared")
    assert compared > 2_000
