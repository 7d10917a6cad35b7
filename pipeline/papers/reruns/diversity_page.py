"""The page of Kingrani, Levene & Zhang 2018: their tables beside ours, and what both say."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.papers.outcome import Section, Table, Value, side_by_side
from pipeline.papers.published import Cell, Printed, compared
from pipeline.papers.reruns.diversity_experiment import Analyses
from pipeline.papers.reruns.diversity_figures import shares
from pipeline.papers.reruns.diversity_implied import MAIN, MEASURES, Implied
from pipeline.papers.reruns.diversity_run import KIND, Ran
from pipeline.statistics.significance.factorial import RESIDUAL, TYPES, Effect

SIGNIFICANT = 0.01
WHY = (
    "the printed figures imply 22 filled conditions, and evenness as printed leaves fewer; no "
    "reading of the text that was tried gives them"
)


def cells(printed: Mapping[tuple[str, str, str], Printed], counts: Implied, ran: Ran) -> list[Cell]:
    """Every printed figure beside ours."""
    made = []
    for one in printed.values():
        if one.table == "text":
            made.append(_text(one, counts, ran))
            continue
        measure, _, what = one.column.rpartition(", ")
        effect = ran.effect(MEASURES[measure], one.row)
        ours = {"F": effect.f, "p": effect.p, "SSE": effect.squares, "%": 100 * effect.share}[what]
        why = WHY
        if effect.name != RESIDUAL and not effect.freedom:
            why = "the conditions that can be met cannot tell this effect from the others"
            ours = math.nan
        made.append(compared(one, ours, why=why))
    return made


def _text(one: Printed, counts: Implied, ran: Ran) -> Cell:
    conditions = {pair[3] for pair in ran.variants}
    if one.row == "conditions":
        ours = float(_cells(ran))
        why = f"evenness is never below {ran.least_even:.3f}: {_span(conditions)} can be met"
    else:
        ours = float(ran.points)
        low, high = counts.points
        why = f"the printed F, squares and p imply {low:,.0f} to {high:,.0f}"
    return compared(one, ours, why=why, impossible=True)


def _cells(ran: Ran) -> int:
    """Filled conditions of the draws: the rank of the model."""
    return 1 + sum(one.freedom for one in ran.mean(ran.measures[0], "I")[:-1])


# ---- what stands on top ------------------------------------------------------------------------


def implied_findings(counts: Implied) -> list[str]:
    """What the printed tables say about themselves."""
    low, high = counts.residual
    points = counts.points
    return [
        f"The printed tables contradict the text: F, sums of squares and p fit together only with "
        f"{math.floor(low):,} to {math.ceil(high):,} residual degrees of freedom, that is with "
        f"{counts.cells} filled conditions and {points[0]:,.0f} to {points[1]:,.0f} lists, where "
        "the text has 27 and 13,500."
    ]


def findings(ran: Ran) -> list[str]:
    """What came out, in the order of the paper's own statements."""
    depth = ran.setting.depth
    told = [
        f"No list of {depth} judged documents has an evenness below {ran.least_even:.3f}, so the "
        f"lowest range of evenness is empty: {_cells(ran)} of 27 conditions can be met."
    ]
    weak = [
        f"{name} on {label}"
        for label, measure in MEASURES.items()
        for name in MAIN
        if not ran.effect(measure, name).p < SIGNIFICANT
    ]
    told.append(
        "Richness, evenness and relevance have an effect on all three measures"
        + (f", but for that of {', '.join(weak)}, which is not significant." if weak else ".")
    )
    told.append(
        f"An interaction of two makes up at most {100 * ran.largest_interaction():.1f} % of the "
        "variance; the paper prints 0 % for each."
    )
    told += [_order(label, ran.orders(measure)) for label, measure in MEASURES.items()]
    told += [
        _statement(ran, "richness", ("MAP-IA", "alpha-nDCG", "ERR-IA")),
        _least_even(ran),
        _statement(ran, "relevance", ("alpha-nDCG", "ERR-IA", "MAP-IA")),
    ]
    return told


def _order(label: str, orders: set[tuple[str, ...]]) -> str:
    if len(orders) == 1:
        return f"{label}: {' before '.join(next(iter(orders)))}, in every draw."
    return f"{label}: the order of the effects differs from draw to draw."


def _statement(ran: Ran, factor: str, printed: Sequence[str]) -> str:
    share = {name: 100 * ran.effect(MEASURES[name], factor).share for name in printed}
    ours = sorted(share, key=lambda name: -share[name])
    shown = ", ".join(f"{name} {share[name]:.0f} %" for name in ours)
    verdict = "as printed" if ours == list(printed) else f"not as printed ({', '.join(printed)})"
    return f"The order of the measures by their share of {factor} is {verdict}: {shown}."


def _least_even(ran: Ran) -> str:
    share = {name: 100 * ran.effect(MEASURES[name], "evenness").share for name in MEASURES}
    least = min(share, key=lambda name: share[name])
    shown = ", ".join(f"{name} {value:.1f} %" for name, value in share.items())
    verdict = "as printed" if least == "ERR-IA" else "not ERR-IA as printed"
    return f"Least of evenness is in {least}, {verdict}: {shown}."


# ---- sections ----------------------------------------------------------------------------------


def conditions(ran: Ran) -> Section:
    """Which conditions can be met."""
    one = ran.setting
    return Section(
        name="conditions",
        title="Conditions",
        text=[
            f"Lists of {one.depth} documents are drawn from each topic's judged ones, {one.each} "
            "for each condition: low, medium and high richness (R/N), evenness (inverse Simpson "
            f"over R) and relevance (P@{one.depth}). Documents that are relevant to the same "
            "subtopics are alike, so the lists of a topic can be counted exactly: there are "
            f"{ran.states:,} different numbers of documents for each subtopic, over all topics. "
            "From them it is known which conditions a topic can meet, and lists are drawn, each "
            "as likely as every other one of its condition.",
            f"The least evenness of any list is {ran.least_even:.3f}. How many conditions can be "
            "met hangs on which range a bound belongs to, on N, and on lists without a relevant "
            f"document, whose evenness is 0/0: {_span({row[3] for row in ran.variants})}, where "
            "the paper has 27.",
        ],
        tables=[
            Table(
                name="conditions",
                title="Conditions that can be met",
                columns=(
                    "N from", "A bound belongs to the range", "Nothing relevant", "Conditions",
                    "Pairs of topic and condition", "Lists",
                ),
                rows=[(*row, row[4] * one.each) for row in ran.variants],
            )
        ],
    )  # fmt: skip


def tables(ran: Ran, made: Sequence[Cell]) -> Section:
    """The paper's tables, and all types of squares."""
    ranks = [e.freedom for e in ran.mean(ran.measures[0], "I")[3:-1]]
    return Section(
        name="anova",
        title="Tables 1 and 2",
        text=[
            f"Ours is the mean of {len(ran.analyses)} draws of {ran.points:,} lists, with squares "
            f"of type {KIND}, and shares of the sum of all lines, as printed. Where conditions "
            "are empty, the degrees of freedom are the ranks of the models: of the interactions "
            f"{', '.join(map(str, ranks))}, where counting levels, as statsmodels does, would say "
            "4, 4, 4, 8. An effect without any cannot be told from the others.",
        ],
        tables=[
            side_by_side(
                (cell for cell in made if cell.printed.table == number),
                name=f"table-{number}",
                title=f"Table {number}: {title}",
            )
            for number, title in (("1", "F and p"), ("2", "sums of squares and shares"))
        ]
        + [_types(ran, label, measure) for label, measure in MEASURES.items()],
    )


def _types(ran: Ran, label: str, measure: str) -> Table:
    each = {kind: ran.mean(measure, kind) for kind in TYPES}
    rows: list[tuple[Value, ...]] = []
    for same in zip(*each.values(), strict=True):
        numbers = [(one.squares, 100 * one.share, _known(one.f)) for one in same]
        rows.append((same[0].name, same[0].freedom, *(n for three in numbers for n in three)))
    columns = [f"{what}, type {kind}" for kind in TYPES for what in ("SS", "%", "F")]
    return Table(
        name=f"types-{label.lower()}",
        title=f"{label} with squares of types I, II and III",
        columns=("Effect", "df", *columns),
        rows=rows,
        places=2,
    )


def implied(counts: Implied) -> Section:
    """What the printed tables imply."""
    low, high = counts.residual
    rows: list[tuple[Value, ...]] = [
        (name, " or ".join(map(str, fitting)) or "none") for name, fitting in counts.effects.items()
    ]
    rows += [
        ("residual", f"{math.floor(low):,} to {math.ceil(high):,}"),
        ("filled conditions", str(counts.cells)),
        ("lists", f"{counts.points[0]:,.0f} to {counts.points[1]:,.0f}"),
    ]
    return Section(
        name="implied",
        title="What the printed tables imply",
        text=[
            "F is the mean square of an effect over the residual's, so the printed F and squares "
            "give the residual's degrees of freedom, and p must follow. Taking each figure for "
            "the interval it was rounded from, all of tables 1 and 2 together leave only this."
        ],
        tables=[
            Table(
                name="implied",
                title="Degrees of freedom behind tables 1 and 2",
                columns=("Line", "Fits"),
                rows=rows,
            )
        ],
    )


def further(ran: Ran) -> Section:
    """The same analysis of further measures."""
    found = {measure: ran.mean(measure, KIND) for measure in ran.measures}
    return Section(
        name="further",
        title="Further measures",
        text=[
            "Beyond the paper: the same lists, scored by any measure of the engine; squares of "
            f"type {KIND}."
        ],
        charts=[shares(found, name="further", title="What measures of diversity are made of")],
        tables=[_shares(found, name="further", title="Shares of the variance, in percent")],
    )


def dimensions(analyses: Analyses, settings: Mapping[str, Any]) -> Section:
    """How much of a multidimensional measure is each dimension."""
    found = {measure: list(kinds["I"]) for measure, kinds in analyses.items()}
    count = 27 * settings["synthetic_lists"]
    return Section(
        name="dimensions",
        title="Several dimensions",
        text=[
            f"Beyond the paper: {count:,} synthetic lists of {settings['documents']} documents, "
            "each document on topic, understandable and trustworthy with a chance of .2, .5 or "
            ".8, all combinations alike, so that all types of squares are the same. uRBP needs a "
            "document to be good in all at once; CAM is a mean of the dimensions, and H between "
            "the two. Interactions of the dimensions make up "
            + ", ".join(f"{100 * _mixed(some):.0f} % of {name}" for name, some in found.items())
            + "."
        ],
        charts=[shares(found, name="dimensions", title="What uRBP, H and CAM are made of")],
        tables=[_shares(found, name="dimensions", title="Shares of the variance, in percent")],
    )


def _mixed(effects: Sequence[Effect]) -> float:
    """The share of all interactions."""
    return sum(one.share for one in effects if ":" in one.name)


def _shares(found: Mapping[str, Sequence[Effect]], *, name: str, title: str) -> Table:
    names = [one.name.replace(":", " * ") for one in next(iter(found.values()))]
    return Table(
        name=name,
        title=title,
        columns=("Measure", *names),
        rows=[
            (measure, *(100 * one.share for one in effects)) for measure, effects in found.items()
        ],
        places=1,
    )


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def _span(numbers: set[int]) -> str:
    low, high = min(numbers), max(numbers)
    return f"{low}" if low == high else f"{low} to {high}"
