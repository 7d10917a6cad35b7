"""Synthetic systems as a source."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, StrictStr

from pipeline.config.base import (
    Either,
    FileName,
    Mistakes,
    Number,
    Scaled,
    Section,
    Share,
    Whole,
)
from pipeline.config.sources import Generated
from pipeline.sources.generator import generator
from pipeline.sources.synthetic import problems, write

Correlation = Annotated[
    float | tuple[tuple[float, ...], ...],
    Either(Annotated[Number, Field(ge=-1, le=1)], tuple[tuple[Number, ...], ...]),
]


class Draw(Section):
    """How the labels of a dimension are drawn."""

    chance: Share | None = Field(None, description="Label 1 with this chance, else 0.")
    mean: Number | None = Field(
        None, description="Normal labels around this mean, cut to their scale and rounded."
    )
    sd: Number | None = Field(
        None, ge=0, description="Standard deviation of normal labels; needed with `mean`."
    )
    scale: Scaled | None = Field(
        None, description="Lowest and highest of normal labels; `[0, 100]` when null."
    )
    better: Literal["high", "low"] | None = Field(
        None,
        description="Which end of the labels is the good one, to which correlations refer; `high` "
        "when null.",
    )
    levels: dict[float, Share] | None = Field(
        None,
        json_schema_extra={"x-name": "label"},
        description="The chance of each label, for example `{0: 0.5, 1: 0.3, 2: 0.2}`; they sum "
        "to 1.",
    )


class Synthetic(Generated):
    """Systems whose labels are drawn."""

    draws: Mapping[FileName, Draw] = Field(
        min_length=1,
        json_schema_extra={"x-name": "dimension"},
        description="Of `synthetic`: each dimension by name, and how its labels are drawn, by "
        "`chance`, by `mean` and `sd`, or by `levels`.",
    )
    systems: Mapping[FileName, Mapping[StrictStr, Draw]] = Field(
        min_length=1,
        json_schema_extra={"x-name": "system", "x-inner": "dimension"},
        description="Of `synthetic`: each system by name, and what it draws otherwise, for example "
        "`{better: {topicality: {chance: 0.6}}, worse: {}}`.",
    )
    lists: Whole | None = Field(
        None,
        ge=1,
        description="Of `synthetic`: topics, a ranking of each system for each; 50 when null.",
    )
    length: Whole | None = Field(
        None, ge=1, description="Of `synthetic`: documents of a ranking; 10 when null."
    )
    correlation: Correlation | None = Field(
        None,
        description="Of `synthetic`: how the dimensions of a document correlate (Gaussian copula), "
        "one number for all pairs, or a matrix as a list of rows; 0 when null.",
    )

    def problems(self) -> Mistakes:
        """Each system draws what there is, in a way that can be drawn."""
        yield from problems(self.plain())


@generator(
    "synthetic",
    title="systems whose labels are drawn, in any number of correlated dimensions",
    keys=Synthetic,
    order=2,
)
def synthetic(folder: Path, *, seed: int, **settings: Any) -> None:
    """Write runs/, labels/ and topics.tsv."""
    write(folder, settings, seed=seed)
