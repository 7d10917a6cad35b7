"""Configs: what is read from a good one, and the place and fix of every kind of mistake."""

import json
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline.campaign import Campaign, campaigns, from_config, load, resolve
from pipeline.campaign.model import Source
from pipeline.campaign.paths import Files
from pipeline.campaign.schema import keys, schema
from pipeline.config.dimensions import Estimate, Labels
from pipeline.config.pool import Stratum
from pipeline.config.runs import Runs, Teams
from pipeline.config.scale import Scale
from pipeline.config.topics import Topics
from pipeline.errors import InputError, Problem
from pipeline.pages.readability.index import INDICES
from pipeline.pages.user_models.model import MODELS
from pipeline.runs.reader import run_name
from pipeline.runs.teams import teams_of
from pipeline.sources.paths import expand
from pipeline.statistics.correlation.step import STATISTICS

ROOT = Path(__file__).parents[2]
SCHEMA = schema()
GONE = "(removed)"

GOOD = """
campaigns:
  c:
    sources:
      demo: {generate: demo, seed: 1}
    runs: {files: "@demo/runs/*", team: "^([^_]+)_"}
    topics: {file: "@demo/topics.xml"}
    pages: {files: "@demo/pages/*.html"}
    dimensions:
      topicality: {labels: "@demo/t.qrels", scale: [0, 2], threshold: 1}
      understandability:
        labels: "@demo/u.qrels"
        scale: [0, 3]
        threshold: 2
        gains: {0: 0, 1: 0.4, 2: 0.8, 3: 1}
      simulated: {estimate: {threshold: 15}}
    measures: ["RBP(p=0.8)", "uRBP(p=0.8)", P@10]
"""


def changed(*changes: tuple[str, str]) -> Any:
    """The good config with values (as YAML) at these paths below the campaign, or /paths."""
    config = yaml.safe_load(GOOD)
    for path, value in changes:
        at = config if path.startswith("/") else config["campaigns"]["c"]
        *parents, last = path.removeprefix("/").split("/")
        for part in parents:
            at = at.setdefault(part, {})
        if value == GONE:
            del at[last]
        else:
            at[last] = yaml.safe_load(value)
    return config


def check(config: Any) -> dict[str, Campaign]:
    return campaigns(config)


def test_defaults_are_filled_in() -> None:
    found = check(yaml.safe_load(GOOD))["c"]
    assert found.title == "c"
    assert found.policies.model_dump() == {
        "order": "score",
        "duplicates": "error",
        "bad_scores": "error",
        "unknown_topics": "drop",
        "unjudged": "zero",
        "ties": "report",
        "depth": 1000,
        "topics": "labels",
    }
    assert (found.pool.method, found.pool.depth, found.pool.labels) == ("depth", 10, None)
    assert found.correlations.statistics == tuple(STATISTICS)
    assert found.significance.permutations == 10_000
    assert found.scatter == ("RBP(p=0.8)", "uRBP(p=0.8)")
    assert found.labelled == ("topicality", "understandability")
    assert found.estimated == ("simulated",)
    assert found.dimensions["simulated"].estimate == Estimate(threshold=15)
    assert found.dimensions["topicality"].labels == Labels(
        files=("@demo/t.qrels",),
        scale=Scale(lowest=0, highest=2, better="high", threshold=1, gains=None, cannot_judge=()),
        key="topic",
        conflict="error",
    )
    assert found.sources["demo"].settings["seed"] == 1
    assert found.topics == Topics(file="@demo/topics.xml")


def test_given_values_are_kept() -> None:
    digest = "A" * 64
    found = check(
        changed(
            ("sources/x", f"{{url: data/x.tar, sha256: {digest}, unpack: false}}"),
            ("runs/files", "[b/*.gz, '@demo/runs/*']"),
            ("topics/id", r"{match: '^a(\d)', replace: '\1'}"),
            ("policies/depth", "100.0"),
            ("measures", "[RBP, P@5, 'nDCG @ 10']"),
            ("report/scatter", "[nDCG@10, RBP]"),
            ("dimensions/topicality/better", "low"),
            ("dimensions/topicality/gains", "{2: 0, 0: 1, 1: 0.5}"),
            ("dimensions/topicality/cannot_judge", "[-1]"),
        )
    )["c"]
    assert found.sources["x"] == Source(
        name="x",
        kind="url",
        settings={"url": "data/x.tar", "sha256": "a" * 64, "unpack": False},
    )
    assert found.runs == Runs(files=("b/*.gz", "@demo/runs/*"), team=Teams(name="^([^_]+)_"))
    assert found.topics
    assert found.topics.id.replace == r"\1"
    assert found.policies.depth == 100
    assert isinstance(found.policies.depth, int)
    assert [m.name for m in found.measures] == ["RBP(p=0.8)", "P@5", "nDCG@10"]
    assert found.scatter == ("nDCG@10", "RBP(p=0.8)")
    labels = found.dimensions["topicality"].labels
    assert labels
    assert labels.scale.cannot_judge == (-1,)
    assert labels.scale.gains == {0.0: 1, 1.0: 0.5, 2.0: 0}
    assert isinstance(labels.scale.gains, dict)
    assert list(labels.scale.gains) == [0, 1, 2]


def test_labels_by_subtopic() -> None:
    by = "dimensions/topicality/"
    found = check(changed((f"{by}subtopics", "true"), (f"{by}intents", "'@demo/w.txt'")))["c"]
    labels = found.dimensions["topicality"].labels
    assert labels
    assert (labels.subtopics, labels.intents) == (True, "@demo/w.txt")


def test_one_measure_has_no_scatter() -> None:
    assert check(changed(("measures", "[P@10]")))["c"].scatter == ()


def test_gain_map_may_leave_out_a_code_inside_the_scale() -> None:
    found = check(
        changed(
            ("dimensions/topicality/cannot_judge", "[1]"),
            ("dimensions/topicality/gains", "{0: 0, 2: 1}"),
        )
    )
    assert found["c"].dimensions["topicality"].labels


def test_settings_come_back_from_params() -> None:
    """As Snakemake keeps them: pickled, and as JSON has them."""
    found = check(
        changed(
            ("pool", "{method: stratified, strata: [{to: 5, share: 1}, {to: 9.0, share: 0.5}]}"),
            ("fusion", "{a_f: {method: rrf}}"),
            ("policies/depth", "50"),
            ("reusability", "[]"),
            ("dimensions/topicality/sets", "{crowd: c.qrels}"),
            ("dimensions/topicality/sweep", "{thresholds: [2], gains: [{0: 0, 1: 0.5, 2: 1}]}"),
        )
    )["c"]
    assert found.pool.strata == (Stratum(to=5, share=1), Stratum(to=9, share=0.5))
    assert found.fusion["a_f"].depth == 50
    assert found.reusability == ()
    assert found.compared == ("topicality",)
    topicality = found.dimensions["topicality"]
    assert {name: labels.files for name, labels in topicality.sets.items()} == {
        "crowd": ("c.qrels",)
    }
    assert topicality.sweep
    assert topicality.sweep.thresholds == (2,)
    assert topicality.sweep.gains == ({0.0: 0, 1.0: 0.5, 2.0: 1},)
    labels = found.dimensions["understandability"].labels
    settings = [
        found.pool,
        found.fusion["a_f"],
        labels,
        topicality.sweep,
        found.agreement,
        found.runs,
    ]
    for one in settings:
        assert one is not None
        assert type(one).model_validate(one.model_dump()) == one
        kept = json.loads(json.dumps(one.model_dump(mode="json")))
        assert type(one).model_validate(kept) == one
        assert pickle.loads(pickle.dumps(one)) == one


def test_an_adaptive_pool_knows_whose_labels_it_replays() -> None:
    assert check(changed(("pool", "{method: bandit}")))["c"].pool.labels == "topicality"


def test_without_teams_runs_are_left_out() -> None:
    assert check(changed(("runs/team", "null")))["c"].reusability == ("run",)


def test_config_is_not_changed() -> None:
    config = yaml.safe_load(GOOD)
    check(config)
    assert config == yaml.safe_load(GOOD)


# One case is two lines: the change as `path = value`; then where the problem is, and what it names.
BAD = r"""
/campaigns = (removed)
    campaigns | missing
/campaigns = {}
    campaigns | empty
/campaigns = [c]
    campaigns | a map
/campains = {}
    campains | 'campaigns'
polices = {}
    polices | 'policies'
depth = 5
    depth | is not a known key
zzz = 5
    zzz | is not a known key
measures = (removed)
    measures | missing
runs = runs/*.gz
    runs | 'runs/*.gz'
runs/files = (removed)
    runs.files | missing
runs/files = []
    runs.files | empty
runs/files = ''
    runs.files | empty
runs/files = [a, 3]
    runs.files[1] | text
title = 2015
    title | text
title = no
    title | text
title = 2015-09-08
    title | text
policies = null
    policies | empty
policies/order = scores
    policies.order | 'score'
policies/order = bm25
    policies.order | 'bm25'
policies/unjudged = no
    policies.unjudged | YAML reads
policies/order = null
    policies.order | empty
policies/depth = '1000'
    policies.depth | '1000'
policies/depth = 0
    policies.depth | at least 1
policies/depth = 10.5
    policies.depth | whole number
policies/depth = no
    policies.depth | whole number
policies/depth = .inf
    policies.depth | whole number
measures = P@10
    measures | 'P@10'
measures = []
    measures | empty
measures = [P@10, {RBP: 0.8}]
    measures[1] | a map
measures = [P@10, nDGC@10]
    measures[1] | 'nDCG'
measures = [P@10, RBP(p=no)]
    measures[1] | 'RBP(p=no)'
measures = [RBP(p=0.8), RBP]
    measures[1] | 'RBP(p=0.8)'
measures = [P@10, P@2000]
    measures[1] | 'P@2000'
report/scatter = [AP, P@10]
    report.scatter[0] | 'AP'
report/scatter = [P@10]
    report.scatter | entry
report/scatter = [P@10, P@10]
    report.scatter[1] | 'P@10'
report/scatter = [P@10, P@10, P@10]
    report.scatter | entries
rescored = [P@10, AP]
    rescored[1] | 'AP'
rescored = [P@10, P@10]
    rescored[1] | 'P@10'
rescored = []
    rescored | empty
correlations/statistics = [tau]
    correlations.statistics[0] | 'tau_b'
correlations/statistics = [tau_b, tau_b]
    correlations.statistics | twice
dimensions/topicality/scale = [2, 0]
    dimensions.topicality.scale | label
dimensions/topicality/scale = [0, 1, 2]
    dimensions.topicality.scale | entries
dimensions/topicality/scale = 0-2
    dimensions.topicality.scale | '0-2'
dimensions/topicality/scale = (removed)
    dimensions.topicality.scale | missing
dimensions/topicality/scale = [0, .inf]
    dimensions.topicality.scale[1] | finite
dimensions/topicality/threshold = 3
    dimensions.topicality.threshold | label
dimensions/topicality/threshold = '1'
    dimensions.topicality.threshold | '1'
dimensions/topicality/threshold = yes
    dimensions.topicality.threshold | a number
dimensions/topicality/threshold = (removed)
    dimensions.topicality.threshold | missing
dimensions/topicality/better = hihg
    dimensions.topicality.better | 'high'
dimensions/topicality/gains = lineal
    dimensions.topicality.gains | 'linear'
dimensions/understandability/gains = {0: 0, 1: 0.5, 3: 1}
    dimensions.understandability.gains | label
dimensions/understandability/gains = {0: 0, 1: 0.5, 2: 0.8, 3: 1.2}
    dimensions.understandability.gains.3 | at most 1
dimensions/understandability/gains = {0: 0, 1: 0.5, 2: 0.8, 3: .nan}
    dimensions.understandability.gains.3 | finite
dimensions/understandability/gains = {0: 0, 1: 0.5, 2: 0.8, 3: 1, 4: 1}
    dimensions.understandability.gains | label
dimensions/understandability/gains = {0: 1, 1: 0.5, 2: 0.2, 3: 0}
    dimensions.understandability.gains | label
dimensions/understandability/gains = {low: 0, high: 1}
    dimensions.understandability.gains.high | label
dimensions/topicality/cannot_judge = [2]
    dimensions.topicality.cannot_judge | 2]
dimensions/topicality/cannot_judge = 3
    dimensions.topicality.cannot_judge | a list
dimensions/topicality/intents = weights.txt
    dimensions.topicality.intents | remove it
dimensions/topicality/subtopics = 2
    dimensions.topicality.subtopics | true or false
dimensions/topicality/labels = (removed)
    dimensions.topicality | label
dimensions/topicality/estimate = {threshold: 3}
    dimensions.topicality | label
dimensions/simulated/scale = [0, 1]
    dimensions.simulated.scale | remove it
dimensions/simulated/estimate/index = foq
    dimensions.simulated.estimate.index | 'fog'
dimensions/simulated/estimate = {}
    dimensions.simulated.estimate.threshold | missing
dimensions/simulated/estimate/threshold = [10, .inf]
    dimensions.simulated.estimate.threshold[1] | finite
dimensions/simulated/estimate/threshold = []
    dimensions.simulated.estimate.threshold | empty
pages/depth = 10
    pages.depth | remove it
pages/language = english
    pages.language | 'english'
pages/language = no
    pages.language | text
pages = {files: "pages/*", documents: retrieved, depth: 2000}
    pages.depth | 1000
pages/method = boilerpipe
    pages.method | 'boilerpipe'
pages = (removed)
    dimensions.simulated.estimate | pages.files
dimensions/topi-cality = {}
    dimensions.topi-cality | 'topi-cality'
dimensions/class = {estimate: {threshold: 3}}
    dimensions.class | reserved
runs/files = '@dmeo/runs/*'
    runs.files | 'demo'
runs/files = '@demo'
    runs.files | '@demo'
runs/files = '@demo/../x'
    runs.files | '@demo/../x'
runs/team = '([^_'
    runs.team | '([^_'
runs/team = '^[^_]+'
    runs.team | '^[^_]+'
topics/file = '@demo/*.xml'
    topics.file | '@demo/*.xml'
topics/id = {match: '(a'  , replace: b}
    topics.id.match | '(a'
topics/id = {match: 'a'  , replace: '\2'}
    topics.id.replace | '\2'
topics/id = {match: 'a'}
    topics.id.replace | missing
sources/x = {}
    sources.x | git
sources/x = {url: a, generate: demo}
    sources.x | generate
sources/x = {url: a}
    sources.x.sha256 | missing
sources/x = {url: a, sha256: abc}
    sources.x.sha256 | 'abc'
sources/x = {url: 'ftp://a/b', sha256: DIGEST}
    sources.x.url | 'ftp://a/b'
sources/x = {url: 'https://me:word@h/a', sha256: DIGEST}
    sources.x.url | show
sources/x = {git: 'https://word@h/o/n', commit: COMMIT, paths: [a]}
    sources.x.git | show
sources/x = {url: a, sha256: DIGEST, seed: 3}
    sources.x.seed | remove it
sources/x = {git: 'https://h/o/n', paths: [runs]}
    sources.x.commit | missing
sources/x = {git: 'https://h/o/n', commit: abc, paths: [runs]}
    sources.x.commit | 'abc'
sources/x = {git: 'https://h/o/n', commit: COMMIT}
    sources.x.paths | missing
sources/x = {git: 'https://h/o/n', commit: COMMIT, paths: [../a]}
    sources.x.paths | '../a'
sources/x = {git: 'git@h:o/n', commit: COMMIT, paths: [a]}
    sources.x.git | 'git@h:o/n'
sources/x = {git: 'ssh://h/o/n', commit: COMMIT, paths: [a]}
    sources.x.git | 'ssh://h/o/n'
sources/x = {git: 'https://h/o/n', commit: COMMIT, paths: [a], files: {b: 2}}
    sources.x.files | 'b'
sources/x = {git: 'https://h/o/n', commit: COMMIT, paths: [a], missing: wran}
    sources.x.missing | 'warn'
sources/x = {generate: demo, commit: COMMIT}
    sources.x.commit | remove it
fetch = {deadline: 0}
    fetch.deadline | at least 1
sources/x = {generate: dmo}
    sources.x.generate | 'demo'
sources/x = {generate: demo, unpack: false}
    sources.x.unpack | remove it
sources/x = {generate: demo, seed: -3}
    sources.x.seed | at least 0
sources/a b = {generate: demo}
    sources.'a b' | 'a b'
significance/alpha = .nan
    significance.alpha | finite
correlations/persistence = .nan
    correlations.persistence | finite
pages/shards = 1000000000
    pages.shards | at most 10000
dimensions/topicality/threshold = 0
    dimensions.topicality.threshold | label
fetch = {limit: 0}
    fetch.limit | above 0
fetch = {limit: 1.0e+400}
    fetch.limit | finite
policies/depth = 99999999999999999999999999999999
    policies.depth | a number
costs = {file: a, usual: 0}
    costs.usual | above 0
pages/seconds = !!binary aGVsbG8=
    pages.seconds | 'hello'
title = {a: 1}
    title | a map
dimensions/topicality/scale = [0, 2, [1]]
    dimensions.topicality.scale[2] | a list
dimensions/topicality/gains = [0, 1]
    dimensions.topicality.gains | a map
dimensions/topicality/gains = 3
    dimensions.topicality.gains | choice
dimensions/topicality = 7
    dimensions.topicality | a map
sources/x = 7
    sources.x | missing
sources/x = {generate: [demo]}
    sources.x.generate | a list
dimensions/simulated/estimate/threshold = '15'
    dimensions.simulated.estimate.threshold | '15'
topics/file = null
    topics.file | empty
runs/team = {}
    runs.team | table
runs/team = {name: '(a)', path: '(b)'}
    runs.team | table
runs/team = {table: 't*.csv'}
    runs.team.table | 't*.csv'
runs/team = [a]
    runs.team | a map
reusability = [teams]
    reusability[0] | 'team'
sweep = 1
    sweep | true or false
audit = {published: x, policies: [campaign, rnak]}
    audit.policies[1] | 'rank'
audit = {published: x, labels: {ubire: {topicality: {labels: y}}}}
    audit.labels.ubire | policies
audit = {published: x, labels: {a: {topical: {labels: y}}}}
    audit.labels.a.topical | 'topicality'
audit = {published: x, labels: {a: {topicality: {labels: y, threshold: 9}}}}
    audit.labels.a.topicality.threshold | label
audit = {published: x, measures: {map: MPA}}
    audit.measures.map | 'PAP'
baselines = {x: {model: BM25, mu: 3}}
    baselines.x.mu | 'BM25'
fusion = {'a b': {method: rrf}}
    fusion.'a b' | 'a b'
"""

CASES = re.findall(r"^(\S.*) = (.*)\n    (.*) \| (.*)$", BAD, re.MULTILINE)


def test_the_table_is_read_whole() -> None:
    assert len(CASES) * 2 == len(BAD.strip().splitlines())


def problems(config: Any) -> list[Problem]:
    with pytest.raises(InputError) as error:
        campaigns(config)
    return error.value.problems


@pytest.mark.parametrize(("path", "value", "where", "named"), CASES)
def test_bad_value(path: str, value: str, where: str, named: str) -> None:
    digests = value.replace("DIGEST", "a" * 64).replace("COMMIT", "b" * 40)
    problem = problems(changed((path, digests)))[0]
    assert str(problem.where).removeprefix("campaigns.c.") == where
    assert named in f"{problem.what}; {problem.fix}"


def test_other_mistakes_hide_no_wrong_measure() -> None:
    found = problems(
        changed(("dimensions/topicality/treshold", "1"), ("measures", "[RBP(p=1.8), nDCG10]"))
    )
    assert [str(one.where).removeprefix("campaigns.c.") for one in found] == [
        "dimensions.topicality.treshold", "measures[0]", "measures[1]",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "value"), [("dimensions", "[1, {}]"), ("dimensions/other", "7"), ("measures", "5")]
)
def test_no_measure_is_blamed_for_what_it_reads(path: str, value: str) -> None:
    """Where dimensions are unclear, only they are told."""
    more = [("measures", "[P@10(on=other)]")] if "/" in path else []
    assert len(problems(changed((path, value), *more))) == 1


TOGETHER = [
    ([("topics", GONE), ("policies/topics", "topics")], "policies.topics", "topics.file"),
    (
        [("dimensions", "{sim: {estimate: {threshold: 3}}}"), ("measures", "[P@10]")],
        "policies.topics",
        "no dimension has labels",
    ),
    ([("dimensions/topicality/key", "document")], "policies.topics", "'topicality'"),
    (
        [
            ("dimensions/Simulated", "{estimate: {threshold: 3}}"),
            ("measures", "['P(on=simulated)@10', 'P(on=Simulated)@10']"),
        ],
        "measures[1]",
        "'P(on=simulated)@10'",
    ),
    ([("pool/depth", "20"), ("policies/depth", "15")], "pool.depth", "policies.depth 15"),
    (
        [
            ("dimensions/simulated/estimate/threshold", "[10, 15]"),
            ("dimensions/simulated_15", "{estimate: {threshold: 3}}"),
        ],
        "dimensions.simulated.estimate.threshold",
        "'simulated_15'",
    ),
    (
        [
            ("dimensions/topicality/subtopics", "true"),
            ("dimensions/topicality/intents", "w*.txt"),
        ],
        "dimensions.topicality.intents",
        "'w*.txt'",
    ),
    (
        [("dimensions/topicality/subtopics", "true"), ("dimensions/topicality/key", "document")],
        "dimensions.topicality.subtopics",
        "'document'",
    ),
    ([("pool", "{size: 5}")], "pool.size", "'depth'"),
    ([("pool", "{method: stratified}")], "pool.strata", "'stratified'"),
    (
        [("pool", "{method: stratified, strata: [{to: 9, share: 1}, {to: 5, share: 1}]}")],
        "pool.strata",
        "9, 5",
    ),
    ([("pool", "{method: stratified, strata: [{to: 9, share: 0}]}")], "pool.strata", "share"),
    ([("pool", "{method: bandit, labels: topical}")], "pool.labels", "'topicality'"),
    ([("pool", "{runs: '('}")], "pool.runs", "'('"),
    ([("runs/team", "null"), ("pool", "{per_team: 3}")], "pool.per_team", "runs.team"),
    ([("runs/team", "null"), ("reusability", "[team]")], "reusability", "runs.team"),
    ([("people", "{samples: 2000}")], "people", "preferences"),
    ([("preferences", "'@nobody/x'")], "preferences", "'nobody'"),
    ([("satisfaction", "[]")], "satisfaction", "empty"),
    ([("variations", r"'^\d'")], "variations", "group"),
    (
        [("fusion", "{a_f: {method: rrf, depth: 20}}"), ("policies/depth", "15")],
        "fusion.a_f.depth",
        "policies.depth 15",
    ),
    ([("fusion", "{a_f: {method: rff}}")], "fusion.a_f.method", "'rrf'"),
    ([("dimensions/topicality/sets", "{labels: x}")], "dimensions.topicality.sets.labels", "own"),
    (
        [("dimensions/topicality/sweep", "{thresholds: [1, 7]}")],
        "dimensions.topicality.sweep.thresholds",
        "7",
    ),
    (
        [("dimensions/topicality/sweep", "{gains: [{0: 0, 1: 1}]}")],
        "dimensions.topicality.sweep.gains[0]",
        "label 2",
    ),
    ([("baselines", "{x: {model: BM25}}"), ("topics", GONE)], "baselines", "topics.file"),
]


@pytest.mark.parametrize(("changes", "where", "named"), TOGETHER)
def test_keys_that_contradict_each_other(
    changes: list[tuple[str, str]], where: str, named: str
) -> None:
    found = problems(changed(*changes))
    assert [str(one.where) for one in found][:1] == [f"campaigns.c.{where}"]
    assert named in f"{found[0].what}; {found[0].fix}"


@pytest.mark.parametrize(
    ("text", "where", "named"),
    [("[]", "config", "a list"), ("", "config", "empty"), ("{}", "campaigns", "missing")],
)
def test_bad_file(text: str, where: str, named: str) -> None:
    (problem,) = problems(yaml.safe_load(text))
    assert problem.where == where
    assert named in problem.what


@pytest.mark.parametrize("name", ["a b", "..", "-x", "a/b", "mine\n"])
def test_bad_campaign_name(name: str) -> None:
    good = yaml.safe_load(GOOD)["campaigns"]["c"]
    (problem,) = problems({"campaigns": {name: good}})
    assert str(problem.where).removeprefix("campaigns.").strip("'") == name.replace("\n", "\\n")


def test_key_that_yaml_misreads() -> None:
    good = yaml.safe_load(GOOD)["campaigns"]["c"]
    for wrong, where in (
        ({"campaigns": {2015: good}}, "campaigns.2015"),
        (yaml.safe_load(GOOD + "    on: 1\n"), "campaigns.c.true"),
    ):
        (problem,) = problems(wrong)
        assert problem.where == where
        assert "quotes" in problem.fix


def test_all_problems_are_told_at_once() -> None:
    config = yaml.safe_load(GOOD)
    config["campaigns"]["d"] = changed(("polices", "{}"), ("pool/depth", "0"))["campaigns"]["c"]
    config["campaigns"]["e"] = changed(("measures", "[P@0, AP, RPB]"))["campaigns"]["c"]
    loaded = from_config(config)
    assert [one.where for one in loaded.problems] == [
        "campaigns.d.polices", "campaigns.d.pool.depth",
        "campaigns.e.measures[0]", "campaigns.e.measures[2]",
    ]  # fmt: skip
    assert list(loaded.campaigns) == ["c"]
    assert list(loaded.partial) == ["d", "e"]
    assert loaded.partial["d"].runs == loaded.campaigns["c"].runs
    assert [one.name for one in loaded.partial["e"].measures] == ["AP"]


def test_an_unquoted_comma_is_explained() -> None:
    found = problems(changed(("measures", "[RBP(p=0.8, on=understandability)]")))
    assert [one.where for one in found] == ["campaigns.c.measures[0]", "campaigns.c.measures[1]"]
    assert all("quotes" in one.fix for one in found)


BROKEN = [
    (("runs", "7"), lambda one: one.runs.files == () and len(one.dimensions) == 3),
    (("runs/team", "7"), lambda one: one.runs.files == ("@demo/runs/*",) and not one.runs.team),
    (("dimensions/topicality/scale", "7"), lambda one: one.dimensions["topicality"].labels),
    (("dimensions", "7"), lambda one: one.dimensions == {}),
    (("measures", "7"), lambda one: one.measures == () and one.runs.files),
    (("pool/method", "7"), lambda one: one.pool.method == "depth"),
    (("audit", "{published: x, labels: {a: {b: {labels: y}}}}"), lambda one: one.audit is None),
    (("fetch/limit", "0"), lambda one: len(one.dimensions) == 3),
]


@pytest.mark.parametrize(("change", "holds"), BROKEN, ids=[change[0] for change, _ in BROKEN])
def test_a_broken_campaign_is_built_from_what_is_good(
    change: tuple[str, str], holds: Callable[[Campaign], bool]
) -> None:
    loaded = from_config(changed(change))
    assert loaded.problems
    assert not loaded.campaigns
    assert holds(loaded.partial["c"])


def test_several_mistakes_leave_what_they_do_not_concern() -> None:
    other = "{published: x, labels: {b: {topicality: {labels: y}}}}"
    loaded = from_config(changed(("dimensions", "7"), ("audit", other), ("topics", "{on: 1}")))
    assert {one.where for one in loaded.problems} >= {
        "campaigns.c.dimensions", "campaigns.c.topics.file", "campaigns.c.topics.true",
    }  # fmt: skip
    partial = loaded.partial["c"]
    assert (partial.audit, partial.topics) == (None, None)
    assert [one.name for one in partial.measures] == ["RBP(p=0.8)", "P@10"]
    assert partial.runs.files == ("@demo/runs/*",)


def test_problems_have_the_line_of_their_key(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(GOOD.replace("measures:", "polices: {}\n    measures:").replace("15", "x"))
    lines = path.read_text().splitlines()
    for problem in load([path]).problems:
        assert str(problem.where).split(".")[-1] in lines[(problem.line or 0) - 1]
    assert [one.where for one in load([path], root=tmp_path).problems][:2] == [
        "campaigns.c.dimensions.simulated.estimate.threshold", "campaigns.c.polices",
    ]  # fmt: skip


# --- files on disk


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ["runs/b_2.gz", "runs/b_1.gz", "runs/a_1", "runs/[x].txt", "more/b_1", "t.qrels"]:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    made = tmp_path / "results/c/sources/demo/pages/deep"
    made.mkdir(parents=True)
    (made / "p2.html").touch()
    (made.parent / "p1.html").touch()
    return tmp_path


def local(*changes: tuple[str, str]) -> Campaign:
    base = [("dimensions/topicality/labels", "t.qrels"), ("runs/files", "runs/*.gz")]
    return check(changed(*base, *changes))["c"]


def test_resolve_finds_files_and_names_made_folders(root: Path) -> None:
    found = resolve(local(("runs/files", "[runs/b*.gz, '@demo/runs/*', runs/*_1*]")), root=root)
    runs = ("runs/b_1.gz", "runs/b_2.gz", "runs/a_1")
    assert found.of("runs") == [Files(local=runs, sources=("demo",))]
    assert found.of("labels", "topicality") == [Files(local=("t.qrels",), sources=())]
    assert [place[1] for place in found.files if place[0] == "labels"] == [
        "topicality",
        "understandability",
    ]
    assert found.of("pages") == [Files(local=(), sources=("demo",))]


def test_braces_in_a_file_name_are_refused(root: Path) -> None:
    (root / "runs/a_{x}").write_text("1 Q0 a 1 2 t\n")
    with pytest.raises(InputError) as error:
        resolve(check(changed(("runs/files", "runs/*"), ("runs/team", "null")))["c"], root=root)
    assert [one.where for one in error.value.problems if "braces" in one.what] == [
        "campaigns.c.runs.files"
    ]


def test_a_name_with_brackets_is_a_name(root: Path) -> None:
    found = resolve(local(("runs/files", "runs/[x].txt"), ("runs/team", "null")), root=root)
    assert found.of("runs") == [Files(local=("runs/[x].txt",))]


def test_expand_sees_made_folders(root: Path) -> None:
    sources = root / "results/c/sources"
    pages = expand(["@demo/pages/**/*.html", "t.qrels"], sources=sources, root=root)
    assert pages == [
        sources / "demo/pages/deep/p2.html",
        sources / "demo/pages/p1.html",
        root / "t.qrels",
    ]
    with pytest.raises(InputError) as error:
        expand(["@demo/runs/*"], sources=sources, root=root)
    assert "'@demo/runs/*'" in error.value.problems[0].what
    assert str(sources / "demo") in error.value.problems[0].fix


DISK = [
    (("runs/files", "rnus/*.gz"), "runs.files", "'rnus/*.gz'"),
    (("dimensions/topicality/labels", "runs"), "dimensions.topicality.labels", "'runs/*'"),
    (("topics/file", "topics.xml"), "topics.file", "'topics.xml'"),
    (("sources/x", "{url: x.tar, sha256: " + "a" * 64 + "}"), "sources.x.url", "'x.tar'"),
    (("runs/files", "[runs/*.gz, more/*]"), "runs", "'b_1'"),
    (("runs/team", "{table: teams.csv}"), "runs.team.table", "'teams.csv'"),
]


@pytest.mark.parametrize(("change", "where", "named"), DISK)
def test_files_that_are_not_there(
    root: Path, change: tuple[str, str], where: str, named: str
) -> None:
    with pytest.raises(InputError) as error:
        resolve(local(change), root=root)
    (problem,) = error.value.problems
    assert problem.where == f"campaigns.c.{where}"
    assert named in problem.what + problem.fix


@pytest.mark.parametrize("keys", [{}, {"rerun": None}, {"seed": 2}])
def test_a_paper_that_names_no_experiment(keys: dict[str, Any]) -> None:
    (problem,) = from_config({"papers": {"p": keys}}).problems
    assert (problem.where, problem.what) == ("papers.p.rerun", "is missing")
    assert "ubire" in problem.fix


def test_paths_are_relative_to_the_working_folder_not_to_the_config(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (tmp_path, tmp_path / "configs"):
        (folder / "runs").mkdir(parents=True)
        (folder / "runs" / f"of_{folder.name[:7]}").write_text("1 Q0 a 1 1 x\n")
    (tmp_path / "t.qrels").write_text("1 0 a 1\n")
    config = tmp_path / "configs" / "mine.yaml"
    config.write_text(
        "campaigns: {c: {runs: {files: runs/*}, measures: [P@1], dimensions: "
        "{t: {labels: t.qrels, scale: [0, 1], threshold: 1}}}}"
    )
    monkeypatch.chdir(tmp_path)
    campaign = load([config], root=Path()).checked().campaigns["c"]
    assert resolve(campaign).of("runs")[0].local == (f"runs/of_{tmp_path.name[:7]}",)


def test_resolve_tells_all_at_once(root: Path) -> None:
    with pytest.raises(InputError) as error:
        resolve(local(("runs/files", "[no1, no2]"), ("topics/file", "no3")), root=root)
    assert [one.what.split("'")[1] for one in error.value.problems] == ["no1", "no2", "no3"]


def test_a_run_without_a_team_does_not_stop_the_config(root: Path) -> None:
    assert resolve(local(("runs/team", "'^(a)'")), root=root).of("runs")[0].local


def test_a_team_expression_that_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.storage.expressions.SECONDS", 0.2)
    run = "a" * 60 + "!"
    with pytest.raises(InputError) as error:
        teams_of({run: None}, given=Teams(name="^((a|aa)+)$"))
    assert "0.2 seconds" in str(error.value)


# --- the schema, its docs, and the configs we ship


def test_every_key_has_a_meaning_and_a_default_or_is_required() -> None:
    for path, rules in keys(SCHEMA):
        assert len(rules["description"]) > 15, path
        assert "{choices}" not in rules["description"], path
        above = [one for at, one in keys(SCHEMA) if at == path[:-1]]
        if above and "properties" in above[0]:
            assert ("default" in rules) != (path[-1] in above[0].get("required", ())), path


def test_every_map_of_the_schema_is_closed() -> None:
    for path, rules in keys(SCHEMA):
        if "object" in rules.get("type", ()):
            assert "additionalProperties" in rules, path


def test_the_published_schema_is_current_and_accepts_what_we_accept() -> None:
    from jsonschema import Draft202012Validator

    assert json.loads((ROOT / "config/schema.json").read_text()) == SCHEMA, "run make tables"
    validator = Draft202012Validator(SCHEMA)
    for path in [*SHIPPED, *sorted((ROOT / "config/papers").glob("*.yaml"))]:
        assert list(validator.iter_errors(_text_keys(yaml.safe_load(path.read_text())))) == [], path
    for path, value in (("polices", "{}"), ("policies/depth", "0"), ("runs/files", "[]")):
        assert not validator.is_valid(_text_keys(changed((path, value)))), path


def _text_keys(value: Any) -> Any:
    """As JSON has it, and an editor sees it."""
    return json.loads(json.dumps(value))


def test_choices_are_those_of_the_steps() -> None:
    known = {path[-1]: rules.get("enum") for path, rules in keys(SCHEMA) if "estimate" in path}
    assert known["index"] == list(INDICES)
    assert known["model"] == list(MODELS)


INTRODUCTIONS = [ROOT / "config/README.md", ROOT / "docs/reference/config.md"]


@pytest.mark.parametrize("page", INTRODUCTIONS, ids=lambda page: page.stem)
def test_example_and_message_of_the_introductions_are_real(page: Path) -> None:
    text = page.read_text()
    [example] = re.findall(r"```yaml.*?\n(.*?)```", text, re.DOTALL)
    assert len(check(yaml.safe_load(example))["mine"].measures) == 4
    good = changed(("polices", "{}"))["campaigns"]["c"]
    (problem,) = problems({"campaigns": {"mine": good}})
    assert f"\n{problem}\n" in text


def test_the_introduction_for_the_workflow_catalog_is_short_and_its_links_lead_somewhere() -> None:
    text = INTRODUCTIONS[0].read_text()
    assert len(text.split()) <= 900
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) >= 14
    assert [link for link in links if not (ROOT / "config" / link.split("#")[0]).exists()] == []


LOCAL = ROOT / "tests/real/configs"  # the campaigns that read ../shared/data in place
SHIPPED = [*sorted((ROOT / "config/campaigns").glob("*.yaml")), ROOT / "config/config.yaml"]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_config_is_good(path: Path) -> None:
    text = path.read_text()
    assert "../shared" not in text  # what is shipped runs anywhere
    for found in check(yaml.safe_load(text)).values():
        assert len(found.measures) >= 7


REAL = [("clef2013", 42, 8), ("clef2015", 68, 12), ("clef2016", 16, 6)]


@pytest.mark.skipif(not (ROOT / "../shared/data").exists(), reason="needs ../shared/data")
@pytest.mark.parametrize(("name", "runs", "teams"), REAL)
def test_local_config_finds_its_data(name: str, runs: int, teams: int) -> None:
    config = yaml.safe_load((LOCAL / f"{name}.yaml").read_text())
    found = check(config)[name]
    inputs = resolve(found, root=ROOT)
    named = {run_name(Path(path)) for path in inputs.of("runs")[0].local}
    assert len(named) == runs
    assert len(set(teams_of(dict.fromkeys(named), given=found.runs.team).values())) == teams


def test_a_list_of_thresholds_makes_a_dimension_of_each() -> None:
    config = changed(("dimensions/simulated/estimate/threshold", "[10, 12.5, -3]"))
    made = check(config)["c"].dimensions
    names = ["simulated_10", "simulated_12_5", "simulated_minus_3"]
    assert [name for name in made if name.startswith("simulated")] == names
    assert [made[name].estimate.threshold for name in names] == [10, 12.5, -3]
    assert all(made[name].estimate.model == made[names[0]].estimate.model for name in names)
