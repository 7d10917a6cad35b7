"""What a readability engine is: who counts a text and computes the indices.

A module in `engines` with one declared function is all a further engine takes.
"""

from collections.abc import Callable
from dataclasses import dataclass

from pipeline.pages.readability.counting import Counts
from pipeline.registry import LAST, Catalogue, Entry

Function = Callable[[str], tuple[Counts, dict[str, float]]]


@dataclass(frozen=True, kw_only=True)
class Engine(Entry):
    """An engine; called with a text it gives its counts and the indices it knows."""

    function: Function

    def __call__(self, text: str) -> tuple[Counts, dict[str, float]]:
        """The counts and indices of one text; an index that is left out is not known."""
        return self.function(text)


def engine(name: str, *, title: str, order: int = LAST) -> Callable[[Function], Engine]:
    """Declare an engine above its function."""

    def declare(function: Function) -> Engine:
        return Engine(name=name, title=title, order=order, function=function)

    return declare


ENGINES = Catalogue("readability engine", "pipeline.pages.readability.engines", of=Engine)
