"""The official ubire figures of CLEF 2015, to the printed digit, and which habit each one hangs on.

ubire 0.1 goes by the rank column, reads ranks of 0 in its own way, and looks understandability up
by document alone. Under those three habits every official value comes out; under two of them not.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from pipeline.audit.policies import SETS, CampaignData, LabelSource
from pipeline.audit.published import ALL, PublishedValues, read
from pipeline.audit.step import AuditResult, compare
from pipeline.config.scale import Scale
from pipeline.labels.tables import tabulate, topics_in
from pipeline.measures import parse
from tests.builders import read_files

pytestmark = [pytest.mark.real, pytest.mark.slow]

MEASURES = ("RBP(0.8)", "uRBP(0.8)", "uRBPgr(0.8)")
POLICIES = {
    "order": "score", "unjudged": "zero", "depth": 1000, "duplicates": "error",
    "bad_scores": "error",
}  # fmt: skip
TOPICAL = Scale(0, 2, "high", 1, None, ())
EASY = Scale(0, 3, "high", 2, {0.0: 0.0, 1.0: 0.4, 2.0: 0.8, 3.0: 1.0}, ())


@cache
def bench(data: Path) -> CampaignData:
    """The 68 runs with the labels of both dimensions, per topic and in score order."""
    folder = data / "clef2015"
    files = {
        "topicality": (folder / "qrels/qrels.eng.clef2015.qtest.graded.txt", TOPICAL),
        "understandability": (folder / "qrels/qread.eng.clef2015.qtest.graded.txt", EASY),
    }
    labels = {
        name: LabelSource(tabulate([path], scale=scale), (path,), scale)
        for name, (path, scale) in files.items()
    }
    runs = sorted((folder / "runs").glob("*.gz"))
    own = read_files(runs, labels={name: one.table for name, one in labels.items()})
    topics = topics_in(labels["topicality"].table)
    return CampaignData(runs=runs, labels=labels, topics=topics, policies=POLICIES, own_gains=own)


@cache
def published(data: Path) -> PublishedValues:
    return read([data / "clef2015" / "official.tsv.gz"])


@pytest.fixture(scope="module")
def outcome(data: Path) -> AuditResult:
    tried = [name for name in SETS if name != "condensed"]
    return compare(published(data), data=bench(data), policies=tried, measures={})


def rows(outcome: AuditResult, tool: str, *, means: bool) -> np.ndarray:
    """Values of the runs at hand a tool printed, per topic or over all topics."""
    found = outcome.published
    mine = np.array([source.split(" ")[0] == tool for source in found.source.names])
    whole = found.topic.number == found.topic.names.index(ALL)
    return mine[found.source.number] & outcome.available & (whole == means)


def test_every_official_value_comes_out(outcome: AuditResult, record_property: Callable) -> None:
    per_topic, means = (rows(outcome, "ubire", means=m) for m in (False, True))
    right = outcome.agree["ubire"]
    print(
        f"\nubire: {per_topic.sum()} values per topic compared, {(~right[per_topic]).sum()} "
        f"differ; {means.sum()} means compared, {(~right[means]).sum()} differ"
    )
    record_property("compared", int(per_topic.sum()))
    assert per_topic.sum() == 13_464 == 3 * 68 * 66
    assert means.sum() == 3 * 68
    assert right[per_topic].all()
    assert right[means].all()


def test_to_four_decimals_means_four(outcome: AuditResult) -> None:
    mine = rows(outcome, "ubire", means=False)
    assert np.unique(outcome.published.half[mine]).tolist() == [0.00005]


def differing(outcome: AuditResult, measure: str, agree: np.ndarray) -> np.ndarray:
    """Rows per topic of one ubire measure that do not come out."""
    found = outcome.published
    source = found.source.names.index(f"ubire {measure}")
    mine = (found.source.number == source) & rows(outcome, "ubire", means=False)
    return np.flatnonzero(mine & ~agree)


def test_only_kisti_hangs_on_the_way_with_ranks_of_0(outcome: AuditResult) -> None:
    """By the rank column alone all but the eight runs whose ranks are all 0 come out."""
    wrong = differing(outcome, "RBP(0.8)", outcome.agree["rank"])
    found = outcome.published
    assert {found.run.names[n].split("_")[0] for n in found.run.number[wrong]} == {"KISTI"}
    assert len(wrong) == 422  # of 8 x 66: in the others nothing relevant follows rank 1


def test_labels_by_document_cannot_be_left_out(outcome: AuditResult, data: Path) -> None:
    """With the other habits but labels per topic, a quarter of the uRBP values differ."""
    made, found = bench(data), outcome.published
    per_topic = {name: replace(one, files=()) for name, one in made.labels.items()}
    gains = replace(made, labels=per_topic, cache={}).gains("ubire")
    values = parse("uRBP(p=0.8)", dimensions=list(made.labels)).value(gains)
    at = differing(outcome, "uRBP(0.8)", np.zeros(len(found), bool))
    run = np.array([gains.runs.index(found.run.names[n]) for n in found.run.number[at]])
    topic = np.array([gains.topics.index(found.topic.names[n]) for n in found.topic.number[at]])
    right = found.agrees(values[run * len(gains.topics) + topic], at)
    assert len(at) == 68 * 66
    assert int((~right).sum()) == 1172


def test_every_difference_has_its_reason(outcome: AuditResult) -> None:
    """Of all official values, trec_eval's too: nothing of the runs at hand stays unexplained."""
    reasons = {reason: outcome.reason.count(reason) for reason in set(outcome.reason)}
    print(f"\n{reasons}")
    assert "unexplained" not in reasons
    assert reasons["run missing"] == 42 * (len(outcome.published) // 110)
    trec = rows(outcome, "trec_eval", means=False) | rows(outcome, "trec_eval-graded", means=False)
    known = trec & ~np.isnan(outcome.recomputed)
    print(f"trec_eval: {known.sum()} values compared")
    assert known.sum() > 100_000
    assert outcome.agree["campaign"][known].all()


def test_without_the_way_with_ranks_of_0_kisti_leads_its_neighbours(outcome: AuditResult) -> None:
    """What the empty second rank cost: 0.3222 instead of 0.3783, 20 places of 68."""
    means = {name: outcome.overall[name, "ubire RBP(0.8)"] for name in ("ubire", "rank")}
    place = outcome.runs.index("KISTI_EN_RUN.1.dat")
    ranks = {name: 1 + int((found > found[place]).sum()) for name, found in means.items()}
    assert f"{means['ubire'][place]:.4f}" == "0.3222"
    assert ranks == {"ubire": 30, "rank": 10}
