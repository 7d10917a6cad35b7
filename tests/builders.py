"""Small campaigns from dicts, by way of real files and the real steps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa

from pipeline.config.runs import Teams
from pipeline.config.scale import Scale
from pipeline.gains import step
from pipeline.gains.build import build as build_gains
from pipeline.gains.files import read as read_gains
from pipeline.gains.gains import Gains
from pipeline.labels import tables
from pipeline.measures import Scores, parse
from pipeline.runs.rank import rank
from pipeline.runs.reader import RunPolicies, run_name
from pipeline.runs.teams import teams_of
from pipeline.storage import arrow

Runs = Mapping[str, Mapping[str, Mapping[str, float]]]  # run -> topic -> document -> score
Labels = Mapping[str, Mapping[str, float]]  # topic -> document -> label

BINARY = Scale(0, 1, "high", 1, None, ())
GRADED = Scale(0, 2, "high", 1, None, ())


def ranked(documents: str) -> dict[str, float]:
    """Documents, best first, with the scores that rank them so."""
    return {document: -float(place) for place, document in enumerate(documents.split())}


def run_text(topics: Mapping[str, Mapping[str, float]]) -> str:
    return "".join(
        f"{topic} Q0 {document} {place} {score!r} tag\n"
        for topic, scores in topics.items()
        for place, (document, score) in enumerate(scores.items(), 1)
    )


def qrels_text(given: Labels) -> str:
    return "".join(
        f"{topic} 0 {document} {label}\n"
        for topic, documents in given.items()
        for document, label in documents.items()
    )


@dataclass(frozen=True)
class Judged:
    """One dimension: its labels and how they are read."""

    given: Labels
    scale: Scale = BINARY
    key: str = "topic"
    conflict: str = "error"


@dataclass(frozen=True)
class Small:
    """A campaign's files in one folder."""

    folder: Path
    rankings: Path
    facts: list[Path]
    labels: dict[str, Path] = field(default_factory=dict)
    gains: dict[str, Path] = field(default_factory=dict)
    topics: Sequence[str] = ()

    def read(self, *, unjudged: str = "zero") -> Gains:
        return read_gains(self.gains, unjudged=unjudged)


POLICIES = {"order": "score", "depth": 1000, "duplicates": "error", "bad_scores": "error"}


def ranked_files(folder: Path, files: Mapping[str, bytes | str], **policies: object) -> Small:
    """Write run files and rank them."""
    paths = []
    for name, content in files.items():
        path = folder / "runs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        paths.append(path)
    whole, facts = folder / "rankings.parquet", folder / "facts.json"
    rank(paths, policies=RunPolicies(**policies), out=whole, facts=facts)  # type: ignore[arg-type]
    return Small(folder, whole, [facts])


def write_gains(rankings: Path, *, labels: Path, topics: Sequence[str], out: Path) -> None:
    """The gains of one dimension, also where its labels match nothing."""
    step.write(
        rankings=rankings, labels={out.stem: labels}, topics=topics, out=out.parent,
        unmatched=[out.stem],
    )  # fmt: skip


def write_ties(rankings: Path, *, topics: Sequence[str], order: str, out: Path) -> None:
    """The systems' scores and their ties."""
    step.write(rankings=rankings, labels={}, topics=topics, order=order, out=out.parent)
    (out.parent / step.TIES).rename(out)


def read_files(files: Sequence[Path], labels: Mapping[str, pa.Table], **policies: object) -> Gains:
    """The gains of run files, by name."""
    judged = {name: tables.judgements_in(table) for name, table in labels.items()}
    runs = {run_name(path): path for path in sorted(files, key=run_name)}
    return build_gains(runs, judged, RunPolicies(**policies))  # type: ignore[arg-type]


def campaign(
    folder: Path,
    files: Mapping[str, bytes | str],
    judged: Mapping[str, Judged],
    *,
    topics: Sequence[str] | None = None,
    **policies: object,
) -> Small:
    """Everything up to the gains; the first dimension's topics count unless told otherwise."""
    small = ranked_files(folder, files, **policies)
    stored, arrays = {}, {}
    for name, dimension in judged.items():
        qrels = folder / f"{name}.qrels"
        qrels.write_text(qrels_text(dimension.given), encoding="utf-8")
        stored[name] = folder / "labels" / f"{name}.parquet"
        tables.tabulate(
            [qrels],
            out=stored[name],
            scale=dimension.scale,
            key=dimension.key,
            conflict=dimension.conflict,
        )
    counted = tables.topics_of(next(iter(stored.values()))) if topics is None else list(topics)
    for name, table in stored.items():
        arrays[name] = folder / "gains" / f"{name}.npz"
        write_gains(small.rankings, labels=table, topics=counted, out=arrays[name])
    return Small(folder, small.rankings, small.facts, stored, arrays, counted)


def build(
    folder: Path,
    runs: Runs,
    judged: Mapping[str, Judged],
    *,
    topics: Sequence[str] | None = None,
    unjudged: str = "zero",
) -> Gains:
    """Gains of runs given as dicts."""
    files = {run: run_text(lists) for run, lists in runs.items()}
    return campaign(folder, files, judged, topics=topics).read(unjudged=unjudged)


def write_scores(
    path: Path, measure: str, values: "np.ndarray", *, runs: Sequence[str] = ()
) -> None:
    """A score table for a matrix of runs (r0, r1, ..., or `runs`) by topics (t000, ...)."""
    from pipeline.storage import arrow
    from pipeline.storage.arrow import CODED, coded, numbers

    size, topics = values.shape
    names = runs or [f"r{i}" for i in range(size)]
    flat = np.asarray(values, np.float64).ravel()
    arrow.write(
        path,
        {
            "run": coded(np.repeat(np.arange(size), topics), names),
            "topic": coded(np.tile(np.arange(topics), size), [f"t{i:03}" for i in range(topics)]),
            "measure": coded(np.zeros(flat.size), [measure]),
            "value": numbers(flat),
        },
        schema=pa.schema(
            [(name, CODED) for name in ("run", "topic", "measure")] + [("value", pa.float64())]
        ),
    )


def score(measure: str, data: Gains) -> Scores:
    return parse(measure, dimensions=list(data.dimensions)).scores(data)


def value(measure: str, data: Gains) -> np.ndarray:
    """A measure without its bounds, which take longer."""
    return parse(measure, dimensions=list(data.dimensions)).value(data)


def by_place(data: Gains, values: "np.ndarray") -> dict[tuple[str, str], float]:
    """Values of all rows, by run and topic."""
    places = [(run, topic) for run in data.runs for topic in data.topics]
    return dict(zip(places, values.tolist(), strict=True))


def teams_in(rankings: Path, pattern: str = "^([^_]+)_") -> dict[str, str]:
    """The team of every ranked run, found in its name."""
    runs = arrow.read(rankings, ["run"])["run"].unique().to_pylist()
    return teams_of(dict.fromkeys(runs), given=Teams(name=pattern))
