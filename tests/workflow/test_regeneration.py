"""What changes is redone, with what depends on it, and nothing else."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from pipeline.report.tables import step as tables
from pipeline.sources import demo as plan
from tests.workflow.snake import Project

pytestmark = pytest.mark.workflow

CONFIG = "small.yaml"


def of_measure(slug: str) -> set[str]:
    """Every file one measure has to itself."""
    return {
        f"scores/{slug}.parquet", f"overall/{slug}.parquet", f"significance/{slug}.csv",
        f"significance/{slug}.json", f"significance/runs/{slug}.csv",
    }  # fmt: skip


MEASURES = {
    "RBP(p=0.8)": of_measure("RBP_p=0.8"),
    "uRBP(p=0.8)": of_measure("uRBP_p=0.8"),
    "nDCG@10": of_measure("nDCG@10"),
}
TABLES = {f"report/tables/{name}.{kind}" for name in tables.TABLES for kind in ("csv", "tex")}
PAGE = {"report/index.html", "report/charts.json", "report/figures"}
END = TABLES | PAGE | {
    "means.csv", "correlations.csv", "swaps.parquet", "significance.csv", "report/teams",
}  # fmt: skip
POOL = {f"pool/{name}.csv" for name in ("topics", "teams", "overlap", "runs")}
JUDGE = {"pool/judge.qrels"} | {
    f"pool/relevation/{name}" for name in ("pool.txt", "queries.txt", "topics.tsv")
}
JUDGING = {"judged_lists.json", "sweep.csv", "reusability/runs.csv", "reusability/summary.csv"}
T, U, S = (f"gains/{name}.npz" for name in ("topicality", "understandability", "simulated"))
SCORES = set().union(*MEASURES.values())


def config() -> dict[str, object]:
    """The demo's inputs as an organiser has them: files in folders."""
    return {
        "campaigns": {
            "small": {
                "runs": {"files": "inputs/runs/*", "team": "^([^_]+)_"},
                "topics": {"file": "inputs/topics.xml"},
                "pages": {"files": "inputs/pages/0*/*.html", "keep_text": True},
                "dimensions": {
                    "topicality": {
                        "labels": "inputs/labels/topicality.qrels", "scale": [0, 2], "threshold": 1,
                    },
                    "understandability": {
                        "labels": "inputs/labels/understandability.qrels",
                        "scale": [0, 3], "threshold": 2,
                    },
                    "simulated": {"estimate": {"index": "fog", "model": "step", "threshold": 12}},
                },
                "measures": list(MEASURES),
            }
        }
    }  # fmt: skip


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project.copy(tmp_path_factory.mktemp("regeneration"))
    plan.generate(project.folder / "inputs", seed=7)
    (project.folder / CONFIG).write_text(yaml.safe_dump(config(), sort_keys=False))
    project.run("--configfile", CONFIG)
    return project


@pytest.fixture
def project(ready: Project) -> Iterator[Project]:
    """The finished campaign; whatever a test edits is put back."""
    before = {
        path: (path.read_bytes(), path.stat())
        for folder in ("inputs/runs", "inputs/labels", "pipeline")
        for path in (ready.folder / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    text = (ready.folder / CONFIG).read_text()
    yield ready
    (ready.folder / CONFIG).write_text(text)
    for path in (ready.folder / "inputs/runs").iterdir():
        if path not in before:
            path.unlink()
    for path, (content, _) in before.items():
        if path.read_bytes() != content:
            path.write_bytes(content)
    assert ready.planned(CONFIG) == set()


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


CONFIG_KEPT = {"config.yaml"}  # the campaign's own config, kept beside its results


def change(project: Project, *keys: str, to: object) -> None:
    whole = yaml.safe_load((project.folder / CONFIG).read_text())
    place = whole["campaigns"]["small"]
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = to
    (project.folder / CONFIG).write_text(yaml.safe_dump(whole, sort_keys=False))


def test_nothing_changed(project: Project) -> None:
    assert project.planned(CONFIG) == set()


def test_a_touched_file_with_the_same_content(project: Project) -> None:
    (project.folder / "inputs/labels/understandability.qrels").touch()
    assert project.planned(CONFIG) == set()


def test_a_changed_understandability_label(project: Project) -> None:
    path = project.folder / "inputs/labels/understandability.qrels"
    lines = path.read_text().split("\n")
    label = lines[0].split()[-1]
    lines[0] = lines[0][: -len(label)] + ("0" if label != "0" else "3")
    path.write_text("\n".join(lines))
    assert project.planned(CONFIG) == END | JUDGING | MEASURES["uRBP(p=0.8)"] | {
        "labels/understandability.parquet", U, "checks.csv", "relstrings.tsv",
    }  # fmt: skip


def test_a_changed_run(project: Project) -> None:
    path = project.folder / "inputs/runs/delta_lm"
    path.write_text("\n".join(path.read_text().split("\n")[1:]))
    planned = project.planned(CONFIG)
    batches = {p for p in planned if p.startswith("rankings/")}
    assert len(batches) == 2  # its own batch only: rankings and facts
    assert planned - batches == END | SCORES | POOL | JUDGE | JUDGING | {
        "rankings.parquet", "top_documents.parquet", "ties.npz", "relstrings.tsv", "pool.tsv",
        "checks.csv", "teams.csv",
        T, U, S,
    }  # fmt: skip


def test_an_added_run(project: Project) -> None:
    folder = project.folder / "inputs/runs"
    (folder / "delta_new").write_bytes((folder / "delta_lm").read_bytes())
    planned = project.planned(CONFIG)
    assert len([p for p in planned if p.startswith("rankings/")]) == 2
    assert not any(p.startswith("pages/") for p in planned)
    assert "labels/topicality.parquet" not in planned


def test_a_changed_threshold(project: Project) -> None:
    change(project, "dimensions", "understandability", "threshold", to=3)
    assert project.planned(CONFIG) == CONFIG_KEPT | END | JUDGING | MEASURES["uRBP(p=0.8)"] | {
        "labels/understandability.parquet", U, "checks.csv", "relstrings.tsv",
    }  # fmt: skip


def test_a_changed_user_model(project: Project) -> None:
    change(project, "dimensions", "simulated", "estimate", "threshold", to=15)
    assert project.planned(CONFIG) == CONFIG_KEPT | PAGE | JUDGING | {
        "estimates/simulated.parquet", S, "checks.csv", "report/teams",
    }  # fmt: skip


def test_a_changed_page(project: Project) -> None:
    path = sorted((project.folder / "inputs/pages").glob("0*/*.html"))[0]
    before = path.read_bytes()
    path.write_bytes(before + b"<p>More.</p>")
    planned = project.planned(CONFIG)
    path.write_bytes(before)
    shards = {p for p in planned if p.startswith("pages/")} - {"pages/missing.txt"}
    assert (
        len(shards - {"pages/summary.json"}) == 4
    )  # text and readability of its shard, with facts
    assert planned - shards - {"pages/missing.txt"} == PAGE | JUDGING | {
        "readability.parquet", "estimates/simulated.parquet", S, "checks.csv", "report/teams",
    }  # fmt: skip


def test_an_edited_counter_cleanses_nothing_again(project: Project) -> None:
    edit(project.folder / "pipeline/pages/readability/lists.py", "MOST = 127", "MOST = 126")
    planned = project.planned(CONFIG)
    assert {"pages/readability/0.parquet", "pages/readability/1.parquet"} <= planned
    assert not any(p.startswith("pages/text") for p in planned)


def test_an_edited_measure(project: Project) -> None:
    edit(project.folder / "pipeline/measures/standard/ndcg.py", "best > 0", "best > 1")
    assert project.planned(CONFIG) == END | JUDGING | MEASURES["nDCG@10"]


def test_an_edited_step(project: Project) -> None:
    edit(project.folder / "pipeline/pooling/methods/bandit.py", "an arm", "one arm")
    assert project.planned(CONFIG) == PAGE | {"pool.tsv"} | POOL | JUDGE


def test_another_pool(project: Project) -> None:
    change(project, "pool", to={"method": "take", "size": 20})
    assert project.planned(CONFIG) == CONFIG_KEPT | PAGE | {"pool.tsv"} | POOL | JUDGE | {
        "reusability/runs.csv", "reusability/summary.csv",
    }  # fmt: skip


def test_an_added_fusion_is_another_system(project: Project) -> None:
    change(project, "fusion", to={"fused_rrf": {"method": "rrf"}})
    planned = project.planned(CONFIG)
    assert {"rankings/fused.parquet", "rankings.parquet", T} <= planned
    assert not {p for p in planned if p.startswith(("rankings/0", "rankings/1", "labels/"))}


def test_an_added_judgement_set(project: Project) -> None:
    crowd = "inputs/labels/topicality.qrels"
    change(project, "dimensions", "topicality", "sets", to={"crowd": crowd})
    assert project.planned(CONFIG) == CONFIG_KEPT | PAGE | {
        "sets/topicality/crowd.parquet", "sets/topicality/crowd.npz", "agreement/topicality.csv",
        "agreement/topicality.swaps.csv",
    }  # fmt: skip


def test_people_are_asked(project: Project) -> None:
    change(project, "preferences", to="inputs/people/preferences.txt")
    made = {"people/measures.csv", "people/comparisons.csv"}
    assert project.planned(CONFIG) == made | PAGE | CONFIG_KEPT


def test_variations_are_asked_for(project: Project) -> None:
    change(project, "variations", to="^(.)")
    assert project.planned(CONFIG) == CONFIG_KEPT | PAGE | {
        "variations/needs.csv",
        "variations/runs.csv",
    }


def test_edited_statistics(project: Project) -> None:
    edit(
        project.folder / "pipeline/statistics/correlation/statistics/depths.py",
        "ubire 0.1",
        "ubire 0.2",
    )
    after = TABLES | PAGE | {"correlations.csv", "swaps.parquet"}
    assert project.planned(CONFIG) == after
    edit(
        project.folder / "pipeline/statistics/significance/tukey.py", "Carterette", "B. Carterette"
    )
    tests = {file for file in SCORES if file.startswith("significance/")}
    assert project.planned(CONFIG) == after | tests | {"significance.csv", "report/teams"}


def test_a_changed_setting_of_the_statistics(project: Project) -> None:
    change(project, "significance", to={"alpha": 0.01})
    tests = {file for file in SCORES if file.startswith("significance/")}
    assert project.planned(CONFIG) == CONFIG_KEPT | TABLES | PAGE | tests | {
        "significance.csv",
        "report/teams",
        "judged_lists.json",  # tells runs apart in the page
    }
    change(project, "significance", to={})
    change(project, "correlations", to={"samples": 500})
    assert project.planned(CONFIG) == CONFIG_KEPT | TABLES | PAGE | {
        "correlations.csv", "swaps.parquet",
    }  # fmt: skip


def test_an_added_measure(project: Project) -> None:
    change(project, "measures", to=[*MEASURES, "P@5"])
    assert project.planned(CONFIG) == CONFIG_KEPT | END | JUDGING | of_measure("P@5")


def test_a_changed_title(project: Project) -> None:
    change(project, "title", to="Another")
    assert project.planned(CONFIG) == CONFIG_KEPT | TABLES | PAGE | {"report/teams"}
