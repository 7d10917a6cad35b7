"""Baselines: PISA against a BM25 written here from the formula, and the step around it."""

import json
import math
import random
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from pipeline.campaign import campaigns, resolve
from pipeline.config.topics import Baseline, Topics
from pipeline.errors import InputError
from pipeline.pages.baselines.model import MODELS
from pipeline.pages.baselines.step import Hits, SearchIndex, queries_of, retrieve
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


def ranked(*shards: Path, queries: Sequence[str], given: Baseline) -> list[Hits]:
    with SearchIndex.build(shards, stemmer=given.stemmer) as index:
        return index.search(queries, baseline=given)


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
    path = shard(tmp_path / "0.parquet", texts)
    given = Baseline(model="BM25", stemmer="none", stopwords="none", k1=k1, b=b, depth=50)
    found = ranked(path, queries=QUERIES, given=given)
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
    path = shard(tmp_path / "0.parquet", texts)
    found = ranked(path, queries=["asthma"], given=Baseline(model=name))[0]
    assert [document for document, _ in found] == ["about"]


def test_parameters_reach_the_engine(tmp_path: Path) -> None:
    path = shard(tmp_path / "0.parquet", collection())
    changed = {"BM25": {"k1": 0.901}, "QLD": {"mu": 10.0}, "PL2": {"c": 9.0}}
    for name, parameters in changed.items():
        usual, other = (
            ranked(
                path,
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
        given = Baseline(model="DPH", stemmer=stemmer, stopwords="none")
        lists = ranked(path, queries=["operations", "the"], given=given)
        found[stemmer] = [{document for document, _ in one} for one in lists]
    assert found["porter2"][0] == {"many", "one"} == found["krovetz"][0]
    assert found["none"][0] == {"many"}
    assert found["none"][1] == {"many"}
    given = Baseline(model="DPH", stemmer="none", stopwords="terrier")
    assert ranked(path, queries=["the"], given=given) == [[]]


def test_ties_are_ordered_by_id_also_across_the_end_and_for_any_shards(tmp_path: Path) -> None:
    rows = [(f"d{n:02}", "flu fever") for n in range(30)]
    rows += [(f"other{n}", f"garden house {n}") for n in range(60)]
    expected = [f"d{n}" for n in range(29, 24, -1)]
    for seed in range(3):
        random.Random(seed).shuffle(rows)
        parts = [shard(tmp_path / f"{n}.parquet", rows[n::3]) for n in range(3)]
        given = Baseline(model="BM25", depth=5)
        (found,) = ranked(*parts, queries=["flu"], given=given)
        assert [document for document, _ in found] == expected


def test_ids_and_queries_that_an_engine_could_trip_over(tmp_path: Path) -> None:
    texts = {
        "id with spaces": "crème brûlée: recipe\nwith\0sugar\r\nand eggs",
        "ünï": "insulin " + "x" * 100_000,
        "plain": "gardens",
        "void": "",
    }
    path = shard(tmp_path / "0.parquet", texts)
    queries = ["7: eggs", "a:insulin", "", "   ", "?!", "sugar^2 \0", "crème", "INSULIN"]
    found = ranked(path, queries=queries, given=Baseline(model="BM25"))
    assert [[document for document, _ in one] for one in found] == [
        ["id with spaces"], ["ünï"], [], [], [], ["id with spaces"], ["id with spaces"], ["ünï"],
    ]  # fmt: skip


def test_of_a_document_twice_the_first_page_counts(tmp_path: Path) -> None:
    one = shard(tmp_path / "0.parquet", [("a", "flu"), ("b", "garden"), ("c", "house")])
    two = shard(tmp_path / "1.parquet", [("a", "asthma"), ("d", "asthma")])
    found = ranked(
        one,
        two,
        queries=["asthma", "flu"],
        given=Baseline(model="BM25", stemmer="none"),
    )
    assert [[document for document, _ in best] for best in found] == [["d"], ["a"]]


def test_the_same_bytes_every_time(tmp_path: Path) -> None:
    path = shard(tmp_path / "0.parquet", collection())
    systems = {
        name.lower(): Baseline(model=name, stemmer="none", stopwords="none") for name in MODELS
    }
    results = []
    for turn in range(2):
        folder = tmp_path / str(turn)
        retrieve(
            [path],
            queries={name: {"1": "word1 word9", "2": "word33", "3": ""} for name in systems},
            systems=systems,
            out=folder / "baselines.parquet",
            facts=folder / "baselines.json",
        )
        results.append(
            [folder.joinpath(f"baselines.{e}").read_bytes() for e in ("parquet", "json")]
        )
    assert results[0] == results[1]
    back = rankings.read(tmp_path / "0/baselines.parquet", topics=["1", "2", "3"], scores=True)
    assert back.runs == [f"baseline:{name}" for name in ("bm25", "dph", "pl2", "qld")]
    assert back.length.reshape(4, 3)[:, 2].tolist() == [0] * 4
    told = json.loads((tmp_path / "0/baselines.json").read_text())
    assert {one["tag"] for one in told} == {"baseline"}
    assert [one["topics"] for one in told] == [["1", "2"]] * 4
    assert told[0]["lines"] == int(back.length.reshape(4, 3)[0].sum())


@pytest.mark.parametrize(
    ("texts", "asked", "where", "what"),
    [
        ({"a": ""}, {"1": "flu"}, "baselines", "no page has text"),
        ({"a": "flu"}, {"1": ""}, "baselines", "no topic has a query"),
        ({"a": "flu"}, {"1": "garden"}, "baselines.mine", "no document"),
    ],
)
def test_nothing_to_index_and_nothing_to_ask(
    tmp_path: Path, texts: dict[str, str], asked: dict[str, str], where: str, what: str
) -> None:
    path = tmp_path / "0.parquet"
    shard(path, texts)
    with pytest.raises(InputError) as raised:
        retrieve(
            [path],
            queries={"mine": asked},
            systems={"mine": Baseline(model="BM25", stemmer="none")},
            out=tmp_path / "out.parquet",
            facts=tmp_path / "out.json",
        )
    (problem,) = raised.value.problems
    assert str(problem.where).endswith(where)
    assert what in problem.what
    assert problem.fix
    assert not list(tmp_path.glob("out.*"))


def test_without_the_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = shard(tmp_path / "0.parquet", {"a": "flu"})
    monkeypatch.setitem(sys.modules, "pyterrier_pisa", None)
    with pytest.raises(InputError) as raised:
        ranked(path, queries=["flu"], given=Baseline(model="BM25"))
    assert raised.value.problems[0].where == "baselines"
    assert "pip install pyterrier-pisa" in raised.value.problems[0].fix


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


AT = "campaigns.mine.baselines"


@pytest.mark.parametrize(
    ("changes", "where", "fix"),
    [
        ({"pages": None}, AT, "add pages"),
        ({"topics": None}, AT, "add topics.file"),
        *(
            ({"pages": {"files": "pages/*", "documents": which}}, AT, "set pages.documents")
            for which in ("retrieved", "pooled")
        ),
        ({"baselines": {"x": {"model": "DPH", "k1": 1}}}, f"{AT}.x.k1", "remove it"),
        ({"baselines": {"x": {"model": "bm25"}}}, f"{AT}.x.model", "'BM25'"),
        ({"baselines": {"x": {"model": "BM25", "stemmer": "s"}}}, f"{AT}.x.stemmer", "porter2"),
        ({"baselines": {"x": {"model": "BM25", "b": 1.5}}}, f"{AT}.x.b", "at most 1"),
        ({"baselines": {"x": {"model": "BM25", "depth": 5000}}}, f"{AT}.x.depth", "policies.depth"),
    ],
)  # fmt: skip
def test_what_cannot_be_made_is_refused_before_any_job(
    changes: dict[str, object], where: str, fix: str
) -> None:
    with pytest.raises(InputError) as raised:
        campaigns(config(**changes))
    (problem,) = raised.value.problems
    assert problem.where == where
    assert fix in f"{problem.what}; {problem.fix}"


def test_the_files_of_baselines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("runs/a", "pages/1.html", "topics.xml", "q.txt"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).touch()
    (one,) = campaigns(config()).values()
    resolve(one)
    assert one.baselines["bm25"].k1 == 0.9
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
    given = Topics(file="topics.xml", id={"match": "^t", "replace": "q"})
    counted = tmp_path / "topics.tsv"
    counted.write_text("topic\tcounts\ttext\nq1\t1\tasthma\nq2\t1\tflu\nq3\t1\t\n")
    systems = {
        "plain": Baseline(model="BM25"),
        "whole": Baseline(model="BM25", fields=("title", "description", "narrative")),
        "long": Baseline(model="DPH", fields=("narr",)),
        "some": Baseline(model="DPH", fields=("title", "desc")),
    }

    def queries(name: str, one: Baseline) -> dict[str, str]:
        return queries_of(one, name=name, counted=counted, file=file, topics=given)

    assert {name: queries(name, one) for name, one in systems.items()} == {
        "plain": {"q1": "asthma", "q2": "flu", "q3": ""},
        "whole": {"q1": "asthma inhaler Narrative: spacer", "q2": "flu fever", "q3": ""},
        "long": {"q1": "Narrative: spacer", "q2": "fever", "q3": ""},
        "some": {"q1": "asthma inhaler", "q2": "flu", "q3": ""},  # t2 has no description
    }
    for fields, what in ((("title", "mood"), "<mood>"), (("desc",), "'t2'")):
        with pytest.raises(InputError) as raised:
            queries("x", Baseline(model="BM25", fields=fields))
        assert raised.value.problems[0].where == "baselines.x.fields"
        assert what in raised.value.problems[0].what
        assert str(file) in raised.value.problems[0].what
    file.write_text("t1\tasthma\n")
    with pytest.raises(InputError, match="desc"):
        queries("x", Baseline(model="BM25", fields=("desc",)))


def test_baselines_may_ask_for_different_topics(tmp_path: Path) -> None:
    path = shard(tmp_path / "0.parquet", {"a": "flu fever", "b": "asthma", "c": "fever"})
    retrieve(
        [path],
        queries={"one": {"1": "flu", "2": "asthma"}, "two": {"1": "", "2": "fever"}},
        systems=dict.fromkeys(("one", "two"), Baseline(model="BM25", stemmer="none")),
        out=tmp_path / "out.parquet",
        facts=tmp_path / "out.json",
    )
    back = rankings.read(tmp_path / "out.parquet", topics=["1", "2"], scores=True)
    assert back.length.reshape(2, 2).tolist() == [[1, 1], [0, 2]]
    told = json.loads((tmp_path / "out.json").read_text())
    assert [one["topics"] for one in told] == [["1", "2"], ["2"]]
