"""Papers in a config: what they run, what they need, and every mistake in a sentence."""

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.campaign import campaigns, papers
from pipeline.campaign.paper_settings import forget_absences, unused
from pipeline.errors import InputError
from pipeline.papers.at_hand import absent_campaigns, at_hand, given
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


def refused(wrong: dict[str, Any]) -> str:
    with pytest.raises(InputError) as error:
        campaigns(wrong)
    return str(error.value)


def test_what_a_paper_needs() -> None:
    checked = config(uses={"clef2015": "one"}, lists=5, seed=3)
    known = campaigns(checked)
    (mine,) = papers(checked, campaigns=known).values()
    assert mine.roles == {"clef2015": "one"}
    assert (mine.settings["lists"], mine.settings["seed"], mine.settings["length"]) == (5, 3, 10)
    assert mine.files(absent={}) == ["results/one/correlations.csv"]
    assert mine.files(absent={"one": "gone"}) == []
    assert unused(known, {"mine": mine}) == ["two"]
    assert "pipeline.papers.reruns.h_framework" in mine.modules()


def test_a_config_of_papers_alone() -> None:
    alone = {"papers": {"mine": {"rerun": "h-framework"}}}
    assert campaigns(alone) == {}
    assert list(papers(alone, campaigns={})) == ["mine"]


@pytest.mark.parametrize(
    ("paper", "sentence"),
    [
        ({"rerun": "h-framwork"}, "papers.mine.rerun is 'h-framwork', which is not a choice; did "
         "you mean 'h-framework'?"),
        ({"uses": {"clef201_5": "one"}}, "papers.mine.uses.clef201_5 is not a role of the paper "
         "'h-framework'; did you mean 'clef2015'?"),
        ({"uses": {"clef2015": "on"}}, "papers.mine.uses.clef2015 names the unknown campaign 'on'; "
         "did you mean 'one'?"),
        ({"lists": 1}, "papers.mine.lists is 1; it must be at least 2"),
        ({"correlations": [2]}, "papers.mine.correlations[0] is 2; it must be at most 1"),
        ({"sed": 2}, "papers.mine.sed is not a known key; did you mean 'seed'?"),
    ],
)  # fmt: skip
def test_mistakes(paper: dict[str, Any], sentence: str) -> None:
    assert refused(config(**paper)) == f"config: {sentence}"


def test_a_paper_and_a_campaign_share_no_folder() -> None:
    wrong = config()
    wrong["campaigns"]["mine"] = CAMPAIGN
    assert refused(wrong) == (
        "config: papers.mine is also the name of a campaign, and both would be in one folder; "
        "rename one"
    )


def test_problems_of_campaigns_and_papers_are_told_together() -> None:
    wrong = config(uses={"clef2015": "three"})
    wrong["campaigns"]["two"] = {**CAMPAIGN, "measures": ["nDGC@10"]}
    told = refused(wrong)
    assert "2 problems" in told
    assert "nDGC" in told
    assert "'three'" in told


def test_what_cannot_be_had_is_noted_and_asked_for_again(tmp_path: Path) -> None:
    lost = {"git": "https://127.0.0.1/o/r", "commit": "0" * 40, "paths": ["x"]}
    source = {"kind": "git", "settings": {**lost, "files": {}, "missing": "error"}}
    made = {"kind": "generate", "settings": {"generate": "demo", "seed": 1}}
    (tmp_path / "mirror").mkdir()
    places = Places(mirror=tmp_path / "mirror", cache=tmp_path / "cache")
    note = tmp_path / "results/mine/at_hand.json"
    each = {"one": {"s": source}, "two": {"s": made}}
    at_hand(each, places=dict.fromkeys(each, places), out=note)
    absent = absent_campaigns(note)
    assert list(absent) == ["one"]
    assert "has no folder" in absent["one"]
    found = given("h-framework", {}, roles={"clef2015": "one", "clef2016": "two"}, note=str(note))
    assert found.absent == {"clef2015": absent["one"]}
    assert found.folders == {"clef2016": Path("results/two")}
    none = given("h-framework", {}, roles={}, note=None)
    assert set(none.absent) == {"clef2015", "clef2016"}
    assert all("names no campaign" in why for why in none.absent.values())
    checked = config()
    mine = papers(checked, campaigns=campaigns(checked))
    forget_absences(mine, results=tmp_path / "results")
    assert not note.exists()
    note.write_text(json.dumps({}))
    forget_absences(mine, results=tmp_path / "results")
    assert note.exists()  # what is at hand stays at hand


def test_a_campaign_must_have_what_its_role_needs() -> None:
    wrong = {
        "papers": {
            "a": {"rerun": "h-framework", "uses": {"clef2015": "few"}},
            "b": {"rerun": "ubire", "uses": {"pages2013": "one", "clef2015": "one"}},
        },
        "campaigns": {"one": CAMPAIGN, "few": {**CAMPAIGN, "measures": CAMPAIGN["measures"][:3]}},
    }
    known = campaigns(wrong)
    with pytest.raises(InputError) as error:
        papers(wrong, campaigns=known)
    told = str(error.value).splitlines()
    start = "config: papers"
    assert (
        f"{start}.a.uses.clef2015 names the campaign 'few', which lacks the measure "
        "'H(RBP(p=0.8), topicality=1, understandability=1)'; add it there"
    ) in told
    assert f"{start}.b.uses.clef2015 names the campaign 'one', which lacks the source 'clef'; " in (
        "\n".join(told)
    )
    assert any("lacks the dimension 'arctan_10'" in line for line in told)
