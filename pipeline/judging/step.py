"""The judging step: what other judgements would have made of the ranking of runs."""

from collections.abc import Mapping, Sequence
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
    """Write the analyses that the campaign asks for into the folder `out`."""
    asked, unjudged = settings["asked"], settings["unjudged"]
    paths = {name: gains / f"{name}.npz" for name in settings["dimensions"]}
    whole = read_gains(paths)
    ranked = whole.condensed(next(iter(paths))) if unjudged == "condensed" else whole
    if asked["sweep"]:
        tried = {name: Sweep.model_validate(one) for name, one in settings["sweep"].items()}
        sweep(ranked, measures=settings["rescored"], dimensions=tried, out=out / "sweep.csv")
    if asked["reusability"]:
        reuse(
            whole,
            rankings=read_rankings(rankings, topics=whole.topics),
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
        tables = {name: labels / "sets" / dimension / f"{name}.parquet" for name in sets}
        agree(
            {"labels": labels / f"{dimension}.parquet", **tables},
            out=out / f"agreement/{dimension}.csv",
            settings=agreement,
        )
        others = {name: gains / "sets" / dimension / f"{name}.npz" for name in sets}
        swap(
            ranked,
            dimension=dimension,
            sets={
                name: read_gains({**paths, dimension: path}, unjudged=unjudged)
                for name, path in others.items()
            },
            measures=settings["measures"],
            significance=agreement.significance,
            out=out / f"agreement/{dimension}.swaps.csv",
        )
    if asked["variations"]:
        vary(
            (read_scores(Path(path)) for path in scores),
            need=settings["need"],
            needs=out / "variations/needs.csv",
            runs=out / "variations/runs.csv",
        )
