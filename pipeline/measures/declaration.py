"""How a measure is declared: one function of a View, with the declaration as its decorator.

There is no other list to edit: a new measure is a new module of `standard`, `diversity`,
`combinations` or `cwl.models` with one decorated function.
"""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace

import numpy as np

from pipeline.registry import Registry
from pipeline.storage.arrays import Floats

Bounds = tuple[Floats, Floats]
Value = float | int | str
READINGS = {  # how measures read labels (see Dimension.read)
    "binary": "binary",
    "gain": "graded",
    "grade": "graded, steps above the worst label",
    "exponential": "graded, 2^step - 1",
    "stop": "graded, (2^step - 1) / 2^highest",
    "judged": "none, only whether documents are judged",
}


@dataclass(frozen=True)
class Param:
    """A measure's parameter: a number with bounds, or one of several choices."""

    default: Value | None  # None: required
    low: float = -np.inf
    high: float = np.inf
    open_low: bool = False
    open_high: bool = False
    whole: bool = False
    choices: tuple[str, ...] = ()
    meaning: str = ""

    def describe(self) -> str:
        """The allowed values in words.

        >>> Param(0.8, low=0, high=1, open_low=True, open_high=True).describe()
        'a number above 0 and below 1'
        >>> Param(10, low=1, whole=True).describe()
        'a whole number from 1 up'
        """
        if self.choices:
            return "one of " + ", ".join(self.choices)
        kind = "a whole number" if self.whole else "a number"
        if np.isinf(self.low) and np.isinf(self.high):
            return kind
        left = ("above " if self.open_low else "from ") + f"{self.low:g}"
        if np.isinf(self.high):
            return f"{kind} {left}" + ("" if self.open_low else " up")
        return f"{kind} {left} " + ("and below " if self.open_high else "to ") + f"{self.high:g}"

    def explained(self, name: str) -> str:
        """Name, meaning, allowed values and default of the parameter."""
        default = "required" if self.default is None else f"default {self.default}"
        return f"`{name}`: {self.meaning or 'a parameter'} ({self.describe()}; {default})"

    def allows(self, value: object) -> bool:
        """Whether the value is allowed."""
        if self.choices:
            return value in self.choices
        if isinstance(value, bool) or not isinstance(value, int if self.whole else int | float):
            return False
        above = value > self.low if self.open_low else value >= self.low
        return above and (value < self.high if self.open_high else value <= self.high)


@dataclass(frozen=True)
class Declaration:
    """The declaration of a measure; as a decorator it declares the function that computes it.

    Args:
        name: Name of the measure in configs and commands.
        title: The name in words.
        formula: The formula, in plain text.
        citation: The publication that defines the measure.
        params: Parameters by name, each a `Param`.
        cutoff: Whether `@k` may follow the name: `none`, `optional` or `required`.
        gain: The reading of the labels, for example `binary` or `gain`.
        graded: Whether it uses how much a document gains; if not, `gain=graded` is refused.
        unretrieved: Score of a topic without retrieved documents; None if the function computes it.
        range: Lowest and highest value.
        rises: Whether more gain, or the same gain at an earlier rank, never lowers the value.
        aggregate: How topics are aggregated: `mean`, `geometric` or `sum`.
        scores: Whether the function needs the scores of the runs.
        costs: Whether the function uses the costs of documents.
        diverse: Whether the function uses each subtopic of a topic.
        bounds: A function or a rule for the bounds under unjudged documents.
        endless: Whether the upper bound includes gains beyond the end of a ranking.
        expected: A function or a rule for the mean over the orders of tied documents.
        contributions: A function for what each rank adds to the value.
        function: Set by the decorator: called with a view and the parameters.
        module: Set by the decorator: the module of the function.
    """

    name: str
    _: KW_ONLY
    title: str
    formula: str
    citation: str
    params: Mapping[str, Param] = field(default_factory=dict)
    cutoff: str = "none"  # "none", "optional" or "required": whether @k may follow
    gain: str = "binary"  # its reading of the labels, a key of READINGS
    graded: bool = True  # whether it uses how much a document gains; if not, gain=graded is refused
    unretrieved: float | None = 0.0
    range: tuple[float, float] = (0.0, 1.0)
    rises: bool = True  # monotone: more gain, or the same gain earlier, never lowers it
    aggregate: str = "mean"  # over topics: "mean", "geometric" or "sum"
    scores: bool = False  # whether it needs the systems' own scores
    costs: bool = False  # whether it uses the costs of documents, if there are any
    diverse: bool = False  # whether it uses each subtopic of a topic
    # None: from the worst and best gains of unjudged documents (see View.scenario). A function: own
    # bounds. "range": its whole range if an unjudged document was retrieved. "falling": from 0 to
    # its value. "unknown": none.
    bounds: Callable[..., Bounds] | str | None = None
    endless: bool = False  # whether its upper bound has gains past the end (View.beyond)
    # The mean over orders of tied documents: "linear" in the gains, a function, or None: unknown.
    expected: Callable[..., Floats] | str | None = None
    # What each rank adds, [row, rank], if the value is a sum over ranks but not linear.
    contributions: Callable[..., Floats] | None = None
    function: Callable[..., Floats] = NotImplemented  # (view, **params) -> [row]
    module: str = ""  # the function's module

    def __call__(self, function: Callable[..., Floats]) -> Callable[..., Floats]:
        REGISTRY.add(self.name, replace(self, function=function, module=function.__module__))
        return function


measure = Declaration
REGISTRY: Registry[Declaration] = Registry(
    "measure",
    "pipeline.measures.standard",
    "pipeline.measures.diversity",
    "pipeline.measures.cwl.models",
)


@dataclass(frozen=True)
class Combination:
    """The declaration of a way to combine a base measure over several dimensions; a decorator.

    Of "scores": ([dimension, row] scores of the base measure, weights) -> [row]. Of "gains": ([gain
    of each dimension], weights) -> gain of each document, to which the base measure applies.
    """

    name: str
    _: KW_ONLY
    of: str  # "scores" or "gains"
    title: str
    formula: str
    citation: str
    means: bool = False  # of scores only: combine the means over topics, not each topic
    linear: bool = False  # of scores only: a weighted sum of its parts
    falling: str = "none"  # of gains only: "others" if gain in all but the first lowers it
    # Of scores only: combinations of gains that replace the dimensions as parts; those in `falls`
    # lower the score.
    parts: tuple[str, ...] = ()
    falls: frozenset[str] = frozenset()
    function: Callable[..., Floats] = NotImplemented
    module: str = ""  # the function's module

    def __call__(self, function: Callable[..., Floats]) -> Callable[..., Floats]:
        COMBINATIONS.add(self.name, replace(self, function=function, module=function.__module__))
        return function


combination = Combination
COMBINATIONS: Registry[Combination] = Registry("combination", "pipeline.measures.combinations")
