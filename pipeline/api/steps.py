"""Steps of an organiser, on files: the input check, pools, fusion, agreement.

The commands call these functions. Scales that are not stated are inferred from the labels.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.api import inputs
from pipeline.config.base import arguments
from pipeline.config.dimensions import Labels
from pipeline.config.scale import Scale
from pipeline.errors import InputError, Problem
from pipeline.labels.scales import StatedScale, labels_in, resolve_scale

if TYPE_CHECKING:
    from pipeline.intake.findings import Finding
    from pipeline.registry import Registry

Row = tuple[str, str, int, int, float]
Scales = Mapping[str, Scale | StatedScale | str]


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
    """Report errors and warnings about runs, compared with labels and topics.

    Args:
        runs: Run files: a path, a glob, or a list of them.
        qrels: Label files, likewise; for several dimensions, a mapping from their names.
        topics: A topics file.
        scales: The scale of each dimension, as for `evaluate`.
        team: A regular expression that is searched in the names of runs; its first group is the
            team.
        form: Name of the run format.
        order: Rank order, as for `evaluate`.
        depth: Documents evaluated per run and topic.

    Returns:
        One finding per error or warning, with file, line, problem and fix.
    """
    from pipeline.config.runs import Teams
    from pipeline.config.topics import Topics
    from pipeline.intake.check import inspect
    from pipeline.intake.inputs import Inputs

    sources = qrels if isinstance(qrels, Mapping) else {"topicality": qrels} if qrels else {}
    labels = {name: _labels(name, source, scales) for name, source in sources.items()}
    with arguments(file="topics", name="team"):
        topics_keys = Topics(file=str(topics)) if topics else None
        teams = Teams(name=team) if team else None
    return inspect(
        Inputs(
            runs=_files(runs, what="runs"),
            labels=labels,
            files={name: [Path(path) for path in keys.files] for name, keys in labels.items()},
            topics=topics_keys,
            topics_file=Path(topics) if topics else None,
            form=form,
            team=teams,
            order=order,
            depth=depth,
            setting="",
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
    """Choose what assessors should judge.

    Args:
        runs: Run files: a path, a glob, or a list of them.
        method: `depth`, `take`, `uniform`, `stratified`, `move_to_front` or `bandit`.
        depth: Documents per run and topic (`depth`, `uniform`).
        size: Documents per topic (the other methods, except `stratified`).
        fusion: Fusion method of `take`.
        strata: Pairs of best rank and share, for `stratified`.
        labels: Label files, for methods that replay judgements (`move_to_front`, `bandit`).
        seed: Seed of samples and shuffles.

    Returns:
        Rows of topic, document, number of runs that retrieve it, best rank, inclusion probability.
    """
    from pipeline.config.pool import Plan, Stratum
    from pipeline.pooling.declaration import METHODS
    from pipeline.pooling.pool import pool_files
    from pipeline.runs.fusion.declaration import METHODS as FUSIONS

    _refuse_unknown(METHODS, method)
    _refuse_unknown(FUSIONS, fusion)
    needs_labels, needs_strata = METHODS[method].replays, "strata" in METHODS[method].reads
    if needs_labels and labels is None:
        fix = "set labels to label files"
        raise InputError(Problem(f"method '{method}'", "needs labels, which it replays", fix))
    if needs_strata and not strata:
        fix = "set strata, for example [(10, 1)]"
        raise InputError(Problem(f"method '{method}'", "needs strata", fix))
    with arguments(to="strata", share="strata", by="fusion"):
        plan = Plan(
            method=method, depth=depth, size=size, by=fusion,
            strata=tuple(Stratum(to=to, share=share) for to, share in strata),
            labels=None if labels is None else "topicality", seed=seed,
        )  # fmt: skip
    replayed = None if labels is None else _labels("topicality", labels, None)
    return pool_files(_files(runs, what="runs"), plan=plan, labels=replayed)


def fuse(
    runs: Any,
    *,
    method: str = "rrf",
    norm: str = "min_max",
    k: float = 60.0,
    p: float = 0.8,
    depth: int = 1000,
) -> dict[str, dict[str, float]]:
    """Fuse runs into one.

    Args:
        runs: Run files: a path, a glob, or a list of them.
        method: Fusion method: `rrf`, `rbp`, `borda`, `condorcet`, `combsum`, `combmnz`, ...
        norm: Normalisation of the scores before `combsum`, `combmnz`, ...
        k: Constant k of `rrf`.
        p: Persistence p of `rbp`.
        depth: Documents kept per topic.

    Returns:
        The fused run as `{topic: {document: score}}`, best first, which `evaluate` accepts.
    """
    from pipeline.config.fusion import Fusion
    from pipeline.runs.fusion.declaration import METHODS, NORMS
    from pipeline.runs.rank import fuse_files

    _refuse_unknown(METHODS, method)
    _refuse_unknown(NORMS, norm)
    with arguments():
        fusion = Fusion(method=method, norm=norm, k=k, p=p, depth=depth)
    fused: dict[str, dict[str, float]] = {}
    for topic, document, score in fuse_files(_files(runs, what="runs"), fusion=fusion, depth=depth):
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
    """Compare judgement sets.

    Args:
        sets: Label files of the same documents: a list, or a mapping from names to files.
        scales: The scale of each set, as for `evaluate`.
        bootstrap: Bootstrap samples of documents per confidence interval.
        confidence: Level of the confidence intervals.
        seed: Seed of the bootstrap samples.

    Returns:
        One row per pair of sets, for all topics together and for each topic.
    """
    from pipeline.config.pool import Agreement
    from pipeline.judging.agreement import agree_files

    sources = sets if isinstance(sets, Mapping) else {Path(path).stem: path for path in sets}
    with arguments():
        settings = Agreement(bootstrap=bootstrap, confidence=confidence, seed=seed)
    labels = {name: _labels(name, source, scales) for name, source in sources.items()}
    return agree_files(labels, settings=settings)


def _refuse_unknown(registry: "Registry[Any]", name: str) -> None:
    if name not in registry:
        raise InputError(registry.unknown(name))


def _files(source: Any, *, what: str) -> list[Path]:
    patterns: Sequence[Any] = source if isinstance(source, list | tuple) else [source]
    return [path for pattern in patterns for path in inputs.files(pattern, what=what)]


def labels_of(
    name: str,
    files: Sequence[Path],
    *,
    scale: Scale | StatedScale | str | None = None,
    like: Sequence[Path] = (),
) -> tuple[Labels, str]:
    """Labels, on a scale inferred from these files and those in `like`; a note about the scale."""
    inferred, keys = resolve_scale(scale, labels_in([*files, *like]), name=name)
    paths = tuple(map(str, files))
    labels = Labels(files=paths, scale=inferred.scale, key=keys.key, conflict=keys.conflict)
    return labels, f"{name}: {inferred.note}" if inferred.note else ""


def _labels(name: str, source: Any, scales: Scales | None) -> Labels:
    if isinstance(source, Labels):
        return source
    files = _files(source, what=f"labels of {name}")
    return labels_of(name, files, scale=(scales or {}).get(name))[0]
