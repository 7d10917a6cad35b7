"""Results as people read them: text in a terminal, a table with a small plot in a notebook."""

from collections.abc import Mapping, Sequence
from html import escape

from pipeline.storage.arrays import Floats

MOST = 20  # runs a short form shows
WIDTH, HEIGHT = 120, 14  # of the small plot of a run's topics


def text(
    runs: Sequence[str], topics: Sequence[str], means: Mapping[str, Floats], notes: Sequence[str]
) -> str:
    """A run a line, best first under the first measure, with its figures over the topics."""
    order = _best_first(next(iter(means.values())))
    width = max(3, *(len(runs[at]) for at in order[:MOST]))
    columns = {name: max(8, len(name)) for name in means}
    lines = [f"{len(runs)} runs, {len(topics)} topics"]
    lines.append(f"{'run':<{width}}  " + "  ".join(f"{n:>{w}}" for n, w in columns.items()))
    for at in order[:MOST]:
        cells = (f"{means[name][at]:>{w}.4f}" for name, w in columns.items())
        lines.append(f"{runs[at]:<{width}}  " + "  ".join(cells))
    if len(order) > MOST:
        lines.append(f"... and {len(order) - MOST} more")
    return "\n".join([*lines, *notes])


def html(
    runs: Sequence[str],
    topics: Sequence[str],
    figures: Mapping[str, tuple[Floats, Floats]],
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


def _best_first(means: Floats) -> list[int]:
    return sorted(range(len(means)), key=lambda at: -float(means[at]))


def _bars(values: Floats, highest: float, *, title: str) -> str:
    """One thin bar a topic, in the order of the topics; what is below 0 is not drawn."""
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
