"""The report's charts for paper: each as SVG and as PDF, on white, in the light theme.

A figure has no title, since its caption says it, and is as wide as a column, or as the text of two.
Names of runs stand beside their points, on whichever side has room and covers least. On the page
Vega's label transform does that (zoom.js); it needs a canvas, which the converter has none of. So
the place is chosen here, for the narrowest plot there is.
"""

import io
import re
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

from pipeline.report.charts import Chart, Spec, printed
from pipeline.storage.atomic import atomic_folder
from pipeline.storage.progress import with_progress

COLUMN, TEXT = 240, 500  # points: a column, and the text, of the ACM's and IEEE's two columns
SCALE = 7 / 12  # charts have letters of 12 pixels for the screen, and of 7 points on paper


def write(charts: Sequence[Chart], *, out: Path) -> None:
    """Write <chart>.svg and <chart>.pdf into the folder `out` for each chart."""
    import vl_convert

    with atomic_folder(out) as folder:
        for chart in with_progress(charts, total=len(charts), task="figures"):
            points = TEXT if chart.wide else COLUMN
            # Compiled and drawn once for both: each conversion from Vega would draw it once more.
            spec = settled(printed(chart.spec, width=round(points / SCALE)))
            svg = renumbered(vl_convert.vega_to_svg(vl_convert.vegalite_to_vega(spec)))
            smaller, scale = scaled(svg, points=points)
            (folder / f"{chart.name}.svg").write_text(smaller, encoding="utf-8")
            pdf = canonical(vl_convert.svg_to_pdf(svg), scale=scale, title=chart.title)
            (folder / f"{chart.name}.pdf").write_bytes(pdf)


_SIZE = re.compile(r'(<svg[^>]*?) width="([\d.]+)" height="([\d.]+)"')


def scaled(svg: str, *, points: int) -> tuple[str, float]:
    """The drawing at most so wide, and its scale; what is in it stays as it is, in its view box."""
    head = _SIZE.match(svg)
    assert head is not None
    width, height = float(head[2]), float(head[3])
    scale = min(SCALE, points / width)  # panels side by side have a width of their own
    size = f'width="{width * scale:.1f}pt" height="{height * scale:.1f}pt"'
    return f"{head[1]} {size}{svg[head.end() :]}", scale


def renumbered(svg: str) -> str:
    """The drawing with its own numbers of gradients and clips: the converter counts across all."""
    found = dict.fromkeys(re.findall(r'id="((?:gradient_|clip)\d+)"', svg))
    number = {name: f"{name.rstrip('0123456789')}{at}" for at, name in enumerate(found)}
    return re.sub(r"(?:gradient_|clip)\d+", lambda name: number.get(name[0], name[0]), svg)


def canonical(pdf: bytes, *, scale: float, title: str) -> bytes:
    """The same PDF, scaled, with its objects in a fixed order: the converter writes fonts in any.

    The converter scales no PDF itself. The page is drawn as one form, since the colours of a
    gradient are placed in the space of what they are drawn in, whatever that is scaled by.
    """
    import pikepdf

    written = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as found:
        (page,) = found.pages
        page.contents_coalesce()
        form = found.make_stream(
            page.obj.Contents.read_bytes(),
            Type=pikepdf.Name.XObject,
            Subtype=pikepdf.Name.Form,
            BBox=page.mediabox,
            Resources=page.obj.Resources,
            Group=page.obj.Group,
        )
        page.obj.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Figure=form))
        drawn = f"{scale:.6f} 0 0 {scale:.6f} 0 0 cm /Figure Do"
        page.obj.Contents = found.make_stream(drawn.encode())
        page.mediabox = pikepdf.Array([round(float(side) * scale, 2) for side in page.mediabox])
        found.docinfo["/Title"] = title
        found.save(written, deterministic_id=True)
    return written.getvalue()


WIDTH = 340.0  # pixels: the plot of a figure as wide as a column
LETTER, LINE = 7.0, 16.0  # pixels that a name takes for each letter, and in height
LONGEST = 240
ASIDE = 8  # pixels from the point to its name
BELOW = (-13, 13, -20, 20, -27, 27)  # and how far below the point it may be, as we like it
POINT = 6.0  # a point's radius
COVERED = 30.0  # covering a point or a name is as bad as losing so many pixels of the name
_HALO, _LABEL = "named_halo", "named_label"  # the layers of names, which zoom.js moves, too

Box = tuple[float, float, float, float]  # what a name takes of the plot: left, top, right, bottom


def settled(spec: Spec) -> Spec:
    """The chart with each name of a run in a place of its own.

    A name that does not fit is cut with an ellipsis, which the width of the plot decides. Names are
    drawn under the points: one that finds no free place hides none.
    """
    layers = {one.get("name", at): one for at, one in enumerate(spec.get("layer", ()))}
    if _HALO not in layers:
        return spec
    halo, label = layers.pop(_HALO), layers.pop(_LABEL)
    (left, right), (low, high) = (spec["encoding"][key]["scale"]["domain"] for key in "xy")
    height = float(spec["height"])
    across, above = WIDTH / (right - left), height / (high - low)

    def spots(layer: Spec) -> list[tuple[dict[str, Any], float, float]]:
        """The layer's points, each with its pixels from the left and from above."""
        return [
            (one, across * (one["x"] - left), height - above * (one["y"] - low))
            for one in spec["datasets"][layer["data"]["name"]]
        ]

    taken = [(x - POINT, y - POINT, x + POINT, y + POINT) for _, x, y in spots(layers["runs"])]
    names = []
    for point, x, y in spots(halo):
        length = min(LETTER * len(point["run"]), LONGEST)
        align, dy, box = _place(x, y, length, taken=taken, height=height)
        taken.append(box)
        dx, room = (ASIDE, 1 - x / WIDTH) if align == "left" else (-ASIDE, x / WIDTH)
        limit = {"expr": f"max(1, min({LONGEST}, {room:.4f} * width - {ASIDE}))"}
        names.append((point, {"align": align, "dx": dx, "dy": dy, "limit": limit}))
    named = [
        {**layer, "name": f"{layer['name']}_{number}", "data": {"values": [point]}}
        | {"mark": layer["mark"] | place}
        for layer in (halo, label)
        for number, (point, place) in enumerate(names)
    ]
    at, drawn = list(layers).index("runs"), list(layers.values())
    return {**spec, "layer": [*drawn[:at], *named, *drawn[at:]]}


def _place(
    x: float, y: float, length: float, *, taken: Sequence[Box], height: float
) -> tuple[str, int, Box]:
    """Where a name covers least: which of its ends is at the point, how far below it, its box."""
    tried = []
    for align, (order, dy) in product(("left", "right"), enumerate(BELOW)):  # left: right of it
        shown = max(0.0, min(length, (WIDTH - x if align == "left" else x) - ASIDE))
        left, top = x + ASIDE if align == "left" else x - ASIDE - shown, y + dy - LINE / 2
        right, bottom = left + shown, top + LINE
        covered = sum(left < r and a < right and top < b and t < bottom for a, t, r, b in taken)
        if 0 <= top <= height - LINE:
            cost = COVERED * covered + length - shown + order
            tried.append((cost, (align, dy, (left, top, right, bottom))))
    return min(tried, key=lambda one: one[0])[1]
