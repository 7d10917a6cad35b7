"""Configs: what is read from a good one, and the exact sentence for every kind of bad one."""

import dataclasses
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline import campaign as lib
from pipeline.campaign import Campaign, campaigns
from pipeline.campaign.schema import keys, schema
from pipeline.errors import InputError
from pipeline.labels.reading import Labels
from pipeline.labels.scale import Scale
from pipeline.labels.topics import Topics
from pipeline.pages.readability.index import INDICES
from pipeline.pages.user_models.model import MODELS
from pipeline.runs.teams import Teams, teams_of
from pipeline.statistics.correlation.step import STATISTICS
from pipeline.storage.plain import restored

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
    assert dataclasses.asdict(found.policies) == {
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
    assert found.dimensions["simulated"].estimate == lib.Estimate(
        index="fog", model="step", threshold=15
    )
    assert found.dimensions["topicality"].labels == Labels(
        files=("@demo/t.qrels",),
        scale=Scale(lowest=0, highest=2, better="high", threshold=1, gains=None, cannot_judge=()),
        key="topic",
        conflict="error",
    )
    assert found.sources["demo"].settings["seed"] == 1
    assert found.topics == Topics(file="@demo/topics.xml", match=None, replace=None)


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
    assert found.sources["x"] == lib.Source(
        name="x",
        kind="url",
        settings={"url": "data/x.tar", "sha256": "a" * 64, "unpack": False},
    )
    assert found.runs == lib.Runs(
        files=("b/*.gz", "@demo/runs/*"), team=Teams(name="^([^_]+)_"), batches=None
    )
    assert found.topics
    assert found.topics.replace == r"\1"
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
    with pytest.raises(InputError) as error:
        check(
            changed(
                (f"{by}subtopics", "true"), (f"{by}intents", "w*.txt"), (f"{by}key", "document")
            )
        )
    assert "topicality.intents is the glob 'w*.txt'; name one file" in str(error.value)
    assert "topicality.subtopics are of a topic, but key is 'document'; set key to topic" in str(
        error.value
    )


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


def test_values_can_be_params_of_a_rule() -> None:
    dimension = check(yaml.safe_load(GOOD))["c"].dimensions["understandability"]
    assert pickle.loads(pickle.dumps(dimension)) == dimension
    assert type(dataclasses.asdict(dimension)["settings"]["scale"]["gains"]) is dict


def test_settings_come_back_from_params() -> None:
    found = check(
        changed(
            ("pool", "{method: stratified, strata: [{to: 5, share: 1}, {to: 9, share: 0.5}]}"),
            ("fusion", "{a_f: {method: rrf}}"),
            ("dimensions/topicality/sweep", "{thresholds: [2], gains: [{0: 0, 1: 0.5, 2: 1}]}"),
        )
    )["c"]
    labels, judging = found.dimensions["topicality"].labels, found.dimensions["topicality"].judging
    assert labels
    assert judging
    settings = [found.pool, found.fusion["a_f"], labels, judging.sweep, found.agreement]
    for one in settings:
        assert restored(type(one), dataclasses.asdict(one)) == one


def test_config_is_not_changed() -> None:
    config = yaml.safe_load(GOOD)
    check(config)
    assert config == yaml.safe_load(GOOD)


# One case is two lines: the change as `path = value`, and the whole message after "config: ".
BAD = r"""
/campaigns = (removed)
    campaigns is missing; add it (the campaigns to run, by name)
/campaigns = {}
    campaigns is empty; give it at least one entry
/campaigns = [c]
    campaigns must be a map, not a list; write a map
/campains = {}
    campains is not a known key; did you mean 'campaigns'?
polices = {}
    campaigns.c.polices is not a known key; did you mean 'policies'?
depth = 5
    campaigns.c.depth is not a known key; it belongs in campaigns.<campaign>.pages or campaigns.<campaign>.policies or campaigns.<campaign>.pool or campaigns.<campaign>.fusion.<system> or campaigns.<campaign>.baselines.<system> or campaigns.<campaign>.correlations
zzz = 5
    campaigns.c.zzz is not a known key; known keys: title, sources, fetch, runs, topics, pages, costs, dimensions, policies, pool, fusion, baselines, sweep, reusability, rescored, agreement, variations, preferences, satisfaction, people, measures, measures_from, audit, correlations, significance, report
measures = (removed)
    campaigns.c.measures is missing; add it (what to compute, each as text in quotes, as `"RBP(p=0.8)"` or `"nDCG@10"`)
runs = runs/*.gz
    campaigns.c.runs must be a map, not the text 'runs/*.gz'; its keys are files, format, team, batches
runs/files = (removed)
    campaigns.c.runs.files is missing; add it (path, glob, or list of them, plain or gzip)
runs/files = []
    campaigns.c.runs.files is empty; give it at least one entry
runs/files = ''
    campaigns.c.runs.files is empty text; give it a value or remove the key
runs/files = [a, 3]
    campaigns.c.runs.files[1] must be text, not the number 3; put it in quotes
title = 2015
    campaigns.c.title must be text, not the number 2015; put it in quotes
title = no
    campaigns.c.title must be text, not false (YAML reads a bare yes, no, on or off so); put text in quotes
title = 2015-09-08
    campaigns.c.title must be text, not the date 2015-09-08; put it in quotes
policies = null
    campaigns.c.policies must be a map, not empty; give it a value or remove the key
policies/order = scores
    campaigns.c.policies.order is 'scores', which is not a choice; did you mean 'score'?
policies/order = bm25
    campaigns.c.policies.order is 'bm25', which is not a choice; known choices: score, score64, rank
policies/unjudged = no
    campaigns.c.policies.unjudged is false (YAML reads a bare yes, no, on or off so); give one of zero, condensed
policies/order = null
    campaigns.c.policies.order is empty; give one of score, score64, rank or remove the key
policies/depth = '1000'
    campaigns.c.policies.depth must be a whole number, not the text '1000'; remove the quotes
policies/depth = 0
    campaigns.c.policies.depth is 0; it must be at least 1
policies/depth = 10.5
    campaigns.c.policies.depth must be a whole number, not the number 10.5; write a whole number
policies/depth = no
    campaigns.c.policies.depth must be a whole number, not false (YAML reads a bare yes, no, on or off so); write a whole number
policies/depth = .inf
    campaigns.c.policies.depth must be a whole number, not the number inf; write a whole number
measures = P@10
    campaigns.c.measures must be a list, not the text 'P@10'; write ['P@10']
measures = []
    campaigns.c.measures is empty; give it at least one entry
measures = [P@10, {RBP: 0.8}]
    campaigns.c.measures[1] must be text, not a map; put the whole entry in quotes
measures = [P@10, nDGC@10]
    campaigns.c.measures[1]: measure 'nDGC@10': no measure is called 'nDGC'; did you mean 'nDCG'?
measures = [P@10, RBP(p=no)]
    campaigns.c.measures[1]: measure 'RBP(p=no)': p=no must be a number above 0 and below 1
measures = [RBP(p=0.8), RBP]
    campaigns.c.measures[1] is 'RBP(p=0.8)' a second time; remove it
measures = [P@10, P@2000]
    campaigns.c.measures[1] 'P@2000' looks deeper than policies.depth 1000; raise that
report/scatter = [AP, P@10]
    campaigns.c.report.scatter[0] is 'AP', which is not in measures; known measures: RBP(p=0.8), uRBP(p=0.8), P@10
report/scatter = [P@10]
    campaigns.c.report.scatter has 1 entry; it must have 2
report/scatter = [P@10, P@10]
    campaigns.c.report.scatter[1] is 'P@10' again; name each once
report/scatter = [P@10, P@10, P@10]
    campaigns.c.report.scatter has 3 entries; it must have 2
rescored = [P@10, AP]
    campaigns.c.rescored[1] is 'AP', which is not in measures; known measures: RBP(p=0.8), uRBP(p=0.8), P@10
rescored = [P@10, P@10]
    campaigns.c.rescored[1] is 'P@10' again; name each once
rescored = []
    campaigns.c.rescored is empty; give it at least one entry
correlations/statistics = [tau]
    campaigns.c.correlations.statistics[0] is 'tau', which is not a choice; did you mean 'tau_b'?
correlations/statistics = [tau_b, tau_b]
    campaigns.c.correlations.statistics holds tau_b twice; remove one
dimensions/topicality/scale = [2, 0]
    campaigns.c.dimensions.topicality.scale [2, 0] is no ascending range; write the lowest label, then the highest
dimensions/topicality/scale = [0, 1, 2]
    campaigns.c.dimensions.topicality.scale has 3 entries; it must have 2
dimensions/topicality/scale = 0-2
    campaigns.c.dimensions.topicality.scale must be a list, not the text '0-2'; write numbers in brackets, as [0, 2]
dimensions/topicality/scale = (removed)
    campaigns.c.dimensions.topicality.scale is missing; add it (the lowest and highest label, as [0, 2])
dimensions/topicality/scale = [0, .inf]
    campaigns.c.dimensions.topicality.scale [0, inf] is no ascending range; write the lowest label, then the highest
dimensions/topicality/threshold = 3
    campaigns.c.dimensions.topicality.threshold is 3, outside the scale [0, 2]; choose a label of it
dimensions/topicality/threshold = '1'
    campaigns.c.dimensions.topicality.threshold must be a number, not the text '1'; remove the quotes
dimensions/topicality/threshold = yes
    campaigns.c.dimensions.topicality.threshold must be a number, not true (YAML reads a bare yes, no, on or off so); write a number
dimensions/topicality/threshold = (removed)
    campaigns.c.dimensions.topicality.threshold is missing; add it (the worst label that still counts in binary measures)
dimensions/topicality/better = hihg
    campaigns.c.dimensions.topicality.better is 'hihg', which is not a choice; did you mean 'high'?
dimensions/topicality/gains = lineal
    campaigns.c.dimensions.topicality.gains is 'lineal'; it must be linear or a map from label to gain, as {0: 0, 1: 0.5, 2: 1}
dimensions/understandability/gains = {0: 0, 1: 0.5, 3: 1}
    campaigns.c.dimensions.understandability.gains has no gain for label 2 of the scale [0, 3]; add it
dimensions/understandability/gains = {0: 0, 1: 0.5, 2: 0.8, 3: 1.2}
    campaigns.c.dimensions.understandability.gains.3 is 1.2; it must be at most 1
dimensions/understandability/gains = {0: 0, 1: 0.5, 2: 0.8, 3: .nan}
    campaigns.c.dimensions.understandability.gains.3 is nan; it must be a gain from 0 to 1
dimensions/understandability/gains = {0: 0, 1: 0.5, 2: 0.8, 3: 1, 4: 1}
    campaigns.c.dimensions.understandability.gains has the label 4, outside the scale [0, 3]; remove it
dimensions/understandability/gains = {0: 1, 1: 0.5, 2: 0.2, 3: 0}
    campaigns.c.dimensions.understandability.gains gives label 0 more than label 1, although better is high; turn one of them round
dimensions/understandability/gains = {low: 0, high: 1}
    campaigns.c.dimensions.understandability.gains has the key 'low', which is no label; labels are numbers
dimensions/topicality/cannot_judge = [2]
    campaigns.c.dimensions.topicality.cannot_judge holds 2, an end of the scale [0, 2]; let the scale end before it
dimensions/topicality/cannot_judge = 3
    campaigns.c.dimensions.topicality.cannot_judge must be a list, not the number 3; write [3]
dimensions/topicality/intents = weights.txt
    campaigns.c.dimensions.topicality.intents has no meaning without subtopics: true; remove it, or add that
dimensions/topicality/subtopics = 2
    campaigns.c.dimensions.topicality.subtopics must be true or false, not the number 2; write true or false
dimensions/topicality/labels = (removed)
    campaigns.c.dimensions.topicality has neither 'labels' nor 'estimate'; give one of them
dimensions/topicality/estimate = {threshold: 3}
    campaigns.c.dimensions.topicality has both 'labels' and 'estimate'; keep one of them
dimensions/simulated/scale = [0, 1]
    campaigns.c.dimensions.simulated.scale has no meaning for an estimated dimension; remove it
dimensions/simulated/estimate/index = foq
    campaigns.c.dimensions.simulated.estimate.index is 'foq', which is not a choice; did you mean 'fog'?
dimensions/simulated/estimate = {}
    campaigns.c.dimensions.simulated.estimate.threshold is missing; add it (the hardest index value that is still understood, as 10, 15 or 20 for FOG)
dimensions/simulated/estimate/threshold = [10, .inf]
    campaigns.c.dimensions.simulated.estimate.threshold is not a finite number; correct it
dimensions/simulated/estimate/threshold = []
    campaigns.c.dimensions.simulated.estimate.threshold is empty; give it at least one entry
pages/depth = 10
    campaigns.c.pages.depth has no meaning without documents: retrieved; remove it
pages/language = english
    campaigns.c.pages.language is 'english', which is no code of a language that can be told from a text; give one as 'en', or null to take every page
pages/language = no
    campaigns.c.pages.language must be text, not false (YAML reads a bare yes, no, on or off so); put text in quotes
pages/compare_counters = 0
    campaigns.c.pages.compare_counters is 0; it must be at least 1
pages/compare_counters = yes
    campaigns.c.pages.compare_counters must be a whole number, not true (YAML reads a bare yes, no, on or off so); write a whole number
pages/compare_counters = 10
    campaigns.c.pages.compare_counters needs a measure over a dimension with an estimate, whose ranking of the runs can be compared; add one, or remove this
pages = {files: "pages/*", documents: retrieved, depth: 2000}
    campaigns.c.pages.depth is 2000, deeper than policies.depth 1000; raise that or lower this
pages/method = boilerpipe
    campaigns.c.pages.method is 'boilerpipe', which is not a choice; known choices: blocks, main, article, naive
pages = (removed)
    campaigns.c.dimensions.simulated.estimate needs the pages; add pages.files
dimensions/topi-cality = {}
    campaigns.c.dimensions.topi-cality is not a good name; it must start with a letter and hold only letters, digits and '_', because measures name it
dimensions/class = {estimate: {threshold: 3}}
    campaigns.c.dimensions.class is a reserved word; choose another name
runs/files = '@dmeo/runs/*'
    campaigns.c.runs.files '@dmeo/runs/*' names the unknown source 'dmeo'; did you mean 'demo'?
runs/files = '@demo'
    campaigns.c.runs.files '@demo' must name files inside the source, as '@demo/runs/*'
runs/files = '@demo/../x'
    campaigns.c.runs.files '@demo/../x' must name files inside the source, as '@demo/runs/*'
runs/team = '([^_'
    campaigns.c.runs.team '([^_' is not a regular expression (unterminated character set at position 1); correct it
runs/team = '^[^_]+'
    campaigns.c.runs.team '^[^_]+' has no group; put the team in brackets, as '^([^_]+)_'
topics/file = '@demo/*.xml'
    campaigns.c.topics.file is the glob '@demo/*.xml'; name one file
topics/id = {match: '(a'  , replace: b}
    campaigns.c.topics.id.match '(a' is not a regular expression (missing ), unterminated subpattern at position 0); correct it
topics/id = {match: 'a'  , replace: '\2'}
    campaigns.c.topics.id.replace '\2' cannot be used (invalid group reference 2 at position 1); use a group of the match
topics/id = {match: 'a'}
    campaigns.c.topics.id.replace is missing; add it (what the match becomes)
sources/x = {}
    campaigns.c.sources.x has neither 'url', 'generate' nor 'git'; give one of them
sources/x = {url: a, generate: demo}
    campaigns.c.sources.x has both 'url' and 'generate'; give one of them
sources/x = {url: a}
    campaigns.c.sources.x.sha256 is missing; add the digest that `sha256sum` prints for the file
sources/x = {url: a, sha256: abc}
    campaigns.c.sources.x.sha256 is 'abc'; it must be 64 hexadecimal digits, as `sha256sum` prints them
sources/x = {url: 'ftp://a/b', sha256: DIGEST}
    campaigns.c.sources.x.url is 'ftp://a/b'; it must be an http://, https:// or file:// address or a local path
sources/x = {url: 'https://me:word@h/a', sha256: DIGEST}
    campaigns.c.sources.x.url holds a name or a password before the @, which logs and the report would show; write the address without it, and the password into ~/.netrc
sources/x = {git: 'https://word@h/o/n', commit: COMMIT, paths: [a]}
    campaigns.c.sources.x.git holds a name or a password before the @, which logs and the report would show; write the address without it, and the password into ~/.netrc
sources/x = {url: a, sha256: DIGEST, seed: 3}
    campaigns.c.sources.x.seed has no meaning without 'generate'; remove it
sources/x = {git: 'https://h/o/n', paths: [runs]}
    campaigns.c.sources.x.commit is missing; add the 40 digits that `git rev-parse HEAD` prints
sources/x = {git: 'https://h/o/n', commit: abc, paths: [runs]}
    campaigns.c.sources.x.commit is 'abc'; it must be the 40 hexadecimal digits of a commit, as `git rev-parse HEAD` prints
sources/x = {git: 'https://h/o/n', commit: COMMIT}
    campaigns.c.sources.x.paths is missing; name the files to take, as ['runs/*', 'qrels/*']
sources/x = {git: 'https://h/o/n', commit: COMMIT, paths: [../a]}
    campaigns.c.sources.x.paths holds '../a', which leaves the repository; name paths inside it
sources/x = {git: 'git@h:o/n', commit: COMMIT, paths: [a]}
    campaigns.c.sources.x.git is 'git@h:o/n'; write the https:// address, which asks for no password
sources/x = {git: 'ssh://h/o/n', commit: COMMIT, paths: [a]}
    campaigns.c.sources.x.git is 'ssh://h/o/n'; it must be an http://, https://, git:// or file:// address or a local path
sources/x = {git: 'https://h/o/n', commit: COMMIT, paths: [a], files: {b: 2}}
    campaigns.c.sources.x.files counts 'b', which is not in paths; use a path from there
sources/x = {git: 'https://h/o/n', commit: COMMIT, paths: [a], missing: wran}
    campaigns.c.sources.x.missing is 'wran', which is not a choice; did you mean 'warn'?
sources/x = {generate: demo, commit: COMMIT}
    campaigns.c.sources.x.commit has no meaning without 'git'; remove it
fetch = {deadline: 0}
    campaigns.c.fetch.deadline is 0; it must be at least 1
sources/x = {generate: dmo}
    campaigns.c.sources.x.generate is 'dmo', which is not a choice; did you mean 'demo'?
sources/x = {generate: demo, unpack: false}
    campaigns.c.sources.x.unpack has no meaning without 'url'; remove it
sources/x = {generate: demo, seed: -3}
    campaigns.c.sources.x.seed is -3; it must be at least 0
sources/a b = {generate: demo}
    campaigns.c.sources.'a b' is not a good name; it must start with a letter or digit and hold only letters, digits, '.', '_' and '-', because it names a folder
significance/alpha = .nan
    campaigns.c.significance.alpha is nan, which is no number to work with; write one
correlations/persistence = .nan
    campaigns.c.correlations.persistence is nan, which is no number to work with; write one
runs/batches = 1000000000
    campaigns.c.runs.batches is 1000000000; it must be at most 1000
pages/shards = 1000000000
    campaigns.c.pages.shards is 1000000000; it must be at most 10000
dimensions/topicality/threshold = 0
    campaigns.c.dimensions.topicality.threshold is 0, the worst label of the scale [0, 2], so that every label counts; choose the worst one that is still good
"""  # noqa: E501

CASES = re.findall(r"^(\S.*) = (.*)\n    (.*)$", BAD, re.MULTILINE)


def test_the_table_is_read_whole() -> None:
    assert len(CASES) * 2 == len(BAD.strip().splitlines())


@pytest.mark.parametrize(("path", "value", "message"), CASES)
def test_bad_value(path: str, value: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        check(changed((path, value.replace("DIGEST", "a" * 64).replace("COMMIT", "b" * 40))))
    assert str(error.value) == f"config: {message}"


def test_other_mistakes_hide_no_wrong_measure() -> None:
    with pytest.raises(InputError) as error:
        check(
            changed(
                ("dimensions/topicality/treshold", "1"),
                ("measures", "[RBP(p=1.8), nDCG10]"),
            )
        )
    told = str(error.value).splitlines()
    assert told[0] == "config: 3 problems:"
    assert len(told) == 4
    assert told[1].endswith("topicality.treshold is not a known key; did you mean 'threshold'?")
    assert "campaigns.c.measures[0]" in told[2]
    assert "campaigns.c.measures[1]" in told[3]


@pytest.mark.parametrize(
    ("path", "value"), [("dimensions", "[1, {}]"), ("dimensions/other", "7"), ("measures", "5")]
)
def test_no_measure_is_blamed_for_what_it_reads(path: str, value: str) -> None:
    """Where dimensions are unclear, only they are told."""
    with pytest.raises(InputError) as error:
        check(changed((path, value), *([("measures", "[P@10(on=other)]")] if "/" in path else [])))
    assert len(str(error.value).splitlines()) == 1


TOGETHER = [
    (
        [("topics", GONE), ("policies/topics", "topics")],
        "campaigns.c.policies.topics is 'topics', but there is no topics file; add topics.file",
    ),
    (
        [("dimensions", "{sim: {estimate: {threshold: 3}}}"), ("measures", "[P@10]")],
        "campaigns.c.policies.topics is 'labels', but no dimension has labels; add some, or a "
        "topics file and policies.topics: topics",
    ),
    (
        [("dimensions/topicality/key", "document")],
        "campaigns.c.policies.topics is 'labels', but the labels of 'topicality', the first "
        "dimension, belong to documents alone; put one with key: topic first, or a topics file "
        "and policies.topics: topics",
    ),
    (
        [
            ("dimensions/Simulated", "{estimate: {threshold: 3}}"),
            ("measures", "['P(on=simulated)@10', 'P(on=Simulated)@10']"),
        ],
        "campaigns.c.measures[1] 'P(on=Simulated)@10' would share its file with "
        "'P(on=simulated)@10'; remove one",
    ),
    (
        [("pool/depth", "20"), ("policies/depth", "15")],
        "campaigns.c.pool.depth is 20, deeper than policies.depth 15; raise that or lower this",
    ),
]


@pytest.mark.parametrize(("changes", "message"), TOGETHER)
def test_keys_that_contradict_each_other(changes: list[tuple[str, str]], message: str) -> None:
    with pytest.raises(InputError) as error:
        check(changed(*changes))
    assert str(error.value) == f"config: {message}"


WHOLE = [
    ("[]", "the file must be a map, not a list; its keys are campaigns, papers"),
    ("", "the file must be a map, not empty; give it a value or remove the key"),
    ("{}", "campaigns is missing; add it (the campaigns to run, by name)"),
]


@pytest.mark.parametrize(("text", "message"), WHOLE)
def test_bad_file(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        check(yaml.safe_load(text))
    assert str(error.value) == f"config: {message}"


NAMES = [
    ("a b", "campaigns.'a b' is not a good name"),
    ("..", "campaigns.'..' is not a good name"),
    ("-x", "campaigns.-x is not a good name"),
    ("a/b", "campaigns.'a/b' is not a good name"),
    ("mine\n", "campaigns.'mine\\n' is not a good name"),
]


@pytest.mark.parametrize(("name", "message"), NAMES)
def test_bad_campaign_name(name: str, message: str) -> None:
    config = yaml.safe_load(GOOD)
    with pytest.raises(InputError) as error:
        check({"campaigns": {name: config["campaigns"]["c"]}})
    assert str(error.value) == (
        f"config: {message}; it must start with a letter or digit and hold only letters, digits, "
        "'.', '_' and '-', because it names a folder"
    )


def test_key_that_yaml_misreads() -> None:
    good = yaml.safe_load(GOOD)["campaigns"]["c"]
    with pytest.raises(InputError) as error:
        check({"campaigns": {2015: good}})
    assert str(error.value) == (
        "config: campaigns.2015 is a key that YAML reads as the number 2015; put it in quotes"
    )
    with pytest.raises(InputError) as error:
        check(yaml.safe_load(GOOD + "    on: 1\n"))
    assert str(error.value) == (
        "config: campaigns.c.true is a key that YAML reads as true (as it does yes, no, on and "
        "off); put it in quotes"
    )


def test_all_problems_are_told_at_once() -> None:
    config = yaml.safe_load(GOOD)
    config["campaigns"]["d"] = changed(("polices", "{}"), ("pool/depth", "0"))["campaigns"]["c"]
    config["campaigns"]["e"] = changed(("measures", "[P@0, AP, RPB]"))["campaigns"]["c"]
    with pytest.raises(InputError) as error:
        check(config)
    assert str(error.value).splitlines() == [
        "config: 4 problems:",
        "config: campaigns.d.polices is not a known key; did you mean 'policies'?",
        "config: campaigns.d.pool.depth is 0; it must be at least 1",
        "config: campaigns.e.measures[0]: measure 'P@0': the cutoff @0 must be a whole number "
        "from 1 up",
        "config: campaigns.e.measures[2]: measure 'RPB': no measure is called 'RPB'; did you mean "
        "'RBP'?",
    ]


def test_an_unquoted_comma_is_explained() -> None:
    with pytest.raises(InputError) as error:
        check(changed(("measures", "[RBP(p=0.8, on=understandability)]")))
    assert str(error.value).splitlines()[1:] == [
        "config: campaigns.c.measures[0] is 'RBP(p=0.8', cut at a comma by YAML; put the measure "
        "in quotes",
        "config: campaigns.c.measures[1] is 'on=understandability)', cut at a comma by YAML; put "
        "the measure in quotes",
    ]


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
    found = lib.resolve(local(("runs/files", "[runs/b*.gz, '@demo/runs/*', runs/*_1*]")), root=root)
    assert found.runs.local == ("runs/b_1.gz", "runs/b_2.gz", "runs/a_1")
    assert found.runs.made == ("demo",)
    assert found.runs.inputs("results/c/sources")[2:] == ["runs/a_1", "results/c/sources/demo"]
    assert found.labels["topicality"] == lib.Files(local=("t.qrels",), made=())
    assert list(found.labels) == ["topicality", "understandability"]
    assert found.pages == lib.Files(local=(), made=("demo",))


def test_braces_in_a_file_name_are_refused(root: Path) -> None:
    (root / "runs/a_{x}").write_text("1 Q0 a 1 2 t\n")
    with pytest.raises(InputError) as error:
        lib.resolve(check(changed(("runs/files", "runs/*"), ("runs/team", "null")))["c"], root=root)
    assert (
        "config: campaigns.c.runs.files: the file 'runs/a_{x}' has braces in its name, "
        "which Snakemake takes for a wildcard; rename it"
    ) in str(error.value).split("\n")


def test_a_name_with_brackets_is_a_name(root: Path) -> None:
    assert lib.files(["runs/[x].txt"], root=root).local == ("runs/[x].txt",)


def test_expand_sees_made_folders(root: Path) -> None:
    sources = root / "results/c/sources"
    pages = lib.expand(["@demo/pages/**/*.html", "t.qrels"], sources=sources, root=root)
    assert pages == [
        sources / "demo/pages/deep/p2.html",
        sources / "demo/pages/p1.html",
        root / "t.qrels",
    ]
    with pytest.raises(InputError) as error:
        lib.expand(["@demo/runs/*"], sources=sources, root=root)
    assert str(error.value) == (
        f"'@demo/runs/*' matches no file; correct the path, relative to {sources / 'demo'}"
    )


DISK = [
    (
        [("runs/files", "rnus/*.gz")],
        "config: campaigns.c.runs.files 'rnus/*.gz' matches no file; "
        "correct the path, relative to ROOT",
    ),
    (
        [("dimensions/topicality/labels", "runs")],
        "config: campaigns.c.dimensions.topicality.labels 'runs' is a folder, not a file; "
        "write 'runs/*'",
    ),
    (
        [("topics/file", "topics.xml")],
        "config: campaigns.c.topics.file 'topics.xml' matches no file; "
        "correct the path, relative to ROOT",
    ),
    (
        [("sources/x", "{url: x.tar, sha256: " + "a" * 64 + "}")],
        "config: campaigns.c.sources.x.url 'x.tar' matches no file; "
        "correct the path, relative to ROOT",
    ),
    (
        [("runs/files", "[runs/*.gz, more/*]")],
        "config: campaigns.c.runs: runs/b_1.gz and more/b_1 both give the run name 'b_1'; "
        "rename one of them or take it out of runs.files",
    ),
    (
        [("runs/team", "{table: teams.csv}")],
        "config: campaigns.c.runs.team.table 'teams.csv' matches no file; correct the path, "
        "relative to ROOT",
    ),
]


@pytest.mark.parametrize(("changes", "message"), DISK)
def test_files_that_are_not_there(root: Path, changes: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        lib.resolve(local(*changes), root=root)
    assert str(error.value) == message.replace("ROOT", str(root))


def test_resolve_tells_all_at_once(root: Path) -> None:
    with pytest.raises(InputError) as error:
        lib.resolve(local(("runs/files", "[no1, no2]"), ("topics/file", "no3")), root=root)
    assert [line.split("'")[1::2] for line in str(error.value).splitlines()] == [
        [],
        ["no1"],
        ["no2"],
        ["no3"],
    ]


def test_a_run_without_a_team_does_not_stop_the_config(root: Path) -> None:
    assert lib.resolve(local(("runs/team", "'^(a)'")), root=root).runs.local


def test_documents() -> None:
    found = lib.documents(["a/aldf.1864_12.html.gz", "b/c.HTM", "d/aldf.1864_12_27"])
    assert [document for document, _ in found] == ["aldf.1864_12", "c", "aldf.1864_12_27"]


def test_a_team_expression_that_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.storage.expressions.SECONDS", 0.2)
    run = "a" * 60 + "!"
    with pytest.raises(InputError) as error:
        teams_of({run: None}, given=Teams(name="^((a|aa)+)$"))
    assert str(error.value) == (
        f"run '{run}': runs.team '^((a|aa)+)$' tries for more than 0.2 seconds on '{run}'; "
        "write it without repeats inside repeats, as ([^_]+)_ instead of (a+)+"
    )


# --- the schema, its docs, and the configs we ship


def needed(rules: Any, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Paths of the required keys."""
    yield from ((*above, key) for key in rules.get("required", []))
    for key, sub in rules.get("properties", {}).items():
        yield from needed(sub, (*above, key))
    if isinstance(others := rules.get("additionalProperties"), dict):
        yield from needed(others, (*above, f"<{rules['x-name']}>"))


def test_every_key_has_a_meaning_and_a_default_or_is_required() -> None:
    required = set(needed(SCHEMA))
    assert ("campaigns", "<campaign>", "runs", "files") in required
    for path, rules in keys(SCHEMA):
        assert len(rules["description"]) > 15, path
        assert ("default" in rules) != (path in required), path
        assert rules["description"].endswith(" Required.") == (path in required), path


def test_every_map_of_the_schema_is_closed() -> None:
    for path, rules in keys(SCHEMA):
        if "object" in rules.get("type", ()):
            assert "additionalProperties" in rules, path


def test_choices_are_those_of_the_steps() -> None:
    known = {path[-1]: rules.get("enum") for path, rules in keys(SCHEMA) if "estimate" in path}
    assert known["index"] == list(INDICES)
    assert known["model"] == list(MODELS)


def test_example_of_the_readme_is_good() -> None:
    text = (ROOT / "config/README.md").read_text()
    [example] = re.findall(r"<!-- example:begin -->\n```yaml\n(.*?)```", text, re.DOTALL)
    assert len(check(yaml.safe_load(example))["mine"].measures) == 4


def test_message_of_the_readme_is_real() -> None:
    text = (ROOT / "config/README.md").read_text()
    good = changed(("polices", "{}"))["campaigns"]["c"]
    with pytest.raises(InputError) as error:
        check({"campaigns": {"mine": good}})
    assert f"\n{error.value}\n" in text


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
    inputs = lib.resolve(found, root=ROOT)
    named = lib.run_names(inputs.runs.local)
    assert len(named) == runs
    assert len(set(teams_of(dict.fromkeys(named), given=found.runs.team).values())) == teams


def test_a_list_of_thresholds_makes_a_dimension_of_each() -> None:
    config = changed(("dimensions/simulated/estimate/threshold", "[10, 12.5, -3]"))
    made = check(config)["c"].dimensions
    names = ["simulated_10", "simulated_12_5", "simulated_minus_3"]
    assert [name for name in made if name.startswith("simulated")] == names
    assert [made[name].estimate.threshold for name in names] == [10, 12.5, -3]
    assert all(made[name].estimate.model == made[names[0]].estimate.model for name in names)


def test_a_made_dimension_may_not_meet_a_given_one() -> None:
    config = changed(
        ("dimensions/simulated/estimate/threshold", "[10, 15]"),
        ("dimensions/simulated_15", "{estimate: {threshold: 3}}"),
    )
    with pytest.raises(InputError, match="15 makes the dimension 'simulated_15', which there is"):
        check(config)
