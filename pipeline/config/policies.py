"""The policies that a campaign, the command and the function share: choices and defaults.

Not a pydantic model, whose import would double the start-up time of `fathom evaluate`; the model
of a campaign's policies takes its types and defaults from here.
"""

from typing import Literal, NamedTuple, get_args

Order = Literal["score", "score64", "rank"]
Duplicates = Literal["error", "first"]
BadScores = Literal["error", "last"]
Unjudged = Literal["zero", "condensed"]
CHOICES: dict[str, tuple[str, ...]] = {
    "order": get_args(Order),
    "unjudged": get_args(Unjudged),
    "duplicates": get_args(Duplicates),
    "bad_scores": get_args(BadScores),
}


class SharedPolicies(NamedTuple):
    """The shared policies, with their defaults."""

    order: Order = "score"
    depth: int = 1000
    unjudged: Unjudged = "zero"
    duplicates: Duplicates = "error"
    bad_scores: BadScores = "error"


DEFAULTS = SharedPolicies()
