"""Against ndeval: every value it printed for real runs, and pyndeval live.

With one subtopic a topic its intent-aware measures are plain ones.
"""

import gzip
import shutil
from pathlib import Path

import pytest

from pipeline.audit.policies import CampaignData, LabelSource
from pipeline.audit.published import read as read_published
from pipeline.audit.step import compare
from pipeline.config.scale import Scale
from pipeline.labels.tables import tabulate, topics_in
from pipeline.measures import parse
from tests.builders import read_files

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
        gains = read_files([path], labels={"topicality": table}, order="score64")
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


BINARY = Scale(0, 1, "high", 1, None, ())
OWN = {
    "order": "score", "depth": 1000, "duplicates": "error", "bad_scores": "error",
    "unjudged": "zero",
}  # fmt: skip


def test_every_printed_value_of_ndeval(data: Path, tmp_path: Path) -> None:
    """Through the audit, as any campaign would: by topic exactly as printed, and the means."""
    folder = data / "trec2009-diversity"
    runs = {path.name.removesuffix(".gz"): path for path in (folder / "runs").glob("*.gz")}
    printed = []
    for run in runs:
        (found,) = (folder / "ndeval").glob(run.removesuffix(".txt").removesuffix(".run") + "*")
        printed.append(shutil.copy(found, tmp_path / f"{run}.csv.gz"))
    table = tabulate([folder / "qrels" / "2009.diversity.qrels"], scale=BINARY, subtopics=True)
    bench = CampaignData(
        runs=[*runs.values()],
        labels={"topicality": LabelSource(table)},
        topics=topics_in(table),
        policies=OWN,
        own_gains=read_files([*runs.values()], labels={"topicality": table}),
    )
    published = read_published(printed)
    outcome = compare(published, data=bench, policies=["ndeval"], measures={})
    assert len(outcome.measures) == len(published.source.names) == 21
    mean = [published.topic.names[number] == "all" for number in published.topic.number]
    texts = [published.text.names[number] for number in published.text.number]
    # To the printed digit; our own rule for published figures would grant an exact half.
    same = [f"{ours:.6f}" == text for ours, text in zip(outcome.recomputed, texts, strict=True)]
    by_topic = [ok for ok, over_all in zip(same, mean, strict=True) if not over_all]
    means = [ok for ok, over_all in zip(same, mean, strict=True) if over_all]
    print(
        f"ndeval: {sum(by_topic):,} of {len(by_topic):,} values by topic and {sum(means)} of "
        f"{len(means)} means as printed"
    )
    assert (sum(by_topic), len(by_topic)) == (8_379, 8_379)
    assert (sum(means), len(means)) == (168, 168)


LIVE = [
    *(f"{name}@{k}" for name in ("alpha-DCG", "alpha-nDCG", "ERR-IA", "nERR-IA", "P-IA", "strec")
      for k in (5, 10, 20)),
    "NRBP", "nNRBP", "MAP-IA",
]  # fmt: skip


@pytest.mark.parametrize("graded", [False, True])
def test_pyndeval_live(data: Path, tmp_path: Path, graded: bool) -> None:
    """In its own order: by score, then ascending id; graded: with labels from -2 to 4."""
    import pyndeval

    folder = data / "trec2009-diversity"
    lines = [
        line.split()
        for line in (folder / "qrels" / "2009.diversity.qrels").read_text().splitlines()
    ]
    scale = BINARY
    if graded:  # 4, 3, ... 1 for what is relevant, -2 or 0 for what is not
        scale = Scale(-2, 4, "high", 1, None, ())
        for place, line in enumerate(lines):
            line[3] = str(1 + place % 4 if line[3] == "1" else -2 * (place % 2))
    qrels = tmp_path / "qrels"
    qrels.write_text("".join(" ".join(line) + "\n" for line in lines))
    judged = [pyndeval.SubtopicQrel(t, s, d, int(label)) for t, s, d, label in lines]
    paths, ranked = [], {}
    for path in sorted((folder / "runs").glob("*.gz"))[:: 3 if graded else 1]:
        with gzip.open(path, "rt") as file:
            rows = [line.split() for line in file]
        name = path.name.removesuffix(".gz")
        ranked[name] = [pyndeval.ScoredDoc(row[0], row[2], float(row[4])) for row in rows]
        rows.sort(key=lambda row: (row[0], -float(row[4]), row[2]))
        paths.append(tmp_path / name)
        paths[-1].write_text(
            "".join(f"{row[0]} Q0 {row[2]} {n} 0 t\n" for n, row in enumerate(rows, 1))
        )
    table = tabulate([qrels], scale=scale, subtopics=True)
    gains = read_files(paths, labels={"topicality": table}, order="rank")
    values = {text: parse(text, dimensions=["topicality"]).value(gains) for text in LIVE}
    compared = 0
    for number, name in enumerate(gains.runs):
        theirs = pyndeval.ndeval(judged, ranked[name], measures=LIVE)
        for text in LIVE:
            for place, topic in enumerate(gains.topics):
                if topic in theirs:
                    ours = values[text][number * len(gains.topics) + place]
                    assert ours == pytest.approx(theirs[topic][text], abs=1e-9), (name, topic, text)
                    compared += 1
    print(f"pyndeval: {compared:,} values compared")
    assert compared >= (3_000 if graded else 8_000)
