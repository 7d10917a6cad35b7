"""Tables for an overview paper, each as CSV and as LaTeX with the same figures."""

from collections.abc import Sequence
from functools import partial

from pipeline.report.latex import Cell, Table, escape, stacked, write_csv, write_tex
from pipeline.report.markup import Rows
from pipeline.report.report import Report
from pipeline.report.sections.measures import Agreement, read_agreement
from pipeline.report.wording import SIGNS, short_names
from pipeline.statistics.letters import stretch
from pipeline.statistics.means import Means

Line = tuple[Cell, ...]
_number = partial(Cell, number=True)


def write(report: Report) -> None:
    """Write means, contrast, agreement and discrimination, .csv and .tex."""
    results, title = report.results, escape(report.title)
    means = results.read_means()
    agreement = read_agreement(report.rows(results.correlations), measures=means.measures)
    tables = {
        "means": means_table(means, title=title),
        "contrast": contrast_table(report, title=title),
        "agreement": agreement_table(agreement, title=title),
        "discrimination": discrimination_table(report.rows(results.discrimination), title=title),
    }
    for name, table in tables.items():
        write_csv(table, out=results.tables / f"{name}.csv")
        write_tex(table, out=results.tables / f"{name}.tex")


def means_table(means: Means, *, title: str) -> Table:
    """Means of every run under every measure, in order of the first; the best are bold."""
    best = means.values.max(axis=0).tolist()
    cells = []
    rows = zip(means.runs, means.teams, means.values.tolist(), strict=True)
    for run, team, row in sorted(rows, key=lambda row: (-row[2][0], row[0])):
        figures = (_number(f"{v:.4f}", bold=v == b) for v, b in zip(row, best, strict=True))
        cells.append((Cell(run), Cell(team), *figures))
    caption = f"{title}: mean of every run under every measure; the best of each is bold."
    return _by_measure("tab:means", caption, ("Run", "Team"), means.measures, cells)


def contrast_table(report: Report, *, title: str) -> Table:
    """Rank, mean and confidence interval under each contrasted measure, in order of the first.

    Signs compare runs with the best one; the CSV has the letters of significance groups instead.
    """
    board, contrast = report.board, list(dict.fromkeys(report.contrast))
    rows = []
    for row in board.rows:
        cells = [Cell(row.run), Cell(row.team)]
        for measure, rank in zip(contrast, row.ranks, strict=False):
            stand = report.standings.get((measure, row.run))
            mean = _number(
                f"{row.cells[board.measures.index(measure)].value:.4f}",
                bold=rank == 1,
                raised=SIGNS[report.from_best[measure].get(row.run, "best")],
                letters=stretch(stand.letters, dash="-") if stand else "",
            )
            interval = f"[{stand.lower:.3f}, {stand.upper:.3f}]" if stand else ""
            cells += [_number(str(rank)), mean, _number(interval)]
        rows.append(tuple(cells))
    caption = (
        f": runs by {contrast[0]}, with {report.confidence} t intervals; ≈: not significantly "
        f"different from the best run (randomised Tukey HSD, alpha {report.alpha}), "
        "≠: significantly different."
    )
    heads = [head for m in contrast for head in (f"{m} rank", m, f"{m} interval")]
    return Table(
        caption=title + escape(caption) + _names(contrast),
        label="tab:contrast",
        columns=("Run", "Team", *heads),
        heads=("Run", "Team", *("Rank", "Mean", "Interval") * len(contrast)),
        spans=(("", 2), *((escape(name), 3) for name in short_names(contrast).values())),
        align="ll" + "rll" * len(contrast),
        rows=tuple(rows),
    )


def agreement_table(agreement: Agreement, *, title: str) -> Table:
    """Pairwise tau_b of the measures, or the first statistic available."""
    statistic, measures, values = agreement
    texts = {pair: f"{value:.3f}" for pair, value in values.items()}
    texts |= {(measure, measure): "1" for measure in measures}
    cells = [(Cell(a), *(_number(texts.get((a, b), "")) for b in measures)) for a in measures]
    caption = f"{title}: agreement of the measures on the order of the runs ({_symbol(statistic)})."
    return _by_measure("tab:agreement", caption, ("Measure",), measures, cells)


def _by_measure(
    label: str, caption: str, fixed: Sequence[str], measures: Sequence[str], rows: Sequence[Line]
) -> Table:
    return Table(
        caption=caption + _names(measures),
        label=label,
        fixed=len(fixed),
        columns=(*fixed, *measures),
        heads=(*fixed, *map(stacked, short_names(measures).values())),
        align="l" * len(fixed) + "r" * len(measures),
        rows=tuple(rows),
    )


DISCRIMINATION = {  # column of significance.csv: head of the CSV, and head of LaTeX
    "power_tukey": ("Tukey HSD", "Tukey"),
    "power_t_holm": ("t, Holm", "$t$, Holm"),
    "power_permutation_bh": ("permutation, BH", "perm., BH"),
    "critical_difference": ("critical difference", "crit."),
    "groups": ("groups", "groups"),
    "share_system": ("system", "system"),
    "share_topic": ("topic", "topic"),
    "share_residual": ("residual", "residual"),
}


def discrimination_table(rows: Rows, *, title: str) -> Table:
    """The discriminative power of each measure, and its variance components."""
    caption = (
        ": share of pairs of runs that differ significantly by each test, critical difference of "
        "randomised Tukey HSD (crit.), significance groups, and shares of the variance."
    )
    lines = []
    for row in rows:
        values = ((name, row[name]) for name in DISCRIMINATION)
        texts = (v if name == "groups" or not v else f"{float(v):.3f}" for name, v in values)
        lines.append((Cell(row["measure"]), *map(_number, texts)))
    columns, heads = zip(*DISCRIMINATION.values(), strict=True)
    return Table(
        caption=title + escape(caption),
        label="tab:discrimination",
        columns=("Measure", *columns),
        heads=("Measure", *heads),
        spans=(("", 1), ("Significant pairs", 3), ("", 2), ("Variance", 3)),
        align="l" + "r" * len(columns),
        rows=tuple(lines),
    )


def _names(measures: Sequence[str]) -> str:
    """The full names of shortened measures, as TeX; empty if none is shortened."""
    cut = {short: name for name, short in short_names(measures).items() if short != name}
    meanings = ", ".join(f"{escape(short)} is {escape(name)}" for short, name in cut.items())
    return f" {meanings}." if meanings else ""


def _symbol(statistic: str) -> str:
    r"""A statistic as the field writes it.

    >>> print(_symbol("tau_b"), _symbol("tau_ap_b"), _symbol("rbo"))
    $\tau_b$ $\tau_{ap,b}$ rbo
    """
    if not statistic.startswith("tau_"):
        return escape(statistic)
    below = statistic.removeprefix("tau_").replace("_", ",")
    return rf"$\tau_{below if len(below) == 1 else f'{{{below}}}'}$"
