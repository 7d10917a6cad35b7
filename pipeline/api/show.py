"""Results for a terminal: tables, and plots in characters.

Commands align their tables with this module, so it imports no numpy.
"""

from collections.abc import Sequence
from typing import Any

MOST = 20  # runs in the short form
COLUMNS, LINES = 56, 4  # of plots in characters; lines above the axis, and below it
EIGHTHS = " ▁▂▃▄▅▆▇█"


def aligned(rows: Sequence[Sequence[str]], *, right: Sequence[bool] = ()) -> list[str]:
    """Rows of cells as lines with aligned columns; `right` marks those aligned to the right.

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
    """Rows under named columns as lines; floats have four decimals, None and NaN are blank."""
    numeric = [any(isinstance(row[at], float | int) for row in rows) for at in range(len(columns))]
    return aligned([columns, *([shown(value) for value in row] for row in rows)], right=numeric)


def shown(value: str | float | int | None) -> str:
    """The text of a cell."""
    if value is None or value != value:
        return ""
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def intervals(
    names: Sequence[str], means: Sequence[float], ends: Sequence[tuple[float, float]]
) -> str:
    """One line per run: its mean and confidence interval, on a common axis.

    >>> print(intervals(["a", "b"], [0.5, 0.25], [(0.4, 0.6), (0.1, 0.4)]))
    a                                   ├──────────●──────────┤
    b  ├───────────────●────────────────┤
       0.1000                                            0.6000
    """
    low, high = min(map(min, ends)), max(map(max, ends))
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
    """One column per topic, in descending order: bars up for positive, down for negative values.

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
    """The character of a bar in one line, in eighths."""
    return EIGHTHS[max(0, min(8, round(left * 8)))]
