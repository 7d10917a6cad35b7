"""What a well-formed campaign must also satisfy, which no schema can say, and its frozen value."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pipeline.audit.step import Audit
from pipeline.campaign import dimensions, judging_settings, pool_settings
from pipeline.campaign.model import Campaign, Pages, Policies, Runs, Source
from pipeline.campaign.problems import Problems, deeper, expression
from pipeline.campaign.schema import Path, nearest
from pipeline.errors import InputError
from pipeline.labels.costs import Costs
from pipeline.labels.topics import Topics
from pipeline.sources.paths import listed, split
from pipeline.statistics.correlation.settings import Correlations
from pipeline.statistics.significance.settings import Significance

if TYPE_CHECKING:
    from pipeline.measures import Measure


def campaign(
    name: str, *, given: Mapping[str, Any], full: Mapping[str, Any]
) -> tuple[Campaign | None, list[tuple[Path, str]]]:
    """The campaign, or what is wrong with it: `given` as written, `full` with defaults."""
    each = dict(dimensions.each_threshold(full["dimensions"]))
    measures, scatter, told = _measures({**full, "dimensions": each})
    problems = [
        *_sources(full["sources"], given=given.get("sources", {})),
        *_patterns(full),
        *_expressions(full),
        *dimensions.problems(full, given=given["dimensions"]),
        *_together(full),
        *_audit(full),
        *pool_settings.problems(full, given=given),
        *judging_settings.problems(full),
        *told,
    ]
    if problems:
        return None, problems
    topics, pages = full["topics"], full["pages"]
    rename = (topics and topics["id"]) or {"match": None, "replace": None}
    return Campaign(
        name=name,
        title=full["title"] or name,
        sources={key: _source(key, one) for key, one in full["sources"].items()},
        runs=Runs(
            files=listed(full["runs"]["files"]),
            team=full["runs"]["team"],
            batches=int(full["runs"]["batches"]),
        ),
        topics=Topics(file=topics["file"], **rename) if topics else None,
        pages=_pages(pages, depth=full["policies"]["depth"]) if pages else None,
        costs=Costs(**full["costs"]) if full["costs"] else None,
        dimensions={key: dimensions.made(key, one) for key, one in each.items()},
        policies=Policies(**{**full["policies"], "depth": int(full["policies"]["depth"])}),
        pool=pool_settings.pool(full),
        fusion=pool_settings.fusions(full),
        sweep=full["sweep"],
        reusability=judging_settings.reusability(full),
        agreement=judging_settings.agreement(full["agreement"]),
        variations=full["variations"],
        measures=measures,
        audit=_audited(full["audit"]),
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
    digest = one["sha256"] and one["sha256"].lower()
    return Source(**{**one, "name": name, "sha256": digest, "seed": int(one["seed"])})


def _pages(pages: Mapping[str, Any], *, depth: int) -> Pages:
    whole = {"depth": int(pages["depth"] or depth), "shards": int(pages["shards"])}
    return Pages(**{**pages, **whole, "files": listed(pages["files"])})


def _sources(sources: Mapping[str, Any], *, given: Mapping[str, Any]) -> Problems:
    for name, one in sources.items():
        at = ("sources", name)
        if (one["url"] is None) == (one["generate"] is None):
            both = "both 'url' and" if one["url"] else "neither 'url' nor"
            yield at, f"has {both} 'generate'; give one of them"
            continue
        extra = {"seed": "generate"} if one["url"] else {"sha256": "url", "unpack": "url"}
        for key, owner in extra.items():
            if key in given[name]:
                yield (*at, key), f"has no meaning without '{owner}'; remove it"
        if one["url"] and one["sha256"] is None:
            yield (*at, "sha256"), "is missing; add the digest that `sha256sum` prints for the file"
        scheme, mark, _ = (one["url"] or "").partition("://")
        if mark and scheme.lower() not in {"http", "https", "file"}:
            yield (
                (*at, "url"),
                f"is '{one['url']}'; it must be an http://, https:// or file:// address "
                "or a local path",
            )


def _patterns(full: Mapping[str, Any]) -> Problems:
    """Every path of the campaign: `@source/...` must name a source and stay inside it."""
    places: list[tuple[Path, Any]] = [(("runs", "files"), full["runs"]["files"])]
    if full["topics"]:
        places.append((("topics", "file"), full["topics"]["file"]))
        if set("*?") & set(full["topics"]["file"]):
            yield ("topics", "file"), f"is the glob '{full['topics']['file']}'; name one file"
    if full["pages"]:
        places.append((("pages", "files"), full["pages"]["files"]))
    if full["costs"]:
        places.append((("costs", "file"), full["costs"]["file"]))
    if full["audit"]:
        places.append((("audit", "published"), full["audit"]["published"]))
    for name, one in full["dimensions"].items():
        if one["labels"]:
            places.append((("dimensions", name, "labels"), one["labels"]))
        for key, paths in one["sets"].items():
            places.append((("dimensions", name, "sets", key), paths))
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
    team = full["runs"]["team"]
    yield from expression(("runs", "team"), team, group="the team in brackets, as '^([^_]+)_'")
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
    policies = full["policies"]
    if full["pages"] and (depth := full["pages"]["depth"]) is not None:
        if full["pages"]["documents"] != "retrieved":
            yield ("pages", "depth"), "has no meaning without documents: retrieved; remove it"
        else:
            yield from deeper(("pages", "depth"), depth, full)
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


def _audited(audit: Mapping[str, Any] | None) -> Audit | None:
    if audit is None:
        return None
    return Audit(
        published=listed(audit["published"]),
        policies=tuple(audit["policies"]),
        measures=dict(audit["measures"]),
    )


def _audit(full: Mapping[str, Any]) -> Problems:
    """Published measures must be given in our words."""
    from pipeline import measures as engine

    for name, text in (full["audit"] or {"measures": {}})["measures"].items():
        try:
            measure = engine.parse(text, dimensions=list(full["dimensions"]))
        except InputError as error:
            yield ("audit", "measures", name), f": {error}"
            continue
        if measure.scored:
            yield (
                ("audit", "measures", name),
                f"is '{text}', which needs the systems' scores; the audit has none, remove it",
            )


def _measures(
    full: Mapping[str, Any],
) -> tuple[tuple["Measure", ...], tuple[str, ...], list[tuple[Path, str]]]:
    """The measures, the names of the two to plot, and what is wrong with them."""
    from pipeline import measures as engine

    problems: list[tuple[Path, str]] = []
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
