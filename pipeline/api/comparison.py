"""Runs compared: differences by topic, tests, effects, intervals and significance groups."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pipeline.api import show
from pipeline.errors import InputError, Problem
from pipeline.storage.arrays import Floats

if TYPE_CHECKING:
    from pandas import DataFrame

    from pipeline.statistics.significance.step import Significance

SHOWN = 15  # pairs in the text form
RANKED = ("run", "mean", "t_lower", "t_upper", "letters")
PAIR = ("run_a", "run_b", "difference", "lower", "upper", "effect", "p_t", "p_permutation",
        "p_tukey")  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Pairs of runs on the same topics, under each measure; run_a is the better run of a pair."""

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    values: Mapping[str, Floats]  # [run, topic] of each measure
    alpha: float
    tests: "Mapping[str, Significance]"  # results under each measure

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures of the comparison."""
        return tuple(self.values)

    def pairs(self) -> Iterator[dict[str, Any]]:
        """All pairs of runs: difference of means, its interval, effect size and p of each test."""
        for name, results in self.tests.items():
            for row in _rows(results.pairs):
                yield {"measure": name, **row}

    def ranking(self, measure: str | None = None) -> list[dict[str, Any]]:
        """The runs from the best mean to the worst, with intervals and significance groups.

        Runs that share a letter do not differ significantly (randomised Tukey HSD, level `alpha`).
        """
        return list(_rows(self.tests[choose(measure, self.measures)].runs))

    def by_topic(self, measure: str | None = None) -> list[tuple[str, dict[str, float]]]:
        """Each topic, with the score of each run."""
        table = self.values[choose(measure, self.measures)]
        return [
            (topic, dict(zip(self.runs, table[:, place].tolist(), strict=True)))
            for place, topic in enumerate(self.topics)
        ]

    @property
    def table(self) -> "DataFrame":
        """`pairs` as a DataFrame."""
        import pandas

        return pandas.DataFrame(list(self.pairs()))

    def __str__(self) -> str:
        lines = []
        for name in self.measures:
            ranking = self.ranking(name)
            lines += [f"{name}, {len(self.topics)} topics", ""]
            rows = [[row[key] for key in RANKED] for row in ranking]
            lines += show.table([key.removeprefix("t_") for key in RANKED], rows)
            ends = [(row["t_lower"], row["t_upper"]) for row in ranking]
            runs, values = [row["run"] for row in ranking], [row["mean"] for row in ranking]
            lines += ["", show.intervals(runs, values, ends)]
            pairs = list(_rows(self.tests[name].pairs))
            if len(pairs) == 1:
                a, b = pairs[0]["run_a"], pairs[0]["run_b"]
                parts = [values[a] - values[b] for _, values in self.by_topic(name)]
                up, down = sum(v > 0 for v in parts), sum(v < 0 for v in parts)
                lines += ["", f"{a} minus {b}: better on {up} topics, worse on {down}"]
                lines += [show.differences(parts)]
            lines += ["", *show.table(PAIR, [[row[key] for key in PAIR] for row in pairs[:SHOWN]])]
            if len(pairs) > SHOWN:
                lines.append(f"... and {len(pairs) - SHOWN} more pairs")
            lines.append("")
        return "\n".join(lines[:-1])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return str(self.table.to_html(index=False, float_format="{:.4f}".format))


def choose(measure: str | None, measures: Sequence[str]) -> str:
    """The measure of this name, which must have been computed; the only one, if None."""
    if measure is None and len(measures) == 1:
        return measures[0]
    if measure is None or measure not in measures:
        what = "no measure is named" if measure is None else f"'{measure}' was not computed"
        raise InputError(Problem("measure", what, f"name one of {', '.join(measures)}"))
    return measure


def _rows(columns: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The rows of a table, with Python's own numbers."""
    lists = [c.tolist() if isinstance(c, np.ndarray) else c for c in columns.values()]
    return (dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True))
