"""What all charts share: margins, plain specifications, and one look for page and paper.

`look` is a Vega config whose colours are names of the style sheet ("--ink"). The page puts the
reader's theme in; `printed` puts the light theme in, for the figures.
"""

import copy
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Spec = dict[str, Any]

_STYLE = Path(__file__).with_name("report.css")
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
NARROW = 640  # pixels: below it legends are under the chart, and names of runs are cut sooner
# Seven shapes beside twelve colours: no two of 84 teams look alike, and those of one shape differ
# in colour for whoever sees no red or green (a test simulates it).
SYMBOLS = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-left")
ZOOM = "zoom"  # the selection that zoom.js moves
NAMED = "named"  # layers of names, which zoom.js keeps off the points, and naming on paper


def span(values: Sequence[float]) -> list[float]:
    """The values' range with a margin, so that no point sits on an axis."""
    low, high = min(values), max(values)
    margin = 0.08 * (high - low) or 0.05
    return [round(low - margin, 6), round(high + margin, 6)]


def axis(title: str, *, within: list[float], ticks: int, grid: bool = True) -> dict[str, Any]:
    """The arguments of an axis that shows this range and no more."""
    import altair as alt

    shown = alt.Axis(tickCount=ticks) if grid else alt.Axis(tickCount=ticks, grid=False)
    return {
        "title": title,
        "axis": shown,
        "scale": alt.Scale(domain=within, nice=False, zero=False),
    }


def zoomable() -> Any:
    """A chart of two quantities can be enlarged: by its buttons, and with Shift and the wheel.

    The wheel alone scrolls the page, and a finger too; only the mouse drags the picture.
    """
    import altair as alt

    return alt.selection_interval(
        name=ZOOM,
        bind="scales",
        zoom="wheel![event.shiftKey]",
        translate="[mousedown, window:mouseup] > window:mousemove!",
    )


def named(points: Sequence[dict[str, Any]], *, x: Any, y: Any) -> list[Any]:
    """The names of some runs beside their points, on a halo that keeps lines off the letters."""
    import altair as alt

    return [
        alt.Chart(alt.InlineData(values=list(points)), name=f"{NAMED}_{style}")
        .mark_text(align="left", dx=8, dy=-13, limit=240, style=style, clip=True)
        .encode(x=x, y=y, text="run:N")
        for style in ("halo", "label")
    ]


def legend(groups: Sequence[str]) -> Any:
    """The legend of the teams; one group of runs needs none."""
    import altair as alt

    return alt.Legend(symbolOpacity=1, symbolLimit=100) if len(groups) > 1 else None


def plain(chart: Any) -> Spec:
    """The specification without the default sizes that Altair adds."""
    spec: Spec = chart.to_dict(validate=True)
    spec.pop("config", None)
    return spec


def look() -> Spec:
    """The Vega config of every chart; "--name" stands for a colour of the style sheet."""
    text = {"fontSize": 12, "fontWeight": 600}
    return {
        "background": "transparent",
        "font": _FONT,
        "view": {"stroke": None},
        "axis": {
            **{"labelColor": "--soft", "titleColor": "--ink", "gridColor": "--faint"},
            **{"domainColor": "--line", "tickColor": "--line", "labelFontSize": 12},
            **{"titleFontSize": 13, "titleFontWeight": 600, "titlePadding": 12, "labelPadding": 6},
        },
        "bar": {"color": "--accent"},
        "header": {"labelColor": "--ink", "labelFontSize": 12},
        "axisXBand": {"labelLimit": 260},
        "axisYBand": {"labelLimit": 260},
        "axisXPoint": {"labelLimit": 260},
        "axisBand": {"domain": False, "ticks": False, "grid": False},
        "legend": {
            **{"labelColor": "--ink", "titleColor": "--soft", "labelFontSize": 12},
            **{"titleFontSize": 12, "titleFontWeight": 500, "orient": "right", "columns": 1},
            **{"labelLimit": 180, "rowPadding": 5, "symbolSize": 90},
        },
        "title": {"color": "--ink", "fontSize": 13, "fontWeight": 600, "anchor": "start"},
        "range": {
            "category": [f"--team-{number}" for number in range(1, 13)],
            "symbol": list(SYMBOLS),
            "diverging": ["--low", "--middle", "--high"],
            "heatmap": ["--middle", "--high"],
            "ramp": ["--middle", "--high"],
        },
        "style": {
            "equal": {"color": "--soft", "strokeDash": [1, 4], "strokeWidth": 1.5}
            | {"strokeCap": "round"},
            "fit": {"color": "--soft", "strokeDash": [6, 5], "strokeWidth": 1.5},
            "contour": {"color": "--line", "strokeWidth": 1.2},
            "contour-label": {"color": "--soft", "fontSize": 11},
            "front": {"color": "--down", "strokeWidth": 1.8, "strokeDash": [5, 3]},
            "swap": {"color": "--down", "strokeWidth": 1.2, "opacity": 0.4},
            "ring": {"color": "--down", "strokeWidth": 2, "filled": False, "size": 260},
            "halo": {"stroke": "--ground", "strokeWidth": 5, "strokeJoin": "round", **text},
            "label": {"color": "--ink", **text},
            "end": {"color": "--soft", "fontSize": 11},
            "head": {"color": "--ink", "fontSize": 12},
            "rest": {"color": "--line"},
            "open": {"color": "--soft", "strokeWidth": 1, "opacity": 0.6},
            "interval": {"color": "--bar", "strokeWidth": 7, "strokeCap": "round"},
            "mean": {"color": "--mark", "filled": True, "size": 45, "opacity": 1},
            "tile": {"stroke": "--ground", "strokeWidth": 2, "cornerRadius": 4},
            "cell": {"stroke": None},
            "tile-number": {"color": "--tile", "fontSize": 12},
            "histogram": {"color": "--bar", "stroke": "--ground", "strokeWidth": 1},
            "histogram-top": {"color": "--mark", "opacity": 0.75},
            "limit": {"color": "--down", "strokeWidth": 1.5, "strokeDash": [5, 3]},
        },
    }


def colours() -> dict[str, str]:
    """The light theme's colours, as the style sheet has them."""
    light = _STYLE.read_text("utf-8").split("}", 1)[0]
    return dict(re.findall(r"(--[a-z0-9-]+):\s*(#[0-9a-fA-F]{6})", light))


def printed(spec: Spec, *, width: int) -> Spec:
    """A chart for paper: the light theme on white, `width` in all, nothing to click."""
    chart = copy.deepcopy(spec)
    config = _coloured(look(), colours())
    # A font every paper tool has, and a margin in case a viewer's own is wider than measured here.
    config |= {"background": "#ffffff", "font": "Arial, Helvetica, sans-serif", "padding": 6}
    config["axis"] |= {"labelFlush": False}  # a label stands at its tick, also at the ends
    if width < NARROW:
        config["legend"] |= {"orient": "bottom", "columns": 4, "labelLimit": 90}
        config["axisYBand"] |= {"labelLimit": 130}
    chart["config"] = config
    if chart.get("width") == "container":
        chart["width"] = width
        chart["autosize"] = {"type": "fit-x", "contains": "padding"}
    return chart


def _coloured(value: Any, known: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _coloured(item, known) for key, item in value.items()}
    if isinstance(value, list):
        return [_coloured(item, known) for item in value]
    return known[value] if isinstance(value, str) and value.startswith("--") else value
