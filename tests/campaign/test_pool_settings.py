"""The config of pools and judgements: what it becomes, and what is refused in which words."""

import pytest
import yaml

from pipeline.errors import InputError
from pipeline.pooling.plan import Stratum
from tests.campaign.test_campaign import GOOD, changed, check


def test_defaults() -> None:
    found = check(yaml.safe_load(GOOD))["c"]
    assert (found.fusion, found.sweep, found.variations) == ({}, True, None)
    assert found.reusability == ("team", "run")
    assert found.agreement.bootstrap == 1000
    judging = found.dimensions["topicality"].judging
    assert judging
    assert (judging.sets, judging.sweep.thresholds, judging.sweep.gains) == ({}, None, None)
    assert found.compared == ()


def test_given_values() -> None:
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
    judging = found.dimensions["topicality"].judging
    assert judging
    assert judging.sets == {"crowd": ("c.qrels",)}
    assert judging.sweep.thresholds == (2.0,)
    assert judging.sweep.gains == ({0.0: 0, 1.0: 0.5, 2.0: 1},)


def test_an_adaptive_pool_knows_whose_labels_it_replays() -> None:
    assert check(changed(("pool", "{method: bandit}")))["c"].pool.labels == "topicality"


def test_without_teams_runs_are_left_out() -> None:
    assert check(changed(("runs/team", "null")))["c"].reusability == ("run",)


BAD = {
    "pool.size has no meaning for the method 'depth', only for take, uniform, move_to_front, "
    "bandit; remove it": [("pool", "{size: 5}")],
    "pool.strata is empty, but the method is 'stratified'; write [{to: 10, share: 1}]": [
        ("pool", "{method: stratified}")
    ],
    "pool.strata ends at 9, 5; each stratum must end deeper than the last": [
        ("pool", "{method: stratified, strata: [{to: 9, share: 1}, {to: 5, share: 1}]}")
    ],
    "pool.strata takes no share of any stratum, so the pool would be empty; raise one": [
        ("pool", "{method: stratified, strata: [{to: 9, share: 0}]}")
    ],
    "pool.labels is 'topical', which has no labels; did you mean 'topicality'?": [
        ("pool", "{method: bandit, labels: topical}")
    ],
    "pool.runs '(' is not a regular expression (missing ), unterminated subpattern at position "
    "0); correct it": [("pool", "{runs: '('}")],
    "pool.per_team needs to know the teams; add runs.team": [
        ("runs/team", "null"), ("pool", "{per_team: 3}"),
    ],
    "reusability leaves out teams, but nobody says which they are; add runs.team": [
        ("runs/team", "null"), ("reusability", "[team]"),
    ],
    "people has no meaning without preferences or satisfaction; remove it": [
        ("people", "{samples: 2000}")
    ],
    "preferences '@nobody/x' names the unknown source 'nobody'; known sources: demo": [
        ("preferences", "'@nobody/x'")
    ],
    "satisfaction is empty; give it at least one entry": [("satisfaction", "[]")],
    r"variations '^\d' has no group; put the need in brackets, as '^(\d{3})'": [
        ("variations", r"'^\d'")
    ],
    "fusion.a_f.depth is 20, deeper than policies.depth 15; raise that or lower this": [
        ("fusion", "{a_f: {method: rrf, depth: 20}}"), ("policies/depth", "15"),
    ],
    "fusion.a_f.method is 'rff', which is not a choice; did you mean 'rrf'?": [
        ("fusion", "{a_f: {method: rff}}")
    ],
    "dimensions.topicality.sets.labels is the name of the dimension's own labels; choose another": [
        ("dimensions/topicality/sets", "{labels: x}")
    ],
    "dimensions.topicality.sweep.thresholds holds 7, outside the scale [0, 2]; remove it": [
        ("dimensions/topicality/sweep", "{thresholds: [1, 7]}")
    ],
    "dimensions.topicality.sweep.gains[0] has no gain for label 2 of the scale [0, 2]; add it": [
        ("dimensions/topicality/sweep", "{gains: [{0: 0, 1: 1}]}")
    ],
}  # fmt: skip


@pytest.mark.parametrize("message", BAD)
def test_what_is_refused(message: str) -> None:
    with pytest.raises(InputError) as caught:
        check(changed(*BAD[message]))
    assert str(caught.value) == f"config: campaigns.c.{message}"
