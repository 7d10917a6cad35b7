"""Named sets of policies under which published values are computed again.

Each differs from the campaign's own policies in what it names and in nothing else. `ubire` is that
tool's way to read a run, as its published figures show it:

- documents go by the rank column. A rank of 0 becomes one more than the documents of the topic so
  far, and once a topic began with rank 0, one is added to every later rank. So 0, 1, 2, ... is read
  as 1, 2, 3, ..., but 0, 0, 0, ... as 1, 3, 4, ...: rank 2 stays empty;
- labels of all dimensions but the first belong to the document alone, and the first line wins;
- an unjudged document gains nothing, and means are over the topics of the first dimension's labels.

trec_eval's habit with a topic that a run misses is `missed`: with `-c` it counts 0 in every figure,
also in the number of relevant documents (`num_rel`), which so differs from run to run. Without `-c`
it is left out of every figure: `answered`.

A campaign adds sets of its own, each with other label files (`audit.labels`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from pipeline.audit.ingested import Ingested
from pipeline.gains.attach import attach
from pipeline.gains.from_files import joined
from pipeline.gains.gains import Gains
from pipeline.labels.reading import Labels
from pipeline.labels.scale import Scale
from pipeline.labels.tables import tabulate, topics_in
from pipeline.runs.ingest import rank
from pipeline.runs.rankings import Rankings, arrange
from pipeline.runs.trec import Run, run_name
from pipeline.storage import arrow
from pipeline.storage.arrays import Ints


@dataclass(frozen=True)
class Changes:
    """What a set changes in the campaign's policies; None leaves it as it is."""

    meaning: str
    order: str | None = None
    unjudged: str | None = None
    documents: bool = False  # labels of the further dimensions by document alone, first line first
    zero_ranks: bool = False  # read ranks of 0 as ubire does
    label_topics: bool = False  # the topics of the labels count, whatever the campaign says
    missed: Literal["zero", "left out"] | None = None  # what a topic without an answer counts
    labels: str | None = None  # the campaign's set of other label files


SETS: Mapping[str, Changes] = MappingProxyType(
    {
        "campaign": Changes("this campaign's own policies"),
        "score": Changes("by score as 32-bit float, as trec_eval 9", order="score"),
        "score64": Changes("by score as 64-bit float, as trec_eval 10", order="score64"),
        "rank": Changes("by the file's rank column", order="rank"),
        "condensed": Changes("without unjudged documents", unjudged="condensed"),
        "missed": Changes(
            "a topic that a run misses counts 0 in every figure, also in the number of relevant "
            "documents, as trec_eval -c",
            missed="zero",
        ),
        "answered": Changes(
            "over the topics that a run answers alone, as trec_eval without -c", missed="left out"
        ),
        "documents": Changes(
            "further dimensions labelled by document alone, the first line wins", documents=True
        ),
        "rank+documents": Changes(
            "by the rank column, further dimensions labelled by document alone",
            order="rank",
            documents=True,
        ),
        "ubire": Changes(
            "as ubire reads runs: by the rank column with its way with ranks of 0, further "
            "dimensions labelled by document alone, unjudged documents gain nothing",
            order="rank",
            unjudged="zero",
            documents=True,
            zero_ranks=True,
            label_topics=True,
        ),
        "ndeval": Changes(
            "as ndeval reads runs: by the rank column, unjudged documents gain nothing, means over "
            "the topics that both a run and the labels have",
            order="rank",
            unjudged="zero",
            label_topics=True,
            missed="left out",
        ),
    }
)


@dataclass(frozen=True)
class Labelled:
    """One dimension: its table of labels, and how to make it again keyed by document."""

    table: pa.Table
    files: tuple[Path, ...] = ()  # none for an estimate, which has no topics to lose
    scale: Scale | None = None

    def by_document(self) -> pa.Table:
        """The labels by document alone, where the first line of the files wins."""
        if not self.files or self.scale is None:
            return self.table
        return tabulate(self.files, scale=self.scale, key="document", conflict="first")


def labelled(
    tables: Sequence[Path],
    how: Mapping[str, Labels | None],
    *,
    find: Callable[[Sequence[str]], Sequence[Path]],
) -> dict[str, Labelled]:
    """The dimensions as the campaign has them: a table each, and `how` its labels are read.

    An estimate has no labels to read; `find` finds the files of those that do.
    """
    found = {}
    for (name, one), path in zip(how.items(), tables, strict=True):
        table = arrow.read(path)
        found[name] = Labelled(table)
        if one is not None:
            found[name] = Labelled(table, tuple(find(one.files)), one.scale)
    return found


def relabelled(
    how: Mapping[str, Mapping[str, Labels]], *, find: Callable[[Sequence[str]], Sequence[Path]]
) -> dict[str, dict[str, Labelled]]:
    """The dimensions of each of the campaign's sets with other label files."""
    found: dict[str, dict[str, Labelled]] = {}
    for name, dimensions in how.items():
        found[name] = {}
        for dimension, one in dimensions.items():
            files = tuple(find(one.files))
            table = tabulate(files, scale=one.scale, key=one.key, conflict=one.conflict)
            found[name][dimension] = Labelled(table, files, one.scale)
    return found


@dataclass(frozen=True)
class _Effect:
    """What a set comes to in a campaign: sets of one effect are tried once."""

    order: str
    unjudged: str
    documents: bool
    zero_ranks: bool
    topics: tuple[str, ...]
    missed: str | None
    labels: str | None


@dataclass(frozen=True)
class Bench:
    """A campaign's runs and labels, to be read again under other policies."""

    runs: Sequence[Path]
    labels: Mapping[str, Labelled]
    topics: Sequence[str]
    policies: Mapping[str, Any]  # the campaign's own
    own: Gains  # as the campaign has them
    form: str = "trec"  # of the run files
    others: Mapping[str, Mapping[str, Labelled]] = field(default_factory=dict)  # label files by set
    ingested: Ingested | None = None  # the campaign's own rankings, where they are at hand
    cache: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    def changes(self, name: str) -> Changes:
        """What a set changes: one of those there are, or of the campaign's with other labels."""
        if name not in self.others:
            return SETS[name]
        files = (path for one in self.others[name].values() for path in one.files)
        return Changes(f"with the labels of {', '.join(map(str, files))}", labels=name)

    def same(self, one: str, other: str) -> bool:
        """Whether two sets come to the same in this campaign."""
        return self._effect(self.changes(one)) == self._effect(self.changes(other))

    def missed(self, name: str) -> str | None:
        """What a set lets a topic count that a run misses; None is what each measure says."""
        return self._effect(self.changes(name)).missed

    def gains(self, name: str) -> Gains:
        """The gains of all runs under a named set of policies."""
        effect = self._effect(self.changes(name))
        if replace(effect, missed=None) == self._effect(SETS["campaign"]):
            return self.own
        tables = self._tables(effect.documents, effect.labels)
        ranked = self._ranked(effect.order, effect.zero_ranks, effect.topics)
        attached = {dimension: attach(ranked, table) for dimension, table in tables.items()}
        gains = joined([(ranked, attached)], topics=effect.topics)
        return gains.condensed(next(iter(tables))) if effect.unjudged == "condensed" else gains

    def _effect(self, changes: Changes) -> _Effect:
        first, *others = self.labels.values()
        misses = bool((self.own.length == 0).any())  # where none does, nothing is to be said
        return _Effect(
            order=changes.order or self.policies["order"],
            unjudged=changes.unjudged or self.policies["unjudged"],
            documents=changes.documents and any(other.files for other in others),
            zero_ranks=changes.zero_ranks,
            topics=tuple(topics_in(first.table) if changes.label_topics else self.topics),
            missed=changes.missed if misses else None,
            labels=changes.labels,
        )

    def _tables(self, documents: bool, labels: str | None) -> dict[str, pa.Table]:
        if ("labels", documents, labels) not in self.cache:
            first = next(iter(self.labels))
            known = {**self.labels, **self.others.get(labels or "", {})}
            self.cache["labels", documents, labels] = {
                name: one.by_document() if documents and name != first else one.table
                for name, one in known.items()
            }
        tables: dict[str, pa.Table] = self.cache["labels", documents, labels]
        return tables

    def _ranked(self, order: str, zero_ranks: bool, topics: Sequence[str]) -> Rankings:
        """The runs, ranked."""
        key = ("ranked", order, tuple(topics))
        if key not in self.cache:
            paths = sorted(self.runs, key=run_name)
            self.cache[key] = self._read(paths, order=order, topics=topics)
        both: tuple[Rankings, Rankings] = self.cache[key]
        return both[zero_ranks]

    def _read(
        self, files: Sequence[Path], *, order: str, topics: Sequence[str]
    ) -> tuple[Rankings, Rankings]:
        """Some runs ranked plainly, and with ubire's way with ranks of 0."""
        known = [run_name(path) for path in files]
        if self.ingested and (found := self.ingested.ranked(known, order=order, topics=topics)):
            return found, found
        kept = {name: self.policies[name] for name in ("depth", "duplicates", "bad_scores")}
        table, runs, names = rank(files, order=order, form=self.form, ranks=order == "rank", **kept)
        plain = arrange(table.combine_chunks(), topics=topics)
        if order != "rank":
            return plain, plain
        return plain, spread(plain, runs, names, depth=self.policies["depth"])


def zero_ranks(ranks: Ints) -> Ints:
    """The ranks ubire gives the documents of one topic, from those in the file, ascending."""
    place = np.arange(len(ranks))
    shift = (ranks[:1] == 0).any() & (place > 0)
    read = np.where(ranks == 0, place + 1, ranks) + shift
    # A rank that is taken is passed on: positions only ever grow.
    return np.asarray(np.maximum.accumulate(read - place) + place, np.int64)


def spread(ranked: Rankings, runs: Sequence[Run], topics: Sequence[str], *, depth: int) -> Rankings:
    """Rankings by the rank column, with every document at the rank ubire reads for it.

    Ranks beyond `depth` and the one that may stay empty are left out.
    """
    rows = {run: row * len(ranked.topics) for row, run in enumerate(ranked.runs)}
    column = {topic: place for place, topic in enumerate(ranked.topics)}
    moved: dict[int, Ints] = {}
    for run in runs:
        ends = np.cumsum(run.rows.group_size)
        groups = run.rows.group_topic.tolist(), run.rows.group_size.tolist(), ends.tolist()
        for topic, size, end in zip(*groups, strict=True):
            places = zero_ranks(run.rows.rank[end - size : end].astype(np.int64)) - 1
            if topics[topic] in column and places[-1] + 1 > size:
                moved[rows[run.name] + column[topics[topic]]] = places[places <= depth]
    width = max([ranked.number.shape[1], *(int(p.max(initial=0)) + 1 for p in moved.values())])
    number = np.pad(
        ranked.number, ((0, 0), (0, width - ranked.number.shape[1])), constant_values=-1
    )
    length = ranked.length.copy()
    for row, places in moved.items():
        number[row] = -1
        number[row, places] = ranked.number[row, : len(places)]
        length[row] = places.max(initial=-1) + 1
    return replace(ranked, number=number, length=length)
