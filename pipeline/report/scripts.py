"""The scripts of the pages."""

import hashlib
import os
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

from pipeline.sources.places import CACHE, places
from pipeline.storage.atomic import atomic

_EVERYWHERE = ("report.js", "take.js")


def behaviour() -> str:
    """The scripts of every page: theme, sorting, filtering, charts, what is taken along."""
    return "\n".join(Path(__file__).with_name(n).read_text("utf-8") for n in _EVERYWHERE)


@cache
def vega() -> str:
    """Vega-Embed with all it needs as one script.

    Bundling takes two seconds and gives the same for each version of the bundler, so it is kept in
    the cache; what is there is used only with its own digest in front, and made anew otherwise.
    """
    kept = _cache() / "vega" / f"vl-convert-{version('vl-convert-python')}.js"
    with suppress(OSError, UnicodeDecodeError):
        digest, _, bundle = kept.read_text("utf-8").partition("\n")
        if digest == _digest(bundle):
            return bundle
    import vl_convert

    bundle = str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;"))
    with suppress(OSError), atomic(kept) as draft:  # a cache that cannot be written is no harm
        draft.write_text(f"{_digest(bundle)}\n{bundle}", encoding="utf-8", newline="\n")
    return bundle


def _cache() -> Path:
    found = places(None, environment={CACHE: os.environ.get(CACHE, "")}).cache
    assert found
    return found


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
