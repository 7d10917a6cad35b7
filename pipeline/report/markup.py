"""The common parts of all pages: everything is escaped and inlined, nothing is fetched.

Jinja escapes text from outside; `json_block` escapes JSON. The Content-Security-Policy of a page
allows only its own scripts (by their hashes) and no request, even if escaping had a mistake.
"""

import base64
import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from markupsafe import Markup

from pipeline.report.wording import FILTERS, RELATIONS, SIGNS
from pipeline.sources.places import CACHE, places
from pipeline.storage.atomic import write_text

_HERE = Path(__file__).parent
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?|nan|-?inf")
Rows = Sequence[Mapping[str, str]]  # of a table of the results
PARTS = {"tables": "tables.html.j2", "warnings": "warnings.html.j2", "zoom": "zoom.html.j2"}
SCRIPTS = ("report.js", "take.js")  # of every page


def environment(*folders: Path) -> Any:
    """The templates in some folders, with autoescape; undefined names are errors."""
    import jinja2

    templates = jinja2.Environment(
        loader=jinja2.FileSystemLoader([*folders, _HERE]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters.update(FILTERS, numeric=numeric)
    templates.globals.update(signs=SIGNS, relations=RELATIONS, parts=PARTS)
    templates.globals.update(behaviour=behaviour, policy=policy, style=style)
    return templates


def tight(html: str) -> Markup:
    """Rendered elements without indentation, which is a tenth of a large page."""
    return Markup(re.sub(r"\n\s+<", "\n<", html))


def style() -> Markup:
    """The style sheet of all pages."""
    return Markup((_HERE / "report.css").read_text("utf-8"))


def script(source: str) -> Markup:
    """A script that is safe between script tags."""
    # The replacements are equal in the strings and regular expressions of JavaScript.
    for harmful, harmless in (("</script", "<\\/script"), ("<script", "<\\x73cript")):
        source = source.replace(harmful, harmless)
    return Markup(source)


def behaviour(*further: str) -> Markup:
    """The script of every page, with further scripts of the report."""
    return script("\n".join((_HERE / name).read_text("utf-8") for name in (*SCRIPTS, *further)))


def json_block(value: object) -> Markup:
    """JSON for a script element, in ASCII and without characters that HTML would interpret."""
    from jinja2.utils import htmlsafe_json_dumps

    return htmlsafe_json_dumps(value, allow_nan=False, separators=(",", ":"))


def policy(scripts: Sequence[str]) -> str:
    """The Content-Security-Policy: only these scripts, and no request."""
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts]
    allowed = " ".join(f"'sha256-{text}'" for text in hashes)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


@cache
def vega() -> str:
    """Vega-Embed with its dependencies as one script, cached with a digest to verify it."""
    cache = places(None, environment={CACHE: os.environ.get(CACHE, "")}).cache
    assert cache
    kept = cache / "vega" / f"vl-convert-{version('vl-convert-python')}.js"
    with suppress(OSError, UnicodeDecodeError):
        digest, _, bundle = kept.read_text("utf-8").partition("\n")
        if digest == _digest(bundle):
            return bundle
    import vl_convert

    bundle = str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;"))
    with suppress(OSError):  # a cache that cannot be written is ignored
        write_text(kept, f"{_digest(bundle)}\n{bundle}")
    return bundle


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def numeric(rows: Rows, columns: Sequence[str]) -> list[bool]:
    """Whether each column holds numbers."""
    return [all(_NUMBER.fullmatch(row[name]) for row in rows if row[name]) for name in columns]
