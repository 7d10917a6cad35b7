"""Pages of teams: every sentence they can say, on campaigns made so that it must be said."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from bs4 import BeautifulSoup
from scipy import stats

from pipeline.measures.measure import slug
from pipeline.report import teams
from pipeline.report.documents import FIRST, read_unique
from pipeline.report.report import Provenance, Report
from pipeline.report.teams import Field, runs_of
from pipeline.results import Results
from pipeline.runs.rankings import SCHEMA
from pipeline.storage import sheets

# Six runs of three teams on four topics: run team letters, then the scores.
SIX = """
a1 red a .9 .8 .7 .8
a2 red ab .7 .7 .6 .6
b1 blue ab .8 .5 .9 .6
b2 blue bc .3 .4 .5 .4
c1 green bc .4 .4 .2 .4
c2 green c .1 .2 .3 .2
"""
BASE = "baseline:bm25 - bc .5 .5 .4 .4\n"


def made(
    folder: Path, plan: str, *, tested: bool = True, measures: tuple[str, ...] = ("AP",)
) -> Report:
    """A campaign as `plan` says; every measure has the same scores, and every p is 0.012."""
    results = Results(folder)
    for part in ("scores", "labels"):
        (folder / part).mkdir(exist_ok=True)
    rows = [line.split() for line in plan.strip().splitlines()]
    runs = [row[0] for row in rows]
    team = {row[0]: row[1].replace("-", "") for row in rows}
    scores = {row[0]: [float(value) for value in row[3:]] for row in rows}
    topics = [f"t{at + 1}" for at in range(len(rows[0]) - 3)]
    mean = {run: float(np.mean(values)) for run, values in scores.items()}
    sheets.write(
        results.means,
        ["run", "team", *measures],
        ([run, team[run], *[repr(mean[run])] * len(measures)] for run in runs),
    )
    sheets.write(
        results.checks,
        ["run", "team", "missing_topics", "identical_to"],
        ([run, team[run], 0, ""] for run in runs),
    )
    columns = ["run_a", "run_b", "difference", "lower", "effect", "p_t", "p_permutation_holm"]
    for measure in measures:
        if tested:
            head = ["run", "letters", "t_lower", "t_upper"]
            each = ([row[0], row[2], 0, 1] for row in rows)
            sheets.write(results.standings(slug(measure)), head, each)
            pairs = (
                [a, b, mean[a] - mean[b], 0, 0, 0, 0, 0.012] for a in runs for b in runs if a < b
            )
            sheets.write(results.significance(slug(measure)), [*columns, "p_tukey"], pairs)
        if topics:
            names = ["run", "topic", "measure", "value", "lower", "upper"]
            values = [
                (run, topic, measure, value, value, value)
                for run in runs
                for topic, value in zip(topics, scores[run], strict=True)
            ]
            table = pa.table(dict(zip(names, map(list, zip(*values, strict=True)), strict=True)))
            pq.write_table(table, results.scores(slug(measure)))
    return Report(
        results=results,
        title="C",
        contrast=(measures[0], measures[-1]),
        provenance=Provenance(command="snakemake"),
    )


def page(report: Report, team: str) -> BeautifulSoup:
    teams.write(replace(report))  # which reads its files anew
    path = report.results.team_pages / f"{team}.html"
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def claims(report: Report, team: str) -> list[str]:
    return [" ".join(line.get_text().split()) for line in page(report, team).select(".claims li")]


@pytest.mark.parametrize(
    ("team", "expected"),
    [
        (
            "red",
            ("a1 does best by AP: 1st of 6 with 0.8000.", "b1, 0.1000 below, not sig", "p = 0.012"),
        ),
        (
            "blue",
            ("b1 does best by AP: 2nd of 6 with 0.7000.", "a1, 0.1000 above, not sig", "p = 0.012"),
        ),
        (
            "green",
            ("c1 does best by AP: 5th of 6 with 0.3500.", "a1, 0.4500 above, sig", "p = 0.012"),
        ),
    ],
)
def test_against_the_leader(tmp_path: Path, team: str, expected: tuple[str, ...]) -> None:
    claim = claims(made(tmp_path, SIX), team)[0]
    assert [fact for fact in expected if fact not in claim] == []


@pytest.mark.parametrize(
    ("plan", "team", "expected"),
    [
        ("only red a .5 .25", "red", "only has 0.3750 by AP."),
        (
            "a red a .5 .3\nb red b .2 .2",
            "red",
            "a does best by AP: 1st of 2 with 0.4000.",  # nobody to be held against
        ),
        (
            "a red a .5 .3\nb blue b .2 .2",
            "red",
            "a is 1st of 2 by AP with 0.4000. The best of the other runs is b, 0.2000 below, "
            "significantly different (p = 0.012).",
        ),
        (
            "a red a .5 .3\nb blue b .2 .2",
            "blue",
            "b is 2nd of 2 by AP with 0.2000. The highest mean is that of a, 0.2000 above, "
            "significantly different (p = 0.012).",
        ),
        (
            "a red a .5 .3\nb blue a .3 .5",
            "red",
            "a is 1st of 2 by AP with 0.4000. b has the same mean.",
        ),
        (
            "a red a .5 .3\nb red a .3 .5\nc blue a .1 .1",
            "red",
            "a and b do equally well by AP: 1st of 3 with 0.4000. The best of the other runs is c, "
            "0.3000 below, not significantly different (p = 0.012).",
        ),
    ],
)
def test_few_runs(tmp_path: Path, plan: str, team: str, expected: str) -> None:
    """One team, one run, ties: no leader, no median, nothing said of topics."""
    said = claims(made(tmp_path, plan), team)
    assert said == [expected, "No unusual warnings about the files of this team."]


def test_a_shared_lead(tmp_path: Path) -> None:
    plan = SIX + "d1 grey a .8 .8 .8 .8\n"
    assert "The lead is shared by a1 and d1, 0.1000 above, not significantly" in claims(
        made(tmp_path, plan), "blue"
    )[0]  # fmt: skip
    assert " d1 has the same mean. " in claims(made(tmp_path, plan), "red")[0]


def test_without_tests_it_says_so(tmp_path: Path) -> None:
    results = made(tmp_path, SIX, tested=False)
    assert "The leader is a1, 0.1000 above; no test of significance." in claims(results, "blue")[0]
    soup = page(results, "blue")
    hint = " ".join(soup.select_one("#against .hint").get_text().split())
    assert "Tukey" not in hint
    assert "share a letter" not in soup.get_text()
    assert [cell.get_text() for cell in soup.select("#against tbody tr:first-child td")][2] == "–"  # noqa: RUF001


def test_the_median_is_tested_as_scipy_does(tmp_path: Path) -> None:
    results = made(tmp_path, SIX)
    values = results.scores["AP"]
    median = np.median(values, axis=0)
    p = [stats.ttest_rel(row, median).pvalue for row in values]
    adjusted = np.empty(6)
    worst = 0.0
    for place, at in enumerate(np.argsort(p)):  # Holm by hand
        worst = max(worst, min(1.0, p[at] * (6 - place)))
        adjusted[at] = worst
    opponents = Field(results, "AP").against(runs_of(results.board, "red"))
    (found,) = (one for one in opponents if one.kind == "median")
    assert found.value == pytest.approx(median.mean())
    for at, row in enumerate(results.board.rows):
        met = found.comparisons[row.run]
        assert met.p == pytest.approx(adjusted[at])
        assert met.difference == pytest.approx(values[at].mean() - median.mean())
        assert met.significant == (adjusted[at] <= 0.05)
        assert (met.above, met.below) == (
            int((values[at] > median).sum()), int((values[at] < median).sum())
        )  # fmt: skip
    said = claims(results, "red")[0]
    one = found.comparisons["a1"]
    assert one.p is not None
    shown = "p < 0.001" if one.p < 0.001 else f"p = {one.p:.3f}"
    apart = ("" if one.significant else "not ") + "significantly different"
    assert (
        f" It is {one.difference:.4f} above the median of all runs, {apart} ({shown}), and above "
        f"it on {one.above} of 4 topics." in said
    )


def test_level_with_the_median(tmp_path: Path) -> None:
    plan = "a red a .9 .9\nb blue a .5 .5\nc grey a .5 .5\nd pink a .1 .1"
    assert claims(made(tmp_path, plan), "blue")[0].endswith(
        " It is level with the median of all runs, and above it on 0 of 2 topics."
    )


@pytest.mark.parametrize(
    ("more", "team", "expected"),
    [
        ("", "green", None),
        (
            BASE,
            "green",
            " It is 0.1000 below the baseline, baseline:bm25, not significantly different (p =",
        ),
        (
            BASE,
            "red",
            " It is 0.3500 above the baseline, baseline:bm25, significantly different (p = 0.012).",
        ),
        (
            BASE + "baseline:ql - c .1 .1 .1 .1\n",
            "red",
            " It is 0.3500 above the best baseline, baseline:bm25, significantly different (p =",
        ),
    ],
)
def test_against_baselines(tmp_path: Path, more: str, team: str, expected: str | None) -> None:
    soup = page(made(tmp_path, SIX + more), team)
    said = " ".join(soup.select_one(".claims li").get_text().split())
    heading = soup.select_one("#against h2").get_text()
    if expected is None:
        assert "baseline" not in soup.get_text()
    else:
        assert expected in said
        assert heading.endswith("the baselines" if "ql" in more else "the baseline")
        assert "among them, on 4 topics." in " ".join(soup.select_one(".lead").get_text().split())


def test_a_baseline_that_leads_is_named_once_and_is_no_run_without_a_team(tmp_path: Path) -> None:
    plan = SIX + "baseline:bm25 - a .9 .9 .9 .9\nlone - c .1 .1 .1 .1\n"
    results = made(tmp_path, plan)
    said = claims(results, "red")[0]
    assert "The leader is baseline:bm25, 0.1000 above" in said
    assert said.count("baseline") == 1
    file = next(results.results.team_pages.glob("team-*.html"))
    soup = BeautifulSoup(file.read_text(encoding="utf-8"), "html.parser")
    assert [tag.get_text() for tag in soup.select("#runs tbody th")] == ["lone"]
    assert "this team" not in soup.get_text()
    assert "these runs have the highest score of all runs on 0 of 4 topics" in soup.get_text()


@pytest.mark.parametrize(
    ("team", "expected"),
    [
        (
            "red",
            "By AP this team has the highest score of all runs on 3 of 4 topics (alone: t1, t2, "
            "t4); on none are all its runs below the median. All topics",
        ),
        (
            "blue",
            "By AP this team has the highest score of all runs on 1 of 4 topics (alone: t3); on "
            "none are all its runs below the median. All topics",
        ),
        (
            "green",
            "By AP this team has the highest score of all runs on 0 of 4 topics; on 4 all its "
            "runs are below the median (t3, t1, t4, t2). All topics",
        ),
    ],
)
def test_won_and_lost(tmp_path: Path, team: str, expected: str) -> None:
    assert claims(made(tmp_path, SIX), team)[1] == expected


def test_tops_that_are_shared(tmp_path: Path) -> None:
    plan = "a red a .9 .9 .5\nb blue a .9 .1 .5\nc grey a .1 .2 .5\nd pink a .2 .1 .5"
    results = made(tmp_path, plan)
    assert claims(results, "red")[1].startswith(
        "By AP this team has the highest score of all runs on 2 of 3 topics (1 of them alone: "
    )
    soup = page(results, "red")
    stars = {row.th.bdi.get_text(): bool(row.th.span) for row in soup.select("#topics tbody tr")}
    assert stars == {"t1": True, "t2": True, "t3": False}  # on t3 all are level
    assert "(never alone: t1); on 1 it is below the median (t2)" in claims(results, "blue")[1]


LISTS = {  # of one topic; 15 ranks, of which d… are relevant
    "a1": ["d1", "x1", "d2", *(f"x{at}" for at in range(2, 13)), "d7"],
    "a2": ["d3", "d1"],
    "b1": [*(f"x{at}" for at in range(1, 11)), "d2", "d4", "d5"],
    "b2": ["d5", "d6"],
    "c1": ["x1", "d6"],
    "c2": ["x2"],
}


def with_lists(folder: Path, report: Report) -> Report:
    rows = [
        (run, "t1", rank, document, 1.0 / rank)
        for run, documents in LISTS.items()
        for rank, document in enumerate(documents, start=1)
    ]
    columns = [list(column) for column in zip(*rows, strict=True)]
    table = pa.table(dict(zip(SCHEMA.names, columns, strict=True))).cast(SCHEMA)
    pq.write_table(table, report.results.rankings)
    judged = [f"d{at}" for at in range(1, 9)] + ["x1"]  # d8: nobody has it
    gain = [float(name != "x1") for name in judged]
    labels = {
        "topic": ["t1"] * len(judged),
        "document": judged,
        "label": [2 * value for value in gain],
        "binary": gain,
        "gain": gain,
    }
    pq.write_table(pa.table(labels), report.results.labels("topicality"))
    trust = {name: labels[name][:1] for name in ("document", "label", "binary", "gain")}
    everywhere = pa.table({"topic": pa.nulls(1, pa.string()), **trust})
    pq.write_table(everywhere, report.results.labels("trust"))
    known = replace(report.provenance, dimensions={"topicality": {}, "trust": {}})
    return replace(report, relevant="topicality", provenance=known)


def test_documents_only_one_team_found(tmp_path: Path) -> None:
    results = with_lists(tmp_path, made(tmp_path, SIX))
    found = read_unique(results)
    assert found is not None
    assert (found.relevant, FIRST) == (8, 10)
    told = {
        team: [(one.document, one.run, one.rank, one.elsewhere, one.labels) for one in documents]
        for team, documents in found.by_team.items()
    }
    assert told == {
        "red": [
            ("d1", "a1", 1, None, (2, 2)),
            ("d3", "a2", 1, None, (2, None)),
            ("d2", "a1", 3, 11, (2, None)),
            ("d7", "a1", 15, None, (2, None)),
        ],
        "blue": [("d5", "b2", 1, None, (2, None)), ("d4", "b1", 12, None, (2, None))],
        "green": [],
    }


@pytest.mark.parametrize(
    ("team", "expected"),
    [
        (
            "red",
            "3 of the 8 relevant documents (topicality) are in the first 10 of a run of this team "
            "and of no other; 3 are in no other run at any rank. Show the documents",
        ),
        (
            "blue",
            "1 of the 8 relevant documents (topicality) is in the first 10 of a run of this team "
            "and of no other; 2 are in no other run at any rank. Show the documents",
        ),
        (
            "green",
            "None of the 8 relevant documents (topicality) is in the first 10 of a run of this "
            "team and of no other; every relevant document that this team retrieved is also "
            "in another run.",
        ),
    ],
)
def test_the_sentence_on_them_and_their_file(tmp_path: Path, team: str, expected: str) -> None:
    results = with_lists(tmp_path, made(tmp_path, SIX))
    assert expected in claims(results, team)
    file = results.results.team_pages / f"{team}.unique.csv"
    assert file.exists() == (team != "green")
    if team == "blue":
        assert file.read_text() == (
            "topic,document,run,rank,rank_elsewhere,topicality,trust\n"
            "t1,d5,b2,1,,2,\nt1,d4,b1,12,,2,\n"
        )


def test_nothing_relevant_and_nobody_else(tmp_path: Path) -> None:
    """Without relevant documents, or with one team alone, nothing is said of them."""
    results = with_lists(tmp_path, made(tmp_path, SIX))
    none = {
        "topic": ["t1"], "document": ["d1"], "label": [0.0], "binary": [0.0], "gain": [0.0]
    }  # fmt: skip
    pq.write_table(pa.table(none), results.results.labels("topicality"))
    assert not any("relevant" in line for line in claims(results, "red"))
    alone = "\n".join(line.replace("blue", "red").replace("green", "red")
                      for line in SIX.splitlines())  # fmt: skip
    results = with_lists(tmp_path, made(tmp_path, alone))
    soup = page(results, "red")
    said = [" ".join(line.get_text().split()) for line in soup.select(".claims li")]
    assert len(said) == 2
    assert said[0].startswith("a1 does best by AP: 1st of 6 with 0.8000. It is 0.2875 above the ")
    assert soup.select_one("#against h2").get_text() == "Against the median"
    assert not soup.select("#topics th span")  # no star: there is nobody to be ahead of


def test_what_is_odd_in_their_files(tmp_path: Path) -> None:
    results = made(tmp_path, SIX)
    sheets.write(
        results.results.checks,
        ["run", "team", "missing_topics", "tied_share", "identical_to"],
        [
            ["a1", "red", 2, 0.5, ""],
            ["a2", "red", 1, 0.4, ""],
            ["b1", "blue", 0, 0.3, "b2"],
            ["b2", "blue", 0, 0.2, "b1"],
            ["c1", "green", 0, 0.2, ""],
            ["c2", "green", 0, 0, ""],
        ],
    )
    assert (
        claims(results, "red")[-1]
        == "Warnings about the files of this team: 2 runs lack topics. Show the files"
    )
    told = [" ".join(one.get_text().split()) for one in page(results, "red").select(".findings li")]
    assert told == [
        "2 runs lack topics: a1 (missing topics 2), a2 (missing topics 1).",
        "2 runs tie more than a tenth of their scores, like most runs of the campaign: "
        "a1 (tied share 50.0 %), a2 (tied share 40.0 %).",
    ]
    assert claims(results, "blue")[-1] == (
        "Warnings about the files of this team: 2 runs are identical to another run. Show the files"
    )
    assert claims(results, "green")[-1] == "No unusual warnings about the files of this team."
    assert len(page(results, "green").select(".findings li")) == 1  # c1 ties, as most do


def test_the_scores_beside_the_page_are_exact(tmp_path: Path) -> None:
    plan = SIX.replace("c2", "=c2").replace(".7 .8\n", ".7 .30000000000000004\n")
    results = made(tmp_path, plan, measures=("AP", "nDCG@10"))
    soup = page(results, "red")
    link = soup.select_one(".lead a")["href"]
    rows = sheets.read(results.results.team_pages / str(link))
    assert [(row["run"], row["topic"]) for row in rows] == [
        (run, f"t{at}") for run in ("a1", "a2") for at in range(1, 5)
    ]
    assert [float(row["nDCG@10"]) for row in rows] == [
        0.9, 0.8, 0.7, 0.30000000000000004, 0.7, 0.7, 0.6, 0.6
    ]  # fmt: skip
    assert "\n'=c2,t1," in (results.results.team_pages / "green.csv").read_text()


def test_without_scores_there_are_still_pages(tmp_path: Path) -> None:
    results = made(tmp_path, SIX)
    results.results.scores("AP").unlink()
    bare = replace(results)
    soup = page(bare, "blue")
    said = [" ".join(line.get_text().split()) for line in soup.select(".claims li")]
    assert said == [
        "b1 does best by AP: 2nd of 6 with 0.7000. The leader is a1, 0.1000 above, not "
        "significantly different "
        "(p = 0.012).",
        "No unusual warnings about the files of this team.",
    ]
    assert " ".join(soup.select_one(".lead").get_text().split()).startswith(
        "2 runs; the campaign has 6 runs of 3 teams. "
    )


def test_every_link_of_a_page_leads_somewhere(tmp_path: Path) -> None:
    results = with_lists(tmp_path, made(tmp_path, SIX + BASE, measures=("AP", "nDCG@10")))
    for team in ("red", "blue", "green"):
        soup = page(results, team)
        for link in soup.select("a[href]"):
            target = str(link["href"])
            if target.startswith("#"):
                assert soup.select_one(target), target
            elif target != "../index.html":
                assert (results.results.team_pages / target).is_file(), target
        for link in soup.select("header nav a[href^='#']"):
            heading = soup.select_one(f"{link['href']} h2")
            assert heading.get_text().startswith(link.get_text()), heading
