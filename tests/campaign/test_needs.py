"""Which files each step needs, for campaigns with and without each thing that changes it."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.campaign import campaigns, resolve
from pipeline.campaign.needs import Needs

FULL: dict[str, Any] = {
    "sources": {"demo": {"generate": "demo", "seed": 1}},
    "runs": {"files": ["runs/*", "@demo/runs/*"], "team": "^(.)", "batches": 2},
    "topics": {"file": "topics.xml"},
    "pages": {"files": ["pages/*", "@demo/pages/*"], "documents": "pooled", "shards": 2},
    "costs": {"file": "costs.tsv"},
    "dimensions": {
        "topicality": {
            "labels": "q.txt", "scale": [0, 2], "threshold": 1, "sets": {"crowd": "q.txt"},
        },
        "understandability": {"labels": "q.txt", "scale": [0, 2], "threshold": 1},
        "simulated": {"estimate": {"threshold": 12}},
    },
    "pool": {"method": "bandit"},
    "fusion": {"fused": {"method": "rrf"}},
    "variations": "(.)",
    "preferences": "likes/*",
    "satisfaction": ["rated.txt", "@demo/people/satisfaction.txt"],
    "measures": ["AP", "RBP(p=0.8, on=understandability)", "ETU(RBP(p=0.8))", "CrossEntropy"],
    "audit": {"published": "published.tsv"},
}  # fmt: skip


def needs(**changes: Any) -> Needs:
    given = {key: value for key, value in {**FULL, **changes}.items() if value is not None}
    (one,) = campaigns({"campaigns": {"mine": given}}).values()
    return Needs(one, resolve(one))


@pytest.fixture(autouse=True)
def _inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("runs/a", "runs/b", "runs/c", "pages/1.html", "pages/2.html", "topics.xml",
                 "costs.tsv", "q.txt", "published.tsv", "likes/1", "rated.txt"):  # fmt: skip
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).touch()


def test_each_file_goes_to_one_batch_and_made_folders_to_all() -> None:
    made = "results/mine/sources/demo"
    batches = [needs().run_files(str(n)) for n in range(2)]
    assert all(made in files for files in batches)
    split = [set(files) - {made} for files in batches]
    assert set.union(*split) == {"runs/a", "runs/b", "runs/c"}
    assert not set.intersection(*split)
    shards = [set(needs().page_files(str(n))) - {made} for n in range(2)]
    assert set.union(*shards) == {"pages/1.html", "pages/2.html"}
    assert not set.intersection(*shards)
    assert needs().made_runs() == ["@demo/runs/*"]
    assert needs().runs() == ["runs/a", "runs/b", "runs/c", made]


@pytest.mark.parametrize(
    ("which", "given", "changes", "expected"),
    [
        ("rankings", ["r/{}"], {}, ["r/0", "r/1", "r/fused"]),
        ("rankings", ["r/{}"], {"fusion": None}, ["r/0", "r/1"]),
        ("batches", ["r/{}"], {}, ["r/0", "r/1"]),
        ("shards", ["p/{}"], {}, ["p/0", "p/1"]),
        ("measured", ["{}.x"], {"measures": ["AP", "P@5"]}, ["AP.x", "P@5.x"]),
        ("gains", [], {}, [f"gains/{d}.npz" for d in FULL["dimensions"]]),
        ("labelled_gains", [], {}, ["gains/topicality.npz", "gains/understandability.npz"]),
        ("first_labels", [], {}, ["labels/topicality.parquet"]),
        ("pool_labels", [], {}, ["labels/topicality.parquet"]),
        ("pool_labels", [], {"pool": None}, []),
        ("needed", [], {}, ["pages/needed.txt"]),
        ("needed", [], {"pages": {"files": "pages/*"}}, []),
        ("sets", ["topicality", "sets/{}/{}"], {}, ["sets/topicality/crowd"]),
        ("sets", ["understandability", "sets/{}/{}"], {}, []),
        ("audit", ["audit.json"], {}, ["audit.json"]),
        ("audit", ["audit.json"], {"audit": None}, []),
        ("reading", [], {}, ["readability.parquet", "pages/summary.json"]),
        ("measure_gains", ["AP"], {}, ["gains/topicality.npz"]),
        (
            "measure_gains", ["RBP_p=0.8_on=understandability"], {},
            ["gains/understandability.npz"],
        ),
        (
            "measure_gains", ["RBP_p=0.8_on=understandability"],
            {"policies": {"unjudged": "condensed"}},
            ["gains/topicality.npz", "gains/understandability.npz"],
        ),
        ("measure_scores", ["AP"], {}, ["ties.npz"]),
        ("measure_scores", ["AP"], {"policies": {"ties": "ignore"}}, []),
        ("measure_costs", ["AP"], {}, []),
        ("measure_costs", ["ETU_RBP_p=0.8"], {}, ["costs.npz"]),
        ("measure_costs", ["ETU_RBP_p=0.8"], {"costs": None}, []),
    ],
)  # fmt: skip
def test_what_other_steps_make(
    which: str, given: list[str], changes: dict[str, Any], expected: list[str]
) -> None:
    found = getattr(needs(**changes), which)(*given)
    assert found == [f"results/mine/{name}" for name in expected]


def test_a_measure_of_scores_needs_them_whatever_is_said_of_ties() -> None:
    one = needs(policies={"ties": "ignore"}, measures=["CrossEntropy", "AP"])
    scored = {m.slug for m in one.campaign.measures if m.scored}
    assert scored, "the example lost its measure of scores"
    for measure in one.campaign.measures:
        assert bool(one.measure_scores(measure.slug)) == (measure.slug in scored)


def test_label_tables_are_labels_or_estimates() -> None:
    assert needs().label_tables() == [
        "results/mine/labels/topicality.parquet",
        "results/mine/labels/understandability.parquet",
        "results/mine/estimates/simulated.parquet",
    ]


def test_what_says_which_pages_are_needed() -> None:
    assert needs().needed_source() == "results/mine/pool.tsv"
    retrieved = needs(pages={"files": "pages/*", "documents": "retrieved"})
    assert retrieved.needed_source() == "results/mine/rankings.parquet"


def test_the_report_gets_the_tables_the_campaign_asks_for() -> None:
    pool = [f"results/mine/pool/{name}.csv" for name in ("topics", "teams", "overlap", "runs")]
    more = [
        "sweep.csv", "reusability/summary.csv", "reusability/runs.csv",
        "agreement/topicality.csv", "agreement/topicality.swaps.csv",
        "variations/needs.csv", "variations/runs.csv",
        "people/measures.csv", "people/comparisons.csv",
    ]  # fmt: skip
    assert needs().judging() == pool + [f"results/mine/{name}" for name in more]
    plain = {"q": {"labels": "q.txt", "scale": [0, 2], "threshold": 1}}
    few = needs(
        dimensions=plain, measures=["AP"], sweep=False, reusability=[], variations=None, pages=None,
        preferences=None, satisfaction=None,
    )  # fmt: skip
    assert few.judging() == pool
    compared = needs(
        pages={"files": "pages/*", "compare_counters": 10},
        measures=["AP", "uRBP(p=0.8, by=simulated)"],
    )
    assert "results/mine/counters.csv" in compared.judging()
    assert compared.estimates() == {"simulated": {"index": "fog", "model": "step", "threshold": 12}}
    assert few.people_files() == []
    assert needs().people_files() == ["likes/1", "rated.txt", "results/mine/sources/demo"]


def test_checksums_are_of_every_input_file_once_handed_in() -> None:
    files = needs().originals()
    assert set(files) == {
        "runs/a", "runs/b", "runs/c", "q.txt", "topics.xml", "published.tsv", "likes/1",
        "rated.txt",
    }  # fmt: skip


def test_the_modules_of_measures() -> None:
    one = needs(measures=["AP", "H(RBP(p=0.8), topicality=1, understandability=1)"])
    ap = "pipeline.measures.standard.average_precision"
    assert one.modules("AP") == [ap]
    assert one.modules(None) == [
        "pipeline.measures.combinations.harmonic", ap, "pipeline.measures.standard.rbp",
    ]  # fmt: skip


def test_one_measure_is_contrasted_with_itself() -> None:
    assert needs().contrast() == ["AP", "RBP(p=0.8, on=understandability)"]
    assert needs(measures=["map"]).contrast() == ["AP", "AP"]
