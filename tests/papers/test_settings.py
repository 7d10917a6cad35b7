"""Papers in a config: what they run, what they need, and every mistake in a sentence."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline.campaign import campaigns, from_config, load
from pipeline.errors import InputError, Problem
from pipeline.papers.paper import paper_inputs, read_absent, write_absent
from pipeline.sources.places import Places

LABELLED = {"labels": "t.qrels", "scale": [0, 1], "threshold": 1}
CAMPAIGN = {
    "runs": {"files": "runs/*"},
    "dimensions": {"topicality": LABELLED, "understandability": LABELLED},
    "measures": [
        "RBP(p=0.8)", "uRBP(p=0.8)", "RBP(p=0.8, on=understandability)",
        "H(RBP(p=0.8), topicality=1, understandability=1)",
    ],
}  # fmt: skip


def config(**paper: Any) -> dict[str, Any]:
    return {
        "papers": {"mine": {"rerun": "h-framework", **paper}},
        "campaigns": {"one": CAMPAIGN, "two": CAMPAIGN},
    }


def refused(wrong: dict[str, Any]) -> list[Problem]:
    with pytest.raises(InputError) as error:
        campaigns(wrong)
    return error.value.problems


def test_what_a_paper_needs() -> None:
    checked = config(uses={"clef2015": "one"}, lists=5, seed=3)
    loaded = from_config(checked).checked()
    (mine,) = loaded.papers.values()
    assert mine.roles == {"clef2015": "one"}
    assert (mine.settings["lists"], mine.settings["seed"], mine.settings["length"]) == (5, 3, 10)
    assert mine.files(absent={}) == [("one", "correlations.csv")]
    assert mine.files(absent={"one": "gone"}) == []
    assert loaded.unused == ["two"]


def test_a_config_of_papers_alone() -> None:
    alone = {"papers": {"mine": {"rerun": "h-framework"}}}
    assert campaigns(alone) == {}
    assert list(from_config(alone).checked().papers) == ["mine"]


@pytest.mark.parametrize(
    ("paper", "where", "named"),
    [
        ({"rerun": "h-framwork"}, "rerun", "'h-framework'"),
        ({"uses": {"clef201_5": "one"}}, "uses.clef201_5", "'clef2015'"),
        ({"uses": {"clef2015": "on"}}, "uses.clef2015", "'one'"),
        ({"lists": 1}, "lists", "at least 2"),
        ({"correlations": [2]}, "correlations[0]", "at most 1"),
        ({"sed": 2}, "sed", "'seed'"),
        ({"generated_pages": False}, "generated_pages", "rerun: h-framework"),
        ({"rerun": None}, "rerun", ""),
    ],
)
def test_mistakes(paper: dict[str, Any], where: str, named: str) -> None:
    (problem,) = refused(config(**paper))
    assert problem.where == f"papers.mine.{where}"
    assert named in problem.what + problem.fix


def test_a_paper_and_a_campaign_share_no_folder() -> None:
    wrong = config()
    wrong["campaigns"]["mine"] = CAMPAIGN
    (problem,) = refused(wrong)
    assert problem.where == "papers.mine"
    assert "campaign" in problem.what


def test_problems_of_campaigns_and_papers_are_told_together() -> None:
    wrong = config(uses={"clef2015": "three"})
    wrong["campaigns"]["two"] = {**CAMPAIGN, "measures": ["nDGC@10"]}
    one, other = refused(wrong)
    assert (one.where, other.where) == ("campaigns.two.measures[0]", "papers.mine.uses.clef2015")
    assert "nDGC" in one.what
    assert "'three'" in other.what


def test_an_absent_campaign_is_noted(tmp_path: Path) -> None:
    lost = {"git": "https://127.0.0.1/o/r", "commit": "0" * 40, "paths": ["x"]}
    source = {"kind": "git", "settings": {**lost, "files": {}, "missing": "error"}}
    generated = {"kind": "generate", "settings": {"generate": "demo", "seed": 1}}
    (tmp_path / "mirror").mkdir()
    places = Places(mirror=tmp_path / "mirror", cache=tmp_path / "cache")
    note = tmp_path / "results/mine/available.json"
    assert read_absent(note) == {}
    each = {"one": {"s": source}, "two": {"s": generated}}
    write_absent(each, places=dict.fromkeys(each, places), out=note)
    absent = read_absent(note)
    assert list(absent) == ["one"]
    assert "127.0.0.1/o/r" in absent["one"]
    known = paper_inputs("h-framework", {}, roles={"clef2015": "one", "clef2016": "two"}, note=note)
    assert known.absent == {"clef2015": absent["one"]}
    assert known.folders == {"clef2016": Path("results/two")}
    none = paper_inputs("h-framework", {}, roles={}, note=None)
    assert set(none.absent) == {"clef2015", "clef2016"}
    assert all("names no campaign" in why for why in none.absent.values())


def test_a_campaign_must_have_what_its_role_needs() -> None:
    wrong = {
        "papers": {
            "a": {"rerun": "h-framework", "uses": {"clef2015": "few"}},
            "b": {"rerun": "ubire", "uses": {"pages2013": "one", "clef2015": "one"}},
        },
        "campaigns": {"one": CAMPAIGN, "few": {**CAMPAIGN, "measures": CAMPAIGN["measures"][:3]}},
    }
    problems = refused(wrong)
    lacks = {str(problem.where): problem.what for problem in problems}
    assert "H(RBP(p=0.8), topicality=1" in lacks["papers.a.uses.clef2015"]
    assert "source 'clef'" in lacks["papers.b.uses.clef2015"]
    assert any("dimension 'arctan_10'" in problem.what for problem in problems)


def test_the_check_of_a_config_file_looks_at_its_papers(tmp_path: Path) -> None:
    file = tmp_path / "paper.yaml"
    file.write_text(yaml.safe_dump({"papers": {"a": {"rerun": "h-framework"}}}))
    assert load([file], root=tmp_path).problems == []
    few = {**CAMPAIGN, "measures": CAMPAIGN["measures"][:3]}
    uses = {"rerun": "h-framework", "uses": {"clef2015": "few"}}
    file.write_text(yaml.safe_dump({"papers": {"a": uses}, "campaigns": {"few": few}}))
    assert "papers.a.uses.clef2015" in [one.where for one in load([file]).problems]
