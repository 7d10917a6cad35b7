"""The block method: blocks of text, scored by what they are and by what is around them."""

from pipeline.pages.cleanse.method import method
from pipeline.storage.c_sources import warn_slow

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


def warn_if_not_compiled() -> None:
    """Warn once that pages are cleansed with `main`, because the block method is not compiled."""
    from pipeline.pages.cleanse.scoring import extension

    if extension() is None:
        what = "so pages are cleansed with the method main, which is less exact"
        warn_slow(f"the block method is not compiled, {what}")
