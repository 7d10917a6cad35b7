"""Names of runs beside their points on paper, on whichever side has room and covers least.

On the page Vega's label transform does it (zoom.js); it needs a canvas, which the converter of the
figures has none of. So the place is chosen here, for the narrowest plot there is.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

from pipeline.report.drawing import NAMED, Spec

WIDTH = 340.0  # pixels: the plot of a figure as wide as a column
LETTER, LINE = 7.0, 16.0  # pixels that a name takes for each letter, and in height
LONGEST = 240
ASIDE = 8  # pixels from the point to its name
BELOW = (-13, 13, -20, 20, -27, 27)  # and how far below the point it may be, as we like it
POINT = 6.0  # a point's radius
_HALO, _LABEL = (f"{NAMED}_{style}" for style in ("halo", "label"))
COVERED = 30.0  # covering a point or a name is as bad as losing so many pixels of the name

Point = dict[str, Any]  # a run with its x and y


class Box(NamedTuple):
    """What a name takes of the plot, in pixels from its top left."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        """Whether the two overlap."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


class Plot(NamedTuple):
    """The size of a plot in pixels, and the ends of its axes."""

    width: float
    height: float
    x: Sequence[float]
    y: Sequence[float]

    def spot(self, point: Point) -> tuple[float, float]:
        """Where a point is, from the top left."""
        across, up = _share(point["x"], self.x), _share(point["y"], self.y)
        return self.width * across, self.height * (1 - up)


class Place(NamedTuple):
    """Where a name is: which of its ends is at the point, and how far below the point it is."""

    align: str  # left: the name is on the right of the point
    dy: int


PLACES = tuple(Place(*one) for one in product(("left", "right"), BELOW))


def settled(spec: Spec) -> Spec:
    """The chart with each name that `drawing.named` gave it in a place of its own.

    A name that does not fit is cut with an ellipsis, which the width of the plot decides. Names are
    drawn under the points: one that finds no free place hides none.
    """
    layers = {one.get("name", at): one for at, one in enumerate(spec.get("layer", ()))}
    if _HALO not in layers:
        return spec
    halo, label = layers.pop(_HALO), layers.pop(_LABEL)
    ends = (halo["encoding"][key]["scale"]["domain"] for key in "xy")
    plot = Plot(WIDTH, spec["height"], *ends)
    places = _placed(_values(halo, spec), among=_values(layers["runs"], spec), plot=plot)
    names = [
        _name(layer, place, mine, plot=plot, number=number)
        for layer in (halo, label)
        for number, (place, mine) in enumerate(places.items())
    ]
    at = list(layers).index("runs")
    drawn = list(layers.values())
    return {**spec, "layer": [*drawn[:at], *names, *drawn[at:]]}


def _name(layer: Spec, place: Place, points: list[Point], *, plot: Plot, number: int) -> Spec:
    """The layer for the names of some points in one place."""
    shares = [_share(one["x"], plot.x) for one in points]
    room = 1 - max(shares) if place.align == "left" else min(shares)
    mark = layer["mark"] | {
        "align": place.align,
        "dx": ASIDE if place.align == "left" else -ASIDE,
        "dy": place.dy,
        "limit": {"expr": f"max(1, min({LONGEST}, {room:.4f} * width - {ASIDE}))"},
    }
    name = f"{layer['name']}_{number}"
    return {**layer, "name": name, "mark": mark, "data": {"values": points}}


def _values(layer: Spec, spec: Spec) -> list[Point]:
    data = layer.get("data", {})
    found: list[Point] = (
        spec["datasets"][data["name"]] if "name" in data else data.get("values", [])
    )
    return found


def _placed(
    points: Sequence[Point],
    *,
    among: Sequence[Point],
    plot: Plot,
) -> dict[Place, list[Point]]:
    """The points by the place of their names, which keep off the points and each other."""
    spots = [plot.spot(one) for one in among]
    taken = [Box(a - POINT, b - POINT, a + POINT, b + POINT) for a, b in spots]
    found: dict[Place, list[Point]] = {}
    for point in points:
        across, down = plot.spot(point)
        length = min(LETTER * len(point["run"]), LONGEST)
        tried = []
        for place in PLACES:
            room = (plot.width - across if place.align == "left" else across) - ASIDE
            shown = max(0.0, min(length, room))
            left = across + ASIDE if place.align == "left" else across - ASIDE - shown
            middle = down + place.dy
            box = Box(left, middle - LINE / 2, left + shown, middle + LINE / 2)
            if box.top < 0 or box.bottom > plot.height:
                continue
            covered = sum(box.meets(one) for one in taken)
            cost = COVERED * covered + length - shown + BELOW.index(place.dy)
            tried.append((cost, place, box))
        _, place, box = min(tried, key=lambda one: one[0])
        found.setdefault(place, []).append(point)
        taken.append(box)
    return found


def _share(value: float, ends: Sequence[float]) -> float:
    return (value - ends[0]) / (ends[1] - ends[0])
