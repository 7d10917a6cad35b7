"""The real campaigns, each read, ranked and met with its labels once for all tests."""

import gzip
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from pipeline.config.scale import Scale
from pipeline.gains.files import read as read_gains
from pipeline.gains.gains import Gains
from pipeline.labels import tables as labels
from pipeline.runs.rank import rank
from pipeline.runs.reader import RunPolicies
from tests.builders import write_gains
from tests.workflow.conftest import shared
from tests.workflow.snake import Project

CONFIGS = Path(__file__).parent / "configs"

# The binary reading of each campaign's graded qrels, as its official binary qrels have it.
CAMPAIGNS = {
    "clef2013": ("qrels.clef2013ehealth.1-50-test.graded.final.20062013.txt", 3, 2),
    "clef2015": ("qrels.eng.clef2015.qtest.graded.txt", 2, 1),
    "clef2016": ("task2.qrels", 2, 1),
}


@dataclass(frozen=True)
class Real:
    files: list[Path]
    gains: Gains
    qrels: dict[str, dict[str, int]]
    relevant_from: int
    official: dict[tuple[str, str], dict[tuple[str, str], str]]  # tool, measure; run, topic


@pytest.fixture(scope="session")
def real(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Real]:
    """A campaign by name."""

    @cache
    def make(name: str) -> Real:
        file, highest, threshold = CAMPAIGNS[name]
        folder, qrels_file = tmp_path_factory.mktemp(name), data / name / "qrels" / file
        files = sorted((data / name / "runs").glob("*.gz"))
        rank(files, policies=RunPolicies(duplicates="first"), out=folder / "r", facts=folder / "f")
        labels.tabulate(
            [qrels_file],
            out=folder / "l",
            scale=Scale(0, highest, "high", threshold, None, ()),
        )
        write_gains(
            folder / "r",
            labels=folder / "l",
            topics=labels.topics_of(folder / "l"),
            out=folder / "g.npz",
        )
        qrels: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for line in qrels_file.read_text().splitlines():
            topic, _, document, label = line.split()
            qrels[topic][document] = int(label)
        return Real(
            files,
            read_gains({"topicality": folder / "g.npz"}),
            dict(qrels),
            threshold,
            official(data / name / "official.tsv.gz"),
        )

    return make


@pytest.fixture(scope="session")
def clef2015(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """CLEF eHealth 2015 from the data in place, run once to its report."""

    def build(project: Project) -> None:
        (project.folder.parent / "shared").symlink_to(data.parent)
        project.run("--configfile", str(CONFIGS / "clef2015.yaml"))

    return shared(tmp_path_factory, "clef2015", build)


def official(path: Path) -> dict[tuple[str, str], dict[tuple[str, str], str]]:
    found: defaultdict[tuple[str, str], dict[tuple[str, str], str]] = defaultdict(dict)
    if path.exists():
        with gzip.open(path, "rt") as lines:
            for line in lines:
                run, tool, measure, topic, value = line.rstrip("\n").split("\t")
                if topic != "all":
                    found[tool, measure][run, topic] = value
    return dict(found)
