"""The scripts of the pages."""

from functools import cache
from pathlib import Path

_EVERYWHERE = ("report.js", "take.js")


def behaviour() -> str:
    """The scripts of every page: theme, sorting, filtering, charts, what is taken along."""
    return "\n".join(Path(__file__).with_name(n).read_text("utf-8") for n in _EVERYWHERE)


@cache
def vega() -> str:
    """Vega-Embed with all it needs as one script; bundling takes two seconds, so once a process."""
    import vl_convert

    return vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
