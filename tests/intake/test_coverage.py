"""Labels that hardly any run meets, other topics, and whose runs they are: told, and only then."""

from pathlib import Path

import pytest

from pipeline.config.runs import Teams
from pipeline.intake.check import assign_teams
from pipeline.intake.coverage import FALL, FEW, few_retrieved, other_topics
from pipeline.intake.findings import Finding
from pipeline.intake.inputs import find_inputs
from pipeline.intake.page import write_page
from pipeline.report.checks import read_checks
from pipeline.sources.places import write_missing

FILES = {"topicality": [Path("t.qrels")], "ease": [Path("e.qrels")]}
RETRIEVED = {(str(topic), f"d-{n}") for topic in (1, 2) for n in range(1000)}


def labels(met: int, of: int, *, topic: str = "1", other: str = "d_") -> set[tuple[str, str]]:
    """So many labels of retrieved documents among so many."""
    return {(topic, f"d-{n}") for n in range(met)} | {
        (topic, f"{other}{n}") for n in range(of - met)
    }


def told(**labelled: set[tuple[str, str]]) -> list[Finding]:
    return list(few_retrieved(labelled, files=FILES, retrieved=RETRIEVED))


def test_ids_with_another_sign_are_told_though_one_matches_by_chance() -> None:
    (one,) = told(topicality=labels(900, 1000), ease=labels(1, 1000))
    assert (one.severity, one.kind, one.name, one.file) == ("warning", "labels", "ease", "e.qrels")
    for words in ("1 of 1,000 labels", "'d_0'", "'d-0'", "'topicality' 900 of 1,000"):
        assert words in one.what


def test_none_at_all_is_wrong_as_evaluation_refuses_it() -> None:
    (one,) = told(topicality=labels(900, 1000), ease=labels(0, 1000))
    assert one.severity == "error"


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        (labels(49, 1000), labels(60, 1000), ["topicality"]),  # under 1 in 20
        (labels(50, 1000), labels(60, 1000), []),
        (labels(1000, 1000), labels(99, 1000), ["ease"]),  # under a tenth of the best
        (labels(1000, 1000), labels(100, 1000), []),
        (labels(900, 1000, topic="7"), labels(900, 1000), ["topicality"]),  # other topics
        (labels(20, 1000), set(), ["topicality"]),  # a file that could not be read tells nothing
        ({("", f"d-{n}") for n in range(9)}, labels(900, 1000), []),  # by document alone
    ],
)
def test_the_rule(first: set[tuple[str, str]], second: set[tuple[str, str]], names: list) -> None:
    assert (FEW, FALL) == (0.05, 0.1)  # as docs/reference/config/dimensions.md says
    assert [one.name for one in told(topicality=first, ease=second)] == names


def test_topics_that_do_not_count_and_topics_without_a_label() -> None:
    labelled = {
        "topicality": {("1", "a"), ("2", "a")},
        "ease": {("2", "a"), ("9", "a")},
    }
    found = list(other_topics(labelled, files=FILES, counting={"1", "2"}))
    assert [(one.severity, one.name) for one in found] == [("warning", "ease")] * 2
    for one, start, topic in zip(
        found, ("1 of its 2 topics", "1 of the 2 topics"), "91", strict=True
    ):
        assert one.what.startswith(start)
        assert one.what.endswith(f": '{topic}'")
    by_document = {"topicality": {("", "a")}}
    assert list(other_topics(by_document, files=FILES, counting={"1"})) == []


def test_the_report_says_it_too(tmp_path: Path) -> None:
    path = tmp_path / "checks.csv"
    head = "run,judged@10 topicality,judged@10 ease\n"
    path.write_text(head + "a,0.9,0.02\nb,0.7,0.0\n")
    (said,) = read_checks(path).few_judged  # tests/report/test_sentences.py has the words
    assert (said["dimension"], said["best"]) == ("ease", "topicality")
    assert (said["share"], said["best_share"]) == pytest.approx((0.01, 0.8))
    path.write_text(head + "a,0.9,0.5\nb,0.7,0.6\n")
    assert not read_checks(path).few_judged


def test_a_source_of_which_only_a_part_is_here_is_told(tmp_path: Path) -> None:
    (tmp_path / "clef").mkdir()
    (tmp_path / "clef/run").write_text("1 Q0 a 1 1 t\n")
    write_missing(["runs/*.dat (68 of 110)"], tmp_path / "clef")
    inputs, found = find_inputs(
        runs=["@clef/run"], team=None, labels={}, further={}, topics=None, people=None,
        sources=tmp_path,
    )  # fmt: skip
    assert inputs.runs == [tmp_path / "clef/run"]
    (one,) = found
    assert (one.severity, one.kind, one.name) == ("warning", "source", "clef")
    assert "runs/*.dat (68 of 110)" in one.what


# ---- teams ----------------------------------------------------------------------------------


def test_runs_that_a_table_lacks_and_runs_that_only_it_has(tmp_path: Path) -> None:
    table = tmp_path / "teams.csv"
    table.write_text("run,team\na,X\nz,Y\n")
    runs = [tmp_path / "a.gz", tmp_path / "b"]
    found = assign_teams(runs, settings=Teams(table="teams.csv"), table=table)
    assert found.teams == {"a": "X", "b": ""}
    lacking, extra = found.problems
    assert (lacking.severity, lacking.kind, lacking.name) == ("warning", "run", "b")
    assert "runs.team.table 'teams.csv'" in lacking.what
    assert (extra.severity, extra.kind, extra.name) == ("warning", "teams", "")
    assert extra.what.endswith("'z'")


def test_a_run_that_is_no_teams_on_purpose_is_not_listed(tmp_path: Path) -> None:
    runs = [tmp_path / name for name in ("A_one", "own_bm25", "stray", "own")]
    found = assign_teams(runs, settings=Teams(name="^([^_]+)_", none="^own"), table=None)
    assert found.teams == {"A_one": "A", "own_bm25": "", "stray": "", "own": ""}
    assert found.unaffiliated == {"own_bm25", "own"}
    assert [one.name for one in found.problems] == ["stray"]
    without = assign_teams(runs, settings=Teams(name="^([^_]+)_"), table=None)
    assert without.unaffiliated == frozenset()
    assert [one.name for one in without.problems] == ["stray", "own"]
    out = tmp_path / "index.html"
    meant = "1 team; without a team by runs.team.none: own, own_bm25; without a team: stray."
    for whose, expected in ((found, meant), (without, "2 teams; without a team: own, stray.")):
        write_page([], title="T", runs=runs, teams=whose, out=out)
        assert expected in out.read_text(encoding="utf-8")


def test_a_table_that_cannot_be_read_is_one_problem(tmp_path: Path) -> None:
    table = tmp_path / "teams.csv"
    table.write_text("run,team\na,X\na,Y\n")
    found = assign_teams([tmp_path / "a"], settings=Teams(table="teams.csv"), table=table)
    assert found.teams is None
    (one,) = found.problems
    assert (one.severity, one.kind, one.line) == ("error", "teams", 3)
    assert "'a' is already in line 2" in one.what


def test_an_endless_expression_is_one_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.storage.expressions.SECONDS", 0.05)
    runs = [Path("a" * 60 + f"!{n}") for n in range(100)]
    found = assign_teams(runs, settings=Teams(name="^((a|aa)+)$"), table=None)
    assert found.teams is None
    (one,) = found.problems
    assert "takes more than 0.05 seconds" in one.what
