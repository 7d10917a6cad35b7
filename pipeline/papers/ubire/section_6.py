"""Section 6 of UBIRE: assessors' labels, from the campaign's own figures and from the runs."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.audit.published import ALL
from pipeline.audit.published import read as read_published
from pipeline.papers.outcome import Outcome, Section, Table, Texts, Value, side_by_side
from pipeline.papers.paper import Given
from pipeline.papers.published import Cell, Printed, absent, compared
from pipeline.papers.ubire.measures import EASY, OURS
from pipeline.report.charts import Chart, axis, layered, marks, span, tips
from pipeline.statistics.correlation.statistics.depths import ubire_overlap
from pipeline.statistics.correlation.statistics.pairs import tau_ap, tau_b
from pipeline.statistics.means import Means, read_means
from pipeline.storage.arrays import Floats

TEXTS = Texts(Path(__file__).with_name("page.txt"))
OFFICIAL = {"RBP": "RBP(0.8)", "uRBP": "uRBP(0.8)", "uRBPgr": "uRBPgr(0.8)"}
FILES = "*.urbp"  # what ubire printed of each run
DETAIL = {"x": (0.25, 0.40), "y": (0.15, 0.35)}  # RBP and uRBP of figure 2's central panel
DIGITS = 0.00011  # means of values that ubire rounded to four digits each, and rounded again
EQUAL = 0.001  # means this near are equal to the eye
SAME_X, SAME_Y = "same RBP, other uRBP", "same uRBP, other RBP"
Scores = Mapping[str, Floats]
Pair = tuple[int, int]  # positions of two runs


def part(given: Given, printed: Sequence[Printed]) -> Outcome:
    """The section, or that it is absent."""
    if "clef2015" not in given.folders:
        return Outcome(cells=absent(printed, why=given.absent["clef2015"]), sections=[])
    source = given.file("clef2015", "sources/clef")
    if not any(source.rglob(FILES)):
        why = f"the campaign's source has no file {FILES} with the official figures"
        return Outcome(cells=absent(printed, why=why), sections=[])
    means = read_means(given.file("clef2015", "means.csv"))
    runs, theirs = official(source)
    ours = {name: means.column(column) for name, column in OURS.items()}
    place = {run: number for number, run in enumerate(runs)}
    shared = [place[run] for run in means.runs if run in place]
    rows: list[tuple[Value, ...]] = [
        (f"{label}: RBP, {other}", len(scores["RBP"]), *agreement(scores, other))
        for label, scores in (
            ("official means", theirs),
            ("official means of the runs at hand", {k: v[shared] for k, v in theirs.items()}),
            ("our means of the runs at hand", ours),
        )
        for other in ("uRBP", "uRBPgr")
    ]
    names = differing(means.runs, ours, runs, theirs)
    note = "Ours are the official means, run by run."
    if names:
        note = (
            f"{len(names)} of the {len(means.runs)} runs have other means with us than with ubire, "
            "which reads a rank column that is 0 throughout as 1, 3, 4, 5 and so on, with no rank "
            f"2: {', '.join(names)}."
        )
    columns = ("Means", "Runs", "tau-b", "ubire's overlap", "AP correlation")
    cells = section_6(printed, theirs)
    agreeing = sum(cell.verdict == "agrees" for cell in cells)
    tables = [
        side_by_side(cells, "section-6", "Printed correlations, ours above print"),
        Table("section-6-runs", "The same from the runs at hand", columns, rows, 4, note),
    ]
    return Outcome(
        cells=cells,
        findings=[
            f"{agreeing} of the {len(cells)} correlations of section 6 come out of the official "
            "means to the printed digits; the ones printed as tau_AP are ubire's overlap."
        ],
        sections=[
            TEXTS.section("section-6", all=len(runs), here=len(means.runs), tables=tables),
            _figure_2(runs, theirs),
            _weights(means),
        ],
    )


def official(folder: Path) -> tuple[Sequence[str], Scores]:
    """The campaign's own means of every run, from the files that ubire wrote."""
    found = read_published(sorted(folder.rglob(FILES)))
    values: dict[tuple[str, str], float] = {
        (found.run.names[run], found.source.names[source].removeprefix("ubire ")): value
        for run, source, topic, value in zip(
            found.run.number, found.source.number, found.topic.number, found.value, strict=True
        )
        if found.topic.names[topic] == ALL
    }
    runs = sorted(found.run.names)
    return runs, {
        name: np.array([values[run, theirs] for run in runs]) for name, theirs in OFFICIAL.items()
    }


def agreement(scores: Scores, other: str) -> tuple[float, float, float]:
    """How alike RBP and another measure rank the runs: tau-b, ubire's overlap, AP correlation."""
    pair = (scores["RBP"], scores[other])
    return tau_b(*pair), ubire_overlap(*pair), tau_ap(*pair)


def section_6(printed: Sequence[Printed], scores: Scores) -> list[Cell]:
    """The printed correlations, beside those of the official means."""
    cells = []
    for one in printed:
        tau, overlap, ap = agreement(scores, one.row.removeprefix("RBP, "))
        if one.column == "tau":
            cells.append(compared(one, tau, note="of the official means"))
            continue
        note = (
            "printed as tau_AP, but it is the overlap that ubire computes under that name, on the "
            f"official means; AP correlation is {ap:.3f}"
        )
        why = "tied means decide the last digits: ours is the mean over all ways to break them"
        cells.append(compared(one, overlap, within=0.0005, why=why, note=note))
    return cells


def differing(own: Sequence[str], ours: Scores, runs: Sequence[str], theirs: Scores) -> list[str]:
    """Our runs whose means are not the official ones, printed to four digits."""
    place = {run: number for number, run in enumerate(runs)}
    return [
        run
        for number, run in enumerate(own)
        if run in place
        and any(abs(ours[name][number] - theirs[name][place[run]]) > DIGITS for name in OFFICIAL)
    ]


def look_alikes(same: Floats, other: Floats, *, count: int = 3) -> list[Pair]:
    """Pairs equal by one measure and furthest apart by the other; no run in two of them."""
    pairs = [
        (i, j) for i, j in combinations(range(len(same)), 2) if abs(same[i] - same[j]) <= EQUAL
    ]
    chosen: list[Pair] = []
    for pair in sorted(pairs, key=lambda pair: -abs(float(other[pair[0]] - other[pair[1]]))):
        if not {*pair} & {place for one in chosen for place in one}:
            chosen.append(pair)
    return chosen[:count]


def _figure_2(runs: Sequence[str], scores: Scores) -> Section:
    rbp, urbp, graded = (scores[name] for name in ("RBP", "uRBP", "uRBPgr"))
    (low, high), (least, most) = DETAIL.values()
    inside = np.flatnonzero((rbp >= low) & (rbp <= high) & (urbp >= least) & (urbp <= most))
    x, y, names = rbp[inside], urbp[inside], [runs[number] for number in inside.tolist()]
    pairs = {SAME_X: look_alikes(x, y), SAME_Y: look_alikes(y, x)}
    rows = [
        (kind, names[i], names[j], float(x[i]), float(x[j]), float(y[i]), float(y[j]))
        for kind, some in pairs.items()
        for i, j in some
    ]
    columns = ("Marked", "Run", "Other run", "RBP", "RBP, other", "uRBP", "uRBP, other")
    left, centre, right = (f"figure-2-{side}" for side in ("left", "centre", "right"))
    detail = "Detail of uRBP against RBP"
    return TEXTS.section(
        "figure-2",
        equal=EQUAL,
        charts=[
            _scatter(left, "uRBP (binary) against RBP", runs, rbp, urbp, "uRBP"),
            _scatter(centre, detail, names, x, y, "uRBP", pairs=pairs, within=DETAIL),
            _scatter(right, "uRBPgr (graded) against RBP", runs, rbp, graded, "uRBPgr"),
        ],
        tables=[Table("figure-2-pairs", "The marked pairs", columns, rows, 4)],
    )


def _scatter(
    name: str,
    title: str,
    runs: Sequence[str],
    x: Floats,
    y: Floats,
    y_title: str,
    *,
    pairs: Mapping[str, Sequence[Pair]] | None = None,
    within: Mapping[str, tuple[float, float]] | None = None,
) -> Chart:
    """Each run under RBP and another measure; marked pairs joined, by what they share."""
    import altair as alt

    points: list[dict[str, Any]] = [
        {"run": run, "x": round(float(a), 5), "y": round(float(b), 5)}
        for run, a, b in zip(runs, x, y, strict=True)
    ]
    ends = {key: span([point[key] for point in points]) for key in "xy"}
    if within:
        ends = {key: list(pair) for key, pair in within.items()}
    at: dict[str, Any] = {
        "x": alt.X("x:Q", **axis("RBP", within=ends["x"], ticks=7)),
        "y": alt.Y("y:Q", **axis(y_title, within=ends["y"], ticks=7)),
    }
    tooltip = tips(("run:N", "Run"), ("x:Q", "RBP", ".4f"), ("y:Q", y_title, ".4f"))
    dots = marks(points, "runs").mark_point(style="mean", filled=True, size=60, opacity=0.55)
    layers = [dots.encode(**at, tooltip=tooltip)]
    marked = [
        {**points[place], "kind": kind, "pair": f"{kind} {number}"}
        for kind, some in (pairs or {}).items()
        for number, pair in enumerate(some)
        for place in pair
    ]
    if marked:
        colour = alt.Color("kind:N", title="Marked", scale=alt.Scale(domain=[SAME_X, SAME_Y]))
        base = marks(marked).encode(**at, color=colour)
        joined = base.mark_line(strokeWidth=2).encode(detail="pair:N")
        ringed = base.mark_point(filled=True, size=110).encode(tooltip=tips(("run:N", "Run")))
        layers += [joined.properties(name="joined"), ringed.properties(name="marked")]
    description = f"{y_title} against RBP, one point a run."
    return Chart(name=name, title=title, spec=layered(*layers, height=360, description=description))


def weighted(means: Means) -> list[tuple[float, str]]:
    """The weights of understandability that the campaign has uRBPgr with, and their columns."""
    parts = [(name, name.partition("uRBPgr(p=0.8, understandability=")) for name in means.measures]
    weights = [(float(weight.rstrip(")")), name) for name, (_, mark, weight) in parts if mark]
    return sorted([(1.0, OURS["uRBPgr"]), *weights])


def _weights(means: Means) -> Section:
    rbp, easy = means.column(OURS["RBP"]), means.column(EASY)
    rows = [
        (f"{weight:g}", tau_b(rbp, values), tau_b(easy, values), float(values.max()))
        for weight, name in weighted(means)
        for values in [means.column(name)]
    ]
    columns = ("Weight", "tau-b with RBP", "tau-b with RBP_u", "Largest mean")
    title = "Understandability with a weight, runs at hand"
    return TEXTS.section("weights", tables=[Table("weights", title, columns, rows)])
