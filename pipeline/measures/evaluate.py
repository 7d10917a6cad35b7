"""Evaluate one measure over all runs and topics."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from pipeline.gains.files import read as read_gains
from pipeline.measures import parse
from pipeline.measures.measure import ENDS as EACH_END
from pipeline.measures.measure import Scores, scores_of
from pipeline.measures.ties import LIMITS, under_ties
from pipeline.storage import arrow
from pipeline.storage.arrow import CODED, coded, numbers

ENDS = ("value", "lower", "upper", "unjudged_lower", "unjudged_upper")
NAMES = [("run", CODED), ("topic", CODED), ("measure", CODED)]
SCORES = pa.schema([*NAMES, *((end, pa.float64()) for end in ENDS)])
TIED = ("worst", "expected", "best", "error")
TIES = pa.schema([*SCORES, *((end, pa.float64()) for end in TIED), ("limits", CODED)])
OVERALL = pa.schema([NAMES[0], NAMES[2], *((end, pa.float64()) for end in ENDS)])


def evaluate(
    measure: str,
    *,
    dimensions: Sequence[str],
    gains: Mapping[str, Path],
    scores: Path | None,
    costs: Path | None = None,
    unjudged: str,
    ties: str,
    out: Path,
    overall: Path,
) -> None:
    """Score every run on every topic that counts; one tidy table, with bounds.

    `overall` gets each run's one figure over the topics. Under the policy `ties: report` the table
    also says what the order of tied documents could have made of each value.
    """
    wanted = parse(measure, dimensions=dimensions)
    data = read_gains(
        gains, unjudged=unjudged, scores=scores, only_ties=not wanted.scored, costs=costs
    )
    (found,) = scores_of([wanted], data)
    runs, topics = len(data.runs), len(data.topics)
    table = {
        "run": coded(np.repeat(np.arange(runs), topics), data.runs),
        "topic": coded(np.tile(np.arange(topics), runs), data.topics),
        "measure": coded(np.zeros(runs * topics), [wanted.name]),
        **_ends(found),
    }
    schema = SCORES
    if ties == "report":
        tied = under_ties(wanted, data, found.value)
        table |= {end: numbers(getattr(tied, end), blanks=True) for end in TIED}
        table["limits"] = coded(tied.limits, LIMITS)
        schema = TIES
    arrow.write(out, table, schema=schema)
    whole = Scores(*(wanted.overall(getattr(found, end), data, end=end) for end in EACH_END))
    arrow.write(
        overall,
        {
            "run": coded(np.arange(runs), data.runs),
            "measure": coded(np.zeros(runs), [wanted.name]),
            **_ends(whole),
        },
        schema=OVERALL,
    )


def _ends(found: Scores) -> dict[str, pa.Array]:
    """Value, bounds, and the two parts of what is between them; blank where not known."""
    return {end: numbers(getattr(found, end), blanks=True) for end in ENDS}
