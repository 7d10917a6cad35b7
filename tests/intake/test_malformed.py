"""Malformed input of every kind: a problem with its line and value, and nothing is left behind."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.audit import published
from pipeline.config.scale import Scale
from pipeline.errors import InputError, Problem
from pipeline.labels import costs, topics
from pipeline.labels.qrels import read_qrels
from pipeline.labels.tables import tabulate
from pipeline.runs.rank import rank
from pipeline.runs.reader import RunPolicies
from pipeline.runs.teams import read_table
from pipeline.storage import text as reader
from pipeline.storage.text import natural, number
from tests.campaign.test_campaign import CASES as CAMPAIGNS
from tests.intake.malformed.addresses import ADDRESSES, SERVERS
from tests.intake.malformed.archives import ARCHIVES
from tests.intake.malformed.costs import COST, COSTS
from tests.intake.malformed.expected import HUGE, Case, Expected
from tests.intake.malformed.labels import LABELS, QRELS
from tests.intake.malformed.published import PUBLISHED
from tests.intake.malformed.runs import RUN, RUNS
from tests.intake.malformed.teams import TEAMS
from tests.intake.malformed.topics import TOPICS
from tests.storage.test_strict_yaml import BAD as YAML


def read_labels(path: Path) -> object:
    scale = Scale(lowest=0, highest=2, better="high", threshold=1, gains=None, cannot_judge=())
    return tabulate([path], scale=scale)


def read_run(path: Path) -> None:
    rank([path], policies=RunPolicies(), out=path.with_name("0.parquet"), facts=path.with_name("0"))


READERS: dict[str, tuple[Callable[[Path], object], dict[str, Case]]] = {
    "costs": (costs.read, COSTS),
    "qrels": (read_qrels, QRELS),
    "labels": (read_labels, LABELS),
    "published": (lambda path: published.read([path]), PUBLISHED),
    "topics": (topics.read, TOPICS),
    "runs": (read_run, RUNS),
    "tables of teams": (read_table, TEAMS),
}
CASES = {
    f"{kind}: {name}": (read, *case)
    for kind, (read, cases) in READERS.items()
    for name, case in cases.items()
}


@pytest.mark.parametrize(("read", "content", "expected"), CASES.values(), ids=CASES)
def test_problem(
    tmp_path: Path, read: Callable[[Path], object], content: bytes, expected: Expected
) -> None:
    path = tmp_path / "given"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        read(path)
    (problem,) = error.value.problems
    assert (str(problem.where), problem.line) == (str(path), expected.line)
    assert problem.severity == "error"
    for word in expected.words:
        assert word in problem.what
    assert problem.fix
    assert expected.fix in problem.fix
    assert list(tmp_path.iterdir()) == [path]


GOOD = {
    "gzip": gzip.compress(COST),
    "CRLF": COST.replace(b"\n", b"\r\n"),
    "old Mac": COST.replace(b"\n", b"\r"),
    "mark": b"\xef\xbb\xbf" + COST,
    "comments": b"#doc cost\n" + COST + b"# end",
}


@pytest.mark.parametrize("content", GOOD.values(), ids=GOOD)
def test_costs_as_they_come(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "costs"
    path.write_bytes(content)
    assert costs.read(path) == {"d1": 10.0, "d2": 2.5}


def test_topics_with_old_line_ends_are_as_many_as_there_are(tmp_path: Path) -> None:
    path = tmp_path / "topics"
    path.write_bytes(b"1\tcold\r2\tflu\r")
    assert topics.read(path) == {"1": "cold", "2": "flu"}


def test_gzip_that_unpacks_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "ALWAYS", 1 << 20)
    path = tmp_path / "bomb.gz"
    path.write_bytes(packed := gzip.compress(b" " * (64 << 20)))
    with pytest.raises(InputError) as error:
        read_qrels(path)
    most = max(1 << 20, 100 * len(packed)) >> 20
    (problem,) = error.value.problems
    assert problem.where == path
    assert f"{len(packed)} bytes" in problem.what
    assert f"{most} MiB" in problem.what


def test_long_numbers_are_in_their_order() -> None:
    short, long = "t9", "t" + "1" * 5000
    assert sorted([long, short, "t10", "t09"], key=natural) == ["t09", short, "t10", long]


def test_numbers_are_those_of_float() -> None:
    for text in ("0", "-1", "+2.5", ".5", "5.", "1e3", "1E-3", "0.30000000000000004", "1e0299"):
        assert number(text) == float(text)


# ---- runs ------------------------------------------------------------------------------------


def ingested(folder: Path, files: dict[str, bytes]) -> list[Problem]:
    """The problems of some runs that are read together; nothing is written."""
    paths = []
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        paths.append(path)
    out = folder / "out"
    out.mkdir()
    with pytest.raises(InputError) as error:
        rank(paths, policies=RunPolicies(), out=out / "0.parquet", facts=out / "0.json")
    assert not list(out.iterdir())
    return error.value.problems


def test_all_bad_runs_of_a_batch_are_named(tmp_path: Path) -> None:
    files = {
        "r1": RUN * 2,
        "r2": RUN,
        "r3": b"1 Q0 a\n",
        "r4": RUN.decode().encode("utf-16"),
        "r5": b"1 Q0 a 1 nan t\n",
        "r6": b"",
    }
    found = [(Path(one.where).name, one.line) for one in ingested(tmp_path, files)]
    assert found == [("r1", 2), ("r3", 1), ("r4", None), ("r5", 1), ("r6", None)]


def test_two_runs_of_one_name_are_not_mixed(tmp_path: Path) -> None:
    files = {"a/run.gz": RUN, "b/run": b"1 Q0 b 1 2 t\n", "b/other": RUN}
    (problem,) = ingested(tmp_path, files)
    for word in ("a/run.gz", "b/run", "'run'"):
        assert word in str(problem)
    assert "rename" in problem.fix


def test_the_bad_line_of_the_second_run(tmp_path: Path) -> None:
    line = HUGE + b" Q0 a 1 2 t\n"
    (problem,) = ingested(tmp_path, {"r1": RUN, "r2": RUN + b"#\n" + line})
    assert (Path(problem.where).name, problem.line) == ("r2", 3)


def test_how_many_there_are() -> None:
    """Tests beside this one go through the tables that no reader of files does."""
    tables = {
        **{kind: len(cases) for kind, (_, cases) in READERS.items()},
        "YAML": len(YAML),
        "campaigns": len(CAMPAIGNS),
        "addresses": len(ADDRESSES),
        "servers": len(SERVERS),
        "archives": len(ARCHIVES),
    }
    assert sum(tables.values()) >= 300, tables
    assert min(tables.values()) >= 5, tables
    files = sum(len(cases) for _, cases in READERS.values()) + len(YAML)
    assert files >= 150, tables
