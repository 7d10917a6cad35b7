"""The judging step: how the ranking of runs depends on the judgements."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pipeline.config.dimensions import Sweep
from pipeline.config.pool import Agreement, Plan
from pipeline.gains.files import read as read_gains
from pipeline.judging.agreement import agree
from pipeline.judging.rescoring import swap
from pipeline.judging.reusability import reuse
from pipeline.judging.sweep import sweep
from pipeline.judging.variations import vary
from pipeline.measures.score_table import read as read_scores
from pipeline.runs.rankings import read as read_rankings
from pipeline.runs.teams import read_teams


def judge(
    settings: Mapping[str, Any],
    *,
    gains: Path,
    labels: Path | None,
    rankings: Path,
    teams: Path,
    scores: Sequence[str],
    out: Path,
) -> None:
    """Write the configured analyses to the folder `out`."""
    analyses, unjudged = settings["analyses"], settings["unjudged"]
    paths = {name: gains / f"{name}.npz" for name in settings["dimensions"]}
    full = read_gains(paths)
    scored = full.condensed(next(iter(paths))) if unjudged == "condensed" else full
    if analyses["sweep"]:
        sweeps = {name: Sweep.model_validate(plan) for name, plan in settings["sweep"].items()}
        sweep(scored, measures=settings["rescored"], dimensions=sweeps, out=out / "sweep.csv")
    if analyses["reusability"]:
        reuse(
            full,
            rankings=read_rankings(rankings, topics=full.topics),
            measures=settings["rescored"],
            unjudged=unjudged,
            labelled=settings["labelled"],
            kinds=settings["kinds"],
            plan=Plan.model_validate(settings["plan"]),
            reach=settings["reach"],
            teams=read_teams(teams),
            out=out / "reusability/runs.csv",
            summary=out / "reusability/summary.csv",
        )
    agreement = Agreement.model_validate(settings["agreement"])
    for dimension, sets in settings["compared"].items():
        assert labels is not None
        tables = {"labels": labels / f"{dimension}.parquet"}
        tables |= {name: labels / "sets" / dimension / f"{name}.parquet" for name in sets}
        agree(tables, out=out / f"agreement/{dimension}.csv", settings=agreement)
        files = {name: gains / "sets" / dimension / f"{name}.npz" for name in sets}
        read = partial(read_gains, unjudged=unjudged)
        swap(
            scored,
            dimension=dimension,
            sets={name: read({**paths, dimension: path}) for name, path in files.items()},
            measures=settings["measures"],
            significance=agreement.significance,
            out=out / f"agreement/{dimension}.swaps.csv",
        )
    if analyses["variations"]:
        folder = out / "variations"
        measured = (read_scores(Path(path)) for path in scores)
        vary(measured, need=settings["need"], needs=folder / "needs.csv", runs=folder / "runs.csv")
