"""The page: everything escaped, everything inlined, nothing fetched.

Text from outside goes through Jinja's autoescape; JSON through `json_block`. Beyond that the page
carries a Content-Security-Policy that runs no script but the page's own (by their hashes) and
allows no request at all, so that even a hole in the escaping could neither run nor tell.
"""

import base64
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup

from pipeline.pages.readability.index import INDICES
from pipeline.pages.user_models.model import MODELS
from pipeline.report.audit import Audit
from pipeline.report.certainty import Standings, Swap
from pipeline.report.data import Agreement, Board, Cell
from pipeline.report.drawing import look
from pipeline.report.forensics import Checks
from pipeline.report.gallery import surest
from pipeline.report.judging import Section
from pipeline.report.methods import STATISTICS
from pipeline.report.numbers import stretch
from pipeline.report.reading import Reading
from pipeline.report.story import counted, ordinal, signed

_HERE = Path(__file__).parent
# Pixels a chart needs around its plot; kept free, so that drawing it late moves nothing.
_AROUND = {"agreement": 150, "bump": 160, "difficulty": 90, "heat": 90}


def render(
    *,
    campaign: str,
    title: str,
    board: Board,
    agreement: Agreement,
    checks: Checks,
    audit: Audit | None,
    summary: Sequence[Markup],
    regression: tuple[float, float] | None,
    specs: Mapping[str, Mapping[str, Any]],
    facts: Mapping[str, Any],
    standings: Standings,
    swaps: Sequence[Swap],
    team_pages: Mapping[str, str],
    numbers: Mapping[str, Any],
    judging: Sequence[Section] = (),
    reading: Reading | None = None,
) -> str:
    """The report as one string of HTML."""
    source = "\n".join((_HERE / name).read_text("utf-8") for name in ("report.js", "explore.js"))
    scripts = {"page": script(source), "vega": script(vega())}
    complete = _complete(facts, measures=board.measures)
    html: str = (
        environment()
        .get_template("index.html.j2")
        .render(
            campaign=campaign,
            title=title,
            board=board,
            tops=tops_of(board),
            agreement=agreement,
            checks=checks,
            audit=audit,
            judging=judging,
            reading=reading,
            names={name: one.title for name, one in INDICES.items()},
            models={name: one.title for name, one in MODELS.items()},
            easy={name: one.easy for name, one in INDICES.items()},
            summary=summary,
            regression=regression,
            facts=complete,
            together=together(complete["inputs"]),
            charts=set(specs),
            heights={
                name: spec["height"] + _AROUND.get(name, 60)
                for name, spec in specs.items()
                if "height" in spec
            },
            standings=standings,
            swaps=swaps,
            surest=surest(swaps),
            team_pages=team_pages,
            statistics=STATISTICS,
            specs=json_block(specs),
            look=json_block(look()),
            numbers=json_block(numbers),
            style=style(),
            scripts=scripts,
            policy=policy(list(scripts.values())),
        )
    )
    return html


def environment() -> Any:
    """The templates, strict about what is missing, and escaping everything."""
    import jinja2

    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(
        number=number, plain=plain, ordinal=ordinal, size=size, counted=counted, signed=signed
    )
    made.filters.update(stretch=stretch, breakable=breakable)
    return made


def breakable(text: str) -> Markup:
    """A long name that may be broken after a comma or a plus."""
    return Markup(str(Markup.escape(text)).replace("+", "+<wbr>").replace(",", ",<wbr>"))


def style() -> Markup:
    """The style sheet of all pages."""
    return Markup((_HERE / "report.css").read_text("utf-8"))


def together(inputs: Sequence[Mapping[str, Any]]) -> str:
    """One checksum of all input files: the same only if each of them is."""
    lines = sorted(f"{file.get('sha256', '')}  {file.get('path', '')}\n" for file in inputs)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


@cache
def vega() -> str:
    """Vega-Embed with all it needs as one script; bundling takes two seconds, so once a process."""
    import vl_convert

    return vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")


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


def number(value: float | None, places: int = 4) -> str:
    """A score as the field prints it; a dash where there is none."""
    if value is None or math.isnan(value):
        return "–"  # noqa: RUF001
    return signed(value, places)


def size(value: object) -> str:
    """Bytes for people: 912 B, 14.2 kB, 3.1 MB."""
    if not isinstance(value, int | float):
        return plain(value)
    amount = float(value)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} B" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def plain(value: object) -> str:
    """A configured value in words: lists with commas, mappings as key: value."""
    if value is None or value == "" or value == [] or value == {}:
        return "–"  # noqa: RUF001
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {plain(item)}" for key, item in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(plain(item) for item in value)
    return str(value)


def _complete(facts: Mapping[str, Any], *, measures: Sequence[str]) -> dict[str, Any]:
    """The facts with an empty value for each that is missing, so that templates can be strict."""
    known = facts.get("measures") or {}
    blank = {"formula": "", "citation": ""}
    return {
        **{
            name: facts.get(name) or {}
            for name in ("policies", "dimensions", "versions", "sources")
        },
        "inputs": list(facts.get("inputs") or ()),
        "command": facts.get("command") or "",
        "measures": {name: {**blank, **(known.get(name) or {})} for name in measures},
    }


def tops_of(board: Board) -> list[float]:
    """The largest bound of each column, to which its bars are drawn."""

    def reach(cell: Cell) -> float:
        return max(cell.value, cell.upper if cell.upper is not None else cell.value)

    columns = zip(*(row.cells for row in board.rows), strict=True)
    return [max(1e-9, *(reach(cell) for cell in column)) for column in columns]
