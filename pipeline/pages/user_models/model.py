"""What a user model is: one declared function of a page's index and a threshold.

A module in `models` with one such function is all a further model takes: its name in the config,
its column in the report and its row in the docs follow.
"""

from collections.abc import Callable
from dataclasses import dataclass

from pipeline.registry import LAST, Catalogue, Entry

Function = Callable[[float, float], float]


@dataclass(frozen=True, kw_only=True)
class UserModel(Entry):
    """A user model; called with index and threshold it gives the chance to understand."""

    formula: str
    function: Function

    def __call__(self, index: float, threshold: float) -> float:
        """From 0 to 1; the index is such that low is easy (others come with their sign changed)."""
        return self.function(index, threshold)


def user_model(
    name: str, *, title: str, formula: str, citation: str, order: int = LAST
) -> Callable[[Function], UserModel]:
    """Declare a user model above its function; `title` is what the report calls it."""

    def declare(function: Function) -> UserModel:
        return UserModel(
            name=name,
            title=title,
            formula=formula,
            citation=citation,
            order=order,
            function=function,
        )

    return declare


MODELS = Catalogue("user model", "pipeline.pages.user_models.models", of=UserModel)
