"""Tables for the campaign's overview paper, each as CSV and as LaTeX with the same figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.report.tables.latex import Cell, Table, write_csv, write_tex
from pipeline.statistics.correlation.means import Means, read_means
from pipeline.statistics.letters import stretch
from pipeline.storage import sheets

TABLES = ("means", "contrast", "agreement", "discrimination")

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
    best = values.max(axis=0)
    order = sorted(range(len(values)), key=lambda i: (-values[i, 0], data.means.runs[i]))
    return Table(
        caption=f"{title}: every run under every measure; the best figure of each is bold.",
        label="tab:means",
        columns=("Run", "Team", *data.means.measures),
        align="ll" + "r" * len(data.means.measures),
        rows=tuple(
            (
                Cell(data.means.runs[i]),
                Cell(data.means.teams[i]),
                *(
                    Cell(f"{value:.4f}", bold=bool(value == top))
                    for value, top in zip(values[i], best, strict=True)
                ),
            )
            for i in order
        ),
    )


def contrast_table(data: Inputs, *, contrast: Sequence[str], title: str) -> Table:
    """Rank, mean and 95 % interval under each contrasted measure, with letters, by the first."""
    ranked = sorted(data.runs[contrast[0]].values(), key=lambda row: int(row["rank"]))
    team = dict(zip(data.means.runs, data.means.teams, strict=True))
    rows = []
    for row in ranked:
        cells = [Cell(row["run"]), Cell(team[row["run"]])]
        for measure in contrast:
            mine = data.runs[measure][row["run"]]
            ends = [f"{float(mine[end]):.3f}" if mine[end] else "" for end in _ENDS]
            cells += [
                Cell(mine["rank"]),
                Cell(
                    f"{float(mine['mean']):.4f}",
                    bold=mine["rank"] == "1",
                    raised=stretch(mine["letters"], dash="-"),
                ),
                Cell(f"[{ends[0]}, {ends[1]}]"),
            ]
        rows.append(tuple(cells))
    heads = [head for m in contrast for head in (f"{m} rank", m, f"{m} interval")]
    return Table(
        caption=(
            f"{title}: runs by {contrast[0]}, with t intervals; runs that share a letter are not "
            "told apart (randomised Tukey HSD)."
        ),
        label="tab:contrast",
        columns=("Run", "Team", *heads),
        align="ll" + "rll" * len(contrast),
        rows=tuple(rows),
    )


_ENDS = ("t_lower", "t_upper")


def agreement_table(data: Inputs, *, title: str) -> Table:
    """tau_b between every two measures, or the first statistic there is."""
    measures = data.means.measures
    keys = ("measure_a", "measure_b", "n")
    names = [n for n in (data.correlations[0] if data.correlations else ()) if n not in keys]
    statistic = "tau_b" if "tau_b" in names or not names else names[0]
    value = {(row[keys[0]], row[keys[1]]): row[statistic] for row in data.correlations}
    return Table(
        caption=f"{title}: agreement of the measures on the order of the runs ({statistic}).",
        label="tab:agreement",
        columns=("Measure", *measures),
        align="l" + "r" * len(measures),
        rows=tuple(
            (Cell(a), *(Cell("1" if a == b else _fixed(value.get((a, b), ""))) for b in measures))
            for a in measures
        ),
    )


def discrimination_table(data: Inputs, *, title: str) -> Table:
    """How well each measure tells runs apart, and where its variance comes from."""
    columns = {
        "Tukey HSD": "power_tukey",
        "t, Holm": "power_t_holm",
        "permutation, BH": "power_permutation_bh",
        "critical difference": "critical_difference",
        "groups": "groups",
        "system": "share_system",
        "topic": "share_topic",
        "residual": "share_residual",
    }
    return Table(
        caption=(
            f"{title}: share of pairs of runs told apart by each test, smallest difference that "
            "Tukey's test finds, groups of runs, and shares of the variance."
        ),
        label="tab:discrimination",
        columns=("Measure", *columns),
        align="l" + "r" * len(columns),
        rows=tuple(
            (
                Cell(row["measure"]),
                *(
                    Cell(row[name] if name == "groups" else _fixed(row[name]))
                    for name in columns.values()
                ),
            )
            for row in data.significance
        ),
    )


def _fixed(text: str) -> str:
    return f"{float(text):.3f}" if text else ""
