"""The steps organisers use alone, on files: the intake desk, pools, fusion, agreement.

Each is one call into its room, with scales guessed where nobody says them.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.api import inputs
from pipeline.errors import InputError
from pipeline.labels.guess import labels_in
from pipeline.labels.reading import Labels
from pipeline.labels.saying import Said, settled
from pipeline.labels.scale import Scale

if TYPE_CHECKING:
    from pipeline.intake.problem import Problem

Row = tuple[str, str, int, int, float]


def check(
    runs: Any,
    qrels: Any = None,
    *,
    topics: str | Path | None = None,
    scales: Mapping[str, Scale | Said | str] | None = None,
    team: str | None = None,
    form: str = "trec",
    order: str = "score",
    depth: int = 1000,
) -> "list[Problem]":
    """All that is wrong or odd with run files, judged beside label and topic files."""
    from pipeline.intake.from_files import check_files

    given = {} if qrels is None else qrels if isinstance(qrels, Mapping) else {"topicality": qrels}
    return check_files(
        _files(runs, what="runs"),
        labels={name: _labels(name, one, scales) for name, one in given.items()},
        topics=None if topics is None else Path(topics),
        team=team,
        form=form,
        order=order,
        depth=depth,
    )


def pool(
    runs: Any,
    *,
    method: str = "depth",
    depth: int = 10,
    size: int = 100,
    fusion: str = "rrf",
    labels: Any = None,
    seed: int = 1,
) -> list[Row]:
    """What assessors should judge: topic, document, runs that hold it, best rank, chance."""
    from pipeline.pooling.declaration import METHODS
    from pipeline.pooling.from_files import pool_files
    from pipeline.pooling.plan import Plan
    from pipeline.runs.fusion.settings import Fusion

    if method not in METHODS:
        raise InputError(METHODS.unknown(method))
    if METHODS[method].replays and labels is None:
        raise InputError(f"method '{method}' replays judgements; give them as labels")
    plan = Plan(
        method=method, depth=depth, size=size, fusion=Fusion(method=fusion), strata=(), runs=None,
        per_team=None, labels=None if labels is None else "topicality", seed=seed,
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
    from pipeline.runs.fusion.declaration import METHODS, NORMS
    from pipeline.runs.fusion.from_files import fuse_files
    from pipeline.runs.fusion.settings import Fusion

    for known, name in ((METHODS, method), (NORMS, norm)):
        if name not in known:
            raise InputError(known.unknown(name))
    fused: dict[str, dict[str, float]] = {}
    settings = Fusion(method=method, norm=norm, k=k, p=p, depth=depth)
    for line in fuse_files(_files(runs, what="runs"), fusion=settings, depth=depth):
        topic, _, document, _, score, _ = line.split()
        fused.setdefault(topic, {})[document] = float(score)
    return fused


def agree(
    sets: Any,
    *,
    scales: Mapping[str, Scale | Said | str] | None = None,
    bootstrap: int = 1000,
    confidence: float = 0.95,
    seed: int = 1,
) -> list[dict[str, str]]:
    """How far judgement sets agree: a row for each two of them, over all topics and each."""
    from pipeline.judging.agreement import Agreement
    from pipeline.judging.from_files import agree_files

    given = sets if isinstance(sets, Mapping) else {Path(one).stem: one for one in sets}
    settings = Agreement(bootstrap=bootstrap, confidence=confidence, significance=0.05, seed=seed)
    return agree_files(
        {name: _labels(name, one, scales) for name, one in given.items()}, settings=settings
    )


def _files(given: Any, *, what: str) -> list[Path]:
    several: Sequence[Any] = given if isinstance(given, list | tuple) else [given]
    return [path for one in several for path in inputs.files(one, what=what)]


def _labels(name: str, given: Any, scales: Mapping[str, Scale | Said | str] | None) -> Labels:
    files = _files(given, what=f"labels of {name}")
    guess, said = settled((scales or {}).get(name), labels_in(files), name=name)
    return Labels(
        files=tuple(map(str, files)), scale=guess.scale,
        key=said.key, conflict=said.conflict,  # type: ignore[arg-type]
    )  # fmt: skip
