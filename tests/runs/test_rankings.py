"""Rankings: every run read once, ranked, and put together with what other steps ranked."""

import json
import random
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pipeline.errors import InputError
from pipeline.runs import rankings
from pipeline.runs.rank import rank
from pipeline.runs.reader import RunPolicies, RunReader
from pipeline.storage import arrow
from tests.builders import ranked, ranked_files, run_text
from tests.runs import slow_reader

RUNS = {
    "b": "2 Q0 x 1 5 t\n1 Q0 y 1 1 t\n1 Q0 x 2 2 t\n",
    "a.gz": "10 Q0 z 1 1 t\n1 Q0 z 1 3 t\n",
    "c": "2 Q0 y 1 1 t\n2 Q0 x 2 1 t\n7 Q0 y 1 0 t\n",
}


def rows(path: Path) -> list[tuple]:
    table = pq.read_table(path)
    return list(zip(*(table[name].to_pylist() for name in table.column_names), strict=True))


def test_the_table_is_by_run_then_topic_as_the_file_has_them_then_rank(tmp_path: Path) -> None:
    small = ranked_files(tmp_path, RUNS)
    assert pq.read_schema(small.rankings).names == ["run", "topic", "rank", "document", "score"]
    assert rows(small.rankings) == [
        ("a", "10", 1, "z", 1.0),
        ("a", "1", 1, "z", 3.0),
        ("b", "2", 1, "x", 5.0),
        ("b", "1", 1, "x", 2.0),
        ("b", "1", 2, "y", 1.0),
        ("c", "2", 1, "y", 1.0),  # a tie: the greater id first
        ("c", "2", 2, "x", 1.0),
        ("c", "7", 1, "y", 0.0),
    ]


def test_read_gives_arrays_for_the_topics_that_count_in_their_order(tmp_path: Path) -> None:
    small = ranked_files(tmp_path, RUNS)
    found = rankings.read(small.rankings, topics=["2", "absent", "1"], scores=True)
    assert found.runs == ["a", "b", "c"]
    assert found.topics == ["2", "absent", "1"]
    assert found.length.tolist() == [0, 0, 1, 1, 0, 2, 2, 0, 0]
    documents = found.documents.to_pylist()
    named = [[documents[n] if n >= 0 else "" for n in row] for row in found.number.tolist()]
    assert named == [
        ["", ""], ["", ""], ["z", ""],
        ["x", ""], ["", ""], ["x", "y"],
        ["y", "x"], ["", ""], ["", ""],
    ]  # fmt: skip
    assert found.score is not None
    assert found.score[5].tolist() == [2.0, 1.0]
    assert rankings.topics_of(small.rankings) == ["1", "2", "7", "10"]


@pytest.mark.parametrize("order", ["score32", "score64", "rank"])
def test_tables_put_together_are_one_ranking(tmp_path: Path, order: str) -> None:
    chance = random.Random(order)
    files, slow = {}, {}
    for run in ("r2", "r10", "R", "é"):
        lines = [
            f"{topic} Q0 d{document} {chance.randrange(30)} {chance.choice([1, 1.5, -2e-3])} t\n"
            for topic in ("1", "2", "3")
            for document in chance.sample(range(40), 25)
        ]
        chance.shuffle(lines)
        files[run] = "".join(lines)
        kept = slow_reader.rank(slow_reader.read(files[run].encode()), order=order, depth=20)
        slow[run] = kept.lists
    expected = [
        (run, topic, rank, document, score)
        for run in sorted(files)
        for topic, documents in slow[run].items()
        for rank, (document, score) in enumerate(documents, 1)
    ]
    assert rows(ranked_files(tmp_path / "two", files, order=order, depth=20).rankings) == expected
    alone = {name: ranked_files(tmp_path / name, {name: files[name]}, order=order, depth=20)
             for name in files}  # fmt: skip
    out, facts = tmp_path / "four.parquet", tmp_path / "four.json"
    made = [(one.rankings, one.facts[0]) for one in alone.values()]
    rank([], policies=RunPolicies(), out=out, facts=facts, made=made)
    assert rows(out) == expected
    assert [fact["run"] for fact in json.loads(facts.read_text())] == list(files)
    some = [tmp_path / name / "runs" / name for name in list(files)[:2]]
    policies = RunPolicies(order=order, depth=20)
    rank(some, policies=policies, out=out, facts=facts, made=made[2:])
    assert rows(out) == expected


def test_facts_say_what_was_odd(tmp_path: Path) -> None:
    content = "1 Q0 a 1 1 me\n1 Q0 a 2 2 x\n1 Q0 b 3 1 x\n2 Q0 c 1 nan x\n"
    small = ranked_files(tmp_path, {"r.dat.gz": content}, duplicates="first", bad_scores="last")
    assert json.loads(small.facts[0].read_text()) == [
        {
            "run": "r.dat",
            "file": str(tmp_path / "runs" / "r.dat.gz"),
            "tag": "me",
            "lines": 4,
            "comments": 0,
            "topics": ["1", "2"],
            "duplicates": 1,
            "bad_scores": 1,
            "tied": 2,
            "top10_differs": 1,
            "lost_order": 0,
        }
    ]


def test_comments_are_counted(tmp_path: Path) -> None:
    """A topic that begins with # would be one: the count is how anybody sees it."""
    content = b"# mine\n1 Q0 a 1 2 t\n#1 Q0 b 2 1 t\n \t# end\n1 Q0 #c 3 0 t\n"
    small = ranked_files(tmp_path, {"r": content, "s": b"1 Q0 a 1 2 t\n"})
    told = {fact["run"]: fact for path in small.facts for fact in json.loads(path.read_text())}
    assert {run: (fact["lines"], fact["comments"]) for run, fact in told.items()} == {
        "r": (2, 3), "s": (1, 0),
    }  # fmt: skip


def test_many_documents_keep_their_names(tmp_path: Path) -> None:
    lists = {
        f"r{n}": {str(t): {f"d{(n * 7919 + t * 104729 + i) % 9000}": -i for i in range(300)}
                  for t in range(30)}
        for n in range(2)
    }  # fmt: skip
    small = ranked_files(tmp_path, {run: run_text(topics) for run, topics in lists.items()})
    assert [(run, topic, document) for run, topic, _, document, _ in rows(small.rankings)] == [
        (run, topic, document)
        for run, topics in lists.items()
        for topic, documents in topics.items()
        for document in documents
    ]


def test_no_ranking_at_all(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        rank([], policies=RunPolicies(), out=tmp_path / "r", facts=tmp_path / "f")
    assert caught.value.problems[0].where == "runs.files"
    assert not list(tmp_path.iterdir())


def test_a_bad_run_leaves_no_files(tmp_path: Path) -> None:
    """All bad ones are named at once."""
    (tmp_path / "a").mkdir()
    files = [tmp_path / "bad", tmp_path / "worse", tmp_path / "a" / "bad.gz"]
    for path in files:
        path.write_text(run_text({"1": ranked("a b")}) + "1 Q0 c\n")
    with pytest.raises(InputError) as caught:
        rank(files, policies=RunPolicies(), out=tmp_path / "o", facts=tmp_path / "f")
    same, *others = caught.value.problems
    assert "run name 'bad'" in same.what
    assert {(one.where, one.line) for one in others} == {(path, 3) for path in files}
    assert {path.name for path in tmp_path.iterdir()} == {"a", "bad", "worse"}


@pytest.mark.parametrize(("order", "lost"), [("score", 2), ("score32", 2), ("score64", 0)])
def test_scores_that_vanish_in_32_bits_are_counted(tmp_path: Path, order: str, lost: int) -> None:
    scores = {"a": "3e-305", "b": "2e-305", "c": "1e-305", "d": "1e-305", "e": "-1"}
    content = "".join(f"1 Q0 {name} 1 {score} t\n" for name, score in scores.items())
    small = ranked_files(tmp_path, {"r": content}, order=order)
    told = [fact for path in small.facts for fact in json.loads(path.read_text())]
    assert [fact["lost_order"] for fact in told] == [lost]


def test_files_in_pieces_give_the_bytes_of_files_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where one of them, whose topic comes back, can only be read whole."""
    chance = random.Random(3)
    folder = tmp_path / "runs"
    folder.mkdir()
    for name in ("a", "b", "c"):
        lines = [
            f"{topic} Q0 d{chance.randrange(5000)} {n} {chance.randrange(900) / 7} {name}\n"
            for topic in range(30)
            for n in range(200)
        ]
        (folder / name).write_text("".join(["# a comment\n", *lines, lines[0] * (name == "b")]))
    files = sorted(folder.iterdir())
    out, facts = tmp_path / "r.parquet", tmp_path / "f.json"

    def made() -> list[bytes]:
        policies = RunPolicies(depth=150, duplicates="first")
        rank(files, policies=policies, out=out, facts=facts)
        return [path.read_bytes() for path in (out, facts)]

    streamed, kept = [], RunReader._read_pieces

    def counting(self: RunReader, path: Path, content: bytes | None) -> object:
        assert content is None
        streamed.append(kept(self, path, content))
        return streamed[-1]

    monkeypatch.setattr(RunReader, "_read_pieces", counting)
    pieces = made()
    assert [found is not None for found in streamed] == [True, False, True]
    monkeypatch.setattr(RunReader, "_read_pieces", lambda *_: None)
    assert made()[1] == pieces[1]
    monkeypatch.undo()
    assert made() == pieces
    table = arrow.read(out, codes=rankings.DICTIONARIES)
    rankings.write(table, tmp_path / "again.parquet")
    assert rows(tmp_path / "again.parquet") == rows(out)
