"""The check of a campaign writes its page whatever is broken: config, sources and files."""

import csv
from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline.campaign.check import check
from pipeline.intake.findings import failed
from tests.intake.test_check import BROKEN, FINE, handed_in

CONFIG = """campaigns:
  mine:
    title: A broken campaign
    runs: {files: [runs/*, more/*], team: "^([A-Z])_"}
    topics: {file: topics.tsv}
    dimensions:
      topicality:
        labels: q.txt
        scale: [0, 2]
        threshold: 9
      ease: {labels: missing.qrels, scale: [0, 2], threshold: 1}
      simulated: {estimate: {threshold: 12}}
    polices: {order: score}
    policies: {order: scroe}
    measures: [AP, nDCG10, "P@10"]
    audit: {published: official.tsv}
"""
TOLD = [  # line, key, what is named
    (4, "runs.files", "'more/*'"),
    (10, "dimensions.topicality.threshold", "9"),
    (11, "dimensions.ease.labels", "'missing.qrels'"),
    (12, "dimensions.simulated.estimate", "pages"),
    (13, "polices", "known key"),
    (14, "policies.order", "'scroe'"),
    (15, "measures[1]", "'nDCG10'"),
    (16, "audit.published", "'official.tsv'"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    handed_in(Path(), {**BROKEN, **FINE})
    return tmp_path


def rows(folder: Path) -> list[dict[str, str]]:
    assert (folder / "index.html").is_file()
    with (folder / "problems.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def campaign(**changes: Any) -> dict[str, Any]:
    given = {
        "runs": {"files": "runs/*", "team": "^([A-Z])_"},
        "topics": {"file": "topics.tsv"},
        "dimensions": {"topicality": {"labels": "q.txt", "scale": [0, 2], "threshold": 1}},
        "measures": ["AP"],
    }
    return {**given, **changes}


def written(*given: tuple[str, Any]) -> Path:
    path = Path("c.yaml")
    path.write_text(yaml.safe_dump({"campaigns": dict(given)}, sort_keys=False))
    return path


def test_nothing_that_is_wrong_hides_another(folder: Path) -> None:
    (folder / "c.yaml").write_text(CONFIG)
    (folder / "topics.tsv").write_text("1\tasthma\nbad line\n2\tflu\n")
    (folder / "q.txt").write_text("1 0 d1 1\n1 0 d2\n2 0 d3 1\n")
    ((findings, out),) = check(Path("c.yaml"))
    assert out == Path("results/mine/check")
    found = rows(out)
    config = [(int(row["line"]), row["what"]) for row in found if row["kind"] == "config"]
    assert [line for line, _ in config] == [line for line, _, _ in TOLD]
    for (_, what), (_, key, named) in zip(config, TOLD, strict=True):
        assert what.startswith(f"campaigns.mine.{key}:")
        assert named in what
    assert [(r["kind"], r["line"]) for r in found if r["kind"] in ("topics", "labels")] == [
        ("topics", "2"), ("labels", "2"),
    ]  # fmt: skip
    assert {row["name"] for row in found if row["kind"] == "run"} >= set(BROKEN)
    assert all(row["fix"] for row in found)
    html = (out / "index.html").read_text(encoding="utf-8")
    assert "<h1>A broken campaign</h1>" in html
    assert "14 runs" in html
    assert failed(findings)


def test_a_good_config_and_a_source_that_cannot_be_had(folder: Path) -> None:
    Path("x.tar").write_bytes(b"other bytes")
    source = {"url": "x.tar", "sha256": "0" * 64}
    runs = {"files": ["runs/*", "@s/runs/*"], "team": "^([A-Z])_"}
    config = written(("one", campaign()), ("two", campaign(sources={"s": source}, runs=runs)))
    (_, one), (_, two) = check(config)
    assert one == Path("results/one/check")
    assert {row["name"] for row in rows(one)} == set(BROKEN)
    (row,) = [row for row in rows(two) if row["kind"] != "run"]
    assert (row["kind"], row["name"], row["severity"]) == ("source", "s", "error")
    assert "x.tar" in row["file"]
    assert "0" * 64 in row["what"]


def test_sources_of_a_broken_config(folder: Path) -> None:
    """One is there, one can be made, one cannot; files are named as the results name them."""
    there = folder / "results/mine/sources/there/runs"
    there.mkdir(parents=True)
    (there / "B_there").write_bytes(BROKEN["A_score"])
    sources = {
        "there": {"generate": "demo", "seed": 1},
        "demo": {"generate": "demo", "seed": 1},
        "no": {"url": "nowhere.tar", "sha256": "0" * 64},
    }
    files = ["@there/runs/*", "@demo/runs/*", "@no/runs/*", "@there/absent/*"]
    given = campaign(sources=sources, runs={"files": files}, polices={})
    ((_, out),) = check(written(("mine", given)))
    found = rows(out)
    others = [(row["kind"], row["name"], row["file"]) for row in found if row["kind"] != "run"]
    # a missing archive is a mistake of the config; what follows from it is not told again
    assert [one for one in others if one[0] != "labels"] == [
        ("config", "", "'@there/absent/*"), ("config", "", "c.yaml"), ("config", "", "c.yaml"),
    ]  # fmt: skip
    assert any("sources.no.url: 'nowhere.tar'" in row["what"] for row in found)
    (score,) = [row for row in found if row["name"] == "B_there" and row["severity"] == "error"
                and row["line"]]  # fmt: skip
    assert score["file"] == "results/mine/sources/there/runs/B_there"
    assert not any("/tmp" in row["file"] for row in found)
    assert {path.name for path in (folder / "results/mine/sources").iterdir()} == {"there"}


BAD_FILES = {
    "tab": ("campaigns:\n\tmine: {}\n", 2, "a tab"),
    "quote": ("campaigns:\n  mine: 'x\n", 2, "the quote that opens here is never closed"),
    "twice": ("campaigns: {}\ncampaigns: {}\n", 2, "'campaigns', already in line 1"),
    "empty": ("", None, "the file is empty"),
    "list": ("- a\n", None, "keys at the top"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_config_that_cannot_be_read(folder: Path, name: str) -> None:
    text, line, what = BAD_FILES[name]
    Path(f"{name}.yaml").write_text(text)
    ((_, out),) = check(Path(f"{name}.yaml"))
    assert out == Path("results", name, "check")
    (row,) = rows(out)
    assert (row["severity"], row["line"]) == ("error", str(line or ""))
    assert what in row["what"]


BAD_CAMPAIGNS = {
    "no campaign": None, "a list": ["x"], "no runs": {"measures": ["AP"]}, "nothing": {},
    "all wrong": {"runs": 3, "dimensions": [], "measures": {}, "topics": 1, "policies": "x"},
    "wrong inside": {"runs": {"files": [3]}, "dimensions": {"a b": 1, "c": {"labels": 2}},
                     "measures": [1, "("], "sources": {"x": 1}},
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_CAMPAIGNS)
def test_campaigns_of_which_nothing_is_left(folder: Path, name: str) -> None:
    ((_, out),) = check(written(("mine", BAD_CAMPAIGNS[name])))
    assert out == Path("results/mine/check")
    found = rows(out)
    assert found
    assert {row["kind"] for row in found} == {"config"}
    assert not any("no file: what stands here" in row["what"] for row in found)


def test_each_campaign_has_its_own_page(folder: Path) -> None:
    config = written(
        ("good", campaign()), ("bad.1", campaign(measures=["XYZ"])), ("no\n", campaign())
    )
    folders = [folder for _, folder in check(config)]
    assert folders == [Path("results/good/check"), Path("results/bad.1/check")]
    good, bad = ([row["what"] for row in rows(one) if row["kind"] == "config"] for one in folders)
    assert good == []
    assert len(bad) == 1
    assert "no measure is called 'XYZ'" in bad[0]


def test_a_config_with_only_bad_names_leaves_its_page_too(folder: Path) -> None:
    ((_, out),) = check(written(("../x", campaign())))
    assert out == Path("results/c/check")
    assert rows(out)[0]["what"].startswith("campaigns.'../x'")
