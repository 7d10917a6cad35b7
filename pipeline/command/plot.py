"""Small plots in characters: intervals of runs, and differences by topic."""

from collections.abc import Sequence

WIDTH = 56
HEIGHT = 4  # lines above the axis, and below it
EIGHTHS = " ▁▂▃▄▅▆▇█"


def intervals(
    names: Sequence[str], means: Sequence[float], ends: Sequence[tuple[float, float]]
) -> str:
    """A line a run: its mean in its interval, all on one scale.

    >>> print(intervals(["a", "b"], [0.5, 0.25], [(0.4, 0.6), (0.1, 0.4)]))
    a                                   ├──────────●──────────┤
    b  ├───────────────●────────────────┤
       0.1000                                            0.6000
    """
    low = min(min(one) for one in ends)
    high = max(max(one) for one in ends)
    span = (high - low) or 1.0

    def place(value: float) -> int:
        return round((value - low) / span * (WIDTH - 1))

    width = max(map(len, names))
    lines = []
    for name, mean, (lower, upper) in zip(names, means, ends, strict=True):
        row = [" "] * WIDTH
        row[place(lower) : place(upper) + 1] = "─" * (place(upper) - place(lower) + 1)
        row[place(lower)], row[place(upper)] = "├", "┤"
        row[place(mean)] = "●"
        lines.append(f"{name:<{width}}  {''.join(row).rstrip()}")
    scale = f"{low:.4f}".ljust(WIDTH - 6) + f"{high:.4f}"
    return "\n".join([*lines, f"{'':<{width}}  {scale.rstrip()}"])


def differences(values: Sequence[float]) -> str:
    """A column a topic, the largest gain first, up for gains and down for losses.

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
    if len(ordered) > WIDTH:  # every n-th topic, so that the shape stays
        ordered = [ordered[i * len(ordered) // WIDTH] for i in range(WIDTH)]
    largest = max(map(abs, ordered), default=0.0) or 1.0
    sizes = [value / largest * HEIGHT for value in ordered]
    above = ["".join(_piece(size - row) for size in sizes) for row in reversed(range(HEIGHT))]
    below = ["".join("█" if -size - row > 0.5 else " " for size in sizes) for row in range(HEIGHT)]
    lines = [line.rstrip() for line in [*above, "─" * len(sizes), *below]]
    return "\n".join(line for line in lines if line)


def _piece(left: float) -> str:
    """What a bar shows in one line: all of it, an eighth or so, or nothing."""
    return EIGHTHS[max(0, min(8, round(left * 8)))]
