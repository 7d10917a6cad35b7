"""The verdict: who is ahead, how sure that is, what is left open, on campaigns made so."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.measures.measure import slug
from pipeline.report.board import ENDS, furthest
from pipeline.report.report import Provenance, Report
from pipeline.report.sections import planes
from pipeline.report.verdict import claims, residuals
from pipeline.results import Results
from tests.report.made import section, words

DIMENSIONS = {"topicality": {}, "trust": {}}
POOLS = {  # topics.csv and teams.csv: how much of what is judged the pool holds, and who gave to it
    "real": ("t1,1,10,10,9,5,5", "red,2,2\nblue,1,1"),
    "other": ("t1,1,10,10,4,5,5", "red,2,2\nblue,1,1"),
    "one team": ("t1,1,10,10,9,5,5", "red,2,2"),
    "no team": ("t1,1,10,10,9,5,5", ",2,2"),
}


def made(
    folder: Path,
    plan: str,
    *,
    measures: str = "RBP(p=0.8)",
    left_out: str = "",
    pool: str = "real",
    tested: bool = True,
    ends: list[tuple[float | None, ...]] | None = None,
) -> Report:
    """A campaign: 'run value letters' for each run; more measures take the same figures."""
    results = Results(folder)
    rows = [line.split() for line in plan.split(", ")]
    names = measures.split("; ")
    head = ",".join(f'"{name}"' for name in names)
    lines = [f"{run},red,{','.join([value] * len(names))}" for run, value, *_ in rows]
    write(results.means, f"run,team,{head}", *lines)
    write(results.checks, "run,identical_to", *(f"{run}," for run, *_ in rows))
    for name in names if tested else ():
        each = (f"{run},{letters},0,1" for run, _, letters in rows)
        write(results.standings(slug(name)), "run,letters,t_lower,t_upper", *each)
    if left_out:
        head = "kind,left_out,unique_judged,run,measure,rank,rank_out"
        write(results.reusability("runs"), head, left_out)
        write(results.reusability("summary"), "kind,measure")
        topics, teams = POOLS[pool]
        head = "topic,counts,documents,judged,judged_in_pool,relevant,relevant_in_pool"
        write(results.pool_table("topics"), head, topics)
        write(results.pool_table("teams"), "team,runs,pooled_runs", teams)
    for name in names if ends else ():
        assert ends
        columns = dict(zip(ENDS, zip(*ends, strict=True), strict=True))
        plain = {end: pa.array(values, pa.float64()) for end, values in columns.items()}
        table = pa.table({"run": [r for r, *_ in rows], "measure": [name] * len(rows), **plain})
        results.overall("").parent.mkdir(exist_ok=True)
        pq.write_table(table, results.overall(slug(name)))
    known = Provenance(dimensions=DIMENSIONS)
    contrast = (names[0], names[-1])
    return Report(results=results, title="C", contrast=contrast, provenance=known)


def write(path: Path, *lines: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def verdict(report: Report) -> list[str]:
    """What the page says, sentence by sentence."""
    return [words(line) for line in section(report, "summary").select(".claims li")]


H = "H(RBP(p=0.8), topicality=1, trust=1)"
FIVE = "a .5 a, b .4 ab, c .3 b, d .2 b, e .1 b"


@pytest.mark.parametrize(
    ("plan", "heads", "value", "alike", "said"),
    [
        ("only .25 a", "only", 0.25, 0, {"only", "0.2500"}),
        ("a .5 a, b .25 b", "a", 0.5, 0, {"a", "higher", "0.5000"}),
        ("a .5 a, b .25 a", "a", 0.5, 1, {"a", "higher", "not"}),
        ("a .5 a, b .25 ab, c .2 b", "a", 0.5, 1, {"a", "highest", "1", "not"}),
        (FIVE, "a", 0.5, 1, {"a", "leads", "1", "not"}),
        ("a .5 a, b .4 ab, c .3 ab, d .2 b", "a", 0.5, 2, {"leads", "2", "not"}),
        ("a .5 a, b .4 b, c .3 b, d .2 b", "a", 0.5, 0, {"leads", "every"}),
        # Added up in another order: these two are tied.
        ("a .3 a, b .30000000000000004 a, c .2 a, d .1 b", "a b", 0.3, 1, {"a", "b", "share"}),
        ("a .3 a, b .3 a, c .3 a, d .3 a, e .3 a, f .1 b", "a b c d e", 0.3, 0, {"2", "others"}),
        ("a .3 a, b .3 a", "a b", 0.3, 0, {"All", "2", "same"}),
        ("a 0 a, b 0 a, c 0 a", "a b c", 0, 0, {"No", "above"}),
        ("a .5 a, b .4 a2, c .3 a2b2, d .2 b2", "a", 0.5, 0, {"every"}),  # a2 is not a
    ],
)
def test_who_is_ahead(
    tmp_path: Path, plan: str, heads: str, value: float, alike: int, said: set[str]
) -> None:
    report = made(tmp_path, plan)
    (claim,) = claims(report)
    assert claim["heads"] == heads.split()
    assert (claim["dimension"], claim["measure"]) == ("topicality", "RBP(p=0.8)")
    assert (claim["value"], claim["alike"]) == (pytest.approx(value), alike)
    (sentence,) = verdict(report)
    assert said <= set(sentence.replace(",", " ").replace(";", " ").split()) | {sentence[-7:-1]}
    assert "RBP(p=0.8) (topicality)" in sentence


def test_without_a_test(tmp_path: Path) -> None:
    report = made(tmp_path, FIVE, tested=False)
    assert claims(report)[0]["alike"] is None
    assert "no test" in verdict(report)[0]


@pytest.mark.parametrize(
    ("documents", "rank", "said"), [(0, 1, "no unique"), (7, 1, "still lead"), (1, 3, "3rd")]
)
def test_without_the_teams_own_documents(
    tmp_path: Path, documents: int, rank: int, said: str
) -> None:
    report = made(tmp_path, FIVE, left_out=f"team,red,{documents},a,RBP(p=0.8),1,{rank}")
    assert claims(report)[0]["left_out"] == {"team": "red", "documents": documents, "rank": rank}
    assert said in verdict(report)[0]
    assert "red" in verdict(report)[0]


@pytest.mark.parametrize(
    ("pool", "expected"),
    [("other", "40 % of the judged documents"), ("one team", "1 team"), ("no team", "No team")],
)
def test_a_pool_that_was_not_judged_says_nothing(tmp_path: Path, pool: str, expected: str) -> None:
    report = made(tmp_path, FIVE, left_out="team,red,7,a,RBP(p=0.8),1,3", pool=pool)
    assert claims(report)[0]["left_out"] is None
    told = words(section(report, "reusability"))
    assert expected in told
    assert "in turn" not in told


def test_reusability_tells_who_falls_how_far_by_which_measure(tmp_path: Path) -> None:
    left_out = (
        "team,red,7,a,RBP(p=0.8),1,3\nteam,red,7,b,RBP(p=0.8),2,2\nteam,red,7,c,RBP(p=0.8),3,4"
    )
    told = section(made(tmp_path, FIVE, left_out=left_out), "reusability").select_one(".findings")
    said = words(told)
    for fact in ("2 runs", "a, by 2 ranks", "from 1st to 3rd", "a (3rd under RBP(p=0.8))"):
        assert fact in said


def test_a_claim_for_each_dimension_and_one_for_all_together(tmp_path: Path) -> None:
    measures = f"RBP(p=0.8); P@10; P@10(on=trust); RBP(p=0.8, on=trust); {H}"
    found = claims(made(tmp_path, FIVE, measures=measures))
    assert [(one["dimension"], one["measure"]) for one in found] == [
        ("topicality", "RBP(p=0.8)"),
        ("trust", "RBP(p=0.8, on=trust)"),
        ("", H),
    ]


@pytest.mark.parametrize(("runs", "shown"), [(3, False), (4, True)])
def test_few_runs_have_no_line_no_tau_and_no_leader(tmp_path: Path, runs: int, shown: bool) -> None:
    plan = ", ".join(FIVE.split(", ")[:runs])
    report = made(tmp_path, plan, measures="RBP(p=0.8); uRBP(p=0.8)")
    contrast = words(section(report, "contrast"))
    assert ("least squares" in contrast) is shown
    assert ("tau" in contrast) is shown
    assert any("leads" in line for line in verdict(report)) is shown


def test_identical_runs_are_the_first_oddity_and_all_are_listed(tmp_path: Path) -> None:
    report = made(tmp_path, FIVE)
    names = "run,missing_topics,duplicates,bad_scores,tied_share,identical_to"
    write(report.results.checks, names, "a,1,1,1,0.5,b", "b,0,0,0,0,a", "c,0,0,0,0,")
    assert [(one["column"], one["count"]) for one in report.checks.warnings] == [
        ("identical_to", 2), ("missing_topics", 1), ("duplicates", 1), ("bad_scores", 1),
        ("tied_share", 1),
    ]  # fmt: skip
    odd = section(report, "summary").select(".card")[0]
    assert len(odd.select("p")) == 6  # and where to see which


@pytest.mark.parametrize(
    ("rows", "climb", "fall", "swapped", "tau"),
    [
        ("a,3,1 b,2,4 c,1,2 d,.5,3", "d", "a", 4, -1 / 3),
        ("a,4,3 b,3,4 c,2,1 d,1,2", "b d", "a c", 2, 1 / 3),
        ("a,4,4 b,3,3 c,2,2 d,1,1", "", "", 0, 1),
    ],
)
def test_movers(tmp_path: Path, rows: str, climb: str, fall: str, swapped: int, tau: float) -> None:
    report = made(tmp_path, "a .5 a, b .4 a, c .3 a, d .2 a", measures="X; Y", tested=False)
    lines = (row.replace(",", ",t,", 1) for row in rows.split())
    write(report.results.means, "run,team,X,Y", *lines)
    found = furthest(report.board.rows, lambda row: row.climb)
    names = {word: " ".join(row.run for row in some) for word, some in found.items()}
    assert names == {way: runs for way, runs in (("up", climb), ("down", fall)) if runs}
    assert planes.order(report.board) == (6, swapped, pytest.approx(tau))
    said = words(section(report, "contrast").select_one("p:not(.hint)"))
    assert f"{swapped} of 6 pairs" in said
    assert ("No run changes its rank" in said) is not climb


FEW = "a .5 a, b .4 a, c .3 a, d .2 a"
SHUT = (0.5, 0.5, 0.5, 0.5)


@pytest.mark.parametrize(
    ("plan", "ends", "unjudged", "past_end"),
    [
        (  # lower, upper, and both where only documents of the rankings are open
            FEW,
            [(0.5, 0.9, 0.5, 0.51), (0.4, 0.45, 0.4, 0.43), (0.3, 0.3, 0.3, 0.3), SHUT],
            (0.03, "b"),
            (0.39, "a"),
        ),
        (  # short rankings, all judged: nothing is left to judge
            FEW,
            [(0.5, 0.8, 0.5, 0.5), (0.4, 0.6, 0.4, 0.4), (0.3, 0.3, 0.3, 0.3), SHUT],
            (0, "a b c d"),
            (0.3, "a"),
        ),
        (FEW, [SHUT] * 4, (0, "a b c d"), (0, "a b c d")),
        (
            FEW,
            [(0.5, 0.55, 0.5, 0.55), (0.4, 0.45, 0.4, 0.45), SHUT, SHUT],
            (0.05, "a b"),
            (0, "a b c d"),
        ),
        ("a .5 a", [(0.5, 0.50002, 0.5, 0.50001)], (1e-5, "a"), (1e-5, "a")),
        (FEW, [(None,) * 4] * 4, None, None),  # computed elsewhere: nobody knows the bounds
    ],
)
def test_what_is_left_open(
    tmp_path: Path, plan: str, ends: list[tuple[float | None, ...]], unjudged: Any, past_end: Any
) -> None:
    report = made(tmp_path, plan, ends=ends)
    found = list(residuals(report.board))
    said = verdict(report)[1:]
    assert len(found) == len(said) == (unjudged is not None)
    for one, sentence in zip(found, said, strict=True):
        for key, (width, runs) in (("unjudged", unjudged), ("past_end", past_end)):
            assert (one[key][0], " ".join(one[key][1])) == (pytest.approx(width), runs)
        for width, _ in (unjudged, past_end):
            shown = f"up to {width:.4f}" if width >= 1e-4 else "less than 0.0001"
            assert (shown in sentence) is (width > 0)


def test_the_leaderboard_shows_no_bounds_where_nobody_knows_them(tmp_path: Path) -> None:
    report = made(tmp_path, "a .5 a, b .4 a", ends=[(None,) * 4, (0.4, 0.9, 0.4, 0.6)])
    soup = section(report, "leaderboard")
    unknown, known = soup.select("#board td[data-m]")
    assert "span" not in unknown["class"]
    assert known["style"] == "--l:66.7%;--u:100.0%;--v:66.7%"
    assert "between" not in str(unknown["title"])
    for fact in ("0.0000 to 1.0000", "groups a", "0.4000 and 0.6000", "0.3000 more"):
        assert fact in str(known["title"])


def test_the_leaderboard_marks_all_who_are_tied_as_the_best(tmp_path: Path) -> None:
    # Added up in another order: the first two are tied.
    report = made(tmp_path, "a .3 ab, b .30000000000000004 a, c .2 ab, d .1 b")
    soup = section(report, "leaderboard")
    rows = soup.select("#board tbody tr")
    cells = {row.select("th")[0].get_text(): row.select("td[data-m]")[0] for row in rows}
    signs = {run: "".join(one.get_text() for one in cell("sup")) for run, cell in cells.items()}
    assert signs == {"a": "", "b": "", "c": "≈", "d": "≈"}
    assert ["best" in cell["class"] for cell in cells.values()] == [True, True, False, False]


def test_without_a_test_nothing_is_said_to_be_told_apart(tmp_path: Path) -> None:
    board = section(made(tmp_path, "a .5 a, b .4 b", tested=False), "leaderboard")
    assert not board.select("sup")
    assert "significant" not in board.get_text()


HEAD = (
    "measure,runs,pairs,alpha,critical_difference,groups,power_tukey,power_t_holm,"
    "power_permutation_bh"
)


@pytest.mark.parametrize(
    ("row", "shown"),
    [("RBP,2,1,0.1,0.25,2,1,1,", [["RBP", "1.000", "1.000", "–", "0.2500", "2"]]),  # noqa: RUF001
     ("RBP,1,0,0.1,,1,,,", [])],
)  # fmt: skip
def test_discriminative_power(tmp_path: Path, row: str, shown: list[list[str]]) -> None:
    """Shown where there are pairs, with what was not tested blank; not with one run."""
    report = made(tmp_path, "a .5 a, b .4 b")
    write(report.results.discrimination, HEAD, row)
    soup = section(report, "discrimination")
    rows = soup.select("tbody tr")
    assert [[cell.get_text() for cell in one.select("th, td")] for one in rows] == shown
