"""What a well-formed campaign must also satisfy, which no schema can say, and its frozen value."""

import keyword
import pathlib
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pipeline.campaign import (
    audit_settings,
    baseline_settings,
    dimension_kind,
    judging_settings,
    page_settings,
    pool_settings,
    run_settings,
)
from pipeline.campaign.kinds import given_kinds, not_one
from pipeline.campaign.model import Campaign, Policies, Runs, Source
from pipeline.campaign.problems import Path, Problems, expression, nearest, whole
from pipeline.errors import InputError
from pipeline.labels.costs import Costs
from pipeline.labels.topics import Topics
from pipeline.sources.kind import KINDS
from pipeline.sources.paths import listed, split
from pipeline.statistics.correlation.settings import Correlations
from pipeline.statistics.significance.settings import Significance

if TYPE_CHECKING:
    from pipeline.measures import Measure


def campaign(
    name: str, *, given: Mapping[str, Any], full: Mapping[str, Any]
) -> tuple[Campaign | None, list[tuple[Path, str]]]:
    """The campaign, or what is wrong with it: `given` as written, `full` with defaults."""
    dimensions = dict(_each(full["dimensions"]))
    measures, scatter, told = _measures({**full, "dimensions": dimensions})
    problems = [
        *_sources(full["sources"], given=given.get("sources", {})),
        *_patterns(full),
        *_expressions(full),
        *(
            (("dimensions", key, *path), sentence)
            for key, one in full["dimensions"].items()
            for path, sentence in _dimension(key, one, given=given["dimensions"][key], full=full)
        ),
        *_together(full),
        *audit_settings.problems(full),
        *pool_settings.problems(full, given=given),
        *baseline_settings.problems(full, given=given),
        *page_settings.problems(full, dimensions=dimensions, measures=() if told else measures),
        *judging_settings.problems(full, given=given),
        *told,
    ]
    if problems:
        return None, problems
    topics = full["topics"]
    rename = (topics and topics["id"]) or {"match": None, "replace": None}
    return Campaign(
        name=name,
        title=full["title"] or name,
        sources={key: _source(key, one) for key, one in full["sources"].items()},
        runs=Runs(
            files=listed(full["runs"]["files"]),
            team=run_settings.teams(full["runs"]["team"]),
            batches=whole(full["runs"]["batches"]),
            format=full["runs"]["format"],
        ),
        topics=Topics(file=topics["file"], query=topics["query"], **rename) if topics else None,
        pages=page_settings.pages(full),
        costs=Costs(**full["costs"]) if full["costs"] else None,
        dimensions={key: _kinds(one)[0].made(key, one) for key, one in dimensions.items()},
        policies=Policies(**{**full["policies"], "depth": int(full["policies"]["depth"])}),
        pool=pool_settings.pool(full),
        fusion=pool_settings.fusions(full),
        baselines=baseline_settings.baselines(full),
        sweep=full["sweep"],
        reusability=judging_settings.reusability(full),
        agreement=judging_settings.agreement(full["agreement"]),
        variations=full["variations"],
        people=judging_settings.people(full),
        measures=measures,
        measures_from=tuple(full["measures_from"]),
        audit=audit_settings.audit(full),
        correlations=_correlations(full["correlations"]),
        significance=_significance(full["significance"]),
        scatter=scatter,
    ), []


def _correlations(one: Mapping[str, Any]) -> Correlations:
    return Correlations(
        statistics=tuple(one["statistics"]),
        persistence=float(one["persistence"]),
        depth=int(one["depth"]),
        samples=int(one["samples"]),
        seed=int(one["seed"]),
    )


def _significance(one: Mapping[str, Any]) -> Significance:
    return Significance(
        alpha=float(one["alpha"]),
        permutations=int(one["permutations"]),
        samples=int(one["samples"]),
        seed=int(one["seed"]),
    )


def _source(name: str, one: Mapping[str, Any]) -> Source:
    (chosen,) = given_kinds(KINDS, one)
    kind = KINDS[chosen]
    settings = kind.settled({key: one[key] for key in kind.keys})
    return Source(name=name, kind=kind.name, settings=settings)


def _kinds(one: Mapping[str, Any]) -> list[dimension_kind.Kind]:
    """The kinds a dimension of the config is of; of a good one there is one."""
    return [dimension_kind.KINDS[name] for name in given_kinds(dimension_kind.KINDS, one)]


def _each(dimensions: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The dimensions that the entries of the config stand for."""
    for name, one in dimensions.items():
        kinds = _kinds(one)  # without one it is an error, which is told elsewhere
        yield from kinds[0].each(name, one) if kinds else [(name, one)]


def _dimension(
    name: str, one: Mapping[str, Any], *, given: Mapping[str, Any], full: Mapping[str, Any]
) -> Problems:
    kinds = _kinds(one)
    if len(kinds) != 1:
        given_names = [kind.name for kind in kinds]
        yield (), not_one(dimension_kind.KINDS, given_names, fix="keep")
        return
    for key in given:
        if key not in kinds[0].reads and given[key] not in (None, {}):
            yield (key,), f"has no meaning for {kinds[0].title} dimension; remove it"
    yield from kinds[0].problems(name, one, full=full)


def _sources(sources: Mapping[str, Any], *, given: Mapping[str, Any]) -> Problems:
    for name, one in sources.items():
        at = ("sources", name)
        chosen = given_kinds(KINDS, one)
        if len(chosen) != 1:
            yield at, not_one(KINDS, chosen, fix="give")
            continue
        kind = KINDS[chosen[0]]
        for key in given[name]:
            if key not in kind.keys:
                owners = (f"'{other.name}'" for other in KINDS.values() if key in other.keys)
                yield (*at, key), f"has no meaning without {' or '.join(owners)}; remove it"
        own = {key: one[key] for key in kind.keys}
        for key, sentence in kind.problems(own):
            yield (*at, key), sentence
        before = list(sources)[: list(sources).index(name)]
        for key, patterns in kind.paths(own).items():
            for pattern in patterns:
                other, rest = split(pattern)
                if other is not None and other not in before:
                    hint = nearest(other, before, kind="sources before it")
                    yield (*at, key), f"'{pattern}' names no source before this one; {hint}"
                elif other is not None and (not rest or ".." in rest.split("/")):
                    yield (*at, key), f"'{pattern}' must name files inside the source"


def _patterns(full: Mapping[str, Any]) -> Problems:
    """Every path of the campaign: `@source/...` must name a source and stay inside it."""
    places: list[tuple[Path, Any]] = [(("runs", "files"), full["runs"]["files"])]
    places += run_settings.paths(full)
    if full["topics"]:
        places.append((("topics", "file"), full["topics"]["file"]))
        if set("*?") & set(full["topics"]["file"]):
            yield ("topics", "file"), f"is the glob '{full['topics']['file']}'; name one file"
    if full["pages"]:
        places.append((("pages", "files"), full["pages"]["files"]))
    if full["costs"]:
        places.append((("costs", "file"), full["costs"]["file"]))
    for key in ("preferences", "satisfaction"):
        if full[key]:
            places.append(((key,), full[key]))
    if full["audit"]:
        places += audit_settings.paths(full["audit"])
    for name, one in full["dimensions"].items():
        for kind in _kinds(one):
            places += [(("dimensions", name, *key), value) for key, value in kind.paths(one)]
    for path, value in places:
        for pattern in listed(value):
            source, rest = split(pattern)
            if source is None:
                continue
            if source not in full["sources"]:
                hint = nearest(source, list(full["sources"]), kind="sources")
                yield path, f"'{pattern}' names the unknown source '{source}'; {hint}"
            elif not rest or ".." in rest.split("/"):
                yield path, f"'{pattern}' must name files inside the source, as '@{source}/runs/*'"


def _expressions(full: Mapping[str, Any]) -> Problems:
    yield from run_settings.problems(full)
    rename = full["topics"] and full["topics"]["id"]
    if rename:
        wrong = list(expression(("topics", "id", "match"), rename["match"]))
        yield from wrong
        if wrong:
            return
        try:
            re.compile(rename["match"]).sub(rename["replace"], "")
        except (re.error, IndexError) as error:
            yield (
                ("topics", "id", "replace"),
                f"'{rename['replace']}' cannot be used ({error}); use a group of the match",
            )


def _together(full: Mapping[str, Any]) -> Problems:
    """What two keys must agree on."""
    dimensions, policies = full["dimensions"], full["policies"]
    for name in dimensions:
        if keyword.iskeyword(name):  # measures are parsed as Python expressions
            yield ("dimensions", name), "is a reserved word; choose another name"
    if policies["topics"] == "topics" and not full["topics"]:
        yield ("policies", "topics"), "is 'topics', but there is no topics file; add topics.file"
    if policies["topics"] == "labels":
        labelled = [name for name, one in full["dimensions"].items() if one["labels"]]
        other = "or a topics file and policies.topics: topics"
        if not labelled:
            yield (
                ("policies", "topics"),
                f"is 'labels', but no dimension has labels; add some, {other}",
            )
        elif full["dimensions"][labelled[0]]["key"] == "document":
            yield (
                ("policies", "topics"),
                f"is 'labels', but the labels of '{labelled[0]}', the first dimension, belong to "
                f"documents alone; put one with key: topic first, {other}",
            )


def measure_problems(full: Mapping[str, Any]) -> list[tuple[Path, str]]:
    """What is wrong with the measures alone."""
    return _measures({**full, "dimensions": dict(_each(full["dimensions"]))})[2]


def _measures(
    full: Mapping[str, Any],
) -> tuple[tuple["Measure", ...], tuple[str, ...], list[tuple[Path, str]]]:
    """The measures, the names of the two to plot, and what is wrong with them."""
    from pipeline import measures as engine
    from pipeline.measures.own import load

    problems: list[tuple[Path, str]] = []
    for place, file in enumerate(full["measures_from"]):
        try:
            load(pathlib.Path(file))
        except InputError as error:
            problems.append((("measures_from", place), f": {error}"))
    known: dict[str, Measure] = {}
    slugs: dict[str, str] = {}
    known_dimensions, depth = list(full["dimensions"]), full["policies"]["depth"]

    def parsed(text: str, at: Path) -> "Measure | None":
        if text.count("(") != text.count(")"):
            problems.append((at, f"is '{text}', cut at a comma by YAML; put the measure in quotes"))
            return None
        try:
            return engine.parse(text, dimensions=known_dimensions)
        except InputError as error:
            problems.append((at, f": {error}"))
            return None

    for place, text in enumerate(full["measures"]):
        at: Path = ("measures", place)
        measure = parsed(text, at)
        if measure is None:
            continue
        slug = measure.slug.lower()  # some file systems do not tell cases apart
        if measure.name in known:
            problems.append((at, f"is '{measure.name}' a second time; remove it"))
        elif max(map(int, re.findall(r"@(\d+)", measure.name)), default=0) > depth:
            problems.append(
                (at, f"'{measure.name}' looks deeper than policies.depth {depth}; raise that")
            )
        elif slug in slugs:
            problems.append(
                (at, f"'{measure.name}' would share its file with '{slugs[slug]}'; remove one")
            )
        known.setdefault(measure.name, measure)
        slugs.setdefault(slug, measure.name)

    if full["report"]["scatter"] is None:
        return tuple(known.values()), tuple(known)[:2] if len(known) > 1 else (), problems
    scatter: list[str] = []
    for place, text in enumerate(full["report"]["scatter"]):
        at = ("report", "scatter", place)
        measure = parsed(text, at)
        if measure is None:
            continue
        if measure.name not in known:
            hint = nearest(measure.name, list(known), kind="measures")
            problems.append((at, f"is '{measure.name}', which is not in measures; {hint}"))
        elif measure.name in scatter:
            problems.append((at, f"is '{measure.name}' again; name two different measures"))
        scatter.append(measure.name)
    return tuple(known.values()), tuple(scatter), problems
