"""Every sentence the verdict can say, on campaigns made so that it must say it."""

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from bs4 import BeautifulSoup

from pipeline.report.board import ENDS
from pipeline.report.page import render
from pipeline.report.provenance import Provenance
from pipeline.report.results import Files, Results
from pipeline.report.section import contents

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
) -> Results:
    """A campaign: 'run value letters' for each run; more measures take the same figures."""
    rows = [line.split() for line in plan.split(", ")]
    names = measures.split("; ")
    head = ",".join(f'"{name}"' for name in names)
    lines = [f"{run},red,{','.join([value] * len(names))}" for run, value, *_ in rows]
    write(folder / "means.csv", f"run,team,{head}", *lines)
    write(folder / "checks.csv", "run,identical_to", *(f"{run}," for run, *_ in rows))
    standings = {}
    for number, name in enumerate(names) if tested else ():
        standings[name] = write(
            folder / f"{number}.csv",
            "run,letters,t_lower,t_upper",
            *(f"{run},{letters},0,1" for run, _, letters in rows),
        )
    tables = {}
    if left_out:
        tables["reusability/runs.csv"] = write(
            folder / "runs.csv", "kind,left_out,unique_judged,run,measure,rank,rank_out", left_out
        )
        tables["reusability/summary.csv"] = write(folder / "summary.csv", "kind,measure")
        topics, teams = POOLS[pool]
        head = "topic,counts,documents,judged,judged_in_pool,relevant,relevant_in_pool"
        tables["pool/topics.csv"] = write(folder / "topics.csv", head, topics)
        tables["pool/teams.csv"] = write(folder / "teams.csv", "team,runs,pooled_runs", teams)
    overall = []
    for number, name in enumerate(names) if ends else ():
        assert ends
        columns = dict(zip(ENDS, zip(*ends, strict=True), strict=True))
        plain = {end: pa.array(values, pa.float64()) for end, values in columns.items()}
        table = pa.table({"run": [r for r, *_ in rows], "measure": [name] * len(rows), **plain})
        pq.write_table(table, folder / f"{number}.parquet")
        overall.append(folder / f"{number}.parquet")
    files = Files(
        means=folder / "means.csv",
        scores=[],
        overall=overall,
        checks=folder / "checks.csv",
        standings=standings,
        tables=tables,
    )
    contrast = (names[0], names[-1])
    provenance = Provenance(dimensions=DIMENSIONS)
    return Results(
        campaign="c", title="C", contrast=contrast, files=files, provenance=provenance
    )  # fmt: skip


def write(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def page(results: Results) -> BeautifulSoup:
    return BeautifulSoup(render(results, contents(results)), "html.parser")


def verdict(results: Results) -> list[str]:
    return [" ".join(line.get_text().split()) for line in page(results).select(".claims li")]


H = "H(RBP(p=0.8), topicality=1, trust=1)"
FIVE = "a .5 a, b .4 ab, c .3 b, d .2 b, e .1 b"


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        ("only .25 a", "only has 0.2500 under RBP(p=0.8) (topicality)."),
        (
            "a .5 a, b .25 b",
            "a has the higher mean under RBP(p=0.8) (topicality), 0.5000; "
            "the other run is told apart from it.",
        ),
        (
            "a .5 a, b .25 a",
            "a has the higher mean under RBP(p=0.8) (topicality), 0.5000; "
            "the other run is not told apart from it.",
        ),
        (
            "a .5 a, b .25 ab, c .2 b",
            "a has the highest mean under RBP(p=0.8) (topicality), 0.5000; "
            "1 run is not told apart from it.",
        ),
        (
            FIVE,
            "a leads under RBP(p=0.8) (topicality), 0.5000; 1 run is not told apart from it.",
        ),
        (
            "a .5 a, b .4 ab, c .3 ab, d .2 b",
            "a leads under RBP(p=0.8) (topicality), 0.5000; 2 runs are not told apart from it.",
        ),
        (
            "a .5 a, b .4 b, c .3 b, d .2 b",
            "a leads under RBP(p=0.8) (topicality), 0.5000; every other run is told apart from it.",
        ),
        (
            # Added up in another order: these two are tied.
            "a .3 a, b .30000000000000004 a, c .2 a, d .1 b",
            "a and b share the lead under RBP(p=0.8) (topicality), 0.3000; "
            "1 run is not told apart from them.",
        ),
        (
            "a .3 a, b .3 a, c .3 a, d .3 a, e .3 a, f .1 b",
            "a, b, c and 2 others share the lead under RBP(p=0.8) (topicality), 0.3000; "
            "the other run is told apart from them.",
        ),
        ("a .3 a, b .3 a", "All 2 runs score the same under RBP(p=0.8) (topicality): 0.3000."),
        ("a 0 a, b 0 a, c 0 a", "No run scores above 0 under RBP(p=0.8) (topicality)."),
        (  # more than 26 groups: a2 is no a
            "a .5 a, b .4 a2, c .3 a2b2, d .2 b2",
            "a leads under RBP(p=0.8) (topicality), 0.5000; every other run is told apart from it.",
        ),
    ],
)
def test_who_is_ahead(tmp_path: Path, plan: str, expected: str) -> None:
    assert verdict(made(tmp_path, plan)) == [expected]


def test_without_a_test(tmp_path: Path) -> None:
    said = verdict(made(tmp_path, FIVE, tested=False))
    assert said == ["a leads under RBP(p=0.8) (topicality), 0.5000; no test was made."]


@pytest.mark.parametrize(
    ("documents", "rank", "expected"),
    [
        (0, 1, " No judged document came into the pool through red alone."),
        (
            7,
            1,
            " It would still lead without the 7 judged documents that only red brought into the "
            "pool.",
        ),
        (
            1,
            3,
            " Without the 1 judged document that only red, of the teams at hand, brought into the "
            "pool it would be 3rd.",
        ),
    ],
)
def test_without_the_teams_own_documents(
    tmp_path: Path, documents: int, rank: int, expected: str
) -> None:
    left_out = f"team,red,{documents},a,RBP(p=0.8),1,{rank}"
    (said,) = verdict(made(tmp_path, FIVE, left_out=left_out))
    assert said.endswith("told apart from it." + expected)


@pytest.mark.parametrize(
    ("pool", "expected"),
    [
        ("other", "The configured pool holds 40 % of the judged documents: another pool was"),
        ("one team", "Only 1 team gave to the pool, so leaving it out says nothing"),
        ("no team", "No team gave to the pool, so there is none to leave out."),
    ],
)
def test_a_pool_that_was_not_judged_says_nothing(tmp_path: Path, pool: str, expected: str) -> None:
    results = made(tmp_path, FIVE, left_out="team,red,7,a,RBP(p=0.8),1,3", pool=pool)
    assert verdict(results)[0].endswith("told apart from it.")
    told = page(results).select_one("#reusability")
    assert told is not None
    assert expected in " ".join(told.get_text().split())
    assert "furthest" not in told.get_text()


def test_reusability_tells_who_falls_how_far_by_which_measure(tmp_path: Path) -> None:
    left_out = (
        "team,red,7,a,RBP(p=0.8),1,3\nteam,red,7,b,RBP(p=0.8),2,2\nteam,red,7,c,RBP(p=0.8),3,4"
    )
    told = page(made(tmp_path, FIVE, left_out=left_out)).select_one("#reusability .findings")
    assert told is not None
    assert " ".join(told.get_text().split()) == (
        "Leaving out each team in turn, 2 runs fall under some measure; furthest a, by 2 ranks "
        "under RBP(p=0.8) (from 1st to 3rd). Of those who lead a measure, these would not lead it "
        "any more: a (3rd under RBP(p=0.8))."
    )


def test_a_claim_for_each_dimension_and_one_for_all_together(tmp_path: Path) -> None:
    measures = f"RBP(p=0.8); P@10; P@10(on=trust); RBP(p=0.8, on=trust); {H}"
    said = verdict(made(tmp_path, FIVE, measures=measures))
    assert [line.split(", 0.5")[0] for line in said] == [
        "a leads under RBP(p=0.8) (topicality)",
        "a leads under RBP(p=0.8, on=trust)",
        f"a leads under {H}",
    ]


def test_what_is_missing_is_said_on_the_first_screen(tmp_path: Path) -> None:
    results = made(tmp_path, FIVE)
    sources = {"clef": {"git": "x", "missing": ["runs/*.dat (68 of 110)"]}}
    results = replace(results, provenance=Provenance(dimensions=DIMENSIONS, sources=sources))
    assert verdict(results)[0] == (
        "Only a part of clef is here: 68 of 110 files runs/*.dat are at hand."
    )


@pytest.mark.parametrize(("runs", "shown"), [(3, False), (4, True)])
def test_few_runs_have_no_line_no_tau_and_no_leader(tmp_path: Path, runs: int, shown: bool) -> None:
    plan = ", ".join(FIVE.split(", ")[:runs])
    soup = page(made(tmp_path, plan, measures="RBP(p=0.8); uRBP(p=0.8)"))
    contrast = soup.select_one("#contrast")
    assert contrast is not None
    assert ("least squares" in contrast.get_text()) is shown
    assert ("tau" in contrast.get_text()) is shown
    assert any("leads" in line.get_text() for line in soup.select(".claims li")) is shown


def test_identical_runs_are_the_first_oddity_and_all_are_listed(tmp_path: Path) -> None:
    results = made(tmp_path, FIVE)
    names = "run,missing_topics,duplicates,bad_scores,tied_share,identical_to"
    write(results.files.checks, names, "a,1,1,1,0.5,b", "b,0,0,0,0,a", "c,0,0,0,0,")
    odd = page(results).select("#summary .card")[0]
    assert [line.get_text() for line in odd.select("p")] == [
        "2 runs equal another run.",
        "1 run lacks topics.",
        "1 run repeats documents.",
        "1 run has scores that are not numbers.",
        "1 run ties more than a tenth of its scores.",
        "See which",
    ]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (
            "a,3,1 b,2,4 c,1,2 d,.5,3",
            "The largest climb is d, from 4th to 2nd. The largest fall is a, from 1st to 4th. "
            "The two measures order 4 of 6 pairs of runs differently (Kendall tau-b −0.33).",  # noqa: RUF001
        ),
        (
            "a,4,3 b,3,4 c,2,1 d,1,2",
            "The largest climbs are b, from 2nd to 1st and d, from 4th to 3rd. "
            "The largest falls are a, from 1st to 2nd and c, from 3rd to 4th. "
            "The two measures order 2 of 6 pairs of runs differently (Kendall tau-b 0.33).",
        ),
        (
            "a,4,4 b,3,3 c,2,2 d,1,1",
            "No run changes its rank between the two. "
            "The two measures order 0 of 6 pairs of runs differently (Kendall tau-b 1.00).",
        ),
    ],
)
def test_movers(tmp_path: Path, rows: str, expected: str) -> None:
    results = made(tmp_path, "a .5 a, b .4 a, c .3 a, d .2 a", measures="X; Y", tested=False)
    write(
        results.files.means, "run,team,X,Y", *(row.replace(",", ",t,", 1) for row in rows.split())
    )
    told = page(results).select_one("#contrast p:not(.hint)")
    assert told is not None
    assert " ".join(told.get_text().split()) == expected


FEW = "a .5 a, b .4 a, c .3 a, d .2 a"
SHUT = (0.5, 0.5, 0.5, 0.5)


@pytest.mark.parametrize(
    ("plan", "ends", "expected"),
    [
        (  # lower, upper, and both where only documents of the lists are open
            FEW,
            [(0.5, 0.9, 0.5, 0.51), (0.4, 0.45, 0.4, 0.43), (0.3, 0.3, 0.3, 0.3), SHUT],
            "Documents nobody judged leave RBP(p=0.8) open by up to 0.0300 (of b). "
            "Ranks past the end of a list leave it open by up to 0.3900 more (of a).",
        ),
        (  # short lists, all judged: nothing is left to judge
            FEW,
            [(0.5, 0.8, 0.5, 0.5), (0.4, 0.6, 0.4, 0.4), (0.3, 0.3, 0.3, 0.3), SHUT],
            "No unjudged document can change RBP(p=0.8). "
            "Ranks past the end of a list leave it open by up to 0.3000 (of a).",
        ),
        (FEW, [SHUT] * 4, "No unjudged document can change RBP(p=0.8)."),
        (
            FEW,
            [(0.5, 0.55, 0.5, 0.55), (0.4, 0.45, 0.4, 0.45), SHUT, SHUT],
            "Documents nobody judged leave RBP(p=0.8) open by up to 0.0500 (of a and b).",
        ),
        (
            "a .5 a",
            [(0.5, 0.50002, 0.5, 0.50001)],
            "Documents nobody judged leave RBP(p=0.8) open by less than 0.0001. "
            "Ranks past the end of a list leave it open by less than 0.0001 more.",
        ),
        (FEW, [(None,) * 4] * 4, None),  # computed elsewhere: nobody knows the bounds
    ],
)
def test_what_is_left_open(
    tmp_path: Path, plan: str, ends: list[tuple[float | None, ...]], expected: str | None
) -> None:
    said = verdict(made(tmp_path, plan, ends=ends))[1:]
    assert said == ([] if expected is None else [expected])


def test_the_leaderboard_shows_no_bounds_where_nobody_knows_them(tmp_path: Path) -> None:
    soup = page(made(tmp_path, "a .5 a, b .4 a", ends=[(None,) * 4, (0.4, 0.9, 0.4, 0.6)]))
    unknown, known = soup.select("#board td[data-m]")
    assert "span" not in unknown["class"]
    assert known["style"] == "--l:66.7%;--u:100.0%;--v:66.7%"
    assert "between" not in str(unknown["title"])
    assert known["title"] == (
        "95 % interval 0.0000 to 1.0000, groups a; not told apart from the best; between 0.4000 "
        "and 0.6000 by unjudged documents; ranks past the end leave 0.3000 more open"
    )


def test_the_leaderboard_marks_all_who_are_tied_as_the_best(tmp_path: Path) -> None:
    # Added up in another order: the first two are tied.
    soup = page(made(tmp_path, "a .3 ab, b .30000000000000004 a, c .2 ab, d .1 b"))
    rows = soup.select("#board tbody tr")
    cells = {row.select("th")[0].get_text(): row.select("td[data-m]")[0] for row in rows}
    signs = {run: "".join(one.get_text() for one in cell("sup")) for run, cell in cells.items()}
    assert signs == {"a": "", "b": "", "c": "≈", "d": "≈"}
    assert ["best" in cell["class"] for cell in cells.values()] == [True, True, False, False]


def test_without_a_test_nothing_is_said_to_be_told_apart(tmp_path: Path) -> None:
    (board,) = page(made(tmp_path, "a .5 a, b .4 b", tested=False)).select("#leaderboard")
    assert not board.select("sup")
    assert "told apart" not in board.get_text()


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
    results = made(tmp_path, "a .5 a, b .4 b")
    tables = {"significance.csv": write(tmp_path / "significance.csv", HEAD, row)}
    soup = page(replace(results, files=replace(results.files, tables=tables)))
    rows = soup.select("#discrimination tbody tr")
    assert [[cell.get_text() for cell in one.select("th, td")] for one in rows] == shown
    if shown:
        assert "Whether each measure tells the two runs apart (1) or not (0) at 0.1 (" in " ".join(
            soup.select("#discrimination .hint")[0].get_text().split()
        )
