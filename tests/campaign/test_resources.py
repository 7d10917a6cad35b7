"""What a step asks for, and in how many parts, by the size of what was handed in."""

import os
from pathlib import Path

import pytest

from pipeline.campaign import campaigns, resolve
from pipeline.campaign.needs import Needs
from pipeline.campaign.resources import Need, megabytes, minutes
from pipeline.campaign.shares import Size
from pipeline.storage.cluster.knobs import Knobs, publish

SIZE = Size(runs=250.0, pages=1000.0, batches=2, shards=4, measures=10)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    kept = {key: value for key, value in os.environ.items() if not key.startswith("FATHOM")}
    monkeypatch.setattr(os, "environ", kept)


def test_memory_grows_with_what_a_step_reads_and_with_the_attempt() -> None:
    need = Need(300, runs=6)
    assert megabytes(need, SIZE, attempt=1) == 1800
    assert megabytes(need, SIZE, attempt=2) == 3600
    assert megabytes(need, None, attempt=1) == 300  # a paper's step
    assert megabytes(Need(300, batch=3), SIZE, attempt=1) == 675
    assert megabytes(Need(0, shard=2, pages=1, measures=5), SIZE, attempt=1) == 1550
    assert minutes(Need(10, runs=0.02), SIZE, attempt=2) == 30


def test_a_site_may_ask_for_more() -> None:
    publish(Knobs(memory=1.5, time=3), own=500)
    assert megabytes(Need(300), None, attempt=1) == 950
    assert minutes(Need(10), None, attempt=1) == 30


def needs(**runs: object) -> Needs:
    given = {
        "runs": {"files": "runs/*", **runs},
        "pages": {"files": "pages/*"},
        "dimensions": {
            "topicality": {"labels": "q.txt", "scale": [0, 1], "threshold": 1},
            "simulated": {"estimate": {"threshold": 12}},
        },
        "measures": ["AP"],
    }
    for name in ("runs/a", "pages/1.html", "q.txt"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).touch()
    (one,) = campaigns({"campaigns": {"mine": given}}).values()
    return Needs(one, resolve(one))


def sparse(name: str, megabytes: int) -> None:
    Path(name).parent.mkdir(exist_ok=True)
    with Path(name).open("wb") as file:
        file.truncate(megabytes * 2**20)


def test_parts_follow_the_input_unless_set(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (needs().batch_count(), needs().shard_count()) == (2, 2)
    sparse("runs/large", 2000)
    sparse("pages/large.warc", 5000)
    assert (needs().batch_count(), needs().shard_count()) == (8, 10)
    sparse("runs/packed.gz", 400)  # holds about five times as much
    assert needs().batch_count() == 16
    assert needs().size().runs == pytest.approx(4000, rel=0.01)
    assert needs(batches=3).batch_count() == 3
    publish(Knobs(shards=40))
    assert (needs().batch_count(), needs().shard_count()) == (40, 40)
    assert needs(batches=3).batch_count() == 3


def test_of_very_many_files_some_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("runs").mkdir()
    for number in range(2500):
        Path(f"runs/{number:04d}").write_bytes(b"x" * 1024)
    looked = []
    stat = Path.stat

    def counted(path: Path, **options: bool) -> os.stat_result:
        looked.append(path)
        return stat(path, **options)

    found = needs()
    monkeypatch.setattr(Path, "stat", counted)
    assert found.size().runs == pytest.approx(2500 / 1024, rel=0.01)
    assert len({path for path in looked if path.parent.name == "runs"}) <= 1000


def test_a_made_folder_counts_once_it_is_there() -> None:
    given = {
        "sources": {"demo": {"generate": "demo", "seed": 1}},
        "runs": {"files": "@demo/runs/*"},
        "dimensions": {
            "topicality": {"labels": "@demo/q.txt", "scale": [0, 1], "threshold": 1},
        },
        "measures": ["AP"],
    }
    (one,) = campaigns({"campaigns": {"mine": given}}).values()
    found = Needs(one, resolve(one))
    assert (found.size().runs, found.batch_count()) == (0, 2)
    Path("results/mine/sources/demo").mkdir(parents=True)
    sparse("results/mine/sources/demo/runs/a", 1000)
    assert (found.size().runs, found.batch_count()) == (1000, 2)  # the number of parts stays
