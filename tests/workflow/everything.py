"""A small campaign that asks for everything the workflow has, so that every rule runs."""

import random
import shutil
from pathlib import Path
from typing import Any

import yaml

from pipeline.sources.generators.demo import demo as generate
from tests.workflow.snake import Project

CONFIG = "everything.yaml"
SEARCHED = "searched.yaml"
CHANGED = "changed.yaml"
EARLIER = "earlier"  # the folder of the state that `changed` is compared with
MEASURES = (
    "RBP(p=0.8)", "uRBP(p=0.8)", "uRBP(p=0.8, by=simulated)", "nDCG@10", "ETU(RBP(p=0.8))",
    "Compat(p=0.8)",
)  # fmt: skip


def config() -> dict[str, Any]:
    """Judgement sets, fusion, costs, variations, an adaptive pool, pages of pooled documents."""
    return {
        "campaigns": {
            "every": {
                "sources": {"made": {"generate": "demo", "seed": 3}},
                "runs": {"files": "inputs/runs/*", "team": "^([^_]+)_"},
                "topics": {"file": "@made/topics.xml"},
                "pages": {
                    "files": "inputs/pages/0*/*.html", "documents": "pooled", "shards": 1,
                },
                "costs": {"file": "inputs/costs.tsv", "usual": 1},
                "dimensions": {
                    "topicality": {
                        "labels": "inputs/labels/topicality.qrels", "scale": [0, 2],
                        "threshold": 1, "sets": {"crowd": "inputs/labels/crowd.qrels"},
                    },
                    "understandability": {
                        "labels": "inputs/labels/understandability.qrels", "scale": [0, 3],
                        "threshold": 2,
                    },
                    "simulated": {"estimate": {"index": "fog", "model": "step", "threshold": 12}},
                },
                "pool": {"method": "bandit", "size": 20},
                "fusion": {"fused_rrf": {"method": "rrf"}},
                "variations": "^(.)",
                "preferences": "inputs/people/preferences.txt",
                "satisfaction": "inputs/people/satisfaction.txt",
                "measures": list(MEASURES),
                "audit": {"published": "inputs/published.tsv"},
            }
        }
    }  # fmt: skip


def searched() -> dict[str, Any]:
    """The same with baselines, which need the pages of all documents."""
    one = config()["campaigns"]["every"]
    pages = {**one["pages"], "documents": "all"}
    return {
        "campaigns": {"searched": {**one, "pages": pages, "baselines": {"b": {"model": "BM25"}}}}
    }


def changed() -> dict[str, Any]:
    """The same, compared with an earlier state."""
    one = config()["campaigns"]["every"]
    return {"campaigns": {"every": {**one, "report": {"against": EARLIER}}}}


def prepare(folder: Path) -> None:
    """Write the campaign's inputs and config into a project's folder."""
    inputs = folder / "inputs"
    generate(inputs, seed=3)
    other_assessor(inputs / "labels/topicality.qrels", inputs / "labels/crowd.qrels")
    runs = sorted((inputs / "runs").iterdir())
    for run in runs[6:]:
        run.unlink()
    kept = {run.stem for run in runs[:6]} | {"tie"}
    for said in (inputs / "people").iterdir():
        answers = said.read_text().splitlines(keepends=True)
        mine = (line for line in answers if {w for w in line.split() if "_" in w} <= kept)
        said.write_text("".join(mine))
    lines = [line.split() for line in runs[0].read_text().splitlines()]
    (inputs / "costs.tsv").write_text("".join(f"{d}\t2\n" for d in {line[2] for line in lines}))
    published = ["run", "tool", "measure", "topic", "value"], [
        runs[0].name, "trec_eval", "map", lines[0][0], "0.1234",
    ]  # fmt: skip
    (inputs / "published.tsv").write_text("".join("\t".join(row) + "\n" for row in published))
    for name, made in ((CONFIG, config()), (SEARCHED, searched()), (CHANGED, changed())):
        (folder / name).write_text(yaml.safe_dump(made, sort_keys=False))


def other_assessor(path: Path, out: Path) -> None:
    """The labels with every tenth one step off."""
    chance = random.Random(3)
    lines = [line.split() for line in path.read_text().splitlines()]
    for line in lines:
        if chance.random() < 0.1:
            line[3] = str(abs(int(line[3]) - 1))
    out.write_text("".join(" ".join(line) + "\n" for line in lines))


def build(project: Project) -> None:
    """Run every rule, with what each job opens and loads recorded in the folder `record`."""
    folder = project.folder
    prepare(folder)
    for name in ("record", "mirror"):  # an empty mirror: nothing is fetched
        (folder / name).mkdir()
    more = ("baselines/rankings.parquet", "check/index.html")
    for arguments in (
        [CONFIG],
        [CHANGED],
        [SEARCHED, "--", *(f"results/searched/{name}" for name in more)],
        ["config/papers/review.yaml"],
        ["config/papers/h-framework.yaml", "--", "results/h-framework/available.json"],
    ):
        if arguments[0] == CHANGED:
            shutil.copytree(folder / "results/every", folder / EARLIER)
        done = project.snakemake(
            "--configfile",
            *arguments,
            env={"FATHOM_RECORD": str(folder / "record"), "FATHOM_MIRROR": str(folder / "mirror")},
            path=[Path(__file__).parent / "recorder"],
        )
        assert done.returncode == 0, done.stderr[-4000:]
