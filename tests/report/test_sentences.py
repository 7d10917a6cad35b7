"""Sentences of the sections: each on a campaign that makes it so, and absent on another."""

from dataclasses import replace
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from pipeline.report import checks
from pipeline.report.markup import PARTS, environment
from pipeline.report.report import Provenance, Report
from pipeline.report.verdict import claims
from tests.report.made import section, words
from tests.report.test_verdict import FIVE, made, write

H3 = "H(RBP(p=0.8), topicality=1, ease=1, trust=1)"
TWO = ", ".join(FIVE.split(", ")[:2])


def said(report: Report, name: str) -> list[str]:
    """What a section says, sentence by sentence."""
    return [words(line) for line in section(report, name).select(".findings li")]


def test_where_a_measure_leaves_dimensions_out_one_that_reads_all_speaks_too(
    tmp_path: Path,
) -> None:
    names = f"RBP(p=0.8); uRBP(p=0.8, by=ease); {H3}; uRBP(p=0.8, by=trust)"
    results = made(tmp_path, FIVE, measures=names)
    dimensions = {name: {} for name in ("topicality", "ease", "trust")}
    results = replace(
        results,
        contrast=("RBP(p=0.8)", "uRBP(p=0.8, by=ease)"),
        provenance=Provenance(dimensions=dimensions),
    )
    found = [one["measure"] for one in claims(results)]
    assert found == ["RBP(p=0.8)", "uRBP(p=0.8, by=ease)", H3]
    both = replace(results, contrast=("RBP(p=0.8)", H3))
    assert [one["measure"] for one in claims(both)] == ["RBP(p=0.8)", H3]  # it reads all


SWEPT = "dimension,kind,setting,chosen,measure,mean,tau_b,top10_changes,leader"


@pytest.mark.parametrize(
    ("plan", "rows", "expected"),
    [
        (
            FIVE,
            "t,threshold,>= 2,0,RBP,.1,-0.25,3,b\nt,threshold,>= 3,0,RBP,.1,0.8,1,a",
            ("T: ", ">= 2 under RBP", "\N{MINUS SIGN}0.250", "3 runs of its top 10"),
        ),
        (
            FIVE,
            "t,threshold,>= 2,0,RBP,.1,1.0,0,a",
            ("T: ", "no other setting"),
        ),
        (
            TWO,
            "t,threshold,>= 2,0,RBP,.1,-1.0,0,b",
            ("T: ", "another run", "b at >= 2 under RBP"),
        ),
        (
            TWO,
            "t,threshold,>= 2,0,RBP,.1,0.5,0,a",
            ("T: ", "the same run"),
        ),
    ],
)
def test_what_the_sweep_says(
    tmp_path: Path, plan: str, rows: str, expected: tuple[str, ...]
) -> None:
    report = made(tmp_path, plan)
    write(report.results.sweep, SWEPT, "t,threshold,>= 1,1,RBP,.1,1.0,0,a", rows)
    (told,) = said(report, "sweep")
    assert [fact for fact in expected if fact not in told] == []


@pytest.mark.parametrize(("plan", "shown"), [(TWO, False), (FIVE, True)])
def test_few_runs_have_no_correlation(tmp_path: Path, plan: str, shown: bool) -> None:
    report = made(tmp_path, plan, measures="AP; P@10")
    head = "measure_a,measure_b,n,tau_b"
    write(report.results.correlations, head, "AP,P@10,2,1.0", "P@10,AP,2,1.0")
    found = section(report, "agreement")
    assert bool(found.select("[data-chart]")) is shown
    assert ("With 2 runs" in words(found)) is not shown


@pytest.mark.parametrize(("team", "shown"), [("blue", True), ("red", False)])
def test_a_legend_is_spoken_of_where_there_is_one(tmp_path: Path, team: str, shown: bool) -> None:
    results = made(tmp_path, FIVE, measures="AP; P@10")
    rows = results.results.means.read_text(encoding="utf-8").replace("e,red", f"e,{team}")
    results.results.means.write_text(rows, encoding="utf-8")
    assert ("Choose a team in the legend" in words(section(results, "contrast"))) is shown


@pytest.mark.parametrize(("team", "shown"), [("red", True), ("", False)])
def test_the_teams_section_without_a_team(tmp_path: Path, team: str, shown: bool) -> None:
    results = made(tmp_path, FIVE)
    rows = results.results.means.read_text(encoding="utf-8").replace(",red,", f",{team},")
    results.results.means.write_text(rows, encoding="utf-8")
    told = words(section(results, "teams"))
    assert ("A page for each team" in told) is shown
    assert ("No run has a team" in told) is not shown


def test_intervals_say_who_is_told_apart_only_where_it_was_tested(tmp_path: Path) -> None:
    from pipeline.report.sections.measures import shown_intervals

    for tested in (True, False):
        results = made(tmp_path / str(tested), FIVE, tested=tested)
        assert ("≠" in words(section(results, "intervals"))) is tested
        signs = [row["sign"] for row in shown_intervals(results, measure="RBP(p=0.8)")]
        assert signs == (["", "≈", "≠", "≠", "≠"] if tested else [""] * 5)


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        (1, "under each measure (1) or not (0), alpha 0.05"),
        (10, "share of the 10 pairs of runs"),
    ],
)
def test_discriminative_power_of_one_pair(tmp_path: Path, pairs: int, expected: str) -> None:
    head = (
        "measure,runs,pairs,alpha,critical_difference,groups,power_tukey,power_t_holm,"
        "power_permutation_bh"
    )
    report = made(tmp_path, TWO)
    write(report.results.discrimination, head, f"AP,2,{pairs},.05,.1,2,1,1,1")
    assert expected in words(section(report, "discrimination"))


POOLED = "topic,counts,documents,judged,judged_in_pool,relevant,relevant_in_pool"


@pytest.mark.parametrize(
    ("topics", "teams", "expected"),
    [
        (
            "t1,1,4,5,4,2,1\nt2,1,6,3,1,0,0",
            "red,2,2",
            [
                ("10 documents of 2 topics (4 to 6 per topic)", "by 1 of 2 runs"),
                ("5 of 8 judged documents (62.5 %)", "1 of 2 relevant", "(50.0 %)", "5 of its"),
            ],
        ),
        (
            "t1,1,1000,0,0,0,0\nt2,0,3,0,0,0,0",
            "red,2,2",
            [
                ("1,003 documents of 2 topics (3 to 1000 per topic)", "by 1 of 2 runs"),
                ("topic t2 does not count",),
            ],
        ),
        (
            "t1,1,2,1,1,0,0\nt2,1,0,1,0,0,0",
            "red,2,2\nblue,1,0",
            [
                ("2 documents of 1 topic (2 to 2 per topic)", "by 1 of 2 runs"),
                (
                    "1 of 2 judged documents (50.0 %)",
                    "0 of 0 relevant documents (none)",
                    "1 of its",
                ),
                ("No pooled run", "topic t2"),
                ("one document", "topics t1, t2"),
                ("No run of team blue",),
            ],
        ),
    ],
)
def test_what_the_pool_says(
    tmp_path: Path, topics: str, teams: str, expected: list[tuple[str, ...]]
) -> None:
    """Each sentence where it is so, and nowhere else."""
    report = made(tmp_path, FIVE)
    path = report.results.pool_table
    write(path("topics"), POOLED, topics)
    write(path("teams"), "team,runs,pooled_runs", teams)
    write(path("overlap"), "team_a,team_b")
    write(path("runs"), "run,pooled,covered@10", "a,1,1", "b,0,1")
    told = said(report, "pool")
    assert len(told) == len(expected)
    for sentence, facts in zip(told, expected, strict=True):
        assert [fact for fact in facts if fact not in sentence] == []


def test_runs_without_a_team_are_called_so_in_legends(tmp_path: Path) -> None:
    results = made(tmp_path, FIVE)
    rows = results.results.means.read_text(encoding="utf-8")
    results.results.means.write_text(rows.replace("e,red", "e,"), encoding="utf-8")
    assert results.board.groups == ("no team", "red")
    assert [row.group for row in results.board.rows] == ["red"] * 4 + ["no team"]
    (tmp_path / "all").mkdir()
    assert made(tmp_path / "all", FIVE).board.groups == ("red",)


@pytest.mark.parametrize(
    ("further", "expected"),
    [
        (
            ("ease", "trust"),
            ["ease against topicality", "trust against topicality", "trust against ease"],
        ),
        (("ease",), []),  # one plane needs no choice
    ],
)
def test_every_pair_of_dimensions_can_be_chosen(
    tmp_path: Path, further: tuple[str, ...], expected: list[str]
) -> None:
    names = "; ".join(["RBP(p=0.8)", *(f"RBP(p=0.8, on={name})" for name in further)])
    results = made(tmp_path, FIVE, measures=names)
    dimensions = {name: {} for name in ("topicality", *further)}
    found = section(replace(results, provenance=Provenance(dimensions=dimensions)), "tradeoff")
    assert [one.get_text() for one in found.select("select option")] == expected
    planes = found.select("[data-plane]")
    assert len(planes) == max(1, len(expected))
    assert [one.has_attr("hidden") for one in planes] == [False] + [True] * (len(planes) - 1)
    chosen = [str(one["value"]) for one in found.select("select option")]
    assert not chosen or chosen == [str(one["data-plane"]) for one in planes]


def test_what_query_variations_say(tmp_path: Path) -> None:
    report = made(tmp_path, FIVE)
    write(report.results.variations("runs"), "run,mean", "a,0.5")
    for rows, expected in ((["n1,3", "n2,2"], ("5 queries", "2 needs")), (["n1,1"], ("1 query",))):
        write(report.results.variations("needs"), "need,queries", *rows)
        (told,) = said(report, "variations")
        assert all(fact in told for fact in expected)


def test_what_compared_judgements_say(tmp_path: Path) -> None:
    head = "topic,set_a,set_b,documents,raw,kappa,kappa_low,kappa_high"
    known, unknown = "all,x,y,8,0.875,0.75,0.5,1", "all,x,y,1,1,,,"
    swapped = "set,measure,tau_b,flipped,significant"
    report = made(tmp_path, FIVE)
    facts = [("8 documents", "87.5 %", "0.750 [0.500, 1.000]"), ("With y", "AP", "0.500", "1 of 3")]
    for row, swap, expected in (
        (known, "y,AP,-0.5,1,3", 2), (unknown, "y,AP,,0,0", 0), (known, "y,AP,,0,0", 1),
    ):  # fmt: skip
        write(report.results.agreement("trust"), head, row, "t1,x,y,8,0.875,0.75,0.5,1")
        write(report.results.agreement_swaps("trust"), swapped, swap)
        told = said(report, "judgements")
        assert len(told) == expected
        for sentence, some in zip(told, facts, strict=False):
            assert all(fact in sentence for fact in some)
    assert section(report, "judgements").select_one("#judgements-trust")


def odd(report: Report, head: str, *cells: str) -> list[str]:
    """What the page says of checks.csv, in both places, which must agree."""
    lines = map(",".join, zip("abcde", cells, strict=True))
    write(report.results.checks, f"run,{head}", *lines)
    report = replace(report)  # which reads it anew
    short = [words(one) for one in section(report, "summary").select(".card")[0].select("p")]
    full = said(report, "inputs")
    assert [one.rstrip(".") for one in short[:-1]] == full
    assert ("No warnings" in words(section(report, "inputs"))) is (not full)
    return full


@pytest.mark.parametrize(
    ("column", "fine", "bad", "one", "several"),
    [
        ("identical_to", "", "b", "is identical to another run", "are identical to another run"),
        ("no_team", "0", "1", "has no team", "have no team"),
        ("missing_topics", "0", "2", "lacks topics", "lack topics"),
        ("unknown_topics", "0", "1", "has unknown topics", "have unknown topics"),
        ("duplicates", "0", "3", "repeats documents", "repeat documents"),
        ("bad_scores", "0", "1", *["{} scores that are not numbers"] * 2),
        (
            *("tied_share", "0.1", "0.11"),
            *("ties more than a tenth of its scores", "tie more than a tenth of their scores"),
        ),
        (
            *("lost_order", "0", "1"),
            *(
                "{} scores that differ but tie as 32-bit floats (set policies.order to score64 to "
                "keep their order)",
            )
            * 2,
        ),
        ("top10_differs", "0", "1", *["{} different top 10s by rank and by score"] * 2),
        (
            *("judged@10 trust", "0.5", "0.49"),
            "has less than half of its top 10 judged in some dimension",
            "have less than half of their top 10 judged in some dimension",
        ),
        ("repairs", "", "a line too long", "was repaired", "were repaired"),
    ],
)
def test_what_is_odd_in_the_inputs(
    tmp_path: Path, column: str, fine: str, bad: str, one: str, several: str
) -> None:
    one, several = one.format("has"), several.format("have")
    results = made(tmp_path, FIVE)
    assert odd(results, column, *[fine] * 5) == []
    assert odd(results, column, bad, *[fine] * 4) == [f"1 run {one}"]
    assert odd(results, column, bad, bad, *[fine] * 3) == [f"2 runs {several}"]
    assert odd(results, column, *[bad] * 3, *[fine] * 2) == [f"Most runs (3 of 5) {several}"]
    assert odd(results, column, *[bad] * 5) == [f"All 5 runs {several}"]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ("0.9,0.02", " for ease (2.0 %; 90.0 % for topicality)"),
        ("0.02,0.02", " for topicality (2.0 %)"),
        ("0.9,0.5", None),
    ],
)
def test_a_dimension_of_which_hardly_any_document_is_judged(
    tmp_path: Path, cells: str, expected: str | None
) -> None:
    told = odd(made(tmp_path, FIVE), "judged@10 topicality,judged@10 ease", *[cells] * 5)
    assert [line for line in told if line.startswith("Few")][:1] == (
        []
        if expected is None
        else [
            f"Few of the first 10 documents are judged{expected}: "
            "check the ids and topics of its labels"
        ]
    )


def test_every_rule_has_its_words() -> None:
    """A column with a warning but without words would fail only in a campaign with that warning."""
    template = environment(Path(checks.__file__).parent).get_template(PARTS["warnings"])
    assert set(template.module.words) == set(checks.RULES)


def test_numbers_below_zero_have_a_minus_and_sort_as_numbers() -> None:
    rows = [{"change": "-0.25", "run": "x-y"}, {"change": "1e-05", "run": ""}, {"change": ""}]
    template = environment(Path(checks.__file__).parent).get_template(PARTS["tables"])
    given = [{"run": "", **row} for row in rows]
    shown = BeautifulSoup(
        template.module.listing_table("c", given, ["change", "run"]), "html.parser"
    )
    cells = [(one.get_text(), one.get("data-v")) for one in shown.select("td")]
    assert cells == [
        ("\N{MINUS SIGN}0.25", "-0.25"), ("x-y", None),
        ("1e-05", None), ("\N{EN DASH}", None),
        ("\N{EN DASH}", ""), ("\N{EN DASH}", None),
    ]  # fmt: skip
