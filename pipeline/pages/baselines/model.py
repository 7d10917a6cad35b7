"""What a retrieval model is: a scorer of the engine and its parameters, in a module of its own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pipeline.pages.baselines.settings import Baseline
from pipeline.registry import LAST, Catalogue, Entry

Parameters = Callable[[Baseline], Mapping[str, float]]


@dataclass(frozen=True, kw_only=True)
class Model(Entry):
    """A retrieval model; called with a baseline's settings it gives the scorer's parameters."""

    scorer: str  # as the engine calls it
    reads: tuple[str, ...]  # the keys of the config that are its parameters
    parameters: Parameters

    def __call__(self, given: Baseline) -> Mapping[str, float]:
        """The parameters by the names the engine has for them."""
        return self.parameters(given)


def model(
    name: str,
    *,
    scorer: str,
    title: str,
    citation: str,
    reads: tuple[str, ...] = (),
    order: int = LAST,
) -> Callable[[Parameters], Model]:
    """Declare a retrieval model above the function that gives its parameters."""

    def declare(parameters: Parameters) -> Model:
        return Model(
            name=name,
            scorer=scorer,
            title=title,
            citation=citation,
            reads=reads,
            order=order,
            parameters=parameters,
        )

    return declare


MODELS = Catalogue("retrieval model", "pipeline.pages.baselines.models", of=Model)
