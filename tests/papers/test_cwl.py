"""The C/W/L tutorial: its printed figures, and the users it is about, against cwl_eval."""

from typing import Any

import numpy as np
import pytest
from cwl.ruler.measures.cwl_insq import INSQCWLMetric
from cwl.ruler.measures.cwl_inst import INSTCWLMetric
from cwl.ruler.measures.cwl_metrics import CWLMetric
from cwl.ruler.measures.cwl_precision import PrecisionCWLMetric
from cwl.ruler.measures.cwl_rbp import RBPCWLMetric
from cwl.ruler.measures.cwl_rr import RRCWLMetric
from cwl.ruler.ranking import Ranking

from pipeline.campaign import campaigns
from pipeline.errors import InputError
from pipeline.measures.cwl.declare import MODELS
from pipeline.papers.outcome import RerunResult
from pipeline.papers.paper import PAPERS, PaperInputs
from pipeline.papers.reruns.cwl import QUESTIONS, CwlKeys, User, every_user, lists, users_on

SETTINGS = CwlKeys(rerun="cwl").model_dump()
GAINS = SETTINGS["gains"]
DEEP = 1000


def rerun(**changes: Any) -> RerunResult:
    return PAPERS["cwl"].function(PaperInputs(settings={**SETTINGS, **changes}))


@pytest.fixture(scope="module")
def outcome() -> RerunResult:
    return rerun()


def section(outcome: RerunResult, name: str) -> Any:
    return next(one for one in outcome.sections if one.name == name)


def test_every_printed_figure_agrees(outcome: RerunResult) -> None:
    assert [cell.verdict for cell in outcome.cells] == ["agrees"] * 7
    assert outcome.cells[0].ours == pytest.approx((1 + 2 / 3 + 3 / 4 + 4 / 5 + 5 / 6 + 6 / 10) / 6)


def test_three_accounts_of_average_precision_are_one(outcome: RerunResult) -> None:
    table = section(outcome, "average-precision").tables[-1]
    rows = {row[0]: row[1:] for row in table.rows}
    lacking = (1 / 2 + 2 / 5 + 3 / 6 + 4 / 7 + 5 / 10) / 6
    for name in ("AP", "its user in C/W/L, EU(AP)", "a user who wants n clicks, PAP"):
        assert rows[name] == pytest.approx((0.775, lacking))
    assert rows["over retrieved documents only, TrAP"] == pytest.approx((0.775, lacking * 6 / 5))
    assert rows["RR"] == (1, 0.5)


@pytest.mark.parametrize(
    ("text", "theirs"),
    [
        ("RBP(p=0.8)", RBPCWLMetric(0.8)),
        ("RBP(p=0.5)", RBPCWLMetric(0.5)),
        ("P@10", PrecisionCWLMetric(10)),
        ("INSQ(T=1)@1000", INSQCWLMetric(1)),
        ("INST(T=2)@1000", INSTCWLMetric(2)),
        ("RR", RRCWLMetric()),
    ],
)
def test_users_are_those_of_cwl_eval(text: str, theirs: CWLMetric) -> None:
    """C, W, expected depth and utility; RR reads the gains as binary."""
    gains = [float(g > 0) for g in GAINS] if text == "RR" else GAINS
    (ours,) = users_on([_graded(text)], lists(gains, ranks=DEEP))
    deep = np.zeros(DEEP)
    deep[: len(gains)] = gains
    ranking = Ranking("1", deep, np.ones(DEEP))
    theirs.measure(ranking)
    there = ours.weight[:20] > 0  # where nobody is left, nobody goes on or stays
    assert ours.continuation[:20][there] == pytest.approx(
        theirs.c_vector(ranking)[:20][there], abs=1e-9
    )
    assert ours.weight[:20] == pytest.approx(theirs.w_vector(ranking)[:20], abs=1e-9)
    assert ours.depth == pytest.approx(theirs.expected_items, rel=1e-9)
    assert ours.utility == pytest.approx(theirs.expected_utility, rel=1e-9)


def _graded(text: str) -> str:
    name, bracket, rest = text.partition("(")
    if name == "P@10":
        return "P(gain=graded)@10"
    return f"{name}(gain=graded, {rest}" if bracket else text


def all_users() -> list[User]:
    return users_on(every_user(), lists(GAINS, ranks=20))


def test_every_model_of_the_registry_has_a_panel(outcome: RerunResult) -> None:
    named = [name for user in all_users() for name in (user.name, *user.synonyms)]
    assert {name.partition("(")[0].partition("@")[0] for name in named} == set(MODELS)
    assert len(named) == len(MODELS)
    panels = section(outcome, "users").charts[0].spec
    assert len(panels["facet"]["sort"]) == len(all_users())


def test_what_holds_of_every_user() -> None:
    for user in all_users():
        reach = np.concatenate([[1], np.cumprod(user.continuation)[:-1]])
        assert user.last == pytest.approx(reach * (1 - user.continuation), abs=1e-9), user.label
        assert user.weight == pytest.approx(reach / user.depth, abs=1e-9), user.label
        assert user.depth == pytest.approx(1 / user.weight[0])
        assert 0 <= user.last.sum() <= 1 + 1e-9


def test_a_model_of_ones_own_appears(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    mine = replace(MODELS["RBP"], name="Mine", function=lambda seen, p: np.full((1, 1), p / 2))
    known = {**dict(MODELS.items()), "Mine": mine}
    monkeypatch.setattr("pipeline.papers.reruns.cwl.MODELS", known)
    assert "Mine" in every_user()


def test_which_result_page_is_better_by_hand(outcome: RerunResult) -> None:
    table = section(outcome, "questions").tables[0]
    rows = {row[0]: row[1:] for row in table.rows}
    rbp = 0.2 * (1 + 0.8), 0.2 * 0.8**3
    assert rows["RBP(p=0.8)"][:3] == (*map(pytest.approx, rbp), "one")
    assert rows["RBP(p=0.8)"][5] == "two"
    third = 0.2 * (0.8**3 + 0.8**4 + 0.8**5), 0.2
    assert rows["RBP(p=0.8)"][6:] == (*map(pytest.approx, third), "one")
    assert rows["RR"] == (1, 0.25, "one", 1, 1, "neither", 0.25, 1, "two")
    assert len(QUESTIONS) == 3
    counts = [
        sum(row[2] == answer for row in rows.values()) for answer in ("one", "two", "neither")
    ]
    assert (
        f"question 1: {counts[0]} of {len(rows)} user models prefer the first, "
        f"{counts[1]} the second, and {counts[2]} have no preference." in outcome.findings[1]
    )


def test_weights_times_gains_add_up_to_the_measure(outcome: RerunResult) -> None:
    rows = section(outcome, "weight-and-gain").tables[0].rows
    assert rows[-1][3] == pytest.approx(0.2 * (0.8**2 + 0.5 * 0.8**3 + 0.8**4))


def test_the_user_of_average_precision_by_hand() -> None:
    """W(i) is the sum of g(j)/j from rank i on, by the number of relevant documents."""
    (ours,) = users_on(["TrAP"], lists((1, 0, 1), ranks=3))
    assert ours.weight == pytest.approx(np.array([4 / 3, 1 / 3, 1 / 3]) / 2)


@pytest.mark.parametrize(
    ("paper", "where", "named"),
    [
        ({"gains": [1] * 3, "ranks": 2}, "gains", "2 ranks"),
        ({"models": ["RPB(p=0.5)"]}, "models[0]", "RPB"),
        ({"models": ["AP", "GAP"]}, "models[1]", "GAP"),
        ({"models": ["RBP(p=2)"]}, "models[0]", "p=2"),
        ({"models": ["P"]}, "models[0]", "P"),
    ],
)
def test_settings_that_cannot_be_used(paper: dict[str, Any], where: str, named: str) -> None:
    with pytest.raises(InputError) as error:
        campaigns({"papers": {"mine": {"rerun": "cwl", **paper}}})
    (problem,) = error.value.problems
    assert problem.where == f"papers.mine.{where}"
    assert named in problem.what
