"""To the assessors and back: the forms of a pool, and Relevation!'s judgements."""

import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.errors import InputError
from pipeline.labels.qrels import read_qrels
from pipeline.pooling import relevation
from pipeline.pooling.relevation import Files, collect, export, numbered

POOL = "topic\tdocument\truns\tbest_rank\tprobability\n" + "".join(
    f"{topic}\t{document}\t1\t1\t1\n"
    for topic, documents in {"q.2": "a b c d e f", "q.10": "x y"}.items()
    for document in documents.split()
)


def exported(folder: Path, text: str = POOL, seed: int = 1) -> Files:
    (folder / "pool.tsv").write_text(text)
    out = Files(
        **{name: folder / str(seed) / name for name in ("qrels", "pool", "queries", "topics")}
    )
    export(folder / "pool.tsv", texts={"q.2": "flu\tor cold"}, seed=seed, out=out)
    return out


def test_every_form_holds_the_pool_shuffled(tmp_path: Path) -> None:
    out = exported(tmp_path)
    qrels = read_qrels(out.qrels)
    assert sorted(zip(qrels.topic, qrels.document, strict=True)) == sorted(
        tuple(line.split("\t")[:2]) for line in POOL.splitlines()[1:]
    )
    assert set(qrels.label.tolist()) == {-1}
    assert qrels.document[:6] != sorted(qrels.document[:6])
    lines = [line.split(" ") for line in out.pool.read_text().splitlines()]
    assert [line[2] for line in lines] == qrels.document  # the same order in both
    assert [line[0] for line in lines] == ["1"] * 6 + ["2"] * 2
    assert [int(line[3]) for line in lines] == [1, 2, 3, 4, 5, 6, 1, 2]
    assert out.queries.read_text() == "1\tflu\tor cold\n2\tq.10\n"
    assert out.topics.read_text() == "number\ttopic\n1\tq.2\n2\tq.10\n"


def test_the_order_follows_the_seed(tmp_path: Path) -> None:
    first = exported(tmp_path).qrels.read_text()
    assert exported(tmp_path).qrels.read_text() == first
    assert exported(tmp_path, seed=2).qrels.read_text() != first


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
    files = collect(tmp_path / "j.txt", topics=out.topics, out=tmp_path / "l", cannot_judge=[-2])
    assert {name: path.read_text() for name, path in files.items()} == {
        "ann": "q.2 0 a 2\nq.10 0 x -2\n",  # b is not judged yet; -2 stays a code
        "bob": "q.2 0 a 1\n",
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (JUDGED, "j.txt, line 4: the label -2 is none of a scale; name it as a code"),
        ("1\tann\ta\t-1\n", "j.txt: nothing is judged yet; every label is -1"),
        ("7\tann\ta\t1\n", "knows no query number '7'; use its own file"),
        ("1\tann\ta\n", "j.txt, line 1: 3 fields where a qrels line has 4"),
    ],
)
def test_bad_judgements(tmp_path: Path, text: str, message: str) -> None:
    out = exported(tmp_path)
    (tmp_path / "j.txt").write_text(text)
    with pytest.raises(InputError) as caught:
        collect(tmp_path / "j.txt", topics=out.topics, out=tmp_path / "l")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (POOL.splitlines()[0] + "\n", "the pool holds no document"),
        (POOL + f"q.3\t{'d' * 300}\t1\t1\t1\n", "has 300 characters, but Relevation! holds 250"),
    ],
)
def test_bad_pools(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        exported(tmp_path, text)


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
