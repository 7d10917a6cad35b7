"""A change reruns the steps that depend on it, and no others."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from pipeline.sources.generators.demo import demo as generate
from tests.workflow.snake import Project

pytestmark = pytest.mark.workflow

CONFIG = "small.yaml"
MEASURES = ("RBP(p=0.8)", "uRBP(p=0.8)", "nDCG@10")
RBP, URBP, NDCG = (f"evaluate/{slug}" for slug in ("RBP_p=0.8", "uRBP_p=0.8", "nDCG@10"))
END = {"correlate", "report"}
SHARDS = {"cleanse/0", "cleanse/1"}


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
    generate(project.folder / "inputs", seed=7)
    (project.folder / CONFIG).write_text(yaml.safe_dump(config(), sort_keys=False))
    project.run("--configfile", CONFIG)
    assert project.planned(CONFIG) == project.stale(CONFIG) == set()
    return project


@pytest.fixture
def project(ready: Project) -> Iterator[Project]:
    """The finished campaign; whatever a test edits is put back."""
    places = [ready.folder / name for name in ("inputs", "pipeline")]
    before = {
        path: path.read_bytes()
        for place in places
        for path in place.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    text = (ready.folder / CONFIG).read_text()
    yield ready
    (ready.folder / CONFIG).write_text(text)
    for path in (ready.folder / "inputs/runs").iterdir():
        if path not in before:
            path.unlink()
    for path, content in before.items():
        if path.read_bytes() != content:
            path.write_bytes(content)


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def change(project: Project, *keys: str, to: object) -> None:
    whole = yaml.safe_load((project.folder / CONFIG).read_text())
    place = whole["campaigns"]["small"]
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = to
    (project.folder / CONFIG).write_text(yaml.safe_dump(whole, sort_keys=False))


def test_a_touched_file_with_the_same_content(project: Project) -> None:
    (project.folder / "inputs/labels/understandability.qrels").touch()
    assert project.stale(CONFIG) == set()


def test_a_changed_understandability_label(project: Project) -> None:
    path = project.folder / "inputs/labels/understandability.qrels"
    lines = path.read_text().split("\n")
    label = lines[0].split()[-1]
    lines[0] = lines[0][: -len(label)] + ("0" if label != "0" else "3")
    path.write_text("\n".join(lines))
    assert project.stale(CONFIG) == END | {"labels", "gains", "judging", URBP}


def test_a_changed_run(project: Project) -> None:
    path = project.folder / "inputs/runs/delta_lm"
    path.write_text("\n".join(path.read_text().split("\n")[1:]))
    assert project.stale(CONFIG) == END | {"rank", "gains", "pool", "judging", RBP, URBP, NDCG}


def test_a_changed_page(project: Project) -> None:
    path = sorted((project.folder / "inputs/pages").glob("0*/*.html"))[0]
    path.write_bytes(path.read_bytes() + b"<p>More.</p>")
    planned = project.stale(CONFIG)
    assert len(planned & SHARDS) == 1
    assert planned - SHARDS == {"readability", "gains", "judging", "report"}


@pytest.mark.parametrize(
    ("keys", "to", "steps"),
    [
        ("dimensions understandability threshold", 3, END | {"labels", "gains", "judging", URBP}),
        (
            "dimensions simulated estimate threshold", 15,
            {"readability", "gains", "judging", "report"},
        ),
        ("pool", {"method": "take", "size": 20}, {"pool", "judging", "report"}),
        (
            "dimensions topicality sets", {"crowd": "inputs/labels/topicality.qrels"},
            {"labels", "gains", "judging", "report"},
        ),
        ("preferences", "inputs/people/preferences.txt", {"people", "report"}),
        ("variations", "^(.)", {"judging", "report"}),
        ("significance", {"alpha": 0.01}, END | {RBP, URBP, NDCG}),
        ("correlations", {"samples": 500}, END),
        ("measures", [*MEASURES, "P@5"], END | {"evaluate/P@5"}),
        ("title", "Another", {"report"}),
        ("runs team", "^(.)", END | {"rank", "pool", "judging"}),
    ],
)  # fmt: skip
def test_a_changed_setting(project: Project, keys: str, to: object, steps: set[str]) -> None:
    change(project, *keys.split(), to=to)
    planned = project.stale(CONFIG)
    assert steps <= planned
    assert planned - {"judging"} == steps - {"judging"}


@pytest.mark.parametrize(
    ("module", "old", "new", "steps"),
    [
        (
            "measures/standard/dcg.py",
            "ideal > 0, np.min",
            "ideal > 1, np.min",
            END | {"judging", NDCG},
        ),
        (
            "pooling/methods/adaptive.py",
            "relevant + 1, misses",
            "relevant + 2, misses",
            {"pool", "report"},
        ),
        ("pages/readability/words.py", "MOST = 127", "MOST = 126", SHARDS | {"readability"}),
    ],
)
def test_an_edited_module(
    project: Project, module: str, old: str, new: str, steps: set[str]
) -> None:
    edit(project.folder / "pipeline" / module, old, new)
    planned = project.stale(CONFIG)
    assert steps <= planned
    if "readability" not in steps:
        assert planned == steps


def test_two_changes_at_once_that_meet_behind_an_unchanged_step(project: Project) -> None:
    """Labels that no measure reads, and a setting of a step behind the measures."""
    change(project, "dimensions", "simulated", "estimate", "threshold", to=15)
    change(project, "correlations", to={"samples": 500})
    assert (
        project.stale(CONFIG)
        == project.planned(CONFIG)
        == END | {"readability", "gains", "judging"}
    )
