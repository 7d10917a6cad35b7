"""The block method: blocks of text, scored by their own features and by their context."""

from pipeline.pages.cleanse.method import method
from pipeline.storage.c_sources import warn_slow

FEW = 50  # words; on pages with fewer, `main` finds more of the text


@method(
    "blocks",
    title="scored blocks of text: nearest to hand-annotated text, and fastest",
    order=1,
    takes_bytes=True,
)
def blocks(html: bytes) -> list[str]:
    """Blocks with a score above 0 (docs/cleansing.md); if they have few words, `main`'s text."""
    from pipeline.pages.cleanse.scoring import model

    scorer = model()
    if scorer is not None:
        text, words = scorer.text(html)
        if words >= FEW:
            return text.split("\n")
    from pipeline.pages.cleanse.methods.main import main

    return main(html.decode("utf-8", errors="replace"))


def warn_if_not_compiled() -> None:
    """Warn once if the block method is not compiled and `main` replaces it."""
    from pipeline.pages.cleanse.scoring import extension

    if extension() is None:
        warn_slow("the block method is not compiled: the less accurate method main replaces it")
