"""The audit as a step: compare, then write audit.csv and the summary the report shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv

from pipeline.audit import summary as summaries
from pipeline.audit.compare import Outcome, compare
from pipeline.audit.policies import Bench
from pipeline.audit.published import read, split
from pipeline.labels.reading import Labels
from pipeline.storage.arrays import Floats, Ints
from pipeline.storage.arrow import coded, numbers
from pipeline.storage.atomic import atomic
from pipeline.storage.sheets import marked


@dataclass(frozen=True, kw_only=True)
class Audit:
    """Published results, the sets of policies to try on them, and names of measures."""

    published: tuple[str, ...]  # patterns
    policies: tuple[str, ...]
    measures: Mapping[str, str]  # ours for a published one
    # Further sets, by name: the dimensions whose labels come from other files.
    labels: Mapping[str, Mapping[str, Labels]] = field(default_factory=dict)


def audit(
    published: Sequence[Path],
    *,
    bench: Bench,
    policies: Sequence[str],
    measures: Mapping[str, str],
    out: Path,
    summary: Path,
) -> None:
    """Compare published results with ours; `measures` translates names the audit does not know."""
    outcome = compare(read(published), bench=bench, policies=policies, measures=measures)
    write(outcome, out)
    summaries.write(outcome, summary)


def write(outcome: Outcome, out: Path) -> None:
    """Write audit.csv: the values of the runs at hand; what is not at hand is only counted."""
    published, rows = outcome.published, np.flatnonzero(outcome.at_hand)
    names = [
        outcome.measures[source].name if source in outcome.measures else split(source)[1]
        for source in published.source.names
    ]
    ours = outcome.ours[rows]
    difference = ours - published.value[rows]
    reasons = dict.fromkeys(outcome.reason)
    number = {reason: place for place, reason in enumerate(reasons)}
    why = np.array([number[outcome.reason[row]] for row in rows.tolist()])

    def words(which: Ints, known: Sequence[str]) -> pa.Array:
        return coded(which[rows], [marked(name) for name in known]).cast(pa.string())

    def figures(values: Floats) -> pa.Array:
        return numbers(np.round(values, 6) + 0.0, blanks=True)

    table = pa.table(
        {
            "run": words(published.run.number, published.run.names),
            "topic": words(published.topic.number, published.topic.names),
            "measure": words(published.source.number, names),
            "published": words(published.text.number, published.text.names),
            "ours": figures(ours),
            "difference": figures(difference),
            "reason": coded(why, [marked(reason) for reason in reasons]).cast(pa.string()),
            "source": words(published.source.number, published.source.names),
        }
    )
    with atomic(out) as draft:
        # Arrow quotes either every text or none, and most of these files need none.
        texts = (*published.run.names, *published.topic.names, *published.source.names, *names)
        style = "needed" if any(set('",\r\n') & set(text) for text in texts) else "none"
        options = pa.csv.WriteOptions(quoting_style=style, quoting_header="none")
        pa.csv.write_csv(table, draft, write_options=options)
