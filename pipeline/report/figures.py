"""The charts of the report for paper: each as SVG and as PDF, in the light theme, without title.

A figure is one or two columns wide. On the page, Vega's label transform places the names of runs
(zoom.js). It needs a canvas, which the converter does not have, so this module places them.
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

COLUMN, TEXT = 240, 500  # points: one and two columns of the ACM and IEEE formats
SCALE = 7 / 12  # charts have letters of 12 pixels on the screen and of 7 points on paper


def write(charts: Sequence[Chart], *, out: Path) -> None:
    """Write <chart>.svg and <chart>.pdf into the folder `out` for each chart."""
    import vl_convert

    with atomic_folder(out) as folder:
        for chart in with_progress(charts, total=len(charts), task="figures"):
            points = TEXT if chart.wide else COLUMN
            # Compiled and drawn once for both formats.
            spec = settled(printed(chart.spec, width=round(points / SCALE)))
            svg = renumbered(vl_convert.vega_to_svg(vl_convert.vegalite_to_vega(spec)))
            smaller, scale = scaled(svg, points=points)
            (folder / f"{chart.name}.svg").write_text(smaller, encoding="utf-8")
            pdf = canonical(vl_convert.svg_to_pdf(svg), scale=scale, title=chart.title)
            (folder / f"{chart.name}.pdf").write_bytes(pdf)


_SIZE = re.compile(r'(<svg[^>]*?) width="([\d.]+)" height="([\d.]+)"')


def scaled(svg: str, *, points: int) -> tuple[str, float]:
    """The drawing with at most this width, by its view box, and the scale."""
    head = _SIZE.match(svg)
    assert head is not None
    width, height = float(head[2]), float(head[3])
    scale = min(SCALE, points / width)  # panels side by side can be wider
    size = f'width="{width * scale:.1f}pt" height="{height * scale:.1f}pt"'
    return f"{head[1]} {size}{svg[head.end() :]}", scale


def renumbered(svg: str) -> str:
    """The drawing with gradients and clips numbered from 0: the converter counts across charts."""
    identifiers = dict.fromkeys(re.findall(r'id="((?:gradient_|clip)\d+)"', svg))
    number = {name: f"{name.rstrip('0123456789')}{at}" for at, name in enumerate(identifiers)}
    return re.sub(r"(?:gradient_|clip)\d+", lambda name: number.get(name[0], name[0]), svg)


def canonical(pdf: bytes, *, scale: float, title: str) -> bytes:
    """The same PDF, scaled, with its objects in a fixed order, which the converter does not have.

    The page is drawn as one form, because scaling would not move the colours of a gradient.
    """
    import pikepdf

    written = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as document:
        (page,) = document.pages
        page.contents_coalesce()
        form = document.make_stream(
            page.obj.Contents.read_bytes(),
            Type=pikepdf.Name.XObject,
            Subtype=pikepdf.Name.Form,
            BBox=page.mediabox,
            Resources=page.obj.Resources,
            Group=page.obj.Group,
        )
        page.obj.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Figure=form))
        commands = f"{scale:.6f} 0 0 {scale:.6f} 0 0 cm /Figure Do"
        page.obj.Contents = document.make_stream(commands.encode())
        page.mediabox = pikepdf.Array([round(float(side) * scale, 2) for side in page.mediabox])
        document.docinfo["/Title"] = title
        document.save(written, deterministic_id=True)
    return written.getvalue()


WIDTH = 340.0  # pixels: the plot of a figure of one column
LETTER, LINE = 7.0, 16.0  # pixels: the width of a letter and the height of a name
LONGEST = 240
ASIDE = 8  # pixels from the point to its name
BELOW = (-13, 13, -20, 20, -27, 27)  # pixels below the point, in order of preference
POINT = 6.0  # radius of a point
COVERED = 30.0  # the cost of covering a point or a name, in pixels of a cut name
_HALO, _LABEL = "named_halo", "named_label"  # the layers of names, also in zoom.js

Box = tuple[float, float, float, float]  # of a name: left, top, right, bottom


def settled(spec: Spec) -> Spec:
    """The chart with a position for the name of each run; names that do not fit are cut."""
    layers = {entry.get("name", at): entry for at, entry in enumerate(spec.get("layer", ()))}
    if _HALO not in layers:
        return spec
    halo, label = layers.pop(_HALO), layers.pop(_LABEL)
    (left, right), (low, high) = (spec["encoding"][key]["scale"]["domain"] for key in "xy")
    height = float(spec["height"])
    across, above = WIDTH / (right - left), height / (high - low)

    def spots(layer: Spec) -> list[tuple[dict[str, Any], float, float]]:
        """The points of the layer, each with its pixels from the left and from above."""
        return [
            (entry, across * (entry["x"] - left), height - above * (entry["y"] - low))
            for entry in spec["datasets"][layer["data"]["name"]]
        ]

    occupied = [(x - POINT, y - POINT, x + POINT, y + POINT) for _, x, y in spots(layers["runs"])]
    names = []
    for point, x, y in spots(halo):
        length = min(LETTER * len(point["run"]), LONGEST)
        align, dy, box = _place(x, y, length, occupied=occupied, height=height)
        occupied.append(box)
        dx, room = (ASIDE, 1 - x / WIDTH) if align == "left" else (-ASIDE, x / WIDTH)
        limit = {"expr": f"max(1, min({LONGEST}, {room:.4f} * width - {ASIDE}))"}
        names.append((point, {"align": align, "dx": dx, "dy": dy, "limit": limit}))
    named = [
        {**layer, "name": f"{layer['name']}_{number}", "data": {"values": [point]}}
        | {"mark": layer["mark"] | place}
        for layer in (halo, label)
        for number, (point, place) in enumerate(names)
    ]
    at, layer_list = list(layers).index("runs"), list(layers.values())
    return {**spec, "layer": [*layer_list[:at], *named, *layer_list[at:]]}


def _place(
    x: float, y: float, length: float, *, occupied: Sequence[Box], height: float
) -> tuple[str, int, Box]:
    """The best position of a name: its alignment, pixels below the point, and box."""
    candidates = []
    for align, (order, dy) in product(("left", "right"), enumerate(BELOW)):  # left: right of it
        visible = max(0.0, min(length, (WIDTH - x if align == "left" else x) - ASIDE))
        left, top = x + ASIDE if align == "left" else x - ASIDE - visible, y + dy - LINE / 2
        right, bottom = left + visible, top + LINE
        covered = sum(left < r and a < right and top < b and t < bottom for a, t, r, b in occupied)
        if 0 <= top <= height - LINE:
            cost = COVERED * covered + length - visible + order
            candidates.append((cost, (align, dy, (left, top, right, bottom))))
    return min(candidates, key=lambda candidate: candidate[0])[1]
