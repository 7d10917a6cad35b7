"""The report of a whole campaign, as the workflow writes it: pages, checks, strings, config."""

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pipeline.config.recipe import command, recipe
from pipeline.config.runs import Teams
from pipeline.gains.relevance_strings import relstrings
from pipeline.intake.checks import check
from pipeline.report import step
from pipeline.report.provenance import gather
from pipeline.report.report import Report
from pipeline.results import Results
from pipeline.runs.teams import is_unaffiliated, read_teams
from pipeline.sources.places import with_missing
from pipeline.storage.atomic import atomic


def write(
    results: Results, settings: Mapping[str, Any], *, inputs: Iterable[Path], originals: list[Path]
) -> None:
    """Write the report from the results in `inputs`; `originals` are the campaign's own files."""
    policies, labelled, topics = settings["policies"], settings["labelled"], results.read_topics()
    gains = {name: results.gains(name) for name in settings["dimensions"]}
    team = settings["team"] and Teams.model_validate(settings["team"])
    check(
        [results.runs],
        rankings=results.rankings,
        gains=gains,
        topics=[topic.id for topic in topics if topic.counts],
        known_topics=[topic.id for topic in topics],
        unknown_topics=policies["unknown_topics"],
        teams=read_teams(results.teams) if team else None,
        nobodys=partial(is_unaffiliated, team) if team else lambda _: False,
        out=results.checks,
    )
    judged = {name: gains[name] for name in dict.fromkeys((next(iter(gains)), *labelled))}
    strings = results.relevance_strings
    relstrings(judged, out=strings, depth=10, unjudged=policies["unjudged"])
    with atomic(results.config) as draft:
        text = recipe(results.name, settings["given"])
        draft.write_text(text, encoding="utf-8", newline="\n")
    provenance = gather(
        policies=policies,
        dimensions=settings["dimensions"],
        measures=settings["measures"],
        sources=with_missing(settings["made"], sources=results.sources),
        command=command(results.name),
        originals=originals,
    )
    step.write(
        Report(
            results=results,
            title=settings["title"],
            contrast=tuple(settings["contrast"]),
            provenance=provenance,
            files=frozenset([results.checks, *inputs]),
            alpha=settings["alpha"],
            unjudged=policies["unjudged"],
            relevant=next(iter(labelled), None),
        )
    )
