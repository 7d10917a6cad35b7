"""Resiliparse's main content, without blocks that look like menus."""

import re
from collections.abc import Sequence

from pipeline.pages.cleanse.method import lines, method

_SENTENCE_LIKE = re.compile(r"""[.!?:;\u2026]["'”\u2019»)\]]*\Z""")
_SHORT = 12  # words


@method("main", title="resiliparse's main content without menu-like blocks", order=2)
def main(html: str) -> list[str]:
    """Resiliparse's main content, without blocks that look like menus.

    A page that is nothing but lists has no main content in resiliparse's eyes; then all of it is
    taken. So are all blocks, where every one of them looks like a menu.
    """
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.html import HTMLTree

    tree = HTMLTree.parse(html)
    for only_main in (True, False):
        text = extract_plain_text(
            tree,
            main_content=only_main,
            preserve_formatting=True,
            list_bullets=False,
            alt_texts=False,
            post_meta=False,
        )
        if blocks := lines(text):
            return without_menus(blocks) or blocks
    return []


def without_menus(blocks: Sequence[str]) -> list[str]:
    """The blocks without those that look like menus.

    Short blocks that do not end as sentences do are menu-like where two or more follow each other,
    or where they begin or end the page; a single one amid prose is a heading, and those after a
    colon are a list that belongs to the text.
    """
    kept: list[str] = []
    run: list[str] = []
    for block in blocks:
        if _SENTENCE_LIKE.search(block) is None and block.count(" ") < _SHORT - 1:
            run.append(block)
            continue
        if run and kept and (len(run) == 1 or kept[-1].endswith(":")):
            kept += run
        run = []
        kept.append(block)
    if run and kept and kept[-1].endswith(":"):
        kept += run
    return kept
