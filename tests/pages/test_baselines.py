"""Baselines: PISA against a BM25 written here from the formula, and the step around it."""

import json
import math
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from pipeline.campaign import campaigns, resolve
from pipeline.campaign.needs import Needs
from pipeline.errors import InputError
from pipeline.labels.topics import Topics
from pipeline.pages.baselines.index import index
from pipeline.pages.baselines.model import MODELS
from pipeline.pages.baselines.queries import queries
from pipeline.pages.baselines.settings import Baseline
from pipeline.pages.baselines.step import ranked, retrieve
from pipeline.runs import rankings
from pipeline.storage import arrow

pytest.importorskip("pyterrier_pisa", reason="PISA has no wheel here")


def shard(path: Path, texts: Mapping[str, str] | Sequence[tuple[str, str]]) -> Path:
    rows = list(texts.items()) if isinstance(texts, Mapping) else list(texts)
    columns = {
        "document": arrow.strings([document for document, _ in rows]),
        "text": arrow.strings([text for _, text in rows]),
        "reason": arrow.strings(["" for _ in rows]),
    }
    arrow.write(path, columns)
    return path


def collection(*, size: int = 300, seed: int = 7) -> dict[str, str]:
    """Documents with words of very different frequency, of different length, one empty."""
    chance = random.Random(seed)
    words = [f"word{n}" for n in range(80)]
    weights = [1 / (n + 1) for n in range(80)]
    made = {
        f"doc-{n:03}": " ".join(chance.choices(words, weights, k=chance.randint(3, 90)))
        for n in range(size)
    }
    return {**made, "empty": ""}


def bm25(texts: Mapping[str, str], query: str, *, k1: float, b: float) -> dict[str, float]:
    """Robertson's formula with the floor PISA puts under the idf of words that most pages have."""
    counts = {document: Counter(text.split()) for document, text in texts.items()}
    length = {document: count.total() for document, count in counts.items()}
    mean = sum(length.values()) / len(texts)
    scores: Counter[str] = Counter()
    for word in set(query.split()):
        holders = [document for document in texts if counts[document][word]]
        idf = max(1e-6, math.log((len(texts) - len(holders) + 0.5) / (len(holders) + 0.5)))
        for document in holders:
            tf = counts[document][word]
            norm = k1 * (1 - b + b * length[document] / mean)
            scores[document] += idf * tf * (1 + k1) / (tf + norm)
    return dict(scores)


QUERIES = ("word1 word20 word40", "word70", "word0 word3", "word5 word5 word60", "nothing")


@pytest.mark.parametrize(("k1", "b"), [(0.9, 0.4), (1.2, 0.75), (2.0, 0.0)])
def test_bm25_is_the_formula(tmp_path: Path, k1: float, b: float) -> None:
    texts = collection()
    index([shard(tmp_path / "0.parquet", texts)], stemmer="none", out=tmp_path / "index")
    given = Baseline(model="BM25", stemmer="none", stopwords="none", k1=k1, b=b, depth=50)
    found = ranked(tmp_path / "index", queries=QUERIES, given=given)
    assert found[-1] == []
    for query, best in zip(QUERIES[:-1], found, strict=False):
        expected = bm25(texts, query, k1=k1, b=b)
        assert len(best) == min(50, len(expected))
        assert [score for _, score in best] == pytest.approx(
            sorted(expected.values(), reverse=True)[:50], rel=1e-4
        )
        for document, score in best:
            assert score == pytest.approx(expected[document], rel=1e-4)


@pytest.mark.parametrize("name", list(MODELS))
def test_every_model_prefers_what_the_query_is_about(tmp_path: Path, name: str) -> None:
    texts = {
        "about": "asthma attack in children, asthma inhaler",
        "other": "diabetes and insulin and diet for adults",
        **{f"filler{n}": f"unrelated page number {n} on gardens and houses" for n in range(20)},
    }
    index([shard(tmp_path / "0.parquet", texts)], stemmer="porter2", out=tmp_path / "index")
    found = ranked(tmp_path / "index", queries=["asthma"], given=Baseline(model=name))[0]
    assert [document for document, _ in found] == ["about"]


def test_parameters_reach_the_engine(tmp_path: Path) -> None:
    index([shard(tmp_path / "0.parquet", collection())], stemmer="none", out=tmp_path / "index")
    changed = {"BM25": {"k1": 0.901}, "QLD": {"mu": 10.0}, "PL2": {"c": 9.0}}
    for name, parameters in changed.items():
        usual, other = (
            ranked(
                tmp_path / "index",
                queries=["word20 word30"],
                given=Baseline(model=name, stemmer="none", stopwords="none", **given),
            )[0]
            for given in ({}, parameters)
        )
        assert {d for d, _ in usual} >= {d for d, _ in other[:5]}
        assert usual[0][1] != other[0][1], name
    assert set(changed) == {name for name, model in MODELS.items() if model.reads}


def test_the_stemmer_and_the_stopwords_are_those_named(tmp_path: Path) -> None:
    texts = {"many": "the operations", "one": "an operation", "none": "a garden", "x": "y z"}
    path = shard(tmp_path / "0.parquet", texts)
    found = {}
    for stemmer in ("porter2", "krovetz", "none"):
        index([path], stemmer=stemmer, out=tmp_path / stemmer)
        given = Baseline(model="DPH", stemmer=stemmer, stopwords="none")
        lists = ranked(tmp_path / stemmer, queries=["operations", "the"], given=given)
        found[stemmer] = [{document for document, _ in one} for one in lists]
    assert found["porter2"][0] == {"many", "one"} == found["krovetz"][0]
    assert found["none"][0] == {"many"}
    assert found["none"][1] == {"many"}
    given = Baseline(model="DPH", stemmer="none", stopwords="terrier")
    assert ranked(tmp_path / "none", queries=["the"], given=given) == [[]]


def test_ties_are_ordered_by_id_also_across_the_end_and_for_any_shards(tmp_path: Path) -> None:
    rows = [(f"d{n:02}", "flu fever") for n in range(30)]
    rows += [(f"other{n}", f"garden house {n}") for n in range(60)]
    expected = [f"d{n}" for n in range(29, 24, -1)]
    for seed in range(3):
        random.Random(seed).shuffle(rows)
        parts = [shard(tmp_path / f"{n}.parquet", rows[n::3]) for n in range(3)]
        index(parts, stemmer="porter2", out=tmp_path / "index")
        given = Baseline(model="BM25", depth=5)
        (found,) = ranked(tmp_path / "index", queries=["flu"], given=given)
        assert [document for document, _ in found] == expected


def test_ids_and_queries_that_an_engine_could_trip_over(tmp_path: Path) -> None:
    texts = {
        "id with spaces": "crème brûlée: recipe\nwith\0sugar\r\nand eggs",
        "ünï": "insulin " + "x" * 100_000,
        "plain": "gardens",
        "void": "",
    }
    index([shard(tmp_path / "0.parquet", texts)], stemmer="porter2", out=tmp_path / "index")
    queries = ["7: eggs", "a:insulin", "", "   ", "?!", "sugar^2 \0", "crème", "INSULIN"]
    found = ranked(tmp_path / "index", queries=queries, given=Baseline(model="BM25"))
    assert [[document for document, _ in one] for one in found] == [
        ["id with spaces"], ["ünï"], [], [], [], ["id with spaces"], ["id with spaces"], ["ünï"],
    ]  # fmt: skip


def test_of_a_document_twice_the_first_page_counts(tmp_path: Path) -> None:
    one = shard(tmp_path / "0.parquet", [("a", "flu"), ("b", "garden"), ("c", "house")])
    two = shard(tmp_path / "1.parquet", [("a", "asthma"), ("d", "asthma")])
    index([one, two], stemmer="none", out=tmp_path / "index")
    found = ranked(
        tmp_path / "index",
        queries=["asthma", "flu"],
        given=Baseline(model="BM25", stemmer="none"),
    )
    assert [[document for document, _ in best] for best in found] == [["d"], ["a"]]


def made(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_the_same_bytes_every_time_and_an_index_that_searching_leaves_alone(tmp_path: Path) -> None:
    path = shard(tmp_path / "0.parquet", collection())
    systems = {
        name.lower(): Baseline(model=name, stemmer="none", stopwords="none") for name in MODELS
    }
    results = []
    for turn in range(2):
        folder = tmp_path / str(turn)
        folder.mkdir()
        index([path], stemmer="none", out=folder / "index")
        before = made(folder / "index")
        retrieve(
            {"none": folder / "index"},
            queries={name: {"1": "word1 word9", "2": "word33", "3": ""} for name in systems},
            systems=systems,
            out=folder / "baselines.parquet",
            facts=folder / "baselines.json",
        )
        assert made(folder / "index") == before
        results.append(
            (before, *(folder.joinpath(f"baselines.{e}").read_bytes() for e in ("parquet", "json")))
        )
    assert results[0] == results[1]
    back = rankings.read(tmp_path / "0/baselines.parquet", topics=["1", "2", "3"], scores=True)
    assert back.runs == [f"baseline:{name}" for name in ("bm25", "dph", "pl2", "qld")]
    assert back.length.reshape(4, 3)[:, 2].tolist() == [0] * 4
    told = json.loads((tmp_path / "0/baselines.json").read_text())
    assert {one["tag"] for one in told} == {"baseline"}
    assert [one["topics"] for one in told] == [["1", "2"]] * 4
    assert told[0]["lines"] == int(back.length.reshape(4, 3)[0].sum())


def test_nothing_to_index_and_nothing_to_ask_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no page has text to index; check pages\.files"):
        index([shard(tmp_path / "0.parquet", {"a": ""})], stemmer="none", out=tmp_path / "index")
    assert not (tmp_path / "index").exists()
    (tmp_path / "1.parquet").write_bytes(b"no parquet")
    with pytest.raises(InputError, match=r"1\.parquet: not a readable parquet file"):
        index([tmp_path / "1.parquet"], stemmer="none", out=tmp_path / "index")
    index([shard(tmp_path / "2.parquet", {"a": "flu"})], stemmer="none", out=tmp_path / "index")
    for asked, sentence in (
        ({"1": ""}, "baselines: no topic has a query"),
        ({"1": "garden"}, "baselines.mine: finds nothing for any topic"),
    ):
        with pytest.raises(InputError, match=re.escape(sentence)):
            retrieve(
                {"none": tmp_path / "index"},
                queries={"mine": asked},
                systems={"mine": Baseline(model="BM25", stemmer="none")},
                out=tmp_path / "out.parquet",
                facts=tmp_path / "out.json",
            )
    assert not list(tmp_path.glob("out.*"))


def test_without_the_engine_one_sentence(tmp_path: Path) -> None:
    path = shard(tmp_path / "0.parquet", {"a": "flu"})
    program = (
        "import sys; sys.modules['pyterrier_pisa'] = None\n"
        "from pathlib import Path; from pipeline.pages.baselines.index import index\n"
        f"index([Path({str(path)!r})], stemmer='none', out=Path({str(tmp_path / 'index')!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert "InputError: baselines: the search engine is not installed" in done.stderr
    assert "'pip install pyterrier-pisa', or remove baselines" in done.stderr
    assert not (tmp_path / "index").exists()


def config(**changes: object) -> dict[str, object]:
    whole = {
        "runs": {"files": "runs/*", "team": "^(.)"},
        "topics": {"file": "topics.xml"},
        "pages": {"files": "pages/*", "shards": 2},
        "dimensions": {"topicality": {"labels": "q.txt", "scale": [0, 2], "threshold": 1}},
        "measures": ["AP"],
        "baselines": {"bm25": {"model": "BM25"}, "kr": {"model": "QLD", "stemmer": "krovetz"}},
        **changes,
    }
    kept = {key: value for key, value in whole.items() if value is not None}
    return {"campaigns": {"mine": kept}}


AT = "config: campaigns.mine.baselines"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"pages": None}, f"{AT} has nothing to search; add pages"),
        ({"topics": None}, f"{AT} has nothing to search for; add topics.file"),
        *(
            (
                {"pages": {"files": "pages/*", "documents": which}},
                f"{AT} would search only documents that runs have found (pages.documents is "
                f"'{which}'), and so feed on itself; set pages.documents to 'all'",
            )
            for which in ("retrieved", "pooled")
        ),
        (
            {"baselines": {"x": {"model": "DPH", "k1": 1}}},
            f"{AT}.x.k1 has no meaning for the model 'DPH', only for BM25; remove it",
        ),
        ({"baselines": {"x": {"model": "bm25"}}}, "did you mean 'BM25'?"),
        ({"baselines": {"x": {"model": "BM25", "stemmer": "porter"}}}, "did you mean 'porter2'?"),
        ({"baselines": {"x": {"model": "BM25", "b": 1.5}}}, "it must be at most 1"),
        ({"baselines": {"x": {"model": "BM25", "depth": 5000}}}, "deeper than policies.depth"),
    ],
)  # fmt: skip
def test_what_cannot_be_made_is_refused_before_any_job(
    changes: dict[str, object], sentence: str
) -> None:
    with pytest.raises(InputError, match=re.escape(sentence)):
        campaigns(config(**changes))


def test_the_files_of_baselines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("runs/a", "pages/1.html", "topics.xml", "q.txt"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).touch()
    (one,) = campaigns(config()).values()
    needs = Needs(one, resolve(one))
    assert needs.rankings("rankings/{}.parquet")[-1] == "results/mine/rankings/baselines.parquet"
    assert needs.indices() == [f"results/mine/pages/index/{s}" for s in ("krovetz", "porter2")]
    assert needs.baselines()["bm25"]["k1"] == 0.9
    Path("runs/baseline:bm25").touch()
    with pytest.raises(InputError, match="has the name of a baseline; rename the file"):
        resolve(one)


TOPICS = """<topics>
<topic><id>t1</id><title>asthma</title><desc>inhaler</desc><narr>Narrative: spacer</narr></topic>
<topic><id>t2</id><title>flu</title><narr>fever</narr></topic>
</topics>"""


def test_a_query_is_made_of_the_parts_that_a_baseline_names(tmp_path: Path) -> None:
    file = tmp_path / "topics.xml"
    file.write_text(TOPICS)
    given = Topics(file="topics.xml", match="^t", replace="q", query=None)
    counted = tmp_path / "topics.tsv"
    counted.write_text("topic\tcounts\ttext\nq1\t1\tasthma\nq2\t1\tflu\nq3\t1\t\n")
    systems = {
        "plain": Baseline(model="BM25"),
        "whole": Baseline(model="BM25", fields=("title", "description", "narrative")),
        "long": Baseline(model="DPH", fields=("narr",)),
        "some": Baseline(model="DPH", fields=("title", "desc")),
    }
    assert queries(systems, counted=counted, file=file, topics=given) == {
        "plain": {"q1": "asthma", "q2": "flu", "q3": ""},
        "whole": {"q1": "asthma inhaler Narrative: spacer", "q2": "flu fever", "q3": ""},
        "long": {"q1": "Narrative: spacer", "q2": "fever", "q3": ""},
        "some": {"q1": "asthma inhaler", "q2": "flu", "q3": ""},  # t2 has no description
    }
    for fields, sentence in (
        (
            ("title", "mood"),
            f"baselines.x.fields: {file}: no topic has the part <mood>; name other",
        ),
        (
            ("desc",),
            f"baselines.x.fields: {file}, line 3: topic 't2' has no query; add one of <desc>",
        ),
    ):
        with pytest.raises(InputError, match=re.escape(sentence)):
            queries(
                {"x": Baseline(model="BM25", fields=fields)},
                counted=counted, file=file, topics=given,
            )  # fmt: skip
    file.write_text("t1\tasthma\n")
    with pytest.raises(InputError, match="lines of id and query have no parts as 'desc'"):
        queries({"x": Baseline(model="BM25", fields=("desc",))},
                counted=counted, file=file, topics=given)  # fmt: skip


def test_baselines_may_ask_for_different_topics(tmp_path: Path) -> None:
    path = shard(tmp_path / "0.parquet", {"a": "flu fever", "b": "asthma", "c": "fever"})
    index([path], stemmer="none", out=tmp_path / "index")
    retrieve(
        {"none": tmp_path / "index"},
        queries={"one": {"1": "flu", "2": "asthma"}, "two": {"1": "", "2": "fever"}},
        systems=dict.fromkeys(("one", "two"), Baseline(model="BM25", stemmer="none")),
        out=tmp_path / "out.parquet",
        facts=tmp_path / "out.json",
    )
    back = rankings.read(tmp_path / "out.parquet", topics=["1", "2"], scores=True)
    assert back.length.reshape(2, 2).tolist() == [[1, 1], [0, 2]]
    told = json.loads((tmp_path / "out.json").read_text())
    assert [one["topics"] for one in told] == [["1", "2"], ["2"]]
