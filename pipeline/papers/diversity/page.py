"""The page of Kingrani, Levene & Zhang 2018: their tables beside ours, and what both say."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.papers.diversity.experiment import KIND, MEASURES, Analyses, Experiment
from pipeline.papers.diversity.implied import Implied
from pipeline.papers.diversity.lists import FACTORS
from pipeline.papers.outcome import PageSection, PageTable, Texts, Value
from pipeline.papers.published import ComparedFigure, Figures, PrintedFigure, compared
from pipeline.report.charts import Chart
from pipeline.statistics.significance.factorial import RESIDUAL, TYPES, Effect

TEXTS = Texts(Path(__file__).with_name("page.txt"))
SIGNIFICANT = 0.01


def cells(printed: Figures, counts: Implied, ran: Experiment) -> list[ComparedFigure]:
    """Every printed figure beside ours."""
    return [
        _count(one, counts, ran) if one.table == "text" else _figure(one, ran)
        for one in printed.values()
    ]


def _figure(one: PrintedFigure, ran: Experiment) -> ComparedFigure:
    measure, _, what = one.column.rpartition(", ")
    effect = ran.effect(MEASURES[measure], one.row)
    if effect.name != RESIDUAL and not effect.freedom:
        return compared(one, None, why=TEXTS.sentence("no-freedom"))
    ours = {"F": effect.f, "p": effect.p, "SSE": effect.squares, "%": 100 * effect.share}[what]
    return compared(one, ours, why=TEXTS.sentence("apart"))


def _count(one: PrintedFigure, counts: Implied, ran: Experiment) -> ComparedFigure:
    if one.row == "conditions":
        ours = _cells(ran)
        why = f"evenness is never below {ran.least_even:.3f}: {_met(ran)} can be met"
    else:
        low, high = counts.points
        ours, why = ran.points, f"the printed F, squares and p imply {low:,.0f} to {high:,.0f}"
    return compared(one, float(ours), why=why, impossible=True)


def _cells(ran: Experiment) -> int:
    """Filled conditions of the draws: the rank of the model."""
    return 1 + sum(one.freedom for one in ran.mean(ran.measures[0], "I")[:-1])


def _met(ran: Experiment) -> str:
    """How many conditions can be met, from the least to the most that any reading has."""
    numbers = {row[3] for row in ran.variants}
    return " to ".join(map(str, dict.fromkeys((min(numbers), max(numbers)))))


# ---- what stands on top ------------------------------------------------------------------------


def implied_finding(counts: Implied) -> str:
    """What the printed tables say about themselves."""
    low, high = math.floor(counts.residual[0]), math.ceil(counts.residual[1])
    least, most = counts.points
    return TEXTS.sentence(
        "finding-implied", low=low, high=high, cells=counts.cells, least=least, most=most
    )


def findings(ran: Experiment) -> list[str]:
    """What came out, in the order of the paper's own statements."""
    weak = [
        f"{name} on {label}"
        for label, measure in MEASURES.items()
        for name in FACTORS
        if not ran.effect(measure, name).p < SIGNIFICANT
    ]
    but = f", but for that of {', '.join(weak)}, which is not significant" if weak else ""
    depth, least = ran.settings["documents"], ran.least_even
    share = 100 * ran.largest_interaction()
    return [
        TEXTS.sentence("finding-conditions", depth=depth, least=least, met=_cells(ran)),
        f"Richness, evenness and relevance have an effect on all three measures{but}.",
        TEXTS.sentence("finding-interactions", share=share),
        *(_order(label, ran.orders(measure)) for label, measure in MEASURES.items()),
        _statement(ran, "richness", ("MAP-IA", "alpha-nDCG", "ERR-IA")),
        _least_even(ran),
        _statement(ran, "relevance", ("alpha-nDCG", "ERR-IA", "MAP-IA")),
    ]


def _order(label: str, orders: set[tuple[str, ...]]) -> str:
    if len(orders) == 1:
        return f"{label}: {' before '.join(next(iter(orders)))}, in every draw."
    return f"{label}: the order of the effects differs from draw to draw."


def _shares_of(ran: Experiment, factor: str) -> dict[str, float]:
    """How much of each measure is a factor, in percent."""
    return {name: 100 * ran.effect(measure, factor).share for name, measure in MEASURES.items()}


def _statement(ran: Experiment, factor: str, printed: Sequence[str]) -> str:
    share = _shares_of(ran, factor)
    ours = sorted(printed, key=lambda name: -share[name])
    shown = ", ".join(f"{name} {share[name]:.0f} %" for name in ours)
    verdict = "as printed" if ours == list(printed) else f"not as printed ({', '.join(printed)})"
    return f"The order of the measures by their share of {factor} is {verdict}: {shown}."


def _least_even(ran: Experiment) -> str:
    share = _shares_of(ran, "evenness")
    least = min(share, key=lambda name: share[name])
    shown = ", ".join(f"{name} {value:.1f} %" for name, value in share.items())
    verdict = "as printed" if least == "ERR-IA" else "not ERR-IA as printed"
    return f"Least of evenness is in {least}, {verdict}: {shown}."


# ---- sections ----------------------------------------------------------------------------------


def conditions(ran: Experiment) -> PageSection:
    """Which conditions can be met."""
    each = ran.settings["lists_each"]
    return TEXTS.section(
        "conditions",
        depth=ran.settings["documents"],
        each=each,
        states=ran.states,
        least=ran.least_even,
        met=_met(ran),
        tables=[TEXTS.table("conditions", [(*row, row[4] * each) for row in ran.variants])],
    )


def tables(ran: Experiment, cells: Sequence[ComparedFigure]) -> PageSection:
    """The paper's tables, and all types of squares."""
    ranks = [effect.freedom for effect in ran.mean(ran.measures[0], "I")[3:-1]]
    return TEXTS.section(
        "anova",
        draws=len(ran.analyses),
        points=ran.points,
        kind=KIND,
        ranks=", ".join(map(str, ranks)),
        tables=[
            *(TEXTS.beside(f"table-{number}", cells, of=number) for number in "12"),
            *(_types(ran, label, measure) for label, measure in MEASURES.items()),
        ],
    )


def _types(ran: Experiment, label: str, measure: str) -> PageTable:
    rows: list[tuple[Value, ...]] = []
    for same in zip(*(ran.mean(measure, kind) for kind in TYPES), strict=True):
        row: list[Value] = [same[0].name, same[0].freedom]
        for one in same:
            row += [one.squares, 100 * one.share, None if math.isnan(one.f) else one.f]
        rows.append(tuple(row))
    columns = [f"{what}, type {kind}" for kind in TYPES for what in ("SS", "%", "F")]
    title = f"{label} with squares of types I, II and III"
    return PageTable(f"types-{label.lower()}", title, ("Effect", "df", *columns), rows, 2)


def implied(counts: Implied) -> PageSection:
    """What the printed tables imply."""
    low, high = counts.residual
    rows = [
        *((name, " or ".join(map(str, fits)) or "none") for name, fits in counts.effects.items()),
        ("residual", f"{math.floor(low):,} to {math.ceil(high):,}"),
        ("filled conditions", str(counts.cells)),
        ("lists", f"{counts.points[0]:,.0f} to {counts.points[1]:,.0f}"),
    ]
    return TEXTS.section("implied", tables=[TEXTS.table("implied", rows)])


def further(ran: Experiment) -> PageSection:
    """The same analysis of further measures."""
    effects = {measure: ran.mean(measure, KIND) for measure in ran.measures}
    return TEXTS.section(
        "further",
        kind=KIND,
        charts=[_shares_chart(effects, "further", "What measures of diversity are made of")],
        tables=[_shares(effects, "further")],
    )


def dimensions(analyses: Analyses, settings: Mapping[str, Any]) -> PageSection:
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


def _shares(effects: Mapping[str, Sequence[Effect]], name: str) -> PageTable:
    names = [one.name.replace(":", " * ") for one in next(iter(effects.values()))]
    rows: list[tuple[Value, ...]] = [
        (measure, *(100 * one.share for one in some)) for measure, some in effects.items()
    ]
    return PageTable(name, "Shares of the variance, in percent", ("Measure", *names), rows, 1)


def _shares_chart(effects: Mapping[str, Sequence[Effect]], name: str, title: str) -> Chart:
    """A bar for each measure, cut into the shares of its effects; interactions are one part."""
    rows: list[dict[str, Any]] = []
    for measure, some in effects.items():
        parts: dict[str, float] = {}
        for one in some:
            part = "interactions" if ":" in one.name or "*" in one.name else one.name
            parts[part] = parts.get(part, 0.0) + one.share
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
        parts=list(dict.fromkeys(row["part"] for row in rows)),
    )
