"""Pools of real runs: the CLEF 2015 pool rebuilt, and what trectools and ranx make of the runs.

The golden files were made with the peers named in them; where a peer is installed (`make peers`:
they are not among the project's dependencies) the last tests also ask it directly.
"""

import gzip
import hashlib
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from pipeline.config.fusion import Fusion
from pipeline.config.pool import Plan
from pipeline.pooling.pool import by_topic
from pipeline.runs import rankings
from pipeline.runs.fusion.declaration import fuse
from pipeline.runs.rank import rank
from pipeline.runs.reader import RunPolicies
from tests.pooling.test_pooling import PLAIN, chosen

pytestmark = pytest.mark.real

GOLDEN = Path(__file__).parents[1] / "golden"
Ranked = Callable[[str, str], Path]


@pytest.fixture(scope="module")
def ranked(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Ranked:
    """A campaign's rankings under an order."""

    @cache
    def make(name: str, order: str) -> Path:
        folder = tmp_path_factory.mktemp(name)
        files = sorted((data / name / "runs").glob("*.gz"))
        policies = RunPolicies(order=order, duplicates="first")
        rank(files, policies=policies, out=folder / "r", facts=folder / "f")
        return folder / "r"

    return make


def pooled(path: Path, plan: Plan) -> dict[str, set[str]]:
    return {topic: set(found) for topic, found in by_topic(chosen(path, plan=plan)).items()}


# ---- CLEF 2015 ------------------------------------------------------------------------

# Runs 1 to 3 of each team in the official results that are not among the 68 at hand.
MISSING = {
    *("CUNI_EN_Run.1", "GRIUM_EN_Run.2", "GRIUM_EN_Run.3"),
    *(f"{name}.{n}" for name in ("UBML_EN_Run", "YorkU_EN_Run", "readability_run") for n in "123"),
}
FIRST3 = PLAIN.model_copy(update={"depth": 10, "runs": r"(?i)run\.[123]\.dat$"})


def test_what_is_missing(data: Path) -> None:
    import re

    with gzip.open(data / "clef2015/official.tsv.gz", "rt") as file:
        official = {line.split("\t")[0] for line in file} - {"run"}
    here = {path.name.removesuffix(".gz") for path in (data / "clef2015/runs").glob("*.gz")}
    gone = {run for run in official - here if re.search(FIRST3.runs or "", run)}
    assert {run.removesuffix(".dat") for run in gone} == MISSING


@pytest.mark.parametrize(
    ("order", "size", "found", "share"),
    [("rank", 7996, 7818, 0.897), ("score", 8018, 7195, 0.826)],
)
def test_the_pool_of_2015_rebuilt(
    data: Path, ranked: Ranked, order: str, size: int, found: int, share: float
) -> None:
    """The pool was made by rank columns: ordered by score, KUCS 2 and 3 give other documents.

    By rank 7,818 of the 8,713 judged documents come back. The other 895 came from the twelve runs
    that are missing; 152 of them stand in the first ten of some later run at hand.
    """
    made = pooled(ranked("clef2015", order), FIRST3)
    judged = labelled(data)
    inside = sum(len(made[topic] & judged[topic]) for topic in judged)
    assert sum(len(made[topic]) for topic in judged) == size
    assert inside == found
    assert round(inside / sum(map(len, judged.values())), 3) == share
    if order == "rank":
        every = pooled(ranked("clef2015", order), FIRST3.model_copy(update={"runs": None}))
        assert sum(len(every[t] & judged[t] - made[t]) for t in judged) == 152


def test_what_the_pool_of_2015_has_and_nobody_judged(data: Path, ranked: Ranked) -> None:
    """178 ids that name no document: F for the first letter in nine topics of FDUSGInfo, and
    TeamHCMUS's placeholders.
    """
    made, judged = pooled(ranked("clef2015", "rank"), FIRST3), labelled(data)
    extra = [document for topic in judged for document in made[topic] - judged[topic]]
    placeholders = [document for document in extra if document.startswith("duplicatedid")]
    assert (len(extra), len(placeholders)) == (178, 16)
    assert all(document.startswith("F") for document in set(extra) - set(placeholders))


def labelled(data: Path) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    path = data / "clef2015/qrels/qrels.eng.clef2015.qtest.graded.txt"
    for line in path.read_text().splitlines():
        topic, _, document, _ = line.split()
        found.setdefault(topic, set()).add(document)
    return found


# ---- trectools ------------------------------------------------------------------------


def digest(documents: set[str]) -> list[object]:
    text = "\n".join(sorted(documents)).encode()
    return [len(documents), hashlib.sha256(text).hexdigest()[:16]]


def golden(name: str) -> dict[str, list[object]]:
    text = (GOLDEN / "trectools-pools.json").read_text(encoding="utf-8")
    topics: dict[str, list[object]] = json.loads(text)["pools"][name]["topics"]
    return topics


def test_depth_as_trectools_but_for_ties(ranked: Ranked) -> None:
    """Trectools ranks by score as we do, but puts tied documents in ascending order of their ids.

    trec_eval, and so we, take them descending. With its order the pools are equal in every topic.
    """
    path = ranked("clef2016", "score64")
    topics = rankings.topics_of(path)
    found = rankings.read(path, topics=topics, scores=True)
    assert found.score is not None
    names = found.documents.to_pylist()
    turned: dict[str, set[str]] = {topic: set() for topic in topics}
    for row, length in enumerate(found.length.tolist()):
        score = found.score[row, :length].tolist()
        ids = [names[d] for d in found.number[row, :length].tolist()]
        best = sorted(range(length), key=lambda i: (-score[i], ids[i]))[:10]
        turned[topics[row % len(topics)]] |= {ids[i] for i in best}
    assert {topic: digest(documents) for topic, documents in turned.items()} == golden("depth10")
    ours = pooled(path, PLAIN.model_copy(update={"depth": 10}))
    assert sum(map(len, ours.values())) == sum(map(len, turned.values())) == 4592


def test_rrf_as_trectools_which_reads_the_rank_column(ranked: Ranked) -> None:
    """For fusions trectools takes the file's rank as it is: our order `rank`, if it starts at 1."""
    plan = PLAIN.model_copy(update={"method": "take", "by": "rrf", "size": 50})
    made = pooled(ranked("clef2016", "rank"), plan)
    assert {topic: digest(documents) for topic, documents in made.items()} == golden("rrf")


def test_rbp_as_trectools_but_for_ties_at_the_cut(ranked: Ranked) -> None:
    """Fifteen topics have documents with equal RBP weight at place 50; all else is equal."""
    path = ranked("clef2016", "rank")
    topics = rankings.topics_of(path)
    found = rankings.read(path, topics=topics, scores=True)
    assert found.score is not None
    expected, tied = golden("rbp"), 0
    for t, topic in enumerate(topics):
        rows = slice(t, None, len(topics))
        documents, value = fuse(
            found.number[rows], found.score[rows], documents=found.documents,
            fusion=Fusion(method="rbp", norm="none"),
        )  # fmt: skip
        ids = found.documents.take(pa.array(documents)).to_pylist()
        if digest(set(ids[:50])) == expected[topic]:
            continue
        tied += 1
        assert abs(value[49] - value[50]) < 1e-12, topic
    assert tied == 15


# ---- ranx ------------------------------------------------------------------------

RANX = json.loads((GOLDEN / "ranx-fusions.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def lists(data: Path) -> dict[str, list[list[tuple[str, float]]]]:
    """What ranx was given: topic -> for each run its documents and scores."""
    found: dict[str, list[list[tuple[str, float]]]] = {topic: [] for topic in RANX["topics"]}
    for name in RANX["runs"]:
        scores: dict[str, dict[str, float]] = {topic: {} for topic in found}
        with gzip.open(data / "clef2016/runs" / name, "rt") as file:
            for line in file:
                topic, _, document, _, score, _ = line.split()
                if topic in scores:
                    scores[topic].setdefault(document, float(score))
        for topic, mine in scores.items():
            best = sorted(mine.items(), key=lambda item: (-item[1], item[0]))
            found[topic].append(best[: RANX["depth"]])
    return found


def ours(given: list[list[tuple[str, float]]], fusion: Fusion) -> dict[str, float]:
    names = sorted({document for run in given for document, _ in run})
    place = {name: i for i, name in enumerate(names)}
    number = np.full((len(given), RANX["depth"]), -1, np.int32)
    score = np.full(number.shape, np.nan)
    for i, run in enumerate(given):
        number[i, : len(run)] = [place[document] for document, _ in run]
        score[i, : len(run)] = [value for _, value in run]
    documents, values = fuse(number, score, documents=pa.array(names), fusion=fusion)
    return {names[d]: v for d, v in zip(documents.tolist(), values.tolist(), strict=True)}


@pytest.mark.parametrize("name", RANX["fused"])
def test_fusions_as_ranx(lists: dict[str, list[list[tuple[str, float]]]], name: str) -> None:
    method, norm = name.split()
    for topic, expected in RANX["fused"][name].items():
        found = ours(lists[topic], Fusion(method=method, norm=norm))
        assert len(found) == expected["documents"]
        assert sum(found.values()) == pytest.approx(expected["sum"], abs=1e-4)
        top = {document: found[document] for document in expected["top"]}
        assert top == pytest.approx(expected["top"], abs=1e-8)


# ---- the peers themselves, where they are installed ---------------------------------------------

PEERS = "the peer is not installed; `make peers` installs it"


@pytest.mark.slow
def test_ranx_itself(lists: dict[str, list[list[tuple[str, float]]]]) -> None:
    ranx = pytest.importorskip("ranx", reason=PEERS)
    runs = [
        ranx.Run({topic: dict(lists[topic][i]) for topic in lists})
        for i in range(len(RANX["runs"]))
    ]
    whole = ranx.fuse(runs=runs, norm="min-max", method="mnz")
    for topic in lists:
        found = ours(lists[topic], Fusion(method="combmnz"))
        assert found == pytest.approx(dict(whole.run[topic]), abs=1e-9)


@pytest.mark.slow
def test_trectools_itself(data: Path, tmp_path: Path, ranked: Ranked) -> None:
    trectools = pytest.importorskip("trectools", reason=PEERS)
    names = []
    for path in sorted((data / "clef2016/runs").glob("*.gz")):
        names.append(str(tmp_path / path.stem))
        Path(names[-1]).write_bytes(gzip.decompress(path.read_bytes()))
    made = trectools.TrecPoolMaker().make_pool_from_files(names, strategy="rrf", topX=50)
    plan = PLAIN.model_copy(update={"method": "take", "by": "rrf", "size": 50})
    assert {str(topic): set(d) for topic, d in made.pool.items()} == pooled(
        ranked("clef2016", "rank"), plan
    )
