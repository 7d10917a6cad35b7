"""Resiliparse's main content, without blocks that look like menus."""

import re
from collections.abc import Sequence

from pipeline.pages.cleanse.method import lines, method

_SENTENCE_LIKE = re.compile(r"""[.!?:;\u2026]["'”\u2019»)\]]*\Z""")
_SHORT = 12  # words


@method("main", title="resiliparse's main content without menu-like blocks", order=2)
def main(html: str) -> list[str]:
    """Resiliparse's main content, without blocks that look like menus.

    If resiliparse finds no main content (a page of lists, for example), the whole page is used. If
    all blocks look like menus, all are kept.
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
    """Remove blocks that look like menus.

    Short blocks without final punctuation look like menus if two or more are adjacent, or if they
    begin or end the page. A single one within prose is a heading; those after a colon are a list.
    """
    prose: list[str] = []
    short: list[str] = []
    for block in blocks:
        if _SENTENCE_LIKE.search(block) is None and block.count(" ") < _SHORT - 1:
            short.append(block)
            continue
        if short and prose and (len(short) == 1 or prose[-1].endswith(":")):
            prose += short
        short = []
        prose.append(block)
    if short and prose and prose[-1].endswith(":"):
        prose += short
    return prose
