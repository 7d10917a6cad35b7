"""Named sets of policies under which published values are recomputed.

Each set replaces some of the campaign's policies. `ubire` follows that tool, as derived from its
published values:

- Documents are ordered by the rank column. A rank of 0 becomes the position of its line in the
  topic. If the first rank is 0, all later ranks grow by one. So 0, 1, 2, ... becomes 1, 2, 3, ...,
  but 0, 0, 0, ... becomes 1, 3, 4, ...: rank 2 stays empty.
- Labels of all dimensions but the first are keyed by document; the first line of a document counts.
- Unjudged documents have gain 0; means are over the topics of the first dimension's labels.

`missed` is how trec_eval treats a topic without results: with `-c` the topic counts 0 in every
value, also in the number of relevant documents (`num_rel`), which therefore differs between runs.
Without `-c` it is left out: `answered`. `audit.labels` adds sets with other label files.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np
import pyarrow as pa
import yaml

from pipeline.config.dimensions import Labels
from pipeline.config.scale import Scale
from pipeline.gains.build import build
from pipeline.gains.gains import Gains
from pipeline.labels.judgements import Judgements
from pipeline.labels.tables import judgements_in, tabulate, topics_in
from pipeline.runs.rank import rank_files
from pipeline.runs.rankings import Rankings, arrange
from pipeline.runs.rankings import read as read_rankings
from pipeline.runs.reader import ORDERS, Run, RunPolicies, run_name
from pipeline.storage import arrow
from pipeline.storage.arrays import Ints

T = TypeVar("T")


@dataclass(frozen=True)
class PolicySet:
    """The policies that a set replaces; None keeps the campaign's."""

    meaning: str
    order: str | None = None
    unjudged: str | None = None
    documents: bool = False  # further dimensions keyed by document; the first line counts
    zero_ranks: bool = False  # treat ranks of 0 as ubire does
    label_topics: bool = False  # evaluate the topics of the labels
    missed: Literal["zero", "left out"] | None = None  # topics without results
    labels: str | None = None  # a set of `audit.labels`


_TABLE = Path(__file__).with_name("sets.yaml").read_text("utf-8")
SETS = {name: PolicySet(**changes) for name, changes in yaml.safe_load(_TABLE).items()}


@dataclass(frozen=True)
class LabelSource:
    """The labels of one dimension, and the files and scale to read them again, by document."""

    table: pa.Table
    files: tuple[Path, ...] = ()  # empty for an estimate, which is by document
    scale: Scale | None = None

    def by_document(self) -> pa.Table:
        if not self.files or self.scale is None:
            return self.table
        return tabulate(self.files, scale=self.scale, key="document", conflict="first")


def read_labels(
    tables: Sequence[Path],
    how: Mapping[str, Labels | None],
    *,
    find: Callable[[Sequence[str]], Sequence[Path]],
) -> dict[str, LabelSource]:
    """Read the table of each dimension; `how` its label files are read is None for an estimate."""
    sources = {}
    for (name, labels), path in zip(how.items(), tables, strict=True):
        files = tuple(find(labels.files)) if labels else ()
        sources[name] = LabelSource(arrow.read(path), files, labels.scale if labels else None)
    return sources


def read_label_sets(
    how: Mapping[str, Mapping[str, Labels]], *, find: Callable[[Sequence[str]], Sequence[Path]]
) -> dict[str, dict[str, LabelSource]]:
    """Read the dimensions of each set of `audit.labels`."""
    dimensions_of: dict[str, dict[str, LabelSource]] = {}
    for name, dimensions in how.items():
        for dimension, labels in dimensions.items():
            files = tuple(find(labels.files))
            table = tabulate(files, scale=labels.scale, key=labels.key, conflict=labels.conflict)
            dimensions_of.setdefault(name, {})[dimension] = LabelSource(table, files, labels.scale)
    return dimensions_of


def _only(ranked: Rankings, runs: Sequence[str]) -> Rankings:
    """The rankings of some runs: submitted ones, not baselines or fusion."""
    names = sorted(runs)
    if names == ranked.runs:
        return ranked
    topics = np.arange(len(ranked.topics))
    rows = np.concatenate([ranked.runs.index(run) * len(topics) + topics for run in names])
    number, length = ranked.number[rows], ranked.length[rows]
    score = None if ranked.score is None else ranked.score[rows]
    return replace(ranked, runs=names, number=number, length=length, score=score)


@dataclass(frozen=True)
class CampaignData:
    """A campaign's runs and labels, to reread under other policies."""

    runs: Sequence[Path]
    labels: Mapping[str, LabelSource]
    topics: Sequence[str]
    policies: Mapping[str, Any]
    own_gains: Gains  # under the campaign's policies
    form: str = "trec"  # format of the run files
    label_sets: Mapping[str, Mapping[str, LabelSource]] = field(default_factory=dict)
    rankings: Path | None = None  # of the campaign, if available
    cache: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    def meaning(self, name: str) -> str:
        if name not in self.label_sets:
            return SETS[name].meaning
        files = (path for dimension in self.label_sets[name].values() for path in dimension.files)
        return f"with the labels of {', '.join(map(str, files))}"

    def effect(self, name: str) -> PolicySet:
        """The set's effective policies in this campaign; sets with equal effects are tried once."""
        changes = SETS.get(name) or PolicySet("", labels=name)
        first, *further = self.labels.values()
        misses = bool((self.own_gains.length == 0).any())
        return replace(
            changes,
            meaning="",
            order=changes.order or self.policies["order"],
            unjudged=changes.unjudged or self.policies["unjudged"],
            documents=changes.documents and any(dimension.files for dimension in further),
            label_topics=changes.label_topics and topics_in(first.table) != list(self.topics),
            missed=changes.missed if misses else None,
        )

    def gains(self, name: str) -> Gains:
        effect = self.effect(name)
        if replace(effect, missed=None) == self.effect("campaign"):
            return self.own_gains
        first, *_ = self.labels
        topics = topics_in(self.labels[first].table) if effect.label_topics else self.topics
        tables = self._once(self._tables, effect.documents, effect.labels)
        ranked = self._once(self._ranked, effect.order, tuple(topics))[effect.zero_ranks]
        gains = build(ranked, tables, topics=topics)
        return gains.condensed(first) if effect.unjudged == "condensed" else gains

    def _once(self, make: Callable[..., T], *key: Any) -> T:
        """Cache the result of `make`; several sets share it."""
        if (make.__name__, *key) not in self.cache:
            self.cache[make.__name__, *key] = make(*key)
        result: T = self.cache[make.__name__, *key]
        return result

    def _tables(self, documents: bool, label_set: str | None) -> dict[str, Judgements]:
        first, *_ = self.labels
        dimensions = {**self.labels, **self.label_sets.get(label_set or "", {})}
        by_document = dimensions.keys() - {first} if documents else ()
        return {
            name: judgements_in(labels.by_document() if name in by_document else labels.table)
            for name, labels in dimensions.items()
        }

    def _ranked(self, order: str, topics: Sequence[str]) -> tuple[Rankings, Rankings]:
        """The rankings of the runs, as in the files and with ubire's correction of ranks of 0."""
        files = sorted(self.runs, key=run_name)
        if self.rankings and ORDERS[order] == ORDERS[self.policies["order"]] != "rank":
            rankings = _only(read_rankings(self.rankings, topics=topics), [*map(run_name, files)])
            return rankings, rankings
        chosen = {name: self.policies[name] for name in ("depth", "duplicates", "bad_scores")}
        policies = RunPolicies(order=order, form=self.form, **chosen)
        result = rank_files(files, policies=policies, ranks=order == "rank")
        plain = arrange(result.table.combine_chunks(), topics=topics)
        if order != "rank":
            return plain, plain
        return plain, spread(plain, result.runs, result.topics, depth=self.policies["depth"])


def correct_zero_ranks(ranks: Ints) -> Ints:
    """Correct the ranks of one topic, ascending as in the file, as ubire does."""
    place = np.arange(len(ranks))
    shift = (ranks[:1] == 0).any() & (place > 0)
    read = np.where(ranks == 0, place + 1, ranks) + shift
    # Positions increase strictly: a rank in use is skipped.
    return np.asarray(np.maximum.accumulate(read - place) + place, np.int64)


def spread(ranked: Rankings, runs: Sequence[Run], topics: Sequence[str], *, depth: int) -> Rankings:
    """Place every document at the rank that ubire reads; leave out ranks beyond `depth`."""
    rows = {run: row * len(ranked.topics) for row, run in enumerate(ranked.runs)}
    column = {topic: place for place, topic in enumerate(ranked.topics)}
    positions: dict[int, Ints] = {}
    for run in runs:
        for topic, group in run.rows.groups:
            places = correct_zero_ranks(run.rows.rank[group].astype(np.int64)) - 1
            if topics[topic] in column and places[-1] + 1 > len(places):
                positions[rows[run.name] + column[topics[topic]]] = places[places <= depth]
    width = max([ranked.number.shape[1], *(int(p.max(initial=0)) + 1 for p in positions.values())])
    number, length = np.full((len(ranked.number), width), -1, np.int32), ranked.length.copy()
    number[:, : ranked.number.shape[1]] = ranked.number
    for row, places in positions.items():
        number[row] = -1
        number[row, places] = ranked.number[row, : len(places)]
        length[row] = places.max(initial=-1) + 1
    return replace(ranked, number=number, length=length)
