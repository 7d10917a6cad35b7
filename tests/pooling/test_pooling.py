"""Pooling: each method by hand, and against the obvious loop; what a pool covers."""

import csv
import random
from pathlib import Path

import pytest

from pipeline.config.pool import Plan, Stratum
from pipeline.errors import InputError
from pipeline.labels.topics import CampaignTopic
from pipeline.pooling import candidates
from pipeline.pooling.declaration import generator
from pipeline.pooling.methods.adaptive import fewest_misses, judging_order, thompson
from pipeline.pooling.pool import Row, by_topic, choose, pool, write
from pipeline.pooling.statistics import read_judged
from pipeline.runs.rankings import read as read_rankings
from pipeline.runs.rankings import topics_of
from tests.builders import Judged, campaign, ranked, ranked_files, run_text, teams_in

PLAIN = Plan(method="depth", depth=2, size=3)
REST = Stratum(to=3, share=1)
TABLES = ("topics", "teams", "overlap", "runs")
RUNS = {
    "A_1": {"10": ranked("a b c"), "2": ranked("x")},
    "A_2": {"10": ranked("d b a")},
    "B_1": {"2": ranked("y x z")},
}


def plan(**given: object) -> Plan:
    return Plan.model_validate({**PLAIN.model_dump(), **given})


def chosen(rankings: Path, *, plan: Plan, labels: Path | None = None) -> list[Row]:
    ranked = read_rankings(rankings, topics=topics_of(rankings), scores=True)
    runs = candidates.pooled(ranked.runs, plan=plan, teams=teams_in(rankings))
    relevant = read_judged(labels) if labels else {}
    return choose(ranked, plan=plan, runs=runs, relevant=relevant)


def pooled(
    folder: Path, systems: dict, *, labels: Path | None = None, **given: object
) -> list[Row]:
    small = ranked_files(folder, {run: run_text(lists) for run, lists in systems.items()})
    return chosen(small.rankings, plan=plan(**given), labels=labels)


def test_by_hand(tmp_path: Path) -> None:
    write(tmp_path / "pool.tsv", pooled(tmp_path, RUNS))
    assert (tmp_path / "pool.tsv").read_text() == (
        "topic\tdocument\truns\tbest_rank\tprobability\n"
        "2\tx\t2\t1\t1\n2\ty\t1\t1\t1\n"
        "10\ta\t1\t1\t1\n10\tb\t2\t2\t1\n10\td\t1\t1\t1\n"
    )


@pytest.mark.parametrize("depth", [1, 3, 10, 500])
def test_as_the_obvious_loop(tmp_path: Path, depth: int) -> None:
    chance = random.Random(depth)
    runs = {
        f"r{r}_": {
            f"t{t}": ranked(" ".join(chance.sample([f"d{d}" for d in range(30)], 15)))
            for t in chance.sample(range(12), 9)
        }
        for r in range(6)
    }
    found: dict[tuple[int, str], list[int]] = {}
    for lists in runs.values():
        for topic, documents in lists.items():
            for rank, document in enumerate(list(documents)[:depth], 1):
                found.setdefault((int(topic[1:]), document), []).append(rank)
    expected = [
        (f"t{t}", document, len(ranks), min(ranks), 1.0)
        for (t, document), ranks in sorted(found.items())
    ]
    assert pooled(tmp_path, runs, depth=depth) == expected


def test_ids_with_quotes(tmp_path: Path) -> None:
    rows = pooled(tmp_path, {"r_": {"1": ranked("""http://x/?q="a",b'c' é""")}}, depth=5)
    write(tmp_path / "pool.tsv", rows)
    lines = (tmp_path / "pool.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[1:] == ["""1\thttp://x/?q="a",b'c'\t1\t1\t1""", "1\té\t1\t2\t1"]
    assert by_topic(rows) == {"1": ["""http://x/?q="a",b'c'""", "é"]}


@pytest.mark.parametrize(
    ("given", "topic10"),
    [
        ({"runs": "1$"}, "a b"),
        ({"per_team": 1}, "a b"),
        ({"per_team": 2}, "a b d"),
        # 1/61 + 1/63 is more than 2/62
        ({"method": "take", "by": "rrf", "size": 1}, "a"),
        ({"method": "take", "by": "borda", "size": 2}, "a b"),
        # a, b, d all 1: id
        ({"method": "take", "by": "combsum", "size": 1}, "d"),
        ({"method": "uniform", "depth": 3, "size": 99}, "a b c d"),
        ({"method": "stratified", "strata": (Stratum(to=1, share=1),)}, "a d"),
        ({"method": "stratified", "strata": (Stratum(to=1, share=0), REST)}, "b c"),
    ],
)  # fmt: skip
def test_methods(tmp_path: Path, given: dict[str, object], topic10: str) -> None:
    assert by_topic(pooled(tmp_path, RUNS, **given))["10"] == topic10.split()


def test_samples_follow_the_seed_and_say_their_chance(tmp_path: Path) -> None:
    runs = {"r_": {"1": ranked(" ".join(f"d{i:02}" for i in range(40)))}}
    given = {"method": "uniform", "depth": 40, "size": 10}
    first = pooled(tmp_path, runs, seed=1, **given)
    assert pooled(tmp_path, runs, seed=1, **given) == first
    assert pooled(tmp_path, runs, seed=2, **given) != first
    assert [row[4] for row in first] == [0.25] * 10


def test_another_topic_changes_no_sample(tmp_path: Path) -> None:
    lists = {"1": ranked(" ".join(f"d{i:02}" for i in range(40)))}
    given = {"method": "uniform", "depth": 40, "size": 5}
    alone = by_topic(pooled(tmp_path, {"r_": lists}, **given))["1"]
    beside = pooled(tmp_path, {"r_": {"0": ranked("a b c"), **lists}}, **given)
    assert by_topic(beside)["1"] == alone


def test_strata_are_drawn_in_their_shares(tmp_path: Path) -> None:
    runs = {"r_": {"1": ranked(" ".join(f"d{i:02}" for i in range(50)))}}
    strata = (Stratum(to=10, share=1), Stratum(to=50, share=0.25))
    chance = [row[4] for row in pooled(tmp_path, runs, method="stratified", strata=strata)]
    assert (chance.count(1), chance.count(0.25), len(chance)) == (10, 10, 20)


def test_move_to_front_stays_with_a_run_that_finds() -> None:
    lists = [[1, 2, 3, 4], [5, 6, 1], [7, 8]]
    good = {1: True, 2: True, 3: False, 4: False, 5: False, 6: True, 7: False, 8: False}
    order = list(judging_order(lists, good, fewest_misses, generator(1, "t")))
    # run 0 until 3 fails; run 1: 5 fails; run 2: 7 fails; all have one miss: run 0: 4 fails; ...
    assert order == [1, 2, 3, 5, 7, 4, 6, 8]


def test_the_bandit_learns_which_run_finds() -> None:
    lists = [list(range(100)), list(range(100, 200))]
    good = {d: d < 100 for d in range(200)}
    order = list(judging_order(lists, good, thompson, generator(1, "t")))
    assert sum(good[d] for d in order[:60]) > 50
    assert sorted(order) == list(range(200))


def test_adaptive_pools_replay_the_labels(tmp_path: Path) -> None:
    runs = {"A_1": {"1": ranked("a b c d")}, "B_1": {"1": ranked("e f g h")}}
    files = {run: run_text(lists) for run, lists in runs.items()}
    judged = {"topicality": Judged({"1": {"e": 1, "f": 1, "g": 1, "a": 0}})}
    small = campaign(tmp_path, files, judged)
    labels = small.labels["topicality"]
    rows = pooled(tmp_path, runs, labels=labels, method="move_to_front", size=4)
    assert by_topic(rows)["1"] == ["a", "e", "f", "g"]  # a fails, then B_1 finds


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ({"runs": "^none"}, "pool.runs"),
        (
            {"method": "stratified", "strata": (Stratum(to=5, share=0), Stratum(to=9, share=1))},
            "pool.method",
        ),
    ],
)
def test_empty_pools(tmp_path: Path, given: dict[str, object], where: str) -> None:
    with pytest.raises(InputError) as caught:
        pooled(tmp_path, RUNS, **given)
    assert str(caught.value).startswith(f"{where}: ")


# ---- what a pool covers ------------------------------------------------------------------------


def described(folder: Path, **given: object) -> dict[str, list[dict[str, str]]]:
    runs = {
        "A_1": {"1": ranked("a b c"), "2": ranked("x y")},
        "A_2": {"1": ranked("a d")},
        "B_1": {"1": ranked("b e")},
        "C_9": {"2": ranked("z")},
    }
    judged = {"topicality": Judged({"1": {"a": 1, "d": 1, "e": 0, "q": 1}, "2": {"y": 1}})}
    files = {run: run_text(lists) for run, lists in runs.items()}
    small = campaign(folder, files, judged)
    tables = {name: folder / f"{name}.csv" for name in TABLES}
    names = ("judge", "pool", "queries", "topics")
    pool(
        small.rankings,
        plan=plan(**given),
        teams=teams_in(small.rankings),
        topics=[CampaignTopic(topic, True, "") for topic in small.topics],
        labels=small.labels["topicality"],
        replayed=None,
        out=folder / "pool.tsv",
        tables=tables,
        assessors={name: folder / "assessors" / name for name in names},
    )
    return {name: list(csv.DictReader(path.open(newline=""))) for name, path in tables.items()}


def test_statistics_by_hand(tmp_path: Path) -> None:
    found = described(tmp_path, runs="^[AB]")
    # pool: topic 1: a b d e; topic 2: x y
    assert [list(row.values()) for row in found["topics"]] == [
        ["1", "1", "4", "4", "3", "3", "2"],
        ["2", "1", "2", "1", "1", "1", "1"],
    ]
    teams = {row.pop("team"): list(row.values()) for row in found["teams"]}
    # runs, pooled, documents, relevant, unique, of them judged, of them relevant
    assert teams["A"] == ["2", "2", "5", "3", "4", "3", "3"]  # a d x y are A's alone
    assert teams["B"] == ["1", "1", "2", "0", "1", "1", "0"]
    assert teams["C"] == ["1", "0", "0", "0", "0", "0", "0"]  # a team without a pooled run
    overlap = {(r["team_a"], r["team_b"]): (r["both"], r["jaccard"]) for r in found["overlap"]}
    assert overlap["A", "B"] == ("1", f"{1 / 6:.4f}")
    runs = {r["run"]: (r["pooled"], r["covered@2"], r["judged@2"]) for r in found["runs"]}
    assert runs["A_1"] == ("1", "1.0000", "0.5000")  # a b, x y: a and y judged
    assert runs["C_9"] == ("0", "0.0000", "0.0000")


def test_a_topic_no_pooled_run_answers(tmp_path: Path) -> None:
    found = described(tmp_path, runs="^B")
    assert [row["documents"] for row in found["topics"]] == ["2", "0"]
    assert {row["team"]: row["pooled_runs"] for row in found["teams"]} == {
        "A": "0", "B": "1", "C": "0",
    }  # fmt: skip
