"""Vega-Lite specifications of charts, and their common look on the page and on paper.

A specification is a YAML file beside the sections (`filled`), without colours and fonts. `look` is
a Vega config with colours by their names in the style sheet ("--ink"). The page inserts the theme
of the reader; `printed` inserts the light theme.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Spec = dict[str, Any]

SHOWN = "shown"  # the dataset that a script of the page fills
_HERE = Path(__file__).parent
NARROW = 640  # pixels; in narrower charts legends are below and names are shorter
SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"


@dataclass(frozen=True, kw_only=True)
class Chart:
    """One chart; `name` is its place on the page (data-chart) and its file name."""

    name: str
    title: str
    spec: Spec
    filled: bool = False  # a script of the page fills SHOWN from other data of the page
    around: int = 60  # pixels around the plot, or for all panels
    wide: bool = False  # on paper: two columns wide

    @property
    def height(self) -> int:
        """The height to reserve on the page, so that drawing it later moves nothing."""
        return int(self.spec.get("height", 0)) + self.around

    @property
    def for_page(self) -> Spec:
        """The specification without data that the page has elsewhere."""
        if not self.filled:
            return self.spec
        return {**self.spec, "datasets": {**self.spec["datasets"], SHOWN: []}}


def span(values: Sequence[float]) -> list[float]:
    """The range of the values with a margin, so that no point is on an axis."""
    low, high = min(values), max(values)
    margin = 0.08 * (high - low) or 0.05
    return [round(low - margin, 6), round(high + margin, 6)]


def teams(groups: Sequence[str]) -> Spec:
    """The encoding of teams as colour and shape; one group needs no legend."""
    legend = {"symbolOpacity": 1, "symbolLimit": 100} if len(groups) > 1 else None
    scale = {"domain": list(groups)}
    return {"field": "team", "type": "nominal", "title": "Team", "scale": scale, "legend": legend}


def filled(file: str, data: Mapping[str, Sequence[Any]], **values: Any) -> Spec:
    """The chart of a YAML file; `$name` is a value, and layers without data are omitted."""
    import yaml

    def fill(node: Any) -> Any:
        if isinstance(node, dict):
            return {key: fill(item) for key, item in node.items()}
        if isinstance(node, list):
            return [fill(item) for item in node]
        return values[node[1:]] if isinstance(node, str) and node.startswith("$") else node

    spec: Spec = fill(yaml.safe_load((_HERE / "sections" / file).read_text("utf-8")))
    if "layer" in spec and "data" not in spec:
        spec["layer"] = [layer for layer in spec["layer"] if data.get(layer["data"]["name"])]
    datasets = {name: list(rows) for name, rows in data.items() if rows or name == SHOWN}
    return {"$schema": SCHEMA, **spec, "datasets": datasets}


def look() -> Spec:
    """The Vega config of every chart; "--name" stands for a colour of the style sheet."""
    import yaml

    return dict(yaml.safe_load(_HERE.joinpath("look.yaml").read_text("utf-8")))


def colours() -> dict[str, str]:
    """The light theme's colours, as the style sheet has them."""
    light = _HERE.joinpath("report.css").read_text("utf-8").split("}", 1)[0]
    return dict(re.findall(r"(--[a-z0-9-]+):\s*(#[0-9a-fA-F]{6})", light))


def printed(spec: Spec, *, width: int) -> Spec:
    """A chart for paper: the light theme on white, with this total width."""
    light = colours()
    config = json.loads(re.sub(r"--[a-z0-9-]+", lambda name: light[name[0]], json.dumps(look())))
    # A common font, and a margin in case a viewer's font is wider.
    config |= {"background": "#ffffff", "font": "Arial, Helvetica, sans-serif", "padding": 6}
    config["axis"] |= {"labelFlush": False}  # labels are centred at their ticks, also at the ends
    if width < NARROW:
        config["legend"] |= {"orient": "bottom", "columns": 4, "labelLimit": 90}
        config["axisYBand"] |= {"labelLimit": 130}
    chart = {**spec, "config": config}
    if chart.get("width") == "container":
        chart |= {"width": width, "autosize": {"type": "fit-x", "contains": "padding"}}
    return chart
