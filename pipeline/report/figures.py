"""The report's charts for paper: each as SVG and as PDF, on white, in the light theme."""

import io
import json
from pathlib import Path

from pipeline.report.drawing import printed
from pipeline.storage.atomic import atomic_folder


def write(charts: Path, *, out: Path) -> None:
    """Write <chart>.svg and <chart>.pdf into the folder `out` for each chart of charts.json."""
    import vl_convert

    with atomic_folder(out) as folder:
        for name, chart in json.loads(charts.read_text(encoding="utf-8")).items():
            spec = {"title": chart["title"]} | printed(chart["spec"], width=chart["width"])
            # Compiled once for both: each conversion from Vega-Lite would compile anew.
            vega = vl_convert.vegalite_to_vega(spec)
            (folder / f"{name}.svg").write_text(vl_convert.vega_to_svg(vega), encoding="utf-8")
            (folder / f"{name}.pdf").write_bytes(canonical(vl_convert.vega_to_pdf(vega)))


def canonical(pdf: bytes) -> bytes:
    """The same PDF with its objects in a fixed order: the converter writes fonts in any order."""
    import pikepdf

    written = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as found:
        found.save(written, deterministic_id=True)
    return written.getvalue()
