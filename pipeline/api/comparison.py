"""Runs compared: differences by topic, tests, effects, intervals and letters."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pipeline.errors import InputError
from pipeline.storage.arrays import Floats

if TYPE_CHECKING:
    from pandas import DataFrame

    from pipeline.statistics.significance.step import Found

SHOWN = 10  # pairs the text form shows


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Every two runs on the same topics, under each measure; the better run of a pair is run_a."""

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    values: Mapping[str, Floats]  # [run, topic] of each measure
    alpha: float
    permutations: int
    samples: int
    seed: int

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures compared under."""
        return tuple(self.values)

    @cached_property
    def _tested(self) -> "dict[str, tuple[list[str], Found]]":
        from pipeline.statistics.significance.step import tested  # scipy, only when compared

        return {
            name: tested(
                self.runs,
                values,
                alpha=self.alpha,
                permutations=self.permutations,
                samples=self.samples,
                seed=self.seed,
            )
            for name, values in self.values.items()
        }

    def pairs(self) -> Iterator[dict[str, Any]]:
        """Every two runs: difference of the means, its interval, effects and p of each test."""
        from pipeline.statistics.significance.step import PAIR_COLUMNS, pair_rows

        for name, (names, found) in self._tested.items():
            for row in pair_rows(names, found):
                plain = (float(c) if isinstance(c, np.floating) else c for c in row)
                yield {"measure": name, **dict(zip(PAIR_COLUMNS, plain, strict=True))}

    def ranking(self, measure: str | None = None) -> list[dict[str, Any]]:
        """The runs from the best mean to the worst: intervals, and letters of those not told apart.

        Runs that share a letter are not told apart by the randomised Tukey HSD.
        """
        from pipeline.statistics.significance.step import RUN_COLUMNS, run_rows

        names, found = self._tested[self._named(measure)]
        return [
            {
                key: float(cell) if isinstance(cell, np.floating) else cell
                for key, cell in zip(RUN_COLUMNS, row, strict=True)
            }
            for row in run_rows(names, found)
        ]

    def by_topic(self, measure: str | None = None) -> list[tuple[str, dict[str, float]]]:
        """Each topic, with the value of every run."""
        table = self.values[self._named(measure)]
        return [
            (topic, dict(zip(self.runs, table[:, place].tolist(), strict=True)))
            for place, topic in enumerate(self.topics)
        ]

    @property
    def table(self) -> "DataFrame":
        """`pairs` as a DataFrame."""
        import pandas

        return pandas.DataFrame(list(self.pairs()))

    def _named(self, measure: str | None) -> str:
        if measure is None and len(self.values) == 1:
            return self.measures[0]
        if measure not in self.values:
            raise InputError(f"name one of the measures: {', '.join(self.measures)}")
        return str(measure)

    def __str__(self) -> str:
        lines = []
        for name in self.measures:
            lines.append(f"{name}, {len(self.topics)} topics")
            width = max(len(run) for run in self.runs)
            for row in self.ranking(name):
                lines.append(
                    f"  {row['run']:<{width}}  {row['mean']:.4f}  "
                    f"({row['t_lower']:.4f} to {row['t_upper']:.4f})  {row['letters']}"
                )
            mine = [row for row in self.pairs() if row["measure"] == name]
            for row in mine[:SHOWN]:
                lines.append(
                    f"  {row['run_a']} - {row['run_b']}: {row['difference']:+.4f} "
                    f"({row['lower']:+.4f} to {row['upper']:+.4f}), effect {row['effect']:.2f}, "
                    f"p {row['p_t']:.4f} (t), {row['p_permutation']:.4f} (permutation), "
                    f"{row['p_tukey']:.4f} (Tukey)"
                )
            if len(mine) > SHOWN:
                lines.append(f"  ... and {len(mine) - SHOWN} more pairs")
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        html: str = self.table.to_html(index=False, float_format="{:.4f}".format)
        return html
