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


_TABLE = Path(__file__).with_name("sets.yaml").read_text("utf-8")
SETS = {name: Changes(**changes) for name, changes in yaml.safe_load(_TABLE).items()}


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
    return {
        name: Labelled(
            arrow.read(path), tuple(find(one.files)) if one else (), one.scale if one else None
        )
        for (name, one), path in zip(how.items(), tables, strict=True)
    }


def relabelled(
    how: Mapping[str, Mapping[str, Labels]], *, find: Callable[[Sequence[str]], Sequence[Path]]
) -> dict[str, dict[str, Labelled]]:
    """The dimensions of each of the campaign's sets with other label files."""
    found: dict[str, dict[str, Labelled]] = {}
    for name, dimensions in how.items():
        for dimension, one in dimensions.items():
            files = tuple(find(one.files))
            table = tabulate(files, scale=one.scale, key=one.key, conflict=one.conflict)
            found.setdefault(name, {})[dimension] = Labelled(table, files, one.scale)
    return found


def _only(ranked: Rankings, runs: Sequence[str]) -> Rankings:
    """Without systems that the campaign made itself."""
    kept = sorted(runs)
    if kept == ranked.runs:
        return ranked
    place = {run: n for n, run in enumerate(ranked.runs)}
    each = np.arange(len(ranked.topics))
    rows = np.concatenate([place[run] * len(each) + each for run in kept])
    score = None if ranked.score is None else ranked.score[rows]
    return replace(
        ranked, runs=kept, number=ranked.number[rows], length=ranked.length[rows], score=score
    )


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
    rankings: Path | None = None  # the campaign's own, where they are available
    cache: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    def meaning(self, name: str) -> str:
        """What a set is: one of those there are, or of the campaign's with other labels."""
        if name not in self.others:
            return SETS[name].meaning
        files = (path for one in self.others[name].values() for path in one.files)
        return f"with the labels of {', '.join(map(str, files))}"

    def effect(self, name: str) -> Changes:
        """What a set comes to in this campaign: sets of one effect are tried once."""
        changes = SETS.get(name) or Changes("", labels=name)
        first, *others = self.labels.values()
        misses = bool((self.own.length == 0).any())  # where none does, nothing is to be said
        return replace(
            changes,
            meaning="",
            order=changes.order or self.policies["order"],
            unjudged=changes.unjudged or self.policies["unjudged"],
            documents=changes.documents and any(other.files for other in others),
            label_topics=changes.label_topics and topics_in(first.table) != list(self.topics),
            missed=changes.missed if misses else None,
        )

    def gains(self, name: str) -> Gains:
        """The gains of all runs under a named set of policies."""
        effect = self.effect(name)
        if replace(effect, missed=None) == self.effect("campaign"):
            return self.own
        first, *_ = self.labels
        topics = topics_in(self.labels[first].table) if effect.label_topics else self.topics
        tables = self._once(self._tables, effect.documents, effect.labels)
        ranked = self._once(self._ranked, effect.order, tuple(topics))[effect.zero_ranks]
        gains = build(ranked, tables, topics=topics)
        return gains.condensed(first) if effect.unjudged == "condensed" else gains

    def _once(self, make: Callable[..., T], *key: Any) -> T:
        """What `make` gives for the key; several sets ask for the same."""
        if (make.__name__, *key) not in self.cache:
            self.cache[make.__name__, *key] = make(*key)
        found: T = self.cache[make.__name__, *key]
        return found

    def _tables(self, documents: bool, labels: str | None) -> dict[str, Judgements]:
        first, *_ = self.labels
        known = {**self.labels, **self.others.get(labels or "", {})}
        return {
            name: judgements_in(one.by_document() if documents and name != first else one.table)
            for name, one in known.items()
        }

    def _ranked(self, order: str, topics: Sequence[str]) -> tuple[Rankings, Rankings]:
        """The runs ranked plainly, and with ubire's way with ranks of 0."""
        files = sorted(self.runs, key=run_name)
        if self.rankings and ORDERS[order] == ORDERS[self.policies["order"]] != "rank":
            own = _only(read_rankings(self.rankings, topics=topics), [*map(run_name, files)])
            return own, own
        kept = {name: self.policies[name] for name in ("depth", "duplicates", "bad_scores")}
        policies = RunPolicies(order=order, form=self.form, **kept)
        again = rank_files(files, policies=policies, ranks=order == "rank")
        plain = arrange(again.table.combine_chunks(), topics=topics)
        if order != "rank":
            return plain, plain
        return plain, spread(plain, again.runs, again.topics, depth=self.policies["depth"])


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
        for topic, own in run.rows.groups:
            places = zero_ranks(run.rows.rank[own].astype(np.int64)) - 1
            if topics[topic] in column and places[-1] + 1 > len(places):
                moved[rows[run.name] + column[topics[topic]]] = places[places <= depth]
    width = max([ranked.number.shape[1], *(int(p.max(initial=0)) + 1 for p in moved.values())])
    number, length = np.full((len(ranked.number), width), -1, np.int32), ranked.length.copy()
    number[:, : ranked.number.shape[1]] = ranked.number
    for row, places in moved.items():
        number[row] = -1
        number[row, places] = ranked.number[row, : len(places)]
        length[row] = places.max(initial=-1) + 1
    return replace(ranked, number=number, length=length)
