"""The desk makes its page whatever is wrong: config, sources and files, all at once."""

import csv
from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline.campaign.check import check
from pipeline.campaign.lines import lines_of
from pipeline.intake.verdict import verdict
from tests.intake.test_desk import BROKEN, FINE, handed_in

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
TOLD = [  # line, what
    (4, "campaigns.mine.runs.files 'more/*' matches no file"),
    (10, "campaigns.mine.dimensions.topicality.threshold is 9, outside the scale [0, 2]"),
    (11, "campaigns.mine.dimensions.ease.labels 'missing.qrels' matches no file"),
    (12, "campaigns.mine.dimensions.simulated.estimate needs the pages"),
    (13, "campaigns.mine.polices is not a known key"),
    (14, "campaigns.mine.policies.order is 'scroe', which is not a choice"),
    (15, "campaigns.mine.measures[1]: measure 'nDCG10': no measure is called 'nDCG10'"),
    (16, "campaigns.mine.audit.published 'official.tsv' matches no file"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    handed_in(Path(), {**BROKEN, **FINE})
    return tmp_path


def never(config: Path) -> bool:
    raise AssertionError(f"the workflow was asked about {config}")


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
    (out,) = check(Path("c.yaml"), workflow=never)
    assert out == Path("results/mine/check")
    found = rows(out)
    config = [(int(row["line"]), row["what"]) for row in found if row["kind"] == "config"]
    assert [line for line, _ in config] == [line for line, _ in TOLD]
    for (_, said), (_, expected) in zip(config, TOLD, strict=True):
        assert said.startswith(expected)
    assert [(r["kind"], r["line"]) for r in found if r["kind"] in ("topics", "labels")] == [
        ("topics", "2"), ("labels", "2"),
    ]  # fmt: skip
    assert {row["name"] for row in found if row["kind"] == "run"} >= set(BROKEN)
    assert all(row["fix"] for row in found)
    html = (out / "index.html").read_text(encoding="utf-8")
    assert "<h1>A broken campaign</h1>" in html
    assert "14 runs" in html
    assert verdict([out])[1] == 1


def test_a_good_config_is_left_to_the_workflow(folder: Path) -> None:
    asked: list[Path] = []
    config = written(("one", campaign()), ("two", campaign()))
    assert check(config, workflow=lambda path: not asked.append(path)) == [
        Path("results/one/check"), Path("results/two/check"),
    ]  # fmt: skip
    assert asked == [config]


def test_where_the_workflow_stops_its_words_are_on_the_page(folder: Path) -> None:
    def stop(config: Path) -> bool:
        log = Path("results/mine/logs/source/s.log")
        log.parent.mkdir(parents=True)
        log.write_text("http://x/y: cannot be fetched (404); correct the address\n")
        return False

    source = {"url": "http://127.0.0.1:9/x.tar", "sha256": "0" * 64}
    runs = {"files": ["runs/*", "@s/runs/*"], "team": "^([A-Z])_"}
    config = written(("mine", campaign(sources={"s": source}, runs=runs)))
    (out,) = check(config, workflow=stop)
    told = [row for row in rows(out) if row["kind"] != "run"]
    assert [(row["kind"], row["what"], row["fix"]) for row in told] == [
        ("source", "http://x/y: cannot be fetched (404)", "correct the address")
    ]
    assert {row["name"] for row in rows(out) if row["kind"] == "run"} == set(BROKEN)


def test_a_workflow_that_stops_without_a_word_is_no_success(folder: Path) -> None:
    (out,) = check(written(("mine", campaign())), workflow=lambda path: False)
    assert "the workflow stopped" in rows(out)[0]["what"]


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
    (out,) = check(written(("mine", given)), workflow=never)
    found = rows(out)
    others = [(row["kind"], row["name"], row["file"]) for row in found if row["kind"] != "run"]
    # a missing archive is a mistake of the config; what follows from it is not told again
    assert [one for one in others if one[0] != "labels"] == [
        ("config", "", "'@there/absent/*"), ("config", "", "c.yaml"), ("config", "", "c.yaml"),
    ]  # fmt: skip
    assert any("sources.no.url 'nowhere.tar' matches no file" in row["what"] for row in found)
    (score,) = [row for row in found if row["name"] == "B_there" and row["severity"] == "wrong"
                and row["line"]]  # fmt: skip
    assert score["file"] == "results/mine/sources/there/runs/B_there"
    assert not any("/tmp" in row["file"] for row in found)
    assert {path.name for path in (folder / "results/mine/sources").iterdir()} == {"there"}


BAD_FILES = {
    "tab": ("campaigns:\n\tmine: {}\n", 2, "a tab where YAML takes only spaces"),
    "quote": ("campaigns:\n  mine: 'x\n", 2, "the quote that opens here is never closed"),
    "twice": ("campaigns: {}\ncampaigns: {}\n", 2, "the key 'campaigns' is already in line 1"),
    "empty": ("", None, "the file is empty"),
    "list": ("- a\n", None, "a config has keys at the top, as 'campaigns:'"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_config_that_cannot_be_read(folder: Path, name: str) -> None:
    text, line, what = BAD_FILES[name]
    Path(f"{name}.yaml").write_text(text)
    (out,) = check(Path(f"{name}.yaml"), workflow=never)
    assert out == Path("results", name, "check")
    (row,) = rows(out)
    assert (row["severity"], row["line"], row["what"]) == ("wrong", str(line or ""), what)


BAD_CAMPAIGNS = {
    "no campaign": None, "a list": ["x"], "no runs": {"measures": ["AP"]}, "nothing": {},
    "all wrong": {"runs": 3, "dimensions": [], "measures": {}, "topics": 1, "policies": "x"},
    "wrong inside": {"runs": {"files": [3]}, "dimensions": {"a b": 1, "c": {"labels": 2}},
                     "measures": [1, "("], "sources": {"x": 1}},
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_CAMPAIGNS)
def test_campaigns_of_which_nothing_is_left(folder: Path, name: str) -> None:
    (out,) = check(written(("mine", BAD_CAMPAIGNS[name])), workflow=never)
    assert out == Path("results/mine/check")
    found = rows(out)
    assert found
    assert {row["kind"] for row in found} == {"config"}
    assert not any("no file: what stands here" in row["what"] for row in found)


def test_each_campaign_has_its_own_page(folder: Path) -> None:
    config = written(
        ("good", campaign()), ("bad.1", campaign(measures=["XYZ"])), ("no\n", campaign())
    )
    folders = check(config, workflow=never)
    assert folders == [Path("results/good/check"), Path("results/bad.1/check")]
    good, bad = ([row["what"] for row in rows(one) if row["kind"] == "config"] for one in folders)
    assert good == []
    assert len(bad) == 1
    assert "no measure is called 'XYZ'" in bad[0]


def test_a_config_with_only_bad_names_leaves_its_page_too(folder: Path) -> None:
    (out,) = check(written(("../x", campaign())), workflow=never)
    assert out == Path("results/c/check")
    assert "is not a good name" in rows(out)[0]["what"]


def test_lines_of_keys(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(CONFIG)
    lines = lines_of(path)
    assert lines["campaigns.mine.measures[1]"] == 15
    assert lines["campaigns.mine.dimensions.topicality.threshold"] == 10
    assert lines["campaigns.mine.dimensions.ease.labels"] == 11
