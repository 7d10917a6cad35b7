"""The report's charts for paper: each as SVG and as PDF, on white, in the light theme.

A figure has no title, since its caption says it, and is as wide as a column, or as the text of two.
"""

import io
import json
import re
from pathlib import Path

from pipeline.report.drawing import printed
from pipeline.report.naming import settled
from pipeline.storage.atomic import atomic_folder
from pipeline.storage.progress import told

COLUMN, TEXT = (
    240,
    500,
)  # points: within a column, and the text, of the ACM's and IEEE's two columns
SCALE = 7 / 12  # charts have letters of 12 pixels for the screen, and of 7 points on paper


def write(charts: Path, *, out: Path) -> None:
    """Write <chart>.svg and <chart>.pdf into the folder `out` for each chart of charts.json."""
    import vl_convert

    with atomic_folder(out) as folder:
        drawn = json.loads(charts.read_text(encoding="utf-8"))
        for name, chart in told(drawn.items(), total=len(drawn), what="figures"):
            points = TEXT if chart["wide"] else COLUMN
            # Compiled and drawn once for both: each conversion from Vega would draw anew.
            spec = settled(printed(chart["spec"], width=round(points / SCALE)))
            vega = vl_convert.vegalite_to_vega(spec)
            svg = renumbered(vl_convert.vega_to_svg(vega))
            # Panels side by side have a width of their own.
            scale = min(SCALE, points / size(svg)[0])
            (folder / f"{name}.svg").write_text(scaled(svg, scale), encoding="utf-8")
            pdf = canonical(vl_convert.svg_to_pdf(svg), scale=scale, title=chart["title"])
            (folder / f"{name}.pdf").write_bytes(pdf)


def size(svg: str) -> tuple[float, float]:
    """Width and height of a drawing, as its first element says."""
    width, height = (re.search(rf'<svg[^>]* {side}="([\d.]+)"', svg) for side in _SIDES)
    assert width is not None
    assert height is not None
    return float(width[1]), float(height[1])


_SIDES = ("width", "height")


def scaled(svg: str, scale: float) -> str:
    """The drawing at a size in points; what is in it stays as it is, in its view box."""
    for side, pixels in zip(_SIDES, size(svg), strict=True):
        said = f'{side}="{pixels * scale:.1f}pt"'
        svg = re.sub(rf'(<svg[^>]*) {side}="[\d.]+"', rf"\1 {said}", svg, count=1)
    return svg


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
