"""A page that compares runs: opens offline, one file."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pipeline.api.comparison import Comparison

MOST = 12  # pairs whose topics are drawn; the table has all
WIDE, HIGH = 640, 22  # of the plot of means: its width, and each run's line
TALL = 120  # of a plot of topics


def page(compared: "Comparison") -> str:
    """The whole page."""
    from pipeline.report.markup import environment

    templates = environment(Path(__file__).parent)
    measures = [_measure(compared, name) for name in compared.measures]
    html: str = templates.get_template("compare.html.j2").render(
        runs=len(compared.runs),
        topics=len(compared.topics),
        alpha=f"{compared.alpha:g}",
        level=f"{100 * (1 - compared.alpha):g} %",
        measures=measures,
    )
    return html


def _measure(compared: "Comparison", name: str) -> dict[str, Any]:
    ranking = compared.ranking(name)
    low = min(one["t_lower"] for one in ranking)
    high = max(one["t_upper"] for one in ranking)
    span = (high - low) or 1.0

    def at(value: float) -> str:
        return f"{8 + (value - low) / span * (WIDE - 16):.1f}"

    for place, one in enumerate(ranking):
        one |= {"x": at(one["mean"]), "x1": at(one["t_lower"]), "x2": at(one["t_upper"]),
                "y": HIGH * place + HIGH // 2}  # fmt: skip
    pairs = [pair for pair in compared.pairs() if pair["measure"] == name]
    by_topic = compared.by_topic(name)
    return {
        "name": name,
        "ranking": ranking,
        "low": f"{low:.4f}",
        "high": f"{high:.4f}",
        "wide": WIDE,
        "line": HIGH,
        "tall": HIGH * len(ranking),
        "pairs": pairs,
        "drawn": [_topics(pair, by_topic) for pair in pairs[:MOST]],
    }


def _topics(pair: dict[str, Any], by_topic: list[tuple[str, dict[str, float]]]) -> dict[str, Any]:
    """The differences of one pair by topic, the largest gain first, as bars from a middle line."""
    a, b = pair["run_a"], pair["run_b"]
    found = sorted(
        ((values[a] - values[b], topic, values) for topic, values in by_topic),
        key=lambda one: -one[0],
    )
    largest = max((abs(size) for size, _, _ in found), default=0.0) or 1.0
    step = WIDE / max(1, len(found))
    bars = [
        {
            "x": f"{place * step:.2f}",
            "width": f"{step * 0.85:.2f}",
            "y": f"{TALL / 2 - max(size, 0) / largest * TALL / 2:.2f}",
            "height": f"{abs(size) / largest * TALL / 2:.2f}",
            "way": "up" if size > 0 else "down",
            "title": f"topic {topic}: {values[a]:.4f} and {values[b]:.4f} ({size:+.4f})",
        }
        for place, (size, topic, values) in enumerate(found)
    ]
    return {
        "a": a, "b": b, "bars": bars, "largest": f"{largest:.4f}", "wide": WIDE, "tall": TALL,
        "better": sum(size > 0 for size, _, _ in found),
        "worse": sum(size < 0 for size, _, _ in found),
        "equal": sum(size == 0 for size, _, _ in found),
    }  # fmt: skip
