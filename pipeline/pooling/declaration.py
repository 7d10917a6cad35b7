"""What a pooling method is: one declared function in a module of `methods`.

It gives every candidate the probability with which it was to be in the pool, 0 where it is not. Its
declaration says what it needs, so that the config is checked and the runs are read accordingly.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pipeline.pooling.candidates import Candidates
from pipeline.pooling.plan import Plan
from pipeline.registry import LAST, Catalogue, Entry
from pipeline.runs.rankings import Rankings
from pipeline.storage.arrays import Floats


@dataclass(frozen=True, kw_only=True)
class Offer:
    """What there is to choose from: all a method sees."""

    plan: Plan
    ranked: Rankings  # with scores, if the method needs them
    runs: Sequence[int]  # those that give to the pool
    candidates: Candidates  # what they hold, as deep as the method reads them
    relevant: Mapping[str, Mapping[str, bool]]  # topic ('' is all) -> document; what is replayed


Choose = Callable[[Offer], Floats]
Reach = Callable[[Plan], int | None]


def to_the_end(_: Plan) -> int | None:
    """The reach of a method that may choose any document of a run."""
    return None


@dataclass(frozen=True, kw_only=True)
class Method(Entry):
    """A pooling method, and what it needs; called with an offer it chooses from it."""

    choose: Choose
    reads: tuple[str, ...]  # the keys of `pool` that have a meaning for some methods only
    reach: Reach  # how deep the runs are read; None is to their end
    scores: bool  # whether it needs the systems' scores

    @property
    def replays(self) -> bool:
        """Whether it replays the judgements there are."""
        return "labels" in self.reads

    def __call__(self, offer: Offer) -> Floats:
        """The probability of each candidate to be in the pool; 0 where it is not."""
        return self.choose(offer)


def pooling(
    name: str,
    *,
    title: str,
    citation: str,
    reads: Sequence[str] = (),
    reach: Reach = to_the_end,
    scores: bool = False,
    order: int = LAST,
) -> Callable[[Choose], Method]:
    """Declare a pooling method above its function."""

    def declare(choose: Choose) -> Method:
        return Method(
            name=name,
            title=title,
            citation=citation,
            order=order,
            choose=choose,
            reads=tuple(reads),
            reach=reach,
            scores=scores,
        )

    return declare


METHODS = Catalogue("pooling method", "pipeline.pooling.methods", of=Method)
