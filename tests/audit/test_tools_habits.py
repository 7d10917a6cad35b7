"""Differences that come from a tool's habits or from other label files: found, and named.

Worked by hand. Topic 1 has two relevant documents, topic 2 three; `half` answers only topic 1. It
ranks n (not relevant), r, s. The other label file writes n as x, which no run retrieved, so that
bpref sees nothing bad above r and s.
"""

from pathlib import Path

import pytest
import pytrec_eval

from pipeline.audit.policies import CampaignData, LabelSource
from pipeline.audit.published import read
from pipeline.audit.step import AuditResult, compare, gather
from pipeline.campaign.paths import resolve
from pipeline.config.audit import Audit
from pipeline.config.scale import Scale
from pipeline.errors import InputError
from pipeline.labels.tables import tabulate
from tests.audit.test_audit import HEADER, POLICIES, written
from tests.builders import BINARY, read_files, run_text
from tests.campaign.test_campaign import changed, check

GRADED = "1 0 n 1\n1 0 r 2\n1 0 s 3\n2 0 r 2\n2 0 s 3\n2 0 t 2\n2 0 n 0\n"
OTHER = "1 0 x 0\n1 0 r 1\n1 0 s 1\n2 0 r 1\n2 0 s 1\n2 0 t 1\n2 0 n 0\n"
RUNS = {
    "half": {"1": {"n": 3.0, "r": 2.0, "s": 1.0}},
    "whole": {"1": {"n": 3.0, "r": 2.0, "s": 1.0}, "2": {"r": 3.0, "s": 2.0, "n": 1.0}},
}
SCALE = Scale(0, 3, "high", 2, None, ())
SETS = ["campaign", "score64", "missed", "answered", "rank"]

# bpref of topic 1 is 1/2 * (1 - 1/1 + 1 - 1/1) = 0 with n above both, 1 without it. In topic 2 it
# is 2/3: r and s count 1, t was not retrieved. AP of topic 1 is (1/2 + 2/3) / 2 = .5833, of topic 2
# of `whole` (1 + 1) / 3 = .6667.
PUBLISHED = {
    ("half", "bpref", "1"): ("1.0000", "binary"),
    ("half", "bpref", "all"): ("0.5000", "binary"),  # over two topics: trec_eval -c
    ("whole", "bpref", "all"): ("0.8333", "binary"),  # (1 + 2/3) / 2
    ("whole", "bpref", "2"): ("0.6667", ""),
    ("half", "num_rel", "all"): ("2", "missed"),  # 5 are known; those of topic 2 are left out
    ("whole", "num_rel", "all"): ("5", ""),
    ("half", "num_rel", "1"): ("2", ""),
    ("half", "num_q", "all"): ("2", ""),  # -c counts the topic for all that
    ("half", "map", "1"): ("0.5833", ""),
    ("half", "map", "all"): ("0.5833", "answered"),  # as without -c; with it .2917
    ("whole", "map", "all"): ("0.6250", ""),
    ("half", "P_5", "all"): ("0.9000", "unexplained"),
}


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> CampaignData:
    folder = tmp_path_factory.mktemp("habits")
    graded = written(folder / "graded.qrels", GRADED)
    binary = written(folder / "binary.qrels", OTHER)
    runs = [written(folder / name, run_text(lists)) for name, lists in RUNS.items()]
    table = tabulate([graded], scale=SCALE)
    return CampaignData(
        runs=runs,
        labels={"topicality": LabelSource(table, (graded,), SCALE)},
        topics=["1", "2"],
        policies=POLICIES,
        own_gains=read_files(runs, labels={"topicality": table}),
        label_sets={
            "binary": {
                "topicality": LabelSource(tabulate([binary], scale=BINARY), (binary,), BINARY)
            }
        },
    )


def audited(bench: CampaignData, tmp_path: Path) -> AuditResult:
    lines = [
        f"{run}\ttrec_eval\t{measure}\t{topic}\t{value}\n"
        for (run, measure, topic), (value, _) in PUBLISHED.items()
    ]
    path = written(tmp_path / "published.tsv", HEADER + "".join(lines))
    return compare(read([path]), data=bench, policies=SETS, measures={})


def test_each_difference_has_its_name(bench: CampaignData, tmp_path: Path) -> None:
    outcome = audited(bench, tmp_path)
    found = dict(zip(PUBLISHED, outcome.reason, strict=True))
    assert found == {place: reason for place, (_, reason) in PUBLISHED.items()}
    assert outcome.sets == (*SETS, "binary")  # the campaign's own sets come last
    ours = dict(zip(PUBLISHED, outcome.recomputed.tolist(), strict=True))
    assert ours["half", "num_rel", "all"] == 5
    assert ours["half", "bpref", "1"] == 0
    assert ours["half", "map", "all"] == pytest.approx(0.5833 / 2, abs=1e-4)


def test_what_they_mean_is_told(bench: CampaignData, tmp_path: Path) -> None:
    told = {one["name"]: one["meaning"] for one in gather(audited(bench, tmp_path))["policies"]}
    assert "number of relevant documents" in told["missed"]
    assert told["missed"].endswith("trec_eval -c")
    assert told["answered"].endswith("trec_eval without -c")
    assert told["binary"].startswith("with the labels of ")
    assert told["binary"].endswith("binary.qrels")


def test_the_hand_worked_values_are_trec_evals_own() -> None:
    """What the tool itself says of both label files."""
    for text, expected in ((GRADED, 0.0), (OTHER, 1.0)):
        qrels: dict[str, dict[str, int]] = {}
        for line in text.splitlines():
            topic, _, document, label = line.split()
            good = int(label) >= (2 if text is GRADED else 1)
            qrels.setdefault(topic, {})[document] = int(good)
        tool = pytrec_eval.RelevanceEvaluator(qrels, {"bpref", "num_rel", "map"})
        found = tool.evaluate(RUNS["half"])
        assert list(found) == ["1"]  # a topic the run misses is not evaluated at all
        assert found["1"]["bpref"] == expected
        assert found["1"]["num_rel"] == 2
        assert found["1"]["map"] == pytest.approx(0.5833, abs=1e-4)
        assert tool.evaluate(RUNS["whole"])["2"]["bpref"] == pytest.approx(2 / 3)


def test_where_no_run_misses_a_topic_the_habit_is_not_tried(
    bench: CampaignData, tmp_path: Path
) -> None:
    whole = [path for path in bench.runs if path.name == "whole"]
    tables = {name: one.table for name, one in bench.labels.items()}
    alone = CampaignData(
        runs=whole, labels=bench.labels, topics=bench.topics, policies=bench.policies,
        own_gains=read_files(whole, labels=tables),
    )  # fmt: skip
    path = written(tmp_path / "p", HEADER + "whole\ttrec_eval\tnum_rel\tall\t9\n")
    outcome = compare(read([path]), data=alone, policies=SETS, measures={})
    assert outcome.sets == ("campaign", "score64", "rank")
    assert outcome.reason == ("unexplained",)


# ---- the config -----------------------------------------------------------------------------

LABELS = (
    "{published: p, labels: {binary: {topicality: {labels: b.qrels, scale: [0, 1], threshold: 1}}}}"
)


def test_other_label_files_are_read_as_the_dimension_but_for_what_they_say(tmp_path: Path) -> None:
    campaign = check(changed(("audit", LABELS)))["c"]
    assert campaign.audit is not None
    found = campaign.audit.labels["binary"]["topicality"]
    own = campaign.dimensions["topicality"].labels
    assert own is not None
    assert found.files == ("b.qrels",)
    assert (found.scale.lowest, found.scale.highest, found.scale.threshold) == (0, 1, 1)
    assert (found.key, found.conflict, found.scale.better) == (own.key, own.conflict, "high")
    assert Audit.model_validate(campaign.audit.model_dump()) == campaign.audit


@pytest.mark.parametrize(
    ("labels", "where", "named"),
    [
        ("{rank: {topicality: {labels: b}}}", "rank", "policies"),
        ("{b: {topicalty: {labels: b}}}", "b.topicalty", "'topicality'"),
        ("{b: {topicality: {scale: [0, 1]}}}", "b.topicality.labels", "missing"),
        (
            "{b: {topicality: {labels: b, scale: [0, 9], threshold: 10}}}",
            "b.topicality.threshold",
            "10",
        ),
        ("{b: {topicality: {labels: '@no/b'}}}", "b.topicality.labels", "'no'"),
        ("{b: {}}", "b", "empty"),
        ("{'a b': {topicality: {labels: b}}}", "'a b'", "letter"),
    ],
)
def test_what_the_config_refuses(labels: str, where: str, named: str) -> None:
    with pytest.raises(InputError) as error:
        check(changed(("audit", f"{{published: p, labels: {labels}}}")))
    (problem,) = error.value.problems
    assert problem.where == f"campaigns.c.audit.labels.{where}"
    assert named in f"{problem.what}; {problem.fix}"


def test_the_files_are_inputs_of_the_audit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    campaign = check(changed(("audit", LABELS)))["c"]
    with pytest.raises(InputError, match=r"audit\.labels\.binary\.topicality\.labels: 'b\.qrels'"):
        resolve(campaign)
