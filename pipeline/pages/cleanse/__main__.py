"""`python -m pipeline.pages.cleanse page.html`: the text of a page, or why there is none.

With `--show` a browser shows the blocks of the page: what was kept, what was dropped and why.
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
from pipeline.pages.cleanse.scoring import HERE, KEPT, model, weights
from pipeline.pages.collection import read_page
from pipeline.storage.atomic import atomic

TEMPLATE = "show.html.j2"


def main() -> None:
    """Print the text, or show or write the picture."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.pages.cleanse", description=__doc__)
    parser.add_argument("page", type=Path, help="a page, plain or gzip")
    parser.add_argument("--method", choices=list(METHODS), default=DEFAULT)
    parser.add_argument("--show", action="store_true", help="show its blocks in a browser")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write that picture to a file")
    given = parser.parse_args()
    if (given.show or given.out) and given.method != DEFAULT:
        parser.error(f"only the method {DEFAULT} has a picture; leave out --method")
    try:
        page = read_page(given.page)
        if given.show or given.out:
            _draw(picture(page, name=given.page.name), out=given.out, show=given.show)
            return
        text, reason = clean(page, method=given.method)
        if reason:
            raise InputError(Problem(given.page, f"the page has no text, because it is: {reason}"))
    except InputError as error:
        sys.exit(f"fathom: {error}")
    print(text)


def _draw(drawn: str, *, out: Path | None, show: bool) -> None:
    out = out or Path(tempfile.mkdtemp(prefix="fathom-")) / "blocks.html"
    with atomic(out) as draft:
        draft.write_text(drawn, encoding="utf-8")
    print(f"The blocks are at {out}")
    if show:
        webbrowser.open(out.resolve().as_uri())


def picture(page: bytes, *, name: str) -> str:
    """An HTML page that shows the blocks of another, and what decided which are kept."""
    import jinja2

    made = model()
    if made is None:
        what, fix = "the block method is not compiled", "install a C compiler and run `make setup`"
        raise InputError(Problem("--show", what, fix))
    if reason := refusal(page):
        what = f"the page is not parsed, because it is {reason}"
        raise InputError(Problem(name, what, "give another one"))
    blocks = [
        {**block, "kept": block["score"] > KEPT, "parts": _parts(block["features"])}
        for block in made.describe(utf8(page))
    ]
    files = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    return files.get_template(TEMPLATE).render(
        title=name,
        blocks=blocks,
        begin=weights()[0].weight,
        words=sum(block["words"] for block in blocks if block["kept"]),
        few=FEW,
    )


def _parts(features: Any) -> list[tuple[str, float]]:
    """What each feature added, the largest first; the score all begin with is not one of them."""
    added = [
        (row.name, round(row.weight * value, 2))
        for row, value in list(zip(weights(), array("d", bytes(features)), strict=True))[1:]
    ]
    return sorted((part for part in added if part[1]), key=lambda part: -abs(part[1]))


if __name__ == "__main__":
    main()
