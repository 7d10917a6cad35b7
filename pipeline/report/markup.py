"""What all pages share: everything escaped, everything inlined, nothing fetched.

Text from outside goes through Jinja's autoescape; JSON through `json_block`. Beyond that a page
carries a Content-Security-Policy that runs no script but the page's own (by their hashes) and
allows no request at all, so that even a mistake in the escaping could neither run a script nor
send anything.
"""

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from pipeline.report.wording import FILTERS, SIGNS, TOLD

_STYLE = Path(__file__).with_name("report.css")


def environment(*folders: Path) -> Any:
    """The templates of some folders, strict about what is missing, and escaping everything."""
    import jinja2

    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folders),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(FILTERS)
    made.globals.update(signs=SIGNS, told=TOLD)
    return made


def tight(html: str) -> Markup:
    """Rendered elements without the indentation of their templates: a tenth of a large page."""
    return Markup(re.sub(r"\n\s+<", "\n<", html))


def style() -> Markup:
    """The style sheet of all pages."""
    return Markup(_STYLE.read_text("utf-8"))


def script(source: str) -> Markup:
    """A script that can stand between script tags: nothing in it may end or hide them."""
    # Both replacements mean the same to JavaScript inside strings and regular expressions.
    for harmful, harmless in (("</script", "<\\/script"), ("<script", "<\\x73cript")):
        source = source.replace(harmful, harmless)
    return Markup(source)


def json_block(value: object) -> Markup:
    """JSON for a script element: no character that HTML or an old JavaScript could misread.

    Non-ASCII (so U+2028 and U+2029) is escaped by json itself; NaN would not be JSON.
    """
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def policy(scripts: Sequence[str]) -> str:
    """The Content-Security-Policy: these scripts and no others, and no request."""
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts]
    allowed = " ".join(f"'sha256-{text}'" for text in hashes)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
