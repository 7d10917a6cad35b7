"""Kingrani, Levene & Zhang 2018: the count of lists, what is drawn, and what the print implies."""

import csv
import re
from collections import Counter
from dataclasses import replace
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from pipeline.config.scale import Scale
from pipeline.errors import InputError
from pipeline.labels.tables import tabulate
from pipeline.papers.diversity import experiment
from pipeline.papers.diversity.implied import implied
from pipeline.papers.diversity.lists import JudgedTopic, draw, lists, sample
from pipeline.papers.paper import PAPERS, PaperInputs
from pipeline.papers.published import read
from pipeline.papers.reruns import diversity_anova
from pipeline.papers.step import rerun
from pipeline.storage import arrow

BINARY = Scale(0, 1, "high", 1, None, ())
PRINTED = read(diversity_anova.__file__, "diversity_anova.csv")
# Two subtopics: two documents of the first, two of both, one of the second, three of none.
TOPIC = JudgedTopic("1", np.array([[1, 0], [1, 1], [0, 1]]), np.array([2, 2, 1]), 3, 2)
DOCUMENTS = [0, 0, 1, 1, 2, -1, -1, -1]  # their signatures


def defaults() -> dict[str, object]:
    return PAPERS["diversity-anova"].keys(rerun="diversity-anova", seed=2018).model_dump()


# ---- what the printed tables imply -------------------------------------------------------------


def test_implied_counts() -> None:
    found = implied(PRINTED)
    assert found.residual == (pytest.approx(6445.1, abs=0.1), pytest.approx(6470.7, abs=0.1))
    assert {name: list(fits) for name, fits in found.effects.items()} == {
        "richness": [2], "evenness": [2], "relevance": [2],
        "richness * evenness": [3], "richness * relevance": [4], "evenness * relevance": [4],
        "richness * evenness * relevance": [4],
    }  # fmt: skip
    assert found.cells == 22
    assert 6467 <= found.points[0] <= 6480 <= found.points[1] <= 6493


def test_shares_add_up_as_printed() -> None:
    """That the printed percentages are of the sum of all lines: so are ours."""
    for measure in ("alpha-nDCG", "MAP-IA", "ERR-IA"):
        squares = {
            row: one.value
            for (_, row, column), one in PRINTED.items()
            if column == f"{measure}, SSE"
        }
        for row, value in squares.items():
            printed = PRINTED["2", row, f"{measure}, %"].value
            assert abs(100 * value / sum(squares.values()) - printed) < 0.65


# ---- lists -------------------------------------------------------------------------------------


def test_every_list_is_counted() -> None:
    depth = 4
    found = lists(TOPIC, depth=depth)
    chosen = [[DOCUMENTS[n] for n in some] for some in combinations(range(8), depth)]
    states = Counter(
        (
            sum(s in (0, 1) for s in some),
            sum(s in (1, 2) for s in some),
            sum(s >= 0 for s in some),
        )
        for some in chosen
    )
    assert found.ways.sum() == len(chosen) == comb(8, depth)
    base = depth + 1
    ours = {
        (state % base, state // base % base, state // base**2): ways
        for state, ways in zip(found.layers[-1].state.tolist(), found.ways.tolist(), strict=True)
        if ways
    }
    assert ours == {key: float(count) for key, count in states.items()}
    for (a, b, _), ways in states.items():
        if a + b:
            even = (a + b) ** 2 / ((bool(a) + bool(b)) * (a * a + b * b))
            assert any(np.isclose(even, value) for value in found.values[:, 1]), ways


def test_lists_are_drawn_alike() -> None:
    """Each set of documents of a state is as likely as every other."""
    found = lists(TOPIC, depth=4)
    base = 5
    state = int(np.flatnonzero(found.layers[-1].state == 2 + 2 * base + 3 * base**2)[0])
    taken = draw(found, np.full(6000, state), np.random.default_rng(1))
    assert (taken @ TOPIC.signature == [2, 2]).all()
    # Three relevant documents, two for each: one of both with one of each, no other.
    kinds = Counter(map(tuple, taken.tolist()))
    expected = {(1, 1, 1): 2 * 2 * 1}
    assert set(kinds) == set(expected)
    wide = np.flatnonzero(found.layers[-1].state == 2 + 2 * base + 2 * base**2)
    assert draw(found, np.full(5, wide[0]), np.random.default_rng(1)).tolist() == [[0, 2, 0]] * 5


def test_drawn_lists_meet_their_condition() -> None:
    found = [lists(TOPIC, depth=4)]
    made = sample(
        found, each=30, bounds=(0.3, 0.6), boundary="above", random=np.random.default_rng(2)
    )
    for levels, ranked in zip(made.levels, made.signature, strict=True):
        some = TOPIC.signature[ranked[ranked >= 0]]
        count = some.sum(axis=0)
        covered = (count > 0).sum()
        even = count.sum() ** 2 / (covered * (count**2).sum())
        values = [covered / 2, even, (ranked >= 0).sum() / 4]
        assert np.searchsorted([0.3, 0.6], values, side="right").tolist() == levels.tolist()
    assert (made.signature[:, 0] != np.sort(made.signature, axis=1)[:, 0]).any()  # in any order


def test_too_many_subtopics() -> None:
    wide = replace(TOPIC, signature=np.ones((1, 40), np.int64), count=np.array([3]))
    with pytest.raises(InputError) as caught:
        lists(wide, depth=10)
    assert caught.value.problems[0].where == "documents"
    assert "topic '1' has too many subtopics (40)" in caught.value.problems[0].what


# ---- a small campaign of its own ---------------------------------------------------------------

QRELS = "".join(
    f"{topic} {1 + n % 3} d{n:02} 1\n" + (f"{topic} {1 + n % 2} d{n:02} 1\n" if n % 5 == 0 else "")
    for topic in (1, 2, 3)
    for n in range(12)
) + "".join(f"{topic} 0 e{n:02} 0\n" for topic in (1, 2, 3) for n in range(12))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "q").write_text(QRELS)
    (tmp_path / "labels").mkdir()
    tabulate(
        [tmp_path / "q"], out=tmp_path / diversity_anova.LABELS, scale=BINARY, subtopics=True,
        conflict="max",
    )  # fmt: skip
    return tmp_path


def test_the_engine_scores_what_was_drawn(folder: Path) -> None:
    collection = experiment.judged_collection(arrow.read(folder / diversity_anova.LABELS))
    found = [lists(one, depth=6) for one in collection.judged]
    settings = {**defaults(), "lists_each": 4, "documents": 6}
    made, gains = experiment.draw_lists(collection, found, settings, seed=1)
    again, _ = experiment.draw_lists(collection, found, settings, seed=1)
    assert (made.signature == again.signature).all()
    from pipeline.measures import parse

    precision = parse("P@6", dimensions=["topicality"]).value(gains)
    assert precision.tolist() == ((made.signature >= 0).sum(axis=1) / 6).tolist()
    richness = parse("Richness", dimensions=["topicality"]).value(gains)
    evenness = parse("Evenness", dimensions=["topicality"]).value(gains)
    values = np.round(np.column_stack([richness, evenness, precision]), 9)
    assert np.searchsorted([0.3, 0.6], values, side="right").tolist() == made.levels.tolist()


def test_infeasible_conditions(folder: Path) -> None:
    collection = experiment.judged_collection(arrow.read(folder / diversity_anova.LABELS))
    found = [lists(one, depth=6) for one in collection.judged]
    settings = {**defaults(), "lists_each": 2, "documents": 6}
    with pytest.raises(InputError) as caught:
        experiment.draw_lists(
            collection, found, {**settings, "conditions": [("high", "low", "medium")]}, seed=1
        )
    assert caught.value.problems[0].where == "conditions"
    assert "high richness, low evenness, medium relevance" in caught.value.problems[0].what
    deep = [lists(one, depth=25) for one in collection.judged]
    with pytest.raises(InputError, match="no topic has 25 judged documents"):
        experiment.draw_lists(collection, deep, {**settings, "documents": 25}, seed=1)


def test_labels_without_subtopics(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("1 0 a 1\n")
    tabulate([tmp_path / "q"], out=tmp_path / "l", scale=BINARY)
    with pytest.raises(InputError, match="the labels have no subtopics; set subtopics: true"):
        experiment.judged_collection(arrow.read(tmp_path / "l"))


def test_a_topics_file(tmp_path: Path) -> None:
    (tmp_path / "t").write_text('<w><topic number="1" type="x"><subtopic number="1"/>\n'
                                '<subtopic number="2"/></topic></w>')  # fmt: skip
    assert experiment.subtopics_in(tmp_path / "t") == {"1": 2}
    (tmp_path / "t").write_text("<topic>no</topic>")
    with pytest.raises(InputError, match=r"no <topic number=\.\.\.> with a <subtopic>"):
        experiment.subtopics_in(tmp_path / "t")


@pytest.mark.parametrize(
    ("given", "named"),
    [({"bounds": [0.6, 0.3]}, "[0.6, 0.3]"), ({"further_measures": ["nDGC@10"]}, "nDGC")],
)
def test_wrong_settings(given: dict[str, Any], named: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(named)):
        PAPERS["diversity-anova"].keys.model_validate({"rerun": "diversity-anova", **given})


def test_several_dimensions() -> None:
    """Levels .2, .5, .8, ten documents, p = .8, 27,000 lists: shares within a point."""
    found = experiment.multidimensional(lists=1000, depth=10, seed=7)
    expected = {"uRBP": (14, 11), "H": (16, 6), "CAM": (23, 0)}
    for name, (main, mixed) in expected.items():
        effects = found[name]["I"]
        assert [one.freedom for one in effects] == [2, 2, 2, 4, 4, 4, 8, 26_973]
        assert [100 * one.share for one in effects[:3]] == pytest.approx([main] * 3, abs=1)
        assert sum(100 * one.share for one in effects[3:7]) == pytest.approx(mixed, abs=1)
        for kind in ("II", "III"):  # of a balanced design all types are the same
            other = [one.squares for one in found[name][kind]]
            assert other == pytest.approx([one.squares for one in effects])


# ---- the page ----------------------------------------------------------------------------------


def made(folder: Path, given: PaperInputs) -> list[dict[str, str]]:
    rerun("anova", paper="diversity-anova", inputs=given, out=folder)
    with (folder / "published.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_without_the_judgements(tmp_path: Path) -> None:
    settings = {**defaults(), "synthetic_lists": 20}
    rows = made(tmp_path, PaperInputs(settings=settings, absent={"trec2009": "no network"}))
    assert {row["verdict"] for row in rows} == {"absent"}
    page = (tmp_path / "index.html").read_text()
    assert "6,445 to 6,471" in page
    assert "Variance of uRBP, H and CAM by effect" in page


def test_with_other_judgements(folder: Path) -> None:
    settings = {**defaults(), "synthetic_lists": 20, "draws": 1, "documents": 6}
    rows = made(folder, PaperInputs(settings=settings, folders={"trec2009": folder}))
    assert len(rows) == 92
    assert (folder / "tables" / "conditions.csv").is_file()


# ---- the real judgements -----------------------------------------------------------------------

# What agrees with print today, to its digits: effects beyond doubt, interactions of nearly nothing.
AGREES = {
    *(("1", row, f"{measure}, p") for row in ("richness", "relevance")
      for measure in ("alpha-nDCG", "MAP-IA", "ERR-IA")),
    ("1", "evenness", "ERR-IA, p"),
    ("1", "richness * relevance", "ERR-IA, p"),
    ("1", "evenness * relevance", "alpha-nDCG, p"),
    *(("2", row, f"{measure}, %") for row in ("richness * evenness", "evenness * relevance")
      for measure in ("alpha-nDCG", "MAP-IA", "ERR-IA")),
    ("2", "richness * evenness", "MAP-IA, SSE"),
    ("2", "evenness * relevance", "MAP-IA, SSE"),
    ("2", "richness * relevance", "MAP-IA, %"),
    ("2", "richness * relevance", "ERR-IA, %"),
}  # fmt: skip


@pytest.mark.real
def test_the_experiment(data: Path, tmp_path: Path) -> None:
    here = data / "trec2009-diversity"
    (tmp_path / "labels").mkdir()
    tabulate(
        [here / "qrels/2009.diversity.qrels"], out=tmp_path / diversity_anova.LABELS, scale=BINARY,
        subtopics=True,
    )  # fmt: skip
    settings = {
        **defaults(), "synthetic_lists": 20, "draws": 3, "further_measures": ["P@10"],
        "subtopics_file": str(here / "topics/wt2009.topics.xml"),
    }  # fmt: skip
    ran = experiment.run(tmp_path / diversity_anova.LABELS, settings)
    assert ran.states == 489_202
    assert 1 / 3 < ran.least_even < 0.36
    conditions, pairs = [row[3] for row in ran.variants], [row[4] for row in ran.variants]
    assert (min(conditions), max(conditions)) == (12, 15)
    assert (min(pairs), max(pairs)) == (479, 560)
    assert ran.points == 4_790
    freedom = [one.freedom for one in ran.analyses[0]["IA(AP)"]["I"]]
    assert freedom == [2, 1, 2, 1, 4, 1, 0, 4_778]
    # Stable over seeds: small interactions, and one order of the effects.
    assert ran.largest_interaction() <= 0.01
    assert ran.orders("alpha_nDCG@10") == {("richness", "relevance", "evenness")}
    assert ran.orders("IA(AP)") == {("richness", "relevance", "evenness")}
    assert ran.orders("ERR_IA@10") == {("relevance", "richness", "evenness")}
    rows = made(tmp_path, PaperInputs(settings=settings, folders={"trec2009": tmp_path}))
    verdicts = Counter(row["verdict"] for row in rows)
    assert verdicts["impossible"] == 2
    agreed = {
        (row["table"], row["row"], row["column"]) for row in rows if row["verdict"] == "agrees"
    }
    assert agreed >= AGREES
    told = {row["row"]: row["why"] for row in rows if row["table"] == "text"}
    assert told["conditions"] == "evenness is never below 0.357: 12 to 15 can be met"
    assert told["data points"].endswith("imply 6,467 to 6,493")
