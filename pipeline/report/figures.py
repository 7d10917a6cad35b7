"""The report's charts for paper: each as SVG and as PDF, on white, in the light theme."""

import json
from pathlib import Path

from pipeline.report.drawing import printed
from pipeline.storage.atomic import atomic

WIDTHS = {"agreement": 620, "scatter": 640, "tradeoff": 640, "fog": 640}


def write(charts: Path, *, out: Path) -> None:
    """Write <chart>.svg and <chart>.pdf into the folder `out` for each chart of charts.json."""
    import vl_convert

    for name, chart in json.loads(charts.read_text(encoding="utf-8")).items():
        spec = {"title": chart["title"]} | printed(chart["spec"], width=WIDTHS.get(name, 860))
        # Compiled once for both: each conversion from Vega-Lite would compile anew.
        vega = vl_convert.vegalite_to_vega(spec)
        with atomic(out / f"{name}.svg") as draft:
            draft.write_text(vl_convert.vega_to_svg(vega), encoding="utf-8")
        with atomic(out / f"{name}.pdf") as draft:
            draft.write_bytes(vl_convert.vega_to_pdf(vega))
