"""Results as people read them: text in a terminal, a table with a small plot in a notebook."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # commands align their tables with this, without numpy
    from pipeline.storage.arrays import Floats

MOST = 20  # runs a short form shows
WIDTH, HEIGHT = 120, 14  # of the small plot of a run's topics
COLUMNS, LINES = 56, 4  # of plots in characters; lines above the axis, and below it
EIGHTHS = " ▁▂▃▄▅▆▇█"


def aligned(rows: Sequence[Sequence[str]], *, right: Sequence[bool] = ()) -> list[str]:
    """Rows of cells as lines, columns side by side; `right` says which go to the right.

    >>> aligned([["run", "AP"], ["a", "0.5000"]], right=[False, True])
    ['run      AP', 'a    0.5000']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    sides = [">" if at < len(right) and right[at] else "<" for at in range(len(widths))]
    return [
        "  ".join(f"{c:{s}{w}}" for c, s, w in zip(row, sides, widths, strict=True)).rstrip()
        for row in rows
    ]


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    """Rows under named columns as lines; floats with four decimals, nothing for None and NaN."""
    numeric = [any(isinstance(row[at], float | int) for row in rows) for at in range(len(columns))]
    cells = [[shown(value) for value in row] for row in rows]
    return aligned([columns, *cells], right=numeric)


def shown(value: str | float | int | None) -> str:
    """A cell as people read it."""
    if value is None or value != value:
        return ""
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def text(
    runs: Sequence[str], topics: Sequence[str], means: "Mapping[str, Floats]", notes: Sequence[str]
) -> str:
    """One line per run, best first under the first measure, with its figures over the topics."""
    order = _best_first(next(iter(means.values())))
    rows = [[runs[at], *(f"{mean[at]:8.4f}" for mean in means.values())] for at in order[:MOST]]
    more = [f"... and {len(order) - MOST} more"] if len(order) > MOST else []
    head = f"{len(runs)} runs, {len(topics)} topics"
    right = [False, *(True for _ in means)]
    return "\n".join([head, *aligned([["run", *means], *rows], right=right), *more, *notes])


def html(
    runs: Sequence[str],
    topics: Sequence[str],
    figures: "Mapping[str, tuple[Floats, Floats]]",
    notes: Sequence[str],
) -> str:
    """The same as a table; beside each run its topics under the first measure, as bars."""
    (_, values), *_ = figures.values()
    order = _best_first(next(iter(figures.values()))[0])
    highest = max(1e-9, float(values.max(initial=0.0)))
    first = escape(next(iter(figures)))
    head = "".join(f"<th>{escape(name)}</th>" for name in figures)
    rows = []
    for at in order[:MOST]:
        cells = "".join(f"<td>{mean[at]:.4f}</td>" for mean, _ in figures.values())
        plot = _bars(values[at], highest, title=f"{runs[at]}: {first} by topic")
        rows.append(f"<tr><th>{escape(runs[at])}</th>{cells}<td>{plot}</td></tr>")
    more = f"<p>... and {len(order) - MOST} more</p>" if len(order) > MOST else ""
    said = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return (
        f"<div><table><thead><tr><th>run</th>{head}<th>{first}, {len(topics)} topics</th></tr>"
        f"</thead><tbody>{''.join(rows)}</tbody></table>{more}"
        f"{f'<ul>{said}</ul>' if said else ''}</div>"
    )


def _best_first(means: "Floats") -> list[int]:
    return sorted(range(len(means)), key=lambda at: -float(means[at]))


def _bars(values: "Floats", highest: float, *, title: str) -> str:
    """One thin bar per topic, in the order of the topics; what is below 0 is not drawn."""
    step = WIDTH / max(1, len(values))
    bars = "".join(
        f'<rect x="{place * step:.1f}" y="{HEIGHT * (1 - size):.1f}" width="{step * 0.8:.2f}" '
        f'height="{HEIGHT * size:.1f}"/>'
        for place, value in enumerate(values.tolist())
        for size in [min(1.0, max(0.0, value / highest))]
    )
    return (
        f'<svg width="{WIDTH}" height="{HEIGHT}" fill="currentColor" role="img">'
        f"<title>{escape(title)}</title>{bars}</svg>"
    )


# ---- plots in characters ----------------------------------------------------------------------


def intervals(
    names: Sequence[str], means: Sequence[float], ends: Sequence[tuple[float, float]]
) -> str:
    """One line per run: its mean in its interval, all on one scale.

    >>> print(intervals(["a", "b"], [0.5, 0.25], [(0.4, 0.6), (0.1, 0.4)]))
    a                                   ├──────────●──────────┤
    b  ├───────────────●────────────────┤
       0.1000                                            0.6000
    """
    low = min(min(one) for one in ends)
    high = max(max(one) for one in ends)
    span = (high - low) or 1.0

    def place(value: float) -> int:
        return round((value - low) / span * (COLUMNS - 1))

    width = max(map(len, names))
    lines = []
    for name, mean, (lower, upper) in zip(names, means, ends, strict=True):
        row = [" "] * COLUMNS
        row[place(lower) : place(upper) + 1] = "─" * (place(upper) - place(lower) + 1)
        row[place(lower)], row[place(upper)] = "├", "┤"
        row[place(mean)] = "●"
        lines.append(f"{name:<{width}}  {''.join(row).rstrip()}")
    scale = f"{low:.4f}".ljust(COLUMNS - 6) + f"{high:.4f}"
    return "\n".join([*lines, f"{'':<{width}}  {scale.rstrip()}"])


def differences(values: Sequence[float]) -> str:
    """One column per topic, the largest gain first, up for gains and down for losses.

    >>> print(differences([0.5, -0.25, 0.0, 0.125]))
    █
    █
    █
    ██
    ────
       █
       █
    """
    ordered = sorted(values, reverse=True)
    if len(ordered) > COLUMNS:  # every n-th topic, so that the shape stays
        ordered = [ordered[i * len(ordered) // COLUMNS] for i in range(COLUMNS)]
    largest = max(map(abs, ordered), default=0.0) or 1.0
    sizes = [value / largest * LINES for value in ordered]
    above = ["".join(_piece(size - row) for size in sizes) for row in reversed(range(LINES))]
    below = ["".join("█" if -size - row > 0.5 else " " for size in sizes) for row in range(LINES)]
    lines = [line.rstrip() for line in [*above, "─" * len(sizes), *below]]
    return "\n".join(line for line in lines if line)


def _piece(left: float) -> str:
    """What a bar shows in one line: all of it, an eighth or so, or nothing."""
    return EIGHTHS[max(0, min(8, round(left * 8)))]
