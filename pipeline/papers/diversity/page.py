"""The page of Kingrani, Levene & Zhang 2018: their tables with recomputed figures, and findings."""

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


def cells(printed: Figures, counts: Implied, experiment: Experiment) -> list[ComparedFigure]:
    """All printed figures with the recomputed ones."""
    return [
        _count(figure, counts, experiment)
        if figure.table == "text"
        else _figure(figure, experiment)
        for figure in printed.values()
    ]


def _figure(figure: PrintedFigure, experiment: Experiment) -> ComparedFigure:
    measure, _, what = figure.column.rpartition(", ")
    effect = experiment.effect(MEASURES[measure], figure.row)
    if effect.name != RESIDUAL and not effect.freedom:
        return compared(figure, None, why=TEXTS.sentence("no-freedom"))
    value = {"F": effect.f, "p": effect.p, "SSE": effect.squares, "%": 100 * effect.share}[what]
    return compared(figure, value, why=TEXTS.sentence("apart"))


def _count(figure: PrintedFigure, counts: Implied, experiment: Experiment) -> ComparedFigure:
    if figure.row == "conditions":
        ours = _cells(experiment)
        why = f"evenness is never below {experiment.least_even:.3f}: {_met(experiment)} can be met"
    else:
        ours, (low, high) = experiment.points, counts.points
        why = f"the printed F, sums of squares and p imply {low:,.0f} to {high:,.0f}"
    return compared(figure, float(ours), why=why, impossible=True)


def _cells(experiment: Experiment) -> int:
    """Filled conditions: the rank of the model."""
    return 1 + sum(effect.freedom for effect in experiment.mean(experiment.measures[0], "I")[:-1])


def _met(experiment: Experiment) -> str:
    """How many conditions can be met: the range over all interpretations."""
    numbers = {row[3] for row in experiment.variants}
    return " to ".join(map(str, dict.fromkeys((min(numbers), max(numbers)))))


def implied_finding(counts: Implied) -> str:
    """The finding about the printed tables alone."""
    low, high = math.floor(counts.residual[0]), math.ceil(counts.residual[1])
    least, most = counts.points
    return TEXTS.sentence(
        "finding-implied", low=low, high=high, cells=counts.cells, least=least, most=most
    )


def findings(experiment: Experiment) -> list[str]:
    """The findings, in the order of the paper's own statements."""
    weak = [
        f"{name} on {label}"
        for label, measure in MEASURES.items()
        for name in FACTORS
        if not experiment.effect(measure, name).p < SIGNIFICANT
    ]
    but = f", but for that of {', '.join(weak)}, which is not significant" if weak else ""
    depth, least = experiment.settings["documents"], experiment.least_even
    return [
        TEXTS.sentence("finding-conditions", depth=depth, least=least, met=_cells(experiment)),
        f"Richness, evenness and relevance have an effect on all three measures{but}.",
        TEXTS.sentence("finding-interactions", share=100 * experiment.largest_interaction()),
        *(_order(label, experiment.orders(measure)) for label, measure in MEASURES.items()),
        _statement(experiment, "richness", ("MAP-IA", "alpha-nDCG", "ERR-IA")),
        _least_even(experiment),
        _statement(experiment, "relevance", ("alpha-nDCG", "ERR-IA", "MAP-IA")),
    ]


def _order(label: str, orders: set[tuple[str, ...]]) -> str:
    if len(orders) == 1:
        order = ", then ".join(next(iter(orders)))
        return f"{label}: in every repetition the largest main effect is {order}."
    return f"{label}: the order of the main effects differs between repetitions."


def _shares_of(experiment: Experiment, factor: str) -> dict[str, float]:
    """The share of a factor in the variance of each measure, in percent."""
    return {name: 100 * experiment.effect(text, factor).share for name, text in MEASURES.items()}


def _statement(experiment: Experiment, factor: str, printed: Sequence[str]) -> str:
    share = _shares_of(experiment, factor)
    order = sorted(printed, key=lambda name: -share[name])
    listing = ", ".join(f"{name} {share[name]:.0f} %" for name in order)
    verdict = "as printed" if order == list(printed) else f"not as printed ({', '.join(printed)})"
    return f"The order of the measures by their share of {factor} is {verdict}: {listing}."


def _least_even(experiment: Experiment) -> str:
    share = _shares_of(experiment, "evenness")
    least = min(share, key=lambda name: share[name])
    listing = ", ".join(f"{name} {value:.1f} %" for name, value in share.items())
    verdict = "as printed" if least == "ERR-IA" else "not ERR-IA as printed"
    return f"The share of evenness is least in {least}, {verdict}: {listing}."


def conditions(experiment: Experiment) -> PageSection:
    """The section on the conditions that can be met."""
    each = experiment.settings["lists_each"]
    rows = [(*row, row[4] * each) for row in experiment.variants]
    return TEXTS.section(
        "conditions",
        depth=experiment.settings["documents"],
        each=each,
        states=experiment.states,
        least=experiment.least_even,
        met=_met(experiment),
        tables=[TEXTS.table("conditions", rows)],
    )


def tables(experiment: Experiment, cells: Sequence[ComparedFigure]) -> PageSection:
    """The section with the paper's tables and all types of sums of squares."""
    ranks = [effect.freedom for effect in experiment.mean(experiment.measures[0], "I")[3:-1]]
    return TEXTS.section(
        "anova",
        draws=len(experiment.analyses),
        points=experiment.points,
        kind=KIND,
        ranks=", ".join(map(str, ranks)),
        tables=[
            *(TEXTS.beside(f"table-{number}", cells, of=number) for number in "12"),
            *(_types(experiment, label, measure) for label, measure in MEASURES.items()),
        ],
    )


def _types(experiment: Experiment, label: str, measure: str) -> PageTable:
    rows: list[tuple[Value, ...]] = []
    for effects in zip(*(experiment.mean(measure, kind) for kind in TYPES), strict=True):
        row: list[Value] = [effects[0].name, effects[0].freedom]
        for effect in effects:
            row += [effect.squares, 100 * effect.share, None if math.isnan(effect.f) else effect.f]
        rows.append(tuple(row))
    columns = [f"{name}, type {kind}" for kind in TYPES for name in ("SS", "%", "F")]
    title = f"{label} with sums of squares of types I, II and III"
    return PageTable(f"types-{label.lower()}", title, ("Effect", "df", *columns), rows, 2)


def implied(counts: Implied) -> PageSection:
    """The section on the counts that the printed tables imply."""
    low, high = counts.residual
    rows = [
        *((name, " or ".join(map(str, fits)) or "none") for name, fits in counts.effects.items()),
        ("residual", f"{math.floor(low):,} to {math.ceil(high):,}"),
        ("filled conditions", str(counts.cells)),
        ("lists", f"{counts.points[0]:,.0f} to {counts.points[1]:,.0f}"),
    ]
    return TEXTS.section("implied", tables=[TEXTS.table("implied", rows)])


def further(experiment: Experiment) -> PageSection:
    """The section with the same analysis of further measures."""
    effects = {measure: experiment.mean(measure, KIND) for measure in experiment.measures}
    return TEXTS.section(
        "further",
        kind=KIND,
        charts=[_shares_chart(effects, "further", "Variance of diversity measures by effect")],
        tables=[_shares(effects, "further")],
    )


def dimensions(analyses: Analyses, settings: Mapping[str, Any]) -> PageSection:
    """The section on the share of each dimension in multidimensional measures."""
    effects = {measure: list(kinds["I"]) for measure, kinds in analyses.items()}
    mixed = {
        measure: sum(effect.share for effect in effects_of if ":" in effect.name)
        for measure, effects_of in effects.items()
    }
    return TEXTS.section(
        "dimensions",
        count=27 * settings["synthetic_lists"],
        depth=settings["documents"],
        mixed=", ".join(f"{100 * share:.0f} % of {name}" for name, share in mixed.items()),
        charts=[_shares_chart(effects, "dimensions", "Variance of uRBP, H and CAM by effect")],
        tables=[_shares(effects, "dimensions")],
    )


def _shares(effects: Mapping[str, Sequence[Effect]], name: str) -> PageTable:
    names = [effect.name.replace(":", " * ") for effect in next(iter(effects.values()))]
    rows: list[tuple[Value, ...]] = [
        (measure, *(100 * effect.share for effect in effects_of))
        for measure, effects_of in effects.items()
    ]
    return PageTable(name, "Shares of the variance, in percent", ("Measure", *names), rows, 1)


def _shares_chart(effects: Mapping[str, Sequence[Effect]], name: str, title: str) -> Chart:
    """A bar per measure, divided by the shares of its effects; interactions are one part."""
    rows: list[dict[str, Any]] = []
    for measure, effects_of in effects.items():
        parts: dict[str, float] = {}
        for effect in effects_of:
            part = "interactions" if ":" in effect.name or "*" in effect.name else effect.name
            parts[part] = parts.get(part, 0.0) + effect.share
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
