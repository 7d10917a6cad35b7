"""checks.csv: what an organiser wants to know about every run before publishing."""

import csv
import gzip
from functools import partial
from pathlib import Path

import pytest

from pipeline.config.runs import Teams
from pipeline.config.scale import Scale
from pipeline.errors import InputError
from pipeline.report.checks import write_checks
from pipeline.runs.teams import is_unaffiliated
from tests.builders import Judged, Small, campaign, teams_in

LABELS = {
    "topicality": Judged({"1": {"a": 1, "b": 0, "c": 1}, "2": {"a": 1}, "3": {"a": 0}}),
    "understandability": Judged({"1": {"a": 1, "b": 9}}, Scale(0, 1, "high", 1, None, (9,))),
}
# topics 1 2 3 count, 4 is known, 8 and 9 nobody has heard of
FILES = {
    "A_plain": "1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n2 Q0 x 1 1 t\n3 Q0 a 1 1 t\n",
    # the same documents in the same order, by other scores and ranks; c only where nobody counts
    "A_twin": "3 Q0 a 1 9 t\n2 Q0 x 1 9 t\n1 Q0 b 7 8 t\n1 Q0 a 8 9 t\n4 Q0 c 1 1 t\n",
    "B_tied": "1 Q0 a 1 2 t\n1 Q0 b 2 2 t\n1 Q0 c 3 2.00000001 t\n2 Q0 a 1 1 t\n",
    "B_odd.gz": gzip.compress(
        b"9 Q0 a 1 1 t\n1 Q0 a 1 5 t\n1 Q0 a 2 4 t\n1 Q0 b 3 nan t\n8 Q0 a 1 1 t\n8 Q0 b 2 1 t\n"
    ),
    "C_long": "".join(f"1 Q0 d{n} {n + 1} {-n} t\n" for n in range(40)).replace("d3 ", "a "),
}


def made(folder: Path, files: dict[str, bytes | str] = FILES, **policies: str) -> Small:
    return campaign(folder, files, LABELS, duplicates="first", bad_scores="last", **policies)


def checks(small: Small, *, team: bool = True, unknown: str = "drop") -> list[dict]:
    out = small.folder / "checks.csv"
    write_checks(
        small.facts[0],
        rankings=small.rankings,
        gains=small.gains,
        topics=small.topics,
        known_topics=["1", "2", "3", "4"],
        unknown_topics=unknown,
        teams=teams_in(small.rankings) if team else None,
        out=out,
    )
    with out.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


EXPECTED = """
run     team lines topics missing unknown dupl bad tied   differs top.   und.   identical
A_plain A    4     3      0       0       0    0   0.0000 0       0.7500 0.2500 A_twin
A_twin  A    5     4      0       0       0    0   0.0000 1       0.7500 0.2500 A_plain
B_odd   B    6     3      2       2       1    1   0.3333 1       1.0000 0.5000 -
B_tied  B    4     2      1       0       0    0   0.7500 1       1.0000 0.2500 -
C_long  C    40    1      2       0       0    0   0.0000 0       0.1000 0.1000 -
"""
# B_odd: topic 8 is tied (2 of 6 lines) and ranked b, a; its NaN is tied with nothing.
# judged@10: topicality of A_plain a, b and a of 4 documents; understandability a alone (9: b
# cannot be judged); B_odd a and b of topic 1; C_long the a among its first ten.


def test_every_column(tmp_path: Path) -> None:
    found = {row["run"]: row for row in checks(made(tmp_path))}
    assert list(found["A_plain"]) == [
        "run", "team", "file", "no_team", "lines", "comments", "topics", "missing_topics",
        "unknown_topics", "duplicates", "bad_scores", "tied_share", "lost_order", "top10_differs",
        "judged@10 topicality", "judged@10 understandability", "identical_to", "repairs",
    ]  # fmt: skip
    rows = [line.split() for line in EXPECTED.strip().splitlines()[1:]]
    assert list(found) == [row[0] for row in rows]
    for row in rows:
        got = dict(found[row[0]])
        file = {"B_odd": "B_odd.gz"}.get(row[0], row[0])
        assert got.pop("file") == str(tmp_path / "runs" / file)
        got.pop("repairs")
        assert got.pop("no_team") == "0"
        assert got.pop("comments") == "0"
        assert got.pop("lost_order") == ("1" if row[0] == "B_tied" else "0")
        assert [value or "-" for value in got.values()] == row


def test_a_run_without_a_team_counts_unless_it_is_nobodys_on_purpose(tmp_path: Path) -> None:
    small = made(tmp_path)
    teams = {**teams_in(small.rankings), "A_twin": "", "B_odd": ""}
    out = tmp_path / "checks.csv"
    given = Teams(name="(x)", none="^A_")
    for nobodys, expected in (
        (partial(is_unaffiliated, given), ["B_odd"]),
        (lambda _: False, ["A_twin", "B_odd"]),
    ):
        write_checks(
            small.facts[0], rankings=small.rankings, gains=small.gains, topics=small.topics,
            known_topics=["1", "2", "3", "4"], unknown_topics="drop", teams=teams,
            unaffiliated=nobodys, out=out,
        )  # fmt: skip
        with out.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        assert [row["run"] for row in rows if row["no_team"] == "1"] == expected


def test_repairs_are_told(tmp_path: Path) -> None:
    repairs = {row["run"]: row["repairs"] for row in checks(made(tmp_path))}
    assert repairs.pop("B_odd") == (
        "1 duplicate lines left out; 1 NaN or infinite scores let through; "
        "unknown topics left out: 9 8"
    )
    assert set(repairs.values()) == {""}


def test_runs_without_teams(tmp_path: Path) -> None:
    assert {row["team"] for row in checks(made(tmp_path), team=False)} == {""}


def test_identical_runs_come_in_groups(tmp_path: Path) -> None:
    same = "1 Q0 a 1 2 t\n2 Q0 b 2 1 t\n"
    other = {
        "x": same,
        "y": same,
        "z": same.replace(" b ", " c "),
        "w": same.replace("2 Q0", "3 Q0"),
    }
    twins = {row["run"]: row["identical_to"] for row in checks(made(tmp_path, {**other, "v": same}),
             team=False)}  # fmt: skip
    assert twins == {"v": "x y", "w": "", "x": "v y", "y": "v x", "z": ""}


DIFFERS = {
    # scores and ranks of d0 d1 d2 ...: how many topics differ in the first ten
    "agree": ([9, 8, 7], [1, 2, 3], 0),
    "from 0": ([9, 8, 7], [0, 1, 2], 0),
    "turned": ([7, 8, 9], [1, 2, 3], 1),
    "all ranks 0, in order": ([9, 8, 7], [0, 0, 0], 0),
    "all ranks 0, not in order": ([9, 7, 8], [0, 0, 0], 1),
    "ties go against the ranks": ([1, 1], [1, 2], 1),
    "ties go with the ranks": ([1, 1], [2, 1], 0),
    "behind the first ten": ([*range(20, 10, -1), 1, 2], range(12), 0),
    "at the tenth": ([*range(20, 11, -1), 1, 2], range(11), 1),
}


@pytest.mark.parametrize(("scores", "ranks", "expected"), DIFFERS.values(), ids=DIFFERS)
@pytest.mark.parametrize("order", ["score", "score64", "rank"])
def test_top10_differs(
    tmp_path: Path, scores: list, ranks: list, expected: int, order: str
) -> None:
    lines = [
        f"1 Q0 d{n:02} {r} {s} t\n" for n, (s, r) in enumerate(zip(scores, ranks, strict=True))
    ]
    small = made(tmp_path, {"T_r": "".join(lines)}, order=order)
    assert [row["top10_differs"] for row in checks(small)] == [str(expected)]


UNKNOWN = {
    "plain": ("C_r", "1 Q0 a 1 1 t\n\n4 Q0 a 1 1 t\n12 Q0 a 1 1 t\n7 Q0 a 1 1 t\n", 4, "12", 2),
    "gzip, BOM, CRLF, tabs": (
        "C_r.gz", gzip.compress(b"\xef\xbb\xbf 01\tQ0\ta\t1\t1\tt\r\n1 Q0 01 1 1 t\r\n"),
        1, "01", 1,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("name", "content", "line", "topic", "count"), UNKNOWN.values(),
                         ids=UNKNOWN)  # fmt: skip
def test_unknown_topics_may_be_an_error(
    tmp_path: Path, name: str, content: bytes | str, line: int, topic: str, count: int
) -> None:
    small = made(tmp_path, {name: content})
    with pytest.raises(InputError) as caught:
        checks(small, unknown="error")
    (problem,) = caught.value.problems
    assert (problem.where, problem.line) == (tmp_path / "runs" / name, line)
    assert f"'{topic}'" in problem.what
    assert f"({count} " in problem.what
    assert "policies.unknown_topics" in problem.fix
    assert not (tmp_path / "checks.csv").exists()


def test_known_topics_are_no_error(tmp_path: Path) -> None:
    assert len(checks(made(tmp_path, {"A_twin": FILES["A_twin"]}), unknown="error")) == 1
