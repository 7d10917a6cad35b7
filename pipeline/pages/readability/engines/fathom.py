"""The default engine: our own counts, and every index from them."""

from pipeline.pages.readability.counting import Counts, count
from pipeline.pages.readability.engine import engine
from pipeline.pages.readability.index import indices


@engine("fathom", title="counts by the rules of `counting`, every index by its formula", order=1)
def fathom(text: str) -> tuple[Counts, dict[str, float]]:
    """The counts and indices of one text by our own rules."""
    counts = count(text)
    return counts, indices(counts)
