"""`python -m pipeline.pages.cleanse page.html`: print the text of a page, or why it has none.

With `--show`, a browser displays the blocks of the page with their scores: kept or dropped.
"""

import argparse
import sys
import tempfile
import webbrowser
from array import array
from pathlib import Path
from typing import Any

from pipeline.errors import InputError, Problem
from pipeline.pages.cleanse.method import DEFAULT, METHODS
from pipeline.pages.cleanse.methods.blocks import FEW
from pipeline.pages.cleanse.page import clean, refusal, utf8
from pipeline.pages.cleanse.scoring import HERE, KEEP_ABOVE, model, weights
from pipeline.pages.collection import read_page
from pipeline.storage.atomic import write_text

TEMPLATE = "show.html.j2"


def main() -> None:
    """Print the text, or display or write the picture of the blocks."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.pages.cleanse", description=__doc__)
    parser.add_argument("page", type=Path, help="a web page, plain or gzip")
    parser.add_argument("--method", choices=list(METHODS), default=DEFAULT)
    parser.add_argument("--show", action="store_true", help="display the blocks in a browser")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the picture to FILE")
    arguments = parser.parse_args()
    if (arguments.show or arguments.out) and arguments.method != DEFAULT:
        parser.error(f"--show and --out need the method {DEFAULT}; remove --method")
    try:
        page = read_page(arguments.page)
        if arguments.show or arguments.out:
            _draw(picture(page, name=arguments.page.name), out=arguments.out, show=arguments.show)
            return
        text, reason = clean(page, method=arguments.method)
        if reason:
            raise InputError(Problem(arguments.page, f"the page has no text: {reason}"))
    except InputError as error:
        sys.exit(f"fathom: {error}")
    print(text)


def _draw(html: str, *, out: Path | None, show: bool) -> None:
    out = out or Path(tempfile.mkdtemp(prefix="fathom-")) / "blocks.html"
    write_text(out, html)
    print(f"Wrote the blocks to {out}")
    if show:
        webbrowser.open(out.resolve().as_uri())


def picture(page: bytes, *, name: str) -> str:
    """Draw the blocks of a page as HTML, with the features that decide which are kept."""
    import jinja2

    scorer = model()
    if scorer is None:
        what = f"the method {DEFAULT} is not compiled"
        fix = "install a C compiler, then reinstall fathom-evaluation (in a clone: `make setup`)"
        raise InputError(Problem("--show", what, fix))
    if reason := refusal(page):
        what = f"the page cannot be parsed: {reason}"
        raise InputError(Problem(name, what, "choose another page"))
    blocks: list[dict[str, Any]] = [
        {**block, "kept": block["score"] > KEEP_ABOVE, "parts": _parts(block["features"])}
        for block in scorer.describe(utf8(page))
    ]
    words = sum(block["words"] for block in blocks if block["kept"])
    templates = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    template = jinja2.FileSystemLoader(HERE).load(templates, TEMPLATE)
    begin = weights()[0].weight
    return template.render(title=name, blocks=blocks, begin=begin, words=words, few=FEW)


def _parts(features: Any) -> list[tuple[str, float]]:
    """The contribution of each feature but the initial score, the largest first."""
    weighted = [
        (row.name, round(row.weight * value, 2))
        for row, value in list(zip(weights(), array("d", bytes(features)), strict=True))[1:]
    ]
    return sorted((part for part in weighted if part[1]), key=lambda part: -abs(part[1]))


if __name__ == "__main__":
    main()
