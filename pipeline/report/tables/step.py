"""Tables for the campaign's overview paper, each as CSV and as LaTeX with the same figures."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.report.names import short_names
from pipeline.report.tables import TABLES
from pipeline.report.tables.latex import Cell, Table, escape, stacked, write_csv, write_tex
from pipeline.report.wording import SIGNS
from pipeline.statistics.correlation.means import Means, read_means
from pipeline.statistics.letters import apart, stretch
from pipeline.storage import sheets

Row = Mapping[str, str]


@dataclass(frozen=True)
class Inputs:
    """A campaign's files, read: `runs` has significance/runs/<measure>.csv by measure and run."""

    means: Means
    correlations: Sequence[Row]
    significance: Sequence[Row]
    runs: Mapping[str, Mapping[str, Row]]


def write(
    *,
    means: Path,
    correlations: Path,
    significance: Path,
    runs: Mapping[str, Path],
    contrast: Sequence[str],
    title: str,
    out: Path,
) -> None:
    """Write means, contrast, agreement and discrimination, .csv and .tex, into the folder `out`.

    `runs` maps a measure to its significance/runs file; `contrast` names the two measures whose
    ranks are put side by side.
    """
    data = Inputs(
        means=read_means(means),
        correlations=sheets.read(correlations),
        significance=sheets.read(significance),
        runs={name: {row["run"]: row for row in sheets.read(path)} for name, path in runs.items()},
    )
    made = {
        "means": means_table(data, title=title),
        "contrast": contrast_table(data, contrast=contrast or data.means.measures[:1], title=title),
        "agreement": agreement_table(data, title=title),
        "discrimination": discrimination_table(data, title=title),
    }
    for name in TABLES:
        write_csv(made[name], out=out / f"{name}.csv")
        write_tex(made[name], out=out / f"{name}.tex")


def means_table(data: Inputs, *, title: str) -> Table:
    """Every run under every measure, by the first one; the best of each measure is bold."""
    values = data.means.values
    measures = data.means.measures
    best = values.max(axis=0)
    order = sorted(range(len(values)), key=lambda i: (-values[i, 0], data.means.runs[i]))
    caption = f"{title}: every run under every measure; the best figure of each is bold."
    return Table(
        caption=escape(caption) + _names(measures),
        label="tab:means",
        fixed=2,
        columns=("Run", "Team", *measures),
        heads=("Run", "Team", *map(stacked, short_names(measures).values())),
        align="ll" + "r" * len(measures),
        rows=tuple(
            (
                Cell(data.means.runs[i]),
                Cell(data.means.teams[i]),
                *(
                    Cell(f"{value:.4f}", bold=bool(value == top), number=True)
                    for value, top in zip(values[i], best, strict=True)
                ),
            )
            for i in order
        ),
    )


def contrast_table(data: Inputs, *, contrast: Sequence[str], title: str) -> Table:
    """Rank, mean and 95 % interval under each contrasted measure, by the first one.

    A sign says who is told apart from the best; the CSV has the letters of the groups instead.
    """
    ranked = sorted(data.runs[contrast[0]].values(), key=lambda row: int(row["rank"]))
    team = dict(zip(data.means.runs, data.means.teams, strict=True))
    rows = []
    for row in ranked:
        cells = [Cell(row["run"]), Cell(team[row["run"]])]
        for measure in contrast:
            mine = data.runs[measure][row["run"]]
            ends = [f"{float(mine[end]):.3f}" if mine[end] else "" for end in _ENDS]
            cells += [
                Cell(mine["rank"], number=True),
                Cell(
                    f"{float(mine['mean']):.4f}",
                    bold=mine["rank"] == "1",
                    raised=_sign(mine, data.runs[measure].values()),
                    letters=stretch(mine["letters"], dash="-"),
                    number=True,
                ),
                Cell(f"[{ends[0]}, {ends[1]}]" if all(ends) else "", number=True),
            ]
        rows.append(tuple(cells))
    heads = [head for m in contrast for head in (f"{m} rank", m, f"{m} interval")]
    caption = (
        f"{title}: runs by {contrast[0]}, with t intervals; ≈: not told apart from the best run "
        "(randomised Tukey HSD), ≠: told apart from it."
    )
    return Table(
        caption=escape(caption) + _names(contrast),
        label="tab:contrast",
        columns=("Run", "Team", *heads),
        heads=("Run", "Team", *("Rank", "Mean", "Interval") * len(contrast)),
        spans=(("", 2), *((escape(name), 3) for name in short_names(contrast).values())),
        align="ll" + "rll" * len(contrast),
        rows=tuple(rows),
    )


def _sign(row: Row, rows: Iterable[Row]) -> str:
    """Whether a run is told apart from the best one; nothing if it is the best, or untested."""
    best = next(one for one in rows if one["rank"] == "1")
    if row["rank"] == "1" or not row["letters"] or not best["letters"]:
        return SIGNS["best"]
    alike = set(apart(row["letters"])) & set(apart(best["letters"]))
    return SIGNS["alike" if alike else "apart"]


_ENDS = ("t_lower", "t_upper")


def agreement_table(data: Inputs, *, title: str) -> Table:
    """tau_b between every two measures, or the first statistic there is."""
    measures = data.means.measures
    keys = ("measure_a", "measure_b", "n")
    names = [n for n in (data.correlations[0] if data.correlations else ()) if n not in keys]
    statistic = "tau_b" if "tau_b" in names or not names else names[0]
    value = {(row[keys[0]], row[keys[1]]): row[statistic] for row in data.correlations}
    caption = escape(f"{title}: agreement of the measures on the order of the runs ")
    return Table(
        caption=f"{caption}({_symbol(statistic)}).{_names(measures)}",
        label="tab:agreement",
        columns=("Measure", *measures),
        heads=("Measure", *map(stacked, short_names(measures).values())),
        align="l" + "r" * len(measures),
        rows=tuple(
            (
                Cell(a),
                *(
                    Cell("1" if a == b else _fixed(value.get((a, b), "")), number=True)
                    for b in measures
                ),
            )
            for a in measures
        ),
    )


def discrimination_table(data: Inputs, *, title: str) -> Table:
    """How well each measure tells runs apart, and where its variance comes from."""
    columns = {
        "Tukey HSD": ("power_tukey", "Tukey"),
        "t, Holm": ("power_t_holm", "$t$, Holm"),
        "permutation, BH": ("power_permutation_bh", "perm., BH"),
        "critical difference": ("critical_difference", "crit."),
        "groups": ("groups", "groups"),
        "system": ("share_system", "system"),
        "topic": ("share_topic", "topic"),
        "residual": ("share_residual", "residual"),
    }
    caption = (
        f"{title}: share of pairs of runs told apart by each test, smallest difference that "
        "Tukey's test finds (crit.), groups of runs, and shares of the variance."
    )
    return Table(
        caption=escape(caption),
        label="tab:discrimination",
        columns=("Measure", *columns),
        heads=("Measure", *(short for _, short in columns.values())),
        spans=(("", 1), ("Pairs told apart", 3), ("", 2), ("Variance", 3)),
        align="l" + "r" * len(columns),
        rows=tuple(
            (
                Cell(row["measure"]),
                *(
                    Cell(row[name] if name == "groups" else _fixed(row[name]), number=True)
                    for name, _ in columns.values()
                ),
            )
            for row in data.significance
        ),
    )


def _fixed(text: str) -> str:
    return f"{float(text):.3f}" if text else ""


def _names(measures: Sequence[str]) -> str:
    """What the short names stand for, as TeX; empty where all are whole."""
    cut = {short: name for name, short in short_names(measures).items() if short != name}
    told = ", ".join(f"{escape(short)} is {escape(name)}" for short, name in cut.items())
    return f" {told}." if told else ""


def _symbol(statistic: str) -> str:
    r"""A statistic as the field writes it.

    >>> print(_symbol("tau_b"), _symbol("tau_ap_b"), _symbol("rbo"))
    $\tau_b$ $\tau_{ap,b}$ rbo
    """
    if not statistic.startswith("tau_"):
        return escape(statistic)
    below = statistic.removeprefix("tau_").replace("_", ",")
    return rf"$\tau_{below if len(below) == 1 else f'{{{below}}}'}$"
