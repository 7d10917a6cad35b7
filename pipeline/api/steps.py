"""The steps organisers use alone, on files: the input check, pools, fusion, agreement.

The commands call these functions. Scales are inferred where they are not given.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.api import inputs
from pipeline.config.base import arguments
from pipeline.config.dimensions import Labels
from pipeline.config.scale import Scale
from pipeline.errors import InputError, Problem
from pipeline.labels.guess import Said, labels_in, settled

if TYPE_CHECKING:
    from pipeline.intake.findings import Finding
    from pipeline.registry import Registry

Row = tuple[str, str, int, int, float]
Scales = Mapping[str, Scale | Said | str]


def check(
    runs: Any,
    qrels: Any = None,
    *,
    topics: str | Path | None = None,
    scales: Scales | None = None,
    team: str | None = None,
    form: str = "trec",
    order: str = "score",
    depth: int = 1000,
) -> "list[Finding]":
    """All errors and warnings about run files, read beside label and topic files.

    `team` is an expression searched in a run's name; its first group is the team.
    """
    from pipeline.config.runs import Teams
    from pipeline.config.topics import Topics
    from pipeline.intake.check import inspect
    from pipeline.intake.inputs import Inputs

    given = {} if qrels is None else qrels if isinstance(qrels, Mapping) else {"topicality": qrels}
    labels = {name: _labels(name, one, scales) for name, one in given.items()}
    with arguments(file="topics", name="team"):
        read_topics = Topics(file=str(topics)) if topics else None
        teams = Teams(name=team) if team else None
    return inspect(
        Inputs(
            runs=_files(runs, what="runs"),
            labels=labels,
            files={name: [Path(path) for path in one.files] for name, one in labels.items()},
            topics=read_topics,
            topics_file=Path(topics) if topics else None,
            form=form,
            team=teams,
            order=order,
            depth=depth,
            topics_from="labels" if labels else "topics",
        )
    )


def pool(
    runs: Any,
    *,
    method: str = "depth",
    depth: int = 10,
    size: int = 100,
    fusion: str = "rrf",
    strata: Sequence[tuple[int, float]] = (),
    labels: Any = None,
    seed: int = 1,
) -> list[Row]:
    """What assessors should judge: topic, document, runs that hold it, best rank, probability.

    `strata` are (best rank, share) pairs, for the method 'stratified'.
    """
    from pipeline.config.pool import Plan, Stratum
    from pipeline.pooling.declaration import METHODS
    from pipeline.pooling.pool import pool_files
    from pipeline.runs.fusion.declaration import METHODS as FUSIONS

    _refuse_unknown(METHODS, method)
    _refuse_unknown(FUSIONS, fusion)
    for name, missing in (
        ("labels", METHODS[method].replays and labels is None),
        ("strata", "strata" in METHODS[method].reads and not strata),
    ):
        if missing:
            raise InputError(Problem(f"method '{method}'", f"needs {name}", f"give {name}"))
    with arguments(to="strata", share="strata", by="fusion"):
        plan = Plan(
            method=method, depth=depth, size=size, by=fusion,
            strata=tuple(Stratum(to=to, share=share) for to, share in strata),
            labels=None if labels is None else "topicality", seed=seed,
        )  # fmt: skip
    known = None if labels is None else _labels("topicality", labels, None)
    return pool_files(_files(runs, what="runs"), plan=plan, labels=known)


def fuse(
    runs: Any,
    *,
    method: str = "rrf",
    norm: str = "min_max",
    k: float = 60.0,
    p: float = 0.8,
    depth: int = 1000,
) -> dict[str, dict[str, float]]:
    """Runs fused into one: `{topic: {document: score}}`, best first, as `evaluate` takes it."""
    from pipeline.config.fusion import Fusion
    from pipeline.runs.fusion.declaration import METHODS, NORMS
    from pipeline.runs.rank import fuse_files

    _refuse_unknown(METHODS, method)
    _refuse_unknown(NORMS, norm)
    with arguments():
        fusion = Fusion(method=method, norm=norm, k=k, p=p, depth=depth)
    fused: dict[str, dict[str, float]] = {}
    files = _files(runs, what="runs")
    for topic, document, score in fuse_files(files, fusion=fusion, depth=depth):
        fused.setdefault(topic, {})[document] = score
    return fused


def agree(
    sets: Any,
    *,
    scales: Scales | None = None,
    bootstrap: int = 1000,
    confidence: float = 0.95,
    seed: int = 1,
) -> list[dict[str, str]]:
    """How far judgement sets agree: one row for each pair of them, over all topics and for each."""
    from pipeline.config.pool import Agreement
    from pipeline.judging.agreement import agree_files

    given = sets if isinstance(sets, Mapping) else {Path(one).stem: one for one in sets}
    with arguments():
        settings = Agreement(bootstrap=bootstrap, confidence=confidence, seed=seed)
    return agree_files(
        {name: _labels(name, one, scales) for name, one in given.items()}, settings=settings
    )


def _refuse_unknown(registry: "Registry[Any]", name: str) -> None:
    if name not in registry:
        raise InputError(registry.unknown(name))


def _files(given: Any, *, what: str) -> list[Path]:
    several: Sequence[Any] = given if isinstance(given, list | tuple) else [given]
    return [path for one in several for path in inputs.files(one, what=what)]


def labels_of(
    name: str,
    files: Sequence[Path],
    *,
    scale: Scale | Said | str | None = None,
    like: Sequence[Path] = (),
) -> tuple[Labels, str]:
    """Labels, on a scale inferred from these files and those they are `like`; what was assumed."""
    guess, said = settled(scale, labels_in([*files, *like]), name=name)
    labels = Labels(
        files=tuple(map(str, files)), scale=guess.scale,
        key=said.key, conflict=said.conflict,
    )  # fmt: skip
    return labels, f"{name}: {guess.said}" if guess.said else ""


def _labels(name: str, given: Any, scales: Scales | None) -> Labels:
    if isinstance(given, Labels):
        return given
    files = _files(given, what=f"labels of {name}")
    return labels_of(name, files, scale=(scales or {}).get(name))[0]
