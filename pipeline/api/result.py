"""What `evaluate` gives back: figures by run, topic and measure, and what follows from them."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pipeline.api import show
from pipeline.api.comparison import Comparison, choose
from pipeline.api.explanation import Explanation, Material, explained
from pipeline.errors import InputError, Problem
from pipeline.measures import Measure, Scores, parse
from pipeline.measures.measure import ENDS as EACH_END
from pipeline.measures.measure import scores_of
from pipeline.storage.arrays import Floats

if TYPE_CHECKING:
    from pandas import DataFrame

ENDS = ("value", "lower", "upper")
NAMED = 10  # runs or topics a message names


class Row(NamedTuple):
    """One figure: of a run on a topic under a measure, with its bounds for the unjudged."""

    run: str
    topic: str
    measure: str
    value: float
    lower: float
    upper: float


class Mean(NamedTuple):
    """One figure over the topics, as the measure is aggregated."""

    run: str
    measure: str
    value: float
    lower: float
    upper: float


class Evaluation:
    """Figures of runs: as arrays, as rows, and as tables where pandas is asked for.

    It answers as the tidy table does, too: `result["value"]`, `result.groupby("run")`.
    """

    def __init__(
        self, material: Material, measures: Sequence[Measure], notes: tuple[str, ...]
    ) -> None:
        self.gains = material.gains
        self.notes = notes
        self._material = material
        self._measures = {measure.name: measure for measure in measures}
        # The values now, so that what cannot be computed is said at once; bounds when asked for.
        self._values = {name: one.value(self.gains) for name, one in self._measures.items()}
        self._scores: dict[str, Scores] = {}

    @property
    def runs(self) -> tuple[str, ...]:
        """The runs, in the order they were given."""
        return self.gains.runs

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that count, in natural order."""
        return self.gains.topics

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures, by their full names."""
        return tuple(self._measures)

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The dimensions of relevance, topicality first."""
        return tuple(self.gains.dimensions)

    # ---- figures ----------------------------------------------------------------------------

    def values(self, measure: str | None = None) -> Floats:
        """[run, topic]: the values of a measure; of the only one, if none is named."""
        name = self._named(measure)
        return self._values[name].reshape(len(self.runs), len(self.topics))

    def scores(self, measure: str | None = None) -> Scores:
        """Values and bounds of a measure, [run, topic] each; bounds are NaN where not known.

        `.unjudged` and `.past_end` are the two parts of what is between the bounds.
        """
        name = self._named(measure)
        if name not in self._scores:
            found = scores_of([self._measures[name]], self.gains)[0]
            shape = (len(self.runs), len(self.topics))
            self._scores[name] = Scores(*(getattr(found, end).reshape(shape) for end in EACH_END))
        return self._scores[name]

    def overall(self, measure: str | None = None, *, end: str = "value") -> Floats:
        """[run]: a measure over the topics: the mean, unless it is aggregated otherwise."""
        name = self._named(measure)
        values = self._values[name] if end == "value" else getattr(self.scores(name), end).ravel()
        return self._measures[name].overall(values, self.gains, end=end)

    def rows(self) -> Iterator[Row]:
        """Every figure: measure by measure, run by run, topic by topic."""
        for name in self.measures:
            found = self.scores(name)
            for r, run in enumerate(self.runs):
                ends = zip(*(getattr(found, end)[r].tolist() for end in ENDS), strict=True)
                for topic, (value, lower, upper) in zip(self.topics, ends, strict=True):
                    yield Row(run, topic, name, value, lower, upper)

    def mean_rows(self) -> Iterator[Mean]:
        """Every figure over the topics: measure by measure, run by run."""
        for name in self.measures:
            ends = zip(*(self.overall(name, end=end).tolist() for end in ENDS), strict=True)
            for run, (value, lower, upper) in zip(self.runs, ends, strict=True):
                yield Mean(run, name, value, lower, upper)

    def to_dict(self) -> dict[str, dict[str, dict[str, float]]]:
        """`{run: {topic: {measure: value}}}`, as pytrec_eval has it for each run."""
        figures: dict[str, dict[str, dict[str, float]]] = {}
        for name in self.measures:
            for run, row in zip(self.runs, self.values(name).tolist(), strict=True):
                for topic, value in zip(self.topics, row, strict=True):
                    figures.setdefault(run, {}).setdefault(topic, {})[name] = value
        return figures

    # ---- tables -----------------------------------------------------------------------------

    @cached_property
    def table(self) -> "DataFrame":
        """Every figure as a tidy DataFrame: run, topic, measure, value, lower, upper."""
        import pandas

        return pandas.DataFrame(self.rows(), columns=Row._fields)

    def means(self) -> "DataFrame":
        """One row per run, one column per measure: its figure over the topics."""
        import pandas

        index = pandas.Index(self.runs, name="run")
        return pandas.DataFrame({name: self.overall(name) for name in self.measures}, index=index)

    # ---- what follows -----------------------------------------------------------------------

    def compare(
        self,
        measure: str | None = None,
        *,
        alpha: float = 0.05,
        permutations: int = 10_000,
        samples: int = 10_000,
        seed: int = 1,
    ) -> Comparison:
        """Whether runs differ, and by how much: pairwise, on the same topics, with all tests.

        Under one measure, or each of them. The tests are those of a campaign.
        """
        if len(self.runs) < 2:
            what = f"'{self.runs[0]}' is the only run"
            raise InputError(Problem("compare", what, "give two or more"))
        from pipeline.config.base import arguments
        from pipeline.config.campaign import Significance

        with arguments():
            settings = Significance(
                alpha=alpha, permutations=permutations, samples=samples, seed=seed
            )
        from pipeline.statistics.significance.step import examine  # scipy, only when compared

        names = self.measures if measure is None else (self._named(measure),)
        values = {name: self.values(name) for name in names}
        tested = {name: examine(self.runs, one, **dict(settings)) for name, one in values.items()}
        return Comparison(
            runs=self.runs, topics=self.topics, values=values, alpha=alpha, tested=tested
        )

    def significance(self, measure: str | None = None, **settings: Any) -> "DataFrame":
        """Every pair of runs under each measure, with all tests: as `significance/*.csv`."""
        return self.compare(measure, **settings).table

    def explain(
        self, run: str, topic: str, measure: str | None = None, *, against: str | None = None
    ) -> Explanation:
        """A ranking as its measure sees it: labels, gain, weight and contribution of each document.

        `against` another run: where it has the same documents, and what they add there.
        """
        for kind, name, known in (
            ("run", run, self.runs), ("run", against, self.runs), ("topic", topic, self.topics),
        ):  # fmt: skip
            if name is not None and name not in known:
                some = ", ".join(known[:NAMED]) + (", ..." if len(known) > NAMED else "")
                raise InputError(
                    Problem(kind, f"there is no {kind} '{name}'", f"use one of {some}")
                )
        chosen = self._measures[self._named(measure)]
        return explained(self._material, chosen, run=run, topic=topic, against=against)

    def _named(self, measure: str | None) -> str:
        if measure is not None and measure not in self._measures:
            measure = parse(str(measure), dimensions=self.dimensions).name  # another spelling of it
        return choose(measure, self.measures)

    # ---- as a table, and as people see it ---------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        return self.table[key]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # of protocols and of copying, which ask before __init__
            raise AttributeError(name)
        return getattr(self.table, name)

    def __len__(self) -> int:
        return len(self.runs) * len(self.topics) * len(self.measures)

    def __iter__(self) -> Iterator[Row]:
        return self.rows()

    def __repr__(self) -> str:
        """One line per run, best first under the first measure: its figures over the topics."""
        means = [self.overall(name).tolist() for name in self.measures]
        order = self._best_first()
        rows = [[self.runs[at], *(f"{mean[at]:8.4f}" for mean in means)] for at in order]
        right = [False, *(True for _ in means)]
        lines = [f"{len(self.runs)} runs, {len(self.topics)} topics"]
        lines += show.aligned([["run", *self.measures], *rows], right=right)
        if len(self.runs) > len(order):
            lines.append(f"... and {len(self.runs) - len(order)} more")
        return "\n".join([*lines, *self.notes])

    def _repr_html_(self) -> str:
        """The same as a table; beside each run its topics under the first measure, as bars."""
        from pipeline.report.markup import environment

        template = environment(Path(__file__).parent).get_template("evaluation.html.j2")
        means = {name: self.overall(name).tolist() for name in self.measures}
        values = self.values(self.measures[0]).tolist()
        order = self._best_first()
        return str(template.render(result=self, order=order, means=means, values=values))

    def _best_first(self) -> list[int]:
        means = self.overall(self.measures[0]).tolist()
        return sorted(range(len(means)), key=lambda at: -means[at])[: show.MOST]
