"""The third engine: textstat's counts in our formulas, to tell its counts from its exemptions."""

from pipeline.pages.readability.counting import Counts
from pipeline.pages.readability.engine import engine
from pipeline.pages.readability.engines.textstat import counted
from pipeline.pages.readability.index import indices


@engine("textstat_counts", title="textstat's counts, every index by its formula", order=3)
def textstat_counts(text: str) -> tuple[Counts, dict[str, float]]:
    """The counts of one text by textstat, and every index from them."""
    counts = counted(text)
    return counts, indices(counts)
