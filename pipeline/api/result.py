"""The result of `evaluate`: scores by run, topic and measure, with comparison and explanation."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pipeline.api import show
from pipeline.api.comparison import Comparison, choose
from pipeline.api.explanation import EvaluationInputs, Explanation, explained
from pipeline.errors import InputError, Problem
from pipeline.measures import Measure, Scores, parse
from pipeline.measures.measure import ENDS as EACH_END
from pipeline.measures.measure import scores_of
from pipeline.storage.arrays import Floats

if TYPE_CHECKING:
    from pandas import DataFrame

ENDS = ("value", "lower", "upper")
NAMED = 10  # runs or topics that a message names


class ScoreRow(NamedTuple):
    """The score of a run on a topic, with bounds: unjudged documents could change it so far."""

    run: str
    topic: str
    measure: str
    value: float
    lower: float
    upper: float


class Evaluation:
    """Scores of runs as arrays, rows and pandas tables.

    Attributes of `table`, the tidy table, are also available here: `result["value"]`,
    `result.groupby("run")`.
    """

    def __init__(
        self, data: EvaluationInputs, measures: Sequence[Measure], notes: tuple[str, ...]
    ) -> None:
        self.gains = data.gains
        self.notes = notes
        self._data = data
        self._measures = {measure.name: measure for measure in measures}
        # Values now, so that problems are raised at once; bounds on first use.
        self._values = {name: m.value(self.gains) for name, m in self._measures.items()}
        self._scores: dict[str, Scores] = {}

    @property
    def runs(self) -> tuple[str, ...]:
        """The runs, in the order of the call."""
        return self.gains.runs

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that all means include, in natural order."""
        return self.gains.topics

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures, by their full names."""
        return tuple(self._measures)

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The dimensions of relevance, topicality first."""
        return tuple(self.gains.dimensions)

    def values(self, measure: str | None = None) -> Floats:
        """Scores of a measure as [run, topic]; of the only measure, if `measure` is None."""
        return self._values[self._named(measure)].reshape(len(self.runs), len(self.topics))

    def scores(self, measure: str | None = None) -> Scores:
        """Values and bounds of a measure, each [run, topic]; an unknown bound is NaN.

        `.unjudged` and `.past_end` are the two parts of the residual: unjudged documents of the
        ranking, and documents beyond its end.
        """
        name = self._named(measure)
        if name not in self._scores:
            scores = scores_of([self._measures[name]], self.gains)[0]
            shape = (len(self.runs), len(self.topics))
            self._scores[name] = Scores(*(getattr(scores, end).reshape(shape) for end in EACH_END))
        return self._scores[name]

    def overall(self, measure: str | None = None, *, end: str = "value") -> Floats:
        """A measure over all topics, as [run]: usually the mean."""
        name = self._named(measure)
        values = self._values[name] if end == "value" else getattr(self.scores(name), end).ravel()
        return self._measures[name].overall(values, self.gains, end=end)

    def rows(self) -> Iterator[ScoreRow]:
        """All scores: measure by measure, run by run, topic by topic."""
        for name in self.measures:
            scores = self.scores(name)
            for r, run in enumerate(self.runs):
                ends = zip(*(getattr(scores, end)[r].tolist() for end in ENDS), strict=True)
                for topic, (value, lower, upper) in zip(self.topics, ends, strict=True):
                    yield ScoreRow(run, topic, name, value, lower, upper)

    def to_dict(self) -> dict[str, dict[str, dict[str, float]]]:
        """`{run: {topic: {measure: value}}}`, as pytrec_eval returns it for each run."""
        scores: dict[str, dict[str, dict[str, float]]] = {}
        for name in self.measures:
            for run, row in zip(self.runs, self.values(name).tolist(), strict=True):
                for topic, value in zip(self.topics, row, strict=True):
                    scores.setdefault(run, {}).setdefault(topic, {})[name] = value
        return scores

    @cached_property
    def table(self) -> "DataFrame":
        """All scores as a tidy DataFrame: run, topic, measure, value, lower, upper."""
        import pandas

        return pandas.DataFrame(self.rows(), columns=ScoreRow._fields)

    def means(self) -> "DataFrame":
        """One row per run, one column per measure: the mean over all topics."""
        import pandas

        index = pandas.Index(self.runs, name="run")
        return pandas.DataFrame({name: self.overall(name) for name in self.measures}, index=index)

    def compare(
        self,
        measure: str | None = None,
        *,
        alpha: float = 0.05,
        permutations: int = 10_000,
        samples: int = 10_000,
        seed: int = 1,
    ) -> Comparison:
        """Test which runs differ significantly, pairwise on the same topics, as a campaign does.

        Args:
            measure: The measure to compare under; all of them, if None.
            alpha: Significance level; confidence intervals have level 1 - alpha.
            permutations: Permutations of the randomised Tukey HSD test, and the fewest sign flips
                of the paired permutation test.
            samples: Bootstrap samples of topics, for intervals of the means.
            seed: Seed of permutations and samples.
        """
        if len(self.runs) < 2:
            what = f"'{self.runs[0]}' is the only run"
            raise InputError(Problem("runs", what, "evaluate two or more"))
        from pipeline.config.base import arguments
        from pipeline.config.campaign import Significance

        with arguments():
            settings = Significance(
                alpha=alpha, permutations=permutations, samples=samples, seed=seed
            )
        from pipeline.statistics.significance.step import examine  # imports scipy

        names = self.measures if measure is None else (self._named(measure),)
        values = {name: self.values(name) for name in names}
        tests = {name: examine(self.runs, v, **dict(settings)) for name, v in values.items()}
        return Comparison(
            runs=self.runs, topics=self.topics, values=values, alpha=alpha, tests=tests
        )

    def significance(self, measure: str | None = None, **settings: Any) -> "DataFrame":
        """All pairs of runs under each measure, with all tests, as in `significance/*.csv`."""
        return self.compare(measure, **settings).table

    def explain(
        self, run: str, topic: str, measure: str | None = None, *, against: str | None = None
    ) -> Explanation:
        """Show where a score comes from: label, gain, weight, contribution of each document.

        Args:
            run: Name of the run.
            topic: Id of the topic.
            measure: The measure; the only one, if None.
            against: Another run: adds the rank and contribution of each document there.
        """
        for kind, name, names in (
            ("run", run, self.runs), ("run", against, self.runs), ("topic", topic, self.topics),
        ):  # fmt: skip
            if name is not None and name not in names:
                first = ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")
                what = f"there is no {kind} '{name}'"
                raise InputError(Problem(kind, what, f"use one of {first}"))
        parsed = self._measures[self._named(measure)]
        return explained(self._data, parsed, run=run, topic=topic, against=against)

    def _named(self, measure: str | None) -> str:
        if measure is not None and measure not in self._measures:
            measure = parse(str(measure), dimensions=self.dimensions).name
        return choose(measure, self.measures)

    def __getitem__(self, key: Any) -> Any:
        return self.table[key]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # protocols and copying look these up before __init__
            raise AttributeError(name)
        return getattr(self.table, name)

    def __len__(self) -> int:
        return len(self.runs) * len(self.topics) * len(self.measures)

    def __iter__(self) -> Iterator[ScoreRow]:
        return self.rows()

    def __repr__(self) -> str:
        """One line per run with its means, best first under the first measure."""
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
        """The same as a table, with bars for the topics under the first measure."""
        from pipeline.report.markup import environment

        template = environment(Path(__file__).parent).get_template("evaluation.html.j2")
        means = {name: self.overall(name).tolist() for name in self.measures}
        values = self.values(self.measures[0]).tolist()
        order = self._best_first()
        return str(template.render(result=self, order=order, means=means, values=values))

    def _best_first(self) -> list[int]:
        means = self.overall(self.measures[0]).tolist()
        return sorted(range(len(means)), key=lambda at: -means[at])[: show.MOST]
