"""The block method: blocks of text, scored by what they are and by what is around them."""

import sys
from functools import cache

from pipeline.pages.cleanse.method import method

FEW = 50  # words; a page with fewer has too little prose to find the rest by


@method(
    "blocks",
    title="blocks of text, scored: nearest to hand-marked text, and fastest",
    order=1,
    takes_bytes=True,
)
def blocks(html: bytes) -> list[str]:
    """The blocks whose score is over zero (docs/cleansing.md); where that is little, as `main`."""
    from pipeline.pages.cleanse.scoring import model

    made = model()
    if made is not None:
        text, words = made.text(html)
        if words >= FEW:
            return text.split("\n")
    from pipeline.pages.cleanse.methods.main import main

    return main(html.decode("utf-8", errors="replace"))


@cache
def say_if_not_compiled() -> None:
    """Say it once where pages are cleansed as `main` does it, for want of a C compiler."""
    from pipeline.pages.cleanse.scoring import extension

    if extension() is None:
        print(
            "fathom: the block method is not compiled, so pages are cleansed with the method main, "
            "which is less exact; install a C compiler and run `make setup`",
            file=sys.stderr,
        )
