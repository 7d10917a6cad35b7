"""The scripts of the pages."""

from functools import cache
from pathlib import Path


def behaviour() -> str:
    """The script of every page: theme, sorting, filtering, drawing charts."""
    return Path(__file__).with_name("report.js").read_text("utf-8")


@cache
def vega() -> str:
    """Vega-Embed with all it needs as one script; bundling takes two seconds, so once a process."""
    import vl_convert

    return vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
