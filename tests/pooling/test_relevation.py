"""To the assessors and back: the forms of a pool, and Relevation!'s judgements."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from pipeline.errors import InputError
from pipeline.labels.qrels import read_qrels
from pipeline.pooling import relevation
from pipeline.pooling.relevation import collect, export, numbered

POOL = {"q.10": ["x", "y"], "q.2": ["a", "b", "c", "d", "e", "f"]}


def exported(folder: Path, pool: Mapping[str, list[str]] = POOL, seed: int = 1) -> dict[str, Path]:
    out = {name: folder / str(seed) / name for name in ("judge", "pool", "queries", "topics")}
    export(pool, texts={"q.2": "flu\tor cold"}, seed=seed, out=out)
    return out


def test_every_form_holds_the_pool_shuffled(tmp_path: Path) -> None:
    out = exported(tmp_path)
    qrels = read_qrels(out["judge"])
    assert sorted(zip(qrels.topic, qrels.document, strict=True)) == sorted(
        (topic, document) for topic, documents in POOL.items() for document in documents
    )
    assert set(qrels.label.tolist()) == {-1}
    assert qrels.document[:6] != sorted(qrels.document[:6])
    lines = [line.split(" ") for line in out["pool"].read_text().splitlines()]
    assert [line[2] for line in lines] == qrels.document  # the same order in both
    assert [line[0] for line in lines] == ["1"] * 6 + ["2"] * 2
    assert [int(line[3]) for line in lines] == [1, 2, 3, 4, 5, 6, 1, 2]
    assert out["queries"].read_text() == "1\tflu\tor cold\n2\tq.10\n"
    assert out["topics"].read_text() == "number\ttopic\n1\tq.2\n2\tq.10\n"


def test_the_order_follows_the_seed(tmp_path: Path) -> None:
    first = exported(tmp_path)["judge"].read_text()
    assert exported(tmp_path)["judge"].read_text() == first
    assert exported(tmp_path, seed=2)["judge"].read_text() != first


@pytest.mark.parametrize(
    ("topics", "numbers"),
    [
        (["101", "102"], [101, 102]),
        (["101", "0102"], [1, 2]),  # 0102 would come back as 102
        (["qtest.1", "qtest.2"], [1, 2]),
    ],
)
def test_numbers_of_topics(topics: list[str], numbers: list[int]) -> None:
    assert list(numbered(topics).values()) == numbers


JUDGED = "1\tann\ta\t2\n1\tbob\ta\t1\n1\tann\tb\t-1\n2\tann\tx\t-2\n"


def test_the_way_back(tmp_path: Path) -> None:
    out = exported(tmp_path)
    (tmp_path / "j.txt").write_text(JUDGED)
    files = collect(tmp_path / "j.txt", topics=out["topics"], out=tmp_path / "l", cannot_judge=[-2])
    assert {name: path.read_text() for name, path in files.items()} == {
        "ann": "q.2 0 a 2\nq.10 0 x -2\n",  # b is not judged yet; -2 stays a code
        "bob": "q.2 0 a 1\n",
    }


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        (JUDGED, 4, "the label -2"),
        ("1\tann\ta\t-1\n", None, "no document is judged"),
        ("7\tann\ta\t1\n", 1, "no query number '7'"),
        ("1\tann\ta\n", 1, "3 fields"),
    ],
)
def test_bad_judgements(tmp_path: Path, text: str, line: int | None, what: str) -> None:
    out = exported(tmp_path)
    (tmp_path / "j.txt").write_text(text)
    with pytest.raises(InputError) as caught:
        collect(tmp_path / "j.txt", topics=out["topics"], out=tmp_path / "l")
    problem = caught.value.problems[0]
    assert (Path(problem.where), problem.line) == (tmp_path / "j.txt", line)
    assert what in problem.what


def test_an_id_that_relevation_cannot_hold(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has 300 characters"):
        exported(tmp_path, {"q.3": ["d" * 300]})


def test_from_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "j.txt").write_text(JUDGED)
    command = [sys.executable, "-m", "pipeline.pooling.relevation", "j.txt", "--out", "labels"]
    root = str(Path(relevation.__file__).parents[2])
    done = [
        subprocess.run(
            [*command, *more], cwd=tmp_path, env={"PYTHONPATH": root}, capture_output=True,
            text=True, check=False,
        )
        for more in ([], ["--cannot-judge", "-2"])
    ]  # fmt: skip
    assert "fathom: j.txt, line 4" in done[0].stderr
    assert "Traceback" not in done[0].stderr
    assert done[1].stdout == "ann: labels/ann.qrels\nbob: labels/bob.qrels\n"
