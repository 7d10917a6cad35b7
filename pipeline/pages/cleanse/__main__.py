"""`python -m pipeline.pages.cleanse page.html`: the text of a page, or why there is none.

With `--show` a browser shows the blocks of the page: what was kept, what was dropped and why.
"""

import argparse
import sys
import tempfile
import webbrowser
from pathlib import Path

from pipeline.errors import InputError
from pipeline.pages.cleanse.method import DEFAULT, METHODS
from pipeline.pages.cleanse.page import clean
from pipeline.pages.cleanse.show import picture
from pipeline.storage.atomic import atomic


def main(arguments: list[str] | None = None) -> None:
    """Print the text, or show or write the picture."""
    given = argparse.ArgumentParser(prog="python -m pipeline.pages.cleanse", description=__doc__)
    given.add_argument("page", type=Path, help="a page, plain or gzip")
    given.add_argument("--method", choices=list(METHODS), default=DEFAULT)
    given.add_argument("--show", action="store_true", help="show its blocks in a browser")
    given.add_argument("--out", type=Path, metavar="FILE", help="write that picture to a file")
    chosen = given.parse_args(arguments)
    if (chosen.show or chosen.out) and chosen.method != DEFAULT:
        given.error(f"only the method {DEFAULT} has a picture; leave out --method")
    try:
        _told(chosen)
    except InputError as error:
        sys.exit(f"fathom: {error}")


def _told(chosen: argparse.Namespace) -> None:
    from pipeline.pages.collection import read_page

    page = read_page(chosen.page)
    if not chosen.show and not chosen.out:
        text, reason = clean(page, method=chosen.method)
        if reason:
            raise InputError(f"{chosen.page}: the page has no text, because it is: {reason}.")
        print(text)
        return
    drawn = picture(page, title=chosen.page.name)
    out = chosen.out or Path(tempfile.mkdtemp(prefix="fathom-")) / "blocks.html"
    with atomic(out) as draft:
        draft.write_text(drawn, encoding="utf-8")
    print(f"The blocks are at {out}")
    if chosen.show:
        webbrowser.open(out.resolve().as_uri())


if __name__ == "__main__":
    main()
