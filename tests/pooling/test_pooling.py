"""Pooling: each method by hand, and against the obvious loop; what a pool covers."""

import csv
import random
from pathlib import Path

import pytest

from pipeline.errors import InputError
from pipeline.pooling.declaration import METHODS
from pipeline.pooling.files import read
from pipeline.pooling.methods.bandit import thompson
from pipeline.pooling.methods.move_to_front import fewest_misses
from pipeline.pooling.plan import Plan, Stratum
from pipeline.pooling.pool import pool
from pipeline.pooling.sampling import generator
from pipeline.pooling.statistics import FILES, describe
from pipeline.runs.fusion.settings import Fusion
from tests.builders import Judged, campaign, ranked, ranked_files, run_text, teams_in

PLAIN = Plan(
    method="depth", depth=2, size=3, fusion=Fusion(method="rrf"), strata=(), runs=None,
    per_team=None, seed=1,
)  # fmt: skip
REST = Stratum(to=3, share=1)
RUNS = {
    "A_1": {"10": ranked("a b c"), "2": ranked("x")},
    "A_2": {"10": ranked("d b a")},
    "B_1": {"2": ranked("y x z")},
}


def plan(**given: object) -> Plan:
    return Plan(**{**PLAIN.__dict__, **given})  # type: ignore[arg-type]


def pooled(folder: Path, systems: dict, *, labels: Path | None = None, **given: object) -> str:
    small = ranked_files(folder, {run: run_text(lists) for run, lists in systems.items()})
    out = folder / "pool.tsv"
    pool(small.rankings, plan=plan(**given), teams=teams_in(small.rankings), labels=labels, out=out)
    return out.read_text(encoding="utf-8")


def test_by_hand(tmp_path: Path) -> None:
    assert pooled(tmp_path, RUNS) == (
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
        f"t{t}\t{document}\t{len(ranks)}\t{min(ranks)}\t1"
        for (t, document), ranks in sorted(found.items())
    ]
    assert pooled(tmp_path, runs, depth=depth).splitlines()[1:] == expected


def test_ids_with_quotes(tmp_path: Path) -> None:
    text = pooled(tmp_path, {"r_": {"1": ranked("""http://x/?q="a",b'c' é""")}}, depth=5)
    assert text.splitlines()[1:] == ["""1\thttp://x/?q="a",b'c'\t1\t1\t1""", "1\té\t1\t2\t1"]
    assert read(tmp_path / "pool.tsv") == {"1": ["""http://x/?q="a",b'c'""", "é"]}


@pytest.mark.parametrize(
    ("given", "topic10"),
    [
        ({"runs": "1$"}, "a b"),
        ({"per_team": 1}, "a b"),
        ({"per_team": 2}, "a b d"),
        # 1/61 + 1/63 is more than 2/62
        ({"method": "take", "fusion": Fusion(method="rrf"), "size": 1}, "a"),
        ({"method": "take", "fusion": Fusion(method="borda"), "size": 2}, "a b"),
        # a, b, d all 1: id
        ({"method": "take", "fusion": Fusion(method="combsum"), "size": 1}, "d"),
        ({"method": "uniform", "depth": 3, "size": 99}, "a b c d"),
        ({"method": "stratified", "strata": (Stratum(to=1, share=1),)}, "a d"),
        ({"method": "stratified", "strata": (Stratum(to=1, share=0), REST)}, "b c"),
    ],
)  # fmt: skip
def test_methods(tmp_path: Path, given: dict[str, object], topic10: str) -> None:
    pooled(tmp_path, RUNS, **given)
    assert read(tmp_path / "pool.tsv")["10"] == topic10.split()


def test_samples_follow_the_seed_and_say_their_chance(tmp_path: Path) -> None:
    runs = {"r_": {"1": ranked(" ".join(f"d{i:02}" for i in range(40)))}}
    given = {"method": "uniform", "depth": 40, "size": 10}
    first = pooled(tmp_path, runs, seed=1, **given)
    assert pooled(tmp_path, runs, seed=1, **given) == first
    assert pooled(tmp_path, runs, seed=2, **given) != first
    assert [line.split("\t")[4] for line in first.splitlines()[1:]] == ["0.25"] * 10


def test_another_topic_changes_no_sample(tmp_path: Path) -> None:
    lists = {"1": ranked(" ".join(f"d{i:02}" for i in range(40)))}
    given = {"method": "uniform", "depth": 40, "size": 5}
    pooled(tmp_path, {"r_": lists}, **given)
    alone = read(tmp_path / "pool.tsv")["1"]
    pooled(tmp_path, {"r_": {"0": ranked("a b c"), **lists}}, **given)
    assert read(tmp_path / "pool.tsv")["1"] == alone


def test_strata_are_drawn_in_their_shares(tmp_path: Path) -> None:
    runs = {"r_": {"1": ranked(" ".join(f"d{i:02}" for i in range(50)))}}
    strata = (Stratum(to=10, share=1), Stratum(to=50, share=0.25))
    text = pooled(tmp_path, runs, method="stratified", strata=strata)
    chance = [float(line.split("\t")[4]) for line in text.splitlines()[1:]]
    assert (chance.count(1), chance.count(0.25), len(chance)) == (10, 10, 20)


def test_move_to_front_stays_with_a_run_that_finds() -> None:
    lists = [[1, 2, 3, 4], [5, 6, 1], [7, 8]]
    good = {1: True, 2: True, 3: False, 4: False, 5: False, 6: True, 7: False, 8: False}
    # run 0 until 3 fails; run 1: 5 fails; run 2: 7 fails; all have one miss: run 0: 4 fails; ...
    assert list(fewest_misses(lists, good, generator(1, "t"))) == [1, 2, 3, 5, 7, 4, 6, 8]


def test_the_bandit_learns_which_run_finds() -> None:
    lists = [list(range(100)), list(range(100, 200))]
    good = {d: d < 100 for d in range(200)}
    first = [d for d, _ in zip(thompson(lists, good, generator(1, "t")), range(60), strict=False)]
    assert sum(good[d] for d in first) > 50
    assert sorted(thompson(lists, good, generator(1, "t"))) == list(range(200))


def test_adaptive_pools_replay_the_labels(tmp_path: Path) -> None:
    runs = {"A_1": {"1": ranked("a b c d")}, "B_1": {"1": ranked("e f g h")}}
    files = {run: run_text(lists) for run, lists in runs.items()}
    judged = {"topicality": Judged({"1": {"e": 1, "f": 1, "g": 1, "a": 0}})}
    small = campaign(tmp_path, files, judged)
    pooled(tmp_path, runs, labels=small.labels["topicality"], method="move_to_front", size=4)
    assert read(tmp_path / "pool.tsv")["1"] == ["a", "e", "f", "g"]  # a fails, then B_1 finds


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"runs": "^none"}, "pool.runs: '^none' finds none of the 3 runs, as 'A_1'; correct the"),
        (
            {"method": "stratified", "strata": (Stratum(to=5, share=0),)},
            "the pool is empty: the 3 pooled runs hold no document that pool.method 'stratified'",
        ),
    ],
)
def test_empty_pools(tmp_path: Path, given: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        pooled(tmp_path, RUNS, **given)
    assert str(caught.value).startswith(message)


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
    teams = teams_in(small.rankings)
    pool(small.rankings, plan=plan(**given), teams=teams, out=folder / "pool.tsv")
    out = {name: folder / f"{name}.csv" for name in FILES}
    describe(
        folder / "pool.tsv", rankings=small.rankings, labels=small.labels["topicality"],
        topics=small.topics, plan=plan(**given), reach=METHODS["depth"].reach(plan(**given)),
        teams=teams, out=out,
    )  # fmt: skip
    return {name: list(csv.DictReader(path.open(newline=""))) for name, path in out.items()}


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


def test_a_topic_no_pooled_run_answers_is_told(tmp_path: Path) -> None:
    from pipeline.report.results import Files, Results
    from pipeline.report.section import SECTIONS

    found = described(tmp_path, runs="^B")
    assert found["topics"][1]["documents"] == "0"
    files = Files(
        means=tmp_path / "means.csv",
        scores=[],
        checks=tmp_path / "checks.csv",
        tables={f"pool/{name}.csv": tmp_path / f"{name}.csv" for name in FILES},
    )
    results = Results(campaign="small", title="Small", contrast=("AP", "AP"), files=files)
    section = SECTIONS["pool"].show(results)
    assert section is not None
    pool = section.values["pool"]  # tests/report/test_sentences.py has the sentences
    assert (pool.empty, pool.single, pool.absent) == (("2",), ("2",), ("A", "C"))
