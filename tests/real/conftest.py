"""The real campaigns, each read, ranked and met with its labels once for all tests."""

import gzip
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from pipeline.gains import attach
from pipeline.gains.files import read as read_gains
from pipeline.gains.gains import Gains
from pipeline.labels import tables as labels
from pipeline.labels.scale import Scale
from pipeline.runs import rankings
from pipeline.runs.ingest import ingest
from tests.builders import POLICIES

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
        policies = {**POLICIES, "duplicates": "first"}
        ingest(files, out=folder / "b", facts=folder / "f", **policies)
        rankings.merge([folder / "b"], out=folder / "r")
        labels.label(
            [qrels_file],
            out=folder / "l",
            scale=Scale(0, highest, "high", threshold, None, ()),
        )
        attach.build(
            rankings=folder / "r",
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


def official(path: Path) -> dict[tuple[str, str], dict[tuple[str, str], str]]:
    found: defaultdict[tuple[str, str], dict[tuple[str, str], str]] = defaultdict(dict)
    if path.exists():
        with gzip.open(path, "rt") as lines:
            for line in lines:
                run, tool, measure, topic, value = line.rstrip("\n").split("\t")
                if topic != "all":
                    found[tool, measure][run, topic] = value
    return dict(found)
