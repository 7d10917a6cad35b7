"""Names beside points on paper: whole, within the plot, on no point."""

import re
from typing import Any

import pytest
from bs4 import BeautifulSoup

from pipeline.report.charts import filled, printed, teams
from pipeline.report.figures import COLUMN, SCALE, settled

SPAN = [0.0, 1.0]
Point = dict[str, Any]


def figure(points: list[Point], *, names: int) -> dict[str, Any]:
    """A column-wide figure of the points, the first of which are named."""
    texts = ("description", "title_x", "title_y", "first", "second", "rank_first", "rank_second")
    spec = filled(
        "scatter.yaml",
        {"runs": points, "named": points[:names]},
        **dict.fromkeys(texts, "x"),
        **dict.fromkeys(("domain_x", "domain_y"), SPAN),
        team=teams(["t"]),
    )
    return settled(printed(spec, width=round(COLUMN / SCALE)))


def drawn(spec: dict[str, Any]) -> tuple[float, list[tuple[str, str, float]]]:
    """The width of the plot as drawn; of each name its text, its anchor and where that is."""
    import vl_convert

    svg = vl_convert.vega_to_svg(vl_convert.vegalite_to_vega(spec))
    soup = BeautifulSoup(svg, "html.parser")
    wide = max(float(size) for size in re.findall(r"M0(?:\.5)?,0(?:\.5)?h([\d.]+)", svg))
    texts = soup.select('g[class*="named_label"] text')
    place = [re.findall(r"translate\(([-\d.]+)", str(text["transform"])) for text in texts]
    return wide, [
        (text.get_text(), str(text["text-anchor"]), float(at[0]))
        for text, at in zip(texts, place, strict=True)
    ]


@pytest.mark.parametrize(
    ("x", "anchor"), [(0.02, "start"), (0.4, "start"), (0.7, "end"), (0.98, "end")]
)
@pytest.mark.parametrize("run", ["harbour_expert_run", "a_name_" * 12], ids=["short", "long"])
def test_a_name_is_within_the_plot(run: str, x: float, anchor: str) -> None:
    wide, ((said, side, at),) = drawn(figure([{"run": run, "x": x, "y": 0.5}], names=1))
    assert 300 < wide < 411  # the figure's pixels without its axis
    assert side == anchor
    if len(run) < 20:
        assert said == run
    else:  # cut where the reader sees it
        assert said.endswith("…")
        assert run.startswith(said[:-1])
    length = 6.5 * len(said)  # of bold letters of 12 pixels, on the average
    start, end = (at - length, at) if side == "end" else (at, at + length)
    assert start >= 0
    assert end <= wide


def test_names_keep_off_points_and_each_other() -> None:
    """Two leaders in one place, and a point where a name would be by preference."""
    points: list[Point] = [
        {"run": "leader_one", "x": 0.4, "y": 0.5},
        {"run": "leader_two", "x": 0.4, "y": 0.5},
        {"run": "in the way", "x": 0.5, "y": 0.5325},
    ]
    spec = figure(points, names=2)
    layers = [one for one in spec["layer"] if one["name"].startswith("named_")]
    assert len(layers) == 4  # a halo and a name each
    assert spec["layer"][-1]["name"] == "runs"  # over the names
    places = {
        one["data"]["values"][0]["run"]: (one["mark"]["align"], one["mark"]["dy"] > 0)
        for one in layers
    }
    assert places == {"leader_one": ("right", False), "leader_two": ("left", True)}


def test_a_chart_without_names_stays_as_it_is() -> None:
    spec = {"mark": "point", "data": {"values": []}}
    assert settled(spec) is spec
