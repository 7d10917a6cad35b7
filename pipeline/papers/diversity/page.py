"""The page of Kingrani, Levene & Zhang 2018: their tables beside ours, and what both say."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.papers.diversity.experiment import KIND, MEASURES, Analyses, Ran
from pipeline.papers.diversity.implied import Implied
from pipeline.papers.diversity.lists import FACTORS
from pipeline.papers.outcome import Section, Table, Texts, Value, side_by_side
from pipeline.papers.published import Cell, Figures, Printed, compared
from pipeline.report.charts import Chart
from pipeline.statistics.significance.factorial import RESIDUAL, TYPES, Effect

TEXTS = Texts(Path(__file__).with_name("page.txt"))
SIGNIFICANT = 0.01
WHY = (
    "the printed figures imply 22 filled conditions, and evenness as printed leaves fewer; no "
    "reading of the text that was tried gives them"
)


def cells(printed: Figures, counts: Implied, ran: Ran) -> list[Cell]:
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
        for name in FACTORS
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
    columns = (
        *("N from", "A bound belongs to the range", "Nothing relevant", "Conditions"),
        *("Pairs of topic and condition", "Lists"),
    )
    rows = [(*row, row[4] * ran.setting.each) for row in ran.variants]
    return TEXTS.section(
        "conditions",
        depth=ran.setting.depth,
        each=ran.setting.each,
        states=ran.states,
        least=ran.least_even,
        met=_span({row[3] for row in ran.variants}),
        tables=[Table("conditions", "Conditions that can be met", columns, rows)],
    )


def tables(ran: Ran, cells: Sequence[Cell]) -> Section:
    """The paper's tables, and all types of squares."""
    first, second = ([c for c in cells if c.printed.table == number] for number in "12")
    ranks = [effect.freedom for effect in ran.mean(ran.measures[0], "I")[3:-1]]
    return TEXTS.section(
        "anova",
        draws=len(ran.analyses),
        points=ran.points,
        kind=KIND,
        ranks=", ".join(map(str, ranks)),
        tables=[
            side_by_side(first, "table-1", "Table 1: F and p"),
            side_by_side(second, "table-2", "Table 2: sums of squares and shares"),
            *(_types(ran, label, measure) for label, measure in MEASURES.items()),
        ],
    )


def _types(ran: Ran, label: str, measure: str) -> Table:
    each = {kind: ran.mean(measure, kind) for kind in TYPES}
    rows: list[tuple[Value, ...]] = []
    for same in zip(*each.values(), strict=True):
        numbers = [
            (one.squares, 100 * one.share, None if math.isnan(one.f) else one.f) for one in same
        ]
        rows.append((same[0].name, same[0].freedom, *(n for three in numbers for n in three)))
    columns = [f"{what}, type {kind}" for kind in TYPES for what in ("SS", "%", "F")]
    title = f"{label} with squares of types I, II and III"
    return Table(f"types-{label.lower()}", title, ("Effect", "df", *columns), rows, 2)


def implied(counts: Implied) -> Section:
    """What the printed tables imply."""
    low, high = counts.residual
    rows = [
        *((name, " or ".join(map(str, fits)) or "none") for name, fits in counts.effects.items()),
        ("residual", f"{math.floor(low):,} to {math.ceil(high):,}"),
        ("filled conditions", str(counts.cells)),
        ("lists", f"{counts.points[0]:,.0f} to {counts.points[1]:,.0f}"),
    ]
    title = "Degrees of freedom behind tables 1 and 2"
    return TEXTS.section("implied", tables=[Table("implied", title, ("Line", "Fits"), rows)])


def further(ran: Ran) -> Section:
    """The same analysis of further measures."""
    effects = {measure: ran.mean(measure, KIND) for measure in ran.measures}
    return TEXTS.section(
        "further",
        kind=KIND,
        charts=[_shares_chart(effects, "further", "What measures of diversity are made of")],
        tables=[_shares(effects, "further")],
    )


def dimensions(analyses: Analyses, settings: Mapping[str, Any]) -> Section:
    """How much of a multidimensional measure is each dimension."""
    effects = {measure: list(kinds["I"]) for measure, kinds in analyses.items()}
    mixed = {
        measure: sum(one.share for one in some if ":" in one.name)
        for measure, some in effects.items()
    }
    return TEXTS.section(
        "dimensions",
        count=27 * settings["synthetic_lists"],
        depth=settings["documents"],
        mixed=", ".join(f"{100 * share:.0f} % of {name}" for name, share in mixed.items()),
        charts=[_shares_chart(effects, "dimensions", "What uRBP, H and CAM are made of")],
        tables=[_shares(effects, "dimensions")],
    )


def _shares(effects: Mapping[str, Sequence[Effect]], name: str) -> Table:
    names = [one.name.replace(":", " * ") for one in next(iter(effects.values()))]
    rows: list[tuple[Value, ...]] = [
        (measure, *(100 * one.share for one in some)) for measure, some in effects.items()
    ]
    return Table(name, "Shares of the variance, in percent", ("Measure", *names), rows, 1)


def _shares_chart(effects: Mapping[str, Sequence[Effect]], name: str, title: str) -> Chart:
    """A bar for each measure, cut into the shares of its effects; interactions are one part."""
    rows: list[dict[str, Any]] = []
    order: dict[str, None] = {}
    for measure, some in effects.items():
        parts: dict[str, float] = {}
        for one in some:
            part = "interactions" if ":" in one.name or "*" in one.name else one.name
            parts[part] = parts.get(part, 0.0) + one.share
        parts[RESIDUAL] = parts.pop(RESIDUAL)  # the last one of the bar
        order |= dict.fromkeys(parts)
        rows += [
            {"measure": measure, "part": part, "share": round(share, 5), "place": place}
            for place, (part, share) in enumerate(parts.items())
        ]
    return TEXTS.chart(
        "shares.yaml",
        {"shares": rows},
        name=name,
        title=title,
        description=title,
        height=36 * len(effects) + 20,
        measures=list(effects),
        parts=list(order),
    )


def _span(numbers: set[int]) -> str:
    low, high = min(numbers), max(numbers)
    return f"{low}" if low == high else f"{low} to {high}"
