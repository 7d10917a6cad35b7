"""What changed between two states of a campaign: every sentence, and each label's own effect."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bs4 import BeautifulSoup

from pipeline.changes import step as changes_step
from pipeline.changes.effects import label_effects
from pipeline.changes.versions import Version, compare_versions, keep
from pipeline.config.scale import Scale
from pipeline.errors import InputError
from pipeline.gains import step
from pipeline.gains.files import read as read_gains
from pipeline.labels.tables import tabulate, topics_of
from pipeline.measures import parse
from pipeline.measures.evaluate import evaluate
from pipeline.measures.measure import slug
from pipeline.measures.score_table import read as read_scores
from pipeline.results import Results
from pipeline.statistics.means import write_means
from pipeline.statistics.significance.step import compare
from pipeline.storage import sheets
from tests.builders import Judged, Small, campaign, ranked_files, run_text, write_gains, write_ties
from tests.report.test_browser import NEEDED, chromium  # noqa: F401

TOPICS = [f"q{n}" for n in range(12)]
DOCUMENTS = [f"d{n}" for n in range(8)]
MEASURES = ["AP", "nDCG@5", "H(RBP(p=0.8), topicality=1, trust=1)"]
Labels = dict[str, dict[str, int]]


def judged(seed: int) -> Labels:
    draw = np.random.default_rng(seed)
    return {t: {d: int(draw.integers(0, 2)) for d in DOCUMENTS[:6]} for t in TOPICS}


def lists() -> dict[str, str]:
    draw = np.random.default_rng(4)
    runs = {}
    for run in ("a_one", "a_two", "b_one", "c_<i>"):
        runs[run] = run_text(
            {
                topic: {d: float(score) for d, score in zip(DOCUMENTS, draw.permutation(8) + 1,
                                                             strict=True)}
                for topic in TOPICS
            }
        )  # fmt: skip
    return runs


def made(folder: Path, topical: Labels, trust: Labels, runs: dict[str, str] | None = None) -> Small:
    """A finished campaign: all that a state is made of."""
    dimensions = {"topicality": Judged(topical), "trust": Judged(trust)}
    small = campaign(folder, runs or lists(), dimensions)
    overall = []
    for text in MEASURES:
        name = slug(text)
        out = folder / "scores" / f"{name}.parquet"
        overall.append(folder / "overall" / f"{name}.parquet")
        evaluate(text, dimensions=list(dimensions), gains=small.gains, scores=None,
                 unjudged="zero", ties="ignore", out=out, overall=overall[-1])  # fmt: skip
        pairs = folder / "significance" / f"{name}.csv"
        compare(read_scores(out), pairs=pairs, runs=folder / f"{name}.csv",
                summary=folder / f"{name}.json", alpha=0.05, permutations=200, samples=50,
                seed=1)  # fmt: skip
    write_means(overall, out=folder / "means.csv", teams=dict.fromkeys(runs or lists(), "t"))
    return small


def altered(labels: Labels) -> Labels:
    """One label turned, one removed, one added."""
    new = {topic: dict(found) for topic, found in labels.items()}
    new["q3"]["d1"] = 1 - new["q3"]["d1"]
    del new["q5"]["d2"]
    new["q5"]["d7"] = 1
    return new


def compare_with(before: Path, small: Small, contrast: list[str], **given: bool) -> Results:
    """The results of a campaign, with what changed since an earlier version."""
    results = Results(small.folder)
    changes_step.write(
        results, before, dimensions=list(small.gains), title="C <b>", contrast=contrast,
        unjudged="zero", alpha=0.05, **given,
    )  # fmt: skip
    return results


def told(small: Small, before: Path) -> tuple[list[str], list[dict[str, str]], BeautifulSoup]:
    results = compare_with(before, small, MEASURES[:1] * 2)
    soup = BeautifulSoup(results.changes_page.read_text(encoding="utf-8"), "html.parser")
    said = [" ".join(line.get_text().split()) for line in soup.select(".claims li")]
    return said, sheets.read(results.changes), soup


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> tuple[Small, Small]:
    folder = tmp_path_factory.mktemp("states")
    old = made(folder / "old", judged(1), judged(2))
    return old, made(folder / "new", altered(judged(1)), judged(2))


def test_labels_scores_ranks_and_pairs(states: tuple[Small, Small]) -> None:
    old, new = states
    said, rows, soup = told(new, old.folder)
    was = judged(1)["q3"]["d1"]
    assert all(fact in said[0] for fact in ("1 label added", "1 removed", "1 changed", "2 topics"))
    assert [(r["kind"], r["topic"], r["document"], r["before"], r["after"]) for r in rows[:3]] == [
        ("label changed", "q3", "d1", str(was), str(1 - was)),
        ("label removed", "q5", "d2", str(judged(1)["q5"]["d2"]), ""),
        ("label added", "q5", "d7", "", "1"),
    ]  # fmt: skip
    before, after = (Version(one.folder).run_means for one in states)
    moved = [row for row in rows if row["kind"] == "mean"]
    assert moved
    for row in moved:
        was, now = (
            one.column(row["measure"])[one.runs.index(row["run"])] for one in (before, after)
        )
        assert (float(row["before"]), float(row["after"])) == (was, now)
    assert soup.select_one("h1").get_text() == "What changed"  # type: ignore[union-attr]
    assert not soup.select("i")  # a run's name stays a name


def test_nothing_changed(states: tuple[Small, Small]) -> None:
    old, _ = states
    said, rows, soup = told(old, old.folder)
    first = said[1].split(" is still first")[0]
    assert said == ["No label changed.", f"{first} is still first. No mean changed under AP."]
    assert rows == []
    assert "No mean changed." in soup.get_text()
    assert "The same pairs of runs" in soup.get_text()


def test_another_leader_and_pairs(tmp_path: Path) -> None:
    """Labels turned round turn the ranking round: the best run becomes the worst."""
    good = {t: {d: int(d in ("d0", "d1")) for d in DOCUMENTS} for t in TOPICS}
    bad = {t: {d: int(d in ("d6", "d7")) for d in DOCUMENTS} for t in TOPICS}
    down = {d: float(8 - n) for n, d in enumerate(DOCUMENTS)}
    up = {d: float(n + 1) for n, d in enumerate(DOCUMENTS)}
    runs = {
        "down": run_text(dict.fromkeys(TOPICS, down)),
        "up": run_text(dict.fromkeys(TOPICS, up)),
    }
    old = made(tmp_path / "old", good, good, runs)
    new = made(tmp_path / "new", bad, bad, runs)
    said, rows, _ = told(new, old.folder)
    assert said[1] == (
        "Under AP down was first; now up is. 2 means of 2 changed, 2 runs changed their rank, "
        "furthest up from 2nd to 1st and down from 1st to 2nd."
    )
    facts = (
        "Under AP 0 pairs of runs became significantly different",
        "0 are no longer",
        "1 reversed",
    )
    assert all(fact in said[2] for fact in facts)
    pairs = [(r["run"], r["other_run"], r["change"]) for r in rows if r["kind"] == "pair"]
    assert ("up", "down", "reversed") in pairs


def test_a_labels_effect_is_that_of_taking_it_back(
    states: tuple[Small, Small], tmp_path: Path
) -> None:
    """Each against a campaign made anew from files that differ in this label alone."""
    old, new = states
    changes = compare_versions(Version(old.folder), Version(new.folder), alpha=0.05)
    found = label_effects(
        changes.labels,
        measures=[parse(text, dimensions=["topicality", "trust"]) for text in MEASURES],
        gains=new.read(),
        rankings=new.rankings,
    )
    assert {effect.measure for effect in found} == set(MEASURES)
    now = Version(new.folder).run_means
    for number, one in enumerate(changes.labels):
        labels = altered(judged(1))
        if one.before is None:
            del labels[one.topic][one.document]
        else:
            labels[one.topic][one.document] = int(one.before[0])
        then = Version(made(tmp_path / str(number), labels, judged(2)).folder).run_means
        for measure in MEASURES:
            moved = now.column(measure) - then.column(measure)
            mine = [b for b in found if b.change == one and b.measure == measure]
            if not mine:
                assert moved == pytest.approx(0, abs=1e-12)
                continue
            assert mine[0].mean == pytest.approx(np.abs(moved).mean(), abs=1e-12)
            assert mine[0].largest == pytest.approx(moved[np.abs(moved).argmax()], abs=1e-12)


def by_subtopic(folder: Path, lines: list[str], *measures: str) -> Small:
    """A campaign judged by subtopic: 'topic subtopic document label'."""
    small = ranked_files(folder, lists())
    qrels = folder / "q"
    qrels.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    table, arrays = folder / "labels/topicality.parquet", folder / "gains/topicality.npz"
    scale = Scale(0, 2, "high", 1, None, ())
    tabulate([qrels], out=table, scale=scale, subtopics=True)
    write_gains(small.rankings, labels=table, topics=topics_of(table), out=arrays)
    gains, overall = {"topicality": arrays}, []
    for text in measures:
        overall.append(folder / "overall" / f"{slug(text)}.parquet")
        evaluate(text, dimensions=["topicality"], gains=gains, scores=None, unjudged="zero",
                 ties="ignore", out=folder / "scores" / f"{slug(text)}.parquet",
                 overall=overall[-1])  # fmt: skip
    write_means(overall, out=folder / "means.csv", teams=dict.fromkeys(lists(), "t"))
    return replace(small, labels={"topicality": table}, gains=gains, topics=topics_of(table))


def test_labels_by_subtopic_are_compared_and_taken_back(tmp_path: Path) -> None:
    """A label of one subtopic that is no document's best counts, and has its effect."""
    draw = np.random.default_rng(7)
    old = [
        f"{t} {s} {d} {draw.integers(0, 3)}"
        for t in TOPICS[:4]
        for d in DOCUMENTS[:5]
        for s in "123"
    ]
    new = list(old)
    at = next(n for n, line in enumerate(old) if line.startswith("q1 2 ") and line[-1] == "0")
    new[at] = old[at][:-1] + "1"
    new.append("q2 3 d7 2")
    new = [line for line in new if not line.startswith("q3 ") or " d4 " not in line]
    names = ("alpha_nDCG(alpha=0.5)@5", "AP")
    states = [by_subtopic(tmp_path / n, lines, *names) for n, lines in (("a", old), ("b", new))]
    changes = compare_versions(*(Version(one.folder) for one in states), alpha=0.05)
    document = old[at].split()[2]
    assert [(one.topic, one.document, one.kind) for one in changes.labels] == [
        ("q1", document, "changed"), ("q2", "d7", "added"), ("q3", "d4", "removed"),
    ]  # fmt: skip
    turned = changes.labels[0]
    assert "2: 1" in str(turned.after)
    assert "2: " not in str(turned.before)
    assert turned.before
    assert turned.after
    found = label_effects(
        changes.labels,
        measures=[parse(name, dimensions=["topicality"]) for name in names],
        gains=states[1].read(),
        rankings=states[1].rankings,
        subtopics=Version(states[1].folder).subtopics,
    )
    assert {effect.change for effect in found} == set(changes.labels)
    now = Version(states[1].folder).run_means
    for number, one in enumerate(changes.labels):
        kept = [line for line in new if line.split()[::2] != [one.topic, one.document]]
        back = [line for line in old if line.split()[::2] == [one.topic, one.document]]
        then = Version(by_subtopic(tmp_path / str(number), kept + back, *names).folder).run_means
        for name in names:
            moved = now.column(name) - then.column(name)
            mine = sum(b.mean for b in found if b.change == one and b.measure == name)
            assert mine == pytest.approx(np.abs(moved).mean(), abs=1e-12)


def test_a_measure_of_scores_has_its_labels_effects(states: tuple[Small, Small]) -> None:
    """The systems' own scores come along; without them the measure could not be taken."""
    _, new = states
    ties = Results(new.folder).ties
    write_ties(new.rankings, topics=new.topics, order="score", out=ties)
    results = compare_with(states[0].folder, new, ["SQI"], scored=True)
    effects = [row for row in sheets.read(results.changes) if row["kind"] == "effect of a label"]
    assert {row["measure"] for row in effects} == {"SQI"}
    assert "q3" in {row["topic"] for row in effects}


PRICE = {"a": 2.0, "b": 0.5, "c": 4.0, "d": 1.0}
STOPS, WEARIES = "ETC(RR@4)", "ETU(TBG(halflife=2))"


def priced(folder: Path, labels: Labels) -> tuple[Small, Path]:
    """A campaign of two runs whose documents have a price; run x is a b c d, run y the reverse."""
    order = {"x": "abcd", "y": "dcba"}
    runs = {
        run: run_text({t: {d: 4.0 - n for n, d in enumerate(found)} for t in labels})
        for run, found in order.items()
    }
    small = campaign(folder, runs, {"topicality": Judged(labels)})
    paid, overall = folder / "gains/_costs.npz", []
    step.write(
        rankings=small.rankings,
        labels={},
        topics=small.topics,
        costs=(PRICE, 1),
        out=folder / "gains",
    )
    for text in (STOPS, WEARIES):
        overall.append(folder / "overall" / f"{slug(text)}.parquet")
        evaluate(text, dimensions=["topicality"], gains=small.gains, scores=None, costs=paid,
                 unjudged="zero", ties="ignore", out=folder / "scores" / f"{slug(text)}.parquet",
                 overall=overall[-1])  # fmt: skip
    write_means(overall, out=folder / "means.csv", teams=dict.fromkeys(runs, "t"))
    return small, paid


def test_a_measure_of_costs_has_its_labels_effects(tmp_path: Path) -> None:
    """By hand, over two topics: what is paid to the first relevant document, and what time leaves.

    With a relevant in q1, x stops at a (2) and not at b (2.5), y at b either way. With c judged in
    q2, y stops at c (5) and not at b (5.5). Of those who are weary 2^(-price / 2) go on.
    """
    old, _ = priced(tmp_path / "old", {"q1": {"a": 0, "b": 1, "c": 0, "d": 0}, "q2": {"b": 1}})
    new, paid = priced(
        tmp_path / "new", {"q1": {"a": 1, "b": 1, "c": 0, "d": 0}, "q2": {"b": 1, "c": 1}}
    )
    results = compare_with(old.folder, new, [STOPS, WEARIES], costed=True)
    effects = {
        (row["measure"], row["topic"], row["document"]): (row["run"], float(row["change"]))
        for row in sheets.read(results.changes)
        if row["kind"] == "effect of a label"
    }
    a_for_y = 2 ** (-(1 + 4 + 0.5) / 2)  # at rank 4, behind d, c and b
    c_for_x, c_for_y = 2 ** (-(2 + 0.5) / 2), 2 ** (-1 / 2)
    expected = {
        (STOPS, "q1", "a"): ("x", (2 - 2.5) / 2),
        (STOPS, "q2", "c"): ("y", (5 - 5.5) / 2),
        (WEARIES, "q1", "a"): ("x", 1 / 2),
        (WEARIES, "q2", "c"): ("y", c_for_y / 2),
    }
    assert {key: run for key, (run, _) in effects.items()} == {
        key: run for key, (run, _) in expected.items()
    }
    for key, (_, moved) in expected.items():
        assert effects[key][1] == pytest.approx(moved, abs=1e-9)
    found = label_effects(
        compare_versions(Version(old.folder), Version(new.folder), alpha=0.05).labels,
        measures=[parse(name, dimensions=["topicality"]) for name in (STOPS, WEARIES)],
        gains=read_gains(new.gains, costs=paid),
        rankings=new.rankings,
    )
    assert {(one.measure, one.change.document): one.mean for one in found} == pytest.approx(
        {
            (STOPS, "a"): 0.25 / 2,
            (STOPS, "c"): 0.25 / 2,
            (WEARIES, "a"): (1 + a_for_y) / 4,
            (WEARIES, "c"): (c_for_x + c_for_y) / 4,
        },
        abs=1e-12,
    )


def test_more_labels_than_were_tried_are_said(
    states: tuple[Small, Small], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = "only the 2 that runs ranked highest were reverted"
    assert few not in told(states[1], states[0].folder)[2].get_text()
    for module in ("step", "effects"):
        monkeypatch.setattr(f"pipeline.changes.{module}.LIMIT", 2)
    soup = told(states[1], states[0].folder)[2]
    assert few in " ".join(soup.get_text().split())


def test_what_only_one_state_has(states: tuple[Small, Small], tmp_path: Path) -> None:
    _, new = states
    runs = {("z_new" if run == "b_one" else run): text for run, text in lists().items()}
    old = made(tmp_path, judged(1), judged(2), runs)
    said, _, _ = told(new, old.folder)
    assert "Only in the baseline version, and not compared: 1 run, z_new." in said
    assert "Only in the current version, and not compared: 1 run, b_one." in said


def test_keeping_a_version(states: tuple[Small, Small], tmp_path: Path) -> None:
    results = Version(tmp_path / "results")
    shutil.copytree(states[0].folder, results.folder)
    out = keep(results, "first")
    assert out == results.folder / "kept" / "first"
    assert Version(out).judged == results.judged
    assert compare_versions(Version(out), results, alpha=0.05).labels == ()
    none = Version(tmp_path / "none")
    for one, name, where in (
        (results, "first", out), (none, "first", none.folder), (results, "../x", "NAME")
    ):  # fmt: skip
        with pytest.raises(InputError) as error:
            keep(one, name)
        assert [problem.where for problem in error.value.problems] == [where]
        assert error.value.problems[0].fix


def test_the_version_of_another_campaign_is_refused(
    states: tuple[Small, Small], tmp_path: Path
) -> None:
    other = {f"x_{run}": text for run, text in lists().items()}
    old = made(tmp_path, judged(1), judged(2), other)
    with pytest.raises(InputError) as error:
        told(states[1], old.folder)
    (problem,) = error.value.problems
    assert problem.where == "report.against"
    assert "no run of this campaign" in problem.what
    (tmp_path / "empty").mkdir()
    for name, word in (("none", "no such folder"), ("empty", "means.csv")):
        with pytest.raises(InputError, match=word):
            Version(tmp_path / name).check_comparable()


@pytest.mark.browser
@NEEDED
@pytest.mark.parametrize(("width", "scheme"), [(1300, "light"), (1300, "dark"), (420, "light")])
def test_in_a_browser(
    chromium: object,  # noqa: F811
    states: tuple[Small, Small],
    width: int,
    scheme: str,
) -> None:
    told(states[1], states[0].folder)
    context = chromium.new_context(  # type: ignore[attr-defined]
        offline=True, viewport={"width": width, "height": 900}, color_scheme=scheme
    )
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(Results(states[1].folder).changes_page.as_uri())
    assert page.locator("html").get_attribute("data-theme") == scheme
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    table = page.locator("#runs table").first
    table.locator("th button", has_text="change").click()
    shown = table.locator("tbody tr td:last-child").all_text_contents()
    values = [float(text.replace("−", "-")) for text in shown]  # noqa: RUF001
    assert values in (sorted(values), sorted(values, reverse=True))
    context.close()
    assert complaints == []


@pytest.mark.browser
@NEEDED
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_anybody_out(
    chromium: object,  # noqa: F811
    states: tuple[Small, Small],
    scheme: str,
) -> None:
    """axe-core finds no violation."""
    from axe_playwright_python.sync_playwright import Axe

    told(states[1], states[0].folder)
    context = chromium.new_context(  # type: ignore[attr-defined]
        bypass_csp=True, offline=True, color_scheme=scheme, reduced_motion="reduce"
    )  # axe is put into the page, which its policy forbids
    page = context.new_page()
    page.goto(Results(states[1].folder).changes_page.as_uri())
    found = Axe().run(page).response["violations"]
    context.close()
    assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found] == []
