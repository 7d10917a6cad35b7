"""Section 6 of UBIRE on the page: correlations, figure 2, weights inside the gain."""

from collections.abc import Sequence

from pipeline.papers.outcome import Outcome, Section, Table, Value, side_by_side
from pipeline.papers.paper import Given
from pipeline.papers.published import Printed, absent
from pipeline.papers.ubire import figures
from pipeline.papers.ubire import official as real
from pipeline.papers.ubire.measures import EASY, OURS
from pipeline.statistics.correlation.means import Means, read_means
from pipeline.statistics.correlation.statistics.pairs import tau_b


def part(given: Given, printed: Sequence[Printed]) -> Outcome:
    """The section, or that it is absent."""
    if "clef2015" not in given.folders:
        return Outcome(cells=absent(printed, why=given.absent["clef2015"]), sections=[])
    source = given.file("clef2015", "sources/clef")
    if not any(source.rglob(real.FILES)):
        why = f"the campaign's source has no file {real.FILES} with the official figures"
        return Outcome(cells=absent(printed, why=why), sections=[])
    means = read_means(given.file("clef2015", "means.csv"))
    all_runs, theirs = real.official(source)
    mine, ours = real.own(means)
    place = {run: number for number, run in enumerate(all_runs)}
    shared = [place[run] for run in mine if run in place]
    same = {name: values[shared] for name, values in theirs.items()}
    cells = real.section_6(printed, theirs)
    rows: list[tuple[Value, ...]] = [
        (f"{label}: RBP, {other}", len(scores["RBP"]), *real.agreement(scores, other).values())
        for label, scores in (
            ("official means", theirs),
            ("official means of the runs at hand", same),
            ("our means of the runs at hand", ours),
        )
        for other in ("uRBP", "uRBPgr")
    ]
    section = Section(
        name="section-6",
        title="Section 6",
        text=[
            f"CLEF eHealth 2015: the campaign published ubire's means of {len(all_runs)} runs, and "
            f"{len(mine)} of the runs themselves are at hand. The correlations of the official "
            "means are the printed ones. What is printed as tau_AP is not AP correlation (Yilmaz "
            "et al. 2008) but the overlap of the two top sets, averaged over all depths, which "
            "ubire computes under that name.",
        ],
        tables=[
            side_by_side(cells, name="section-6", title="Printed correlations, ours above print"),
            Table(
                name="section-6-runs",
                title="The same from the runs at hand",
                columns=("Means", "Runs", "tau-b", "ubire's overlap", "AP correlation"),
                rows=rows,
                places=4,
                note=_differing(mine, ours, all_runs, theirs),
            ),
        ],
    )
    agreeing = sum(cell.verdict == "agrees" for cell in cells)
    findings = [
        f"{agreeing} of the {len(cells)} correlations of section 6 come out of the official means "
        "to the printed digits; the ones printed as tau_AP are ubire's overlap."
    ]
    sections = [section, _figure_2(all_runs, theirs), _weights(means)]
    return Outcome(cells=cells, findings=findings, sections=sections)


def _differing(
    mine: Sequence[str], ours: real.Scores, runs: Sequence[str], theirs: real.Scores
) -> str:
    """Which runs have other means with us than with ubire, and the one reason there is."""
    names = real.differing(mine, ours, runs, theirs)
    if not names:
        return "Ours are the official means, run by run."
    return (
        f"{len(names)} of the {len(mine)} runs have other means with us than with ubire, which "
        "reads a rank column that is 0 throughout as 1, 3, 4, 5 and so on, with no rank 2: "
        f"{', '.join(names)}."
    )


def _figure_2(runs: Sequence[str], scores: real.Scores) -> Section:
    rbp, urbp, graded = (scores[name] for name in ("RBP", "uRBP", "uRBPgr"))
    inside = [
        number
        for number, (x, y) in enumerate(zip(rbp, urbp, strict=True))
        if real.DETAIL["RBP"][0] <= x <= real.DETAIL["RBP"][1]
        and real.DETAIL["uRBP"][0] <= y <= real.DETAIL["uRBP"][1]
    ]
    x, y = rbp[inside], urbp[inside]
    pairs = {
        figures.SAME_X: real.look_alikes(x, y),
        figures.SAME_Y: real.look_alikes(y, x),
    }
    names = [runs[number] for number in inside]
    within = {"x": real.DETAIL["RBP"], "y": real.DETAIL["uRBP"]}
    return Section(
        name="figure-2",
        title="Figure 2",
        text=[
            "Official means, one point a run. The detail is the part where the paper finds the "
            "differences concentrated. Marked are the pairs in it that one measure cannot tell "
            f"apart (to {real.EQUAL}) and the other tells apart furthest, as the paper marks some."
        ],
        charts=[
            figures.scatter(name="figure-2-left", title="uRBP (binary) against RBP",
                            runs=runs, x=rbp, y=urbp, y_title="uRBP"),
            figures.scatter(name="figure-2-centre", title="Detail of uRBP against RBP",
                            runs=names, x=x, y=y, y_title="uRBP", pairs=pairs, within=within),
            figures.scatter(name="figure-2-right", title="uRBPgr (graded) against RBP",
                            runs=runs, x=rbp, y=graded, y_title="uRBPgr"),
        ],
        tables=[
            Table(
                name="figure-2-pairs",
                title="The marked pairs",
                columns=("Marked", "Run", "Other run", "RBP", "RBP, other", "uRBP", "uRBP, other"),
                rows=[
                    (kind, names[one.first], names[one.second], float(x[one.first]),
                     float(x[one.second]), float(y[one.first]), float(y[one.second]))
                    for kind, some in pairs.items()
                    for one in some
                ],
                places=4,
            )
        ],
    )  # fmt: skip


def _weights(means: Means) -> Section:
    rbp, easy = means.column(OURS["RBP"]), means.column(EASY)
    return Section(
        name="weights",
        title="Weights",
        text=[
            "The paper leaves the weighting of dimensions to future work, through another f. Here "
            "a weight is the exponent of a dimension in the product, uRBPgr(understandability=w): "
            "the heavier understandability is, the less its ranking agrees with that of RBP."
        ],
        tables=[
            Table(
                name="weights",
                title="Understandability with a weight, runs at hand",
                columns=("Weight", "tau-b with RBP", "tau-b with RBP_u", "Largest mean"),
                rows=[
                    (f"{weight:g}", tau_b(rbp, values), tau_b(easy, values), float(values.max()))
                    for weight, name in real.weighted(means)
                    for values in [means.column(name)]
                ],
            )
        ],
    )
