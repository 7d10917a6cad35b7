"""What a well-formed campaign must also satisfy, which no schema can say, and its frozen value."""

import itertools
import keyword
import math
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pipeline.campaign import judging
from pipeline.campaign.kinds import given_kinds, not_one
from pipeline.campaign.model import (
    Audit,
    Campaign,
    Correlations,
    Costs,
    Dimension,
    Estimate,
    Labels,
    Pages,
    Policies,
    Runs,
    Significance,
    Source,
    Topics,
)
from pipeline.campaign.schema import Path, is_number, nearest
from pipeline.errors import InputError
from pipeline.sources.kind import KINDS
from pipeline.sources.paths import listed, split

if TYPE_CHECKING:
    from pipeline.measures import Measure

Problems = Iterator[tuple[Path, str]]

NEEDED = {
    "scale": "the lowest and highest label, as [0, 2]",
    "threshold": "the worst label that still counts in binary measures",
}


def campaign(
    name: str, *, given: Mapping[str, Any], full: Mapping[str, Any]
) -> tuple[Campaign | None, list[tuple[Path, str]]]:
    """The campaign, or what is wrong with it: `given` as written, `full` with defaults."""
    dimensions = dict(_each_threshold(full["dimensions"]))
    measures, scatter, told = _measures({**full, "dimensions": dimensions})
    problems = [
        *_sources(full["sources"], given=given.get("sources", {})),
        *_patterns(full),
        *_expressions(full),
        *(
            (("dimensions", key, *path), sentence)
            for key, one in full["dimensions"].items()
            for path, sentence in _dimension(one, given=given["dimensions"][key])
        ),
        *_together(full),
        *_audit(full),
        *judging.problems(full, given=given),
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
            format=full["runs"]["format"],
        ),
        topics=Topics(file=topics["file"], **rename) if topics else None,
        pages=_pages(pages, depth=full["policies"]["depth"]) if pages else None,
        costs=Costs(**full["costs"]) if full["costs"] else None,
        dimensions={key: _made(key, one) for key, one in dimensions.items()},
        policies=Policies(**{**full["policies"], "depth": int(full["policies"]["depth"])}),
        pool=judging.pool(full),
        fusion=judging.fusions(full),
        sweep=full["sweep"],
        reusability=judging.reusability(full),
        agreement=judging.agreement(full["agreement"]),
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
    (chosen,) = given_kinds(KINDS, one)
    kind = KINDS[chosen]
    settings = kind.settled({key: one[key] for key in kind.keys})
    return Source(name=name, kind=kind.name, settings=settings)


def _pages(pages: Mapping[str, Any], *, depth: int) -> Pages:
    whole = {"depth": int(pages["depth"] or depth), "shards": int(pages["shards"])}
    return Pages(**{**pages, **whole, "files": listed(pages["files"])})


def _each_threshold(dimensions: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The dimensions; one estimated at a list of thresholds becomes one for each of them."""
    for name, one in dimensions.items():
        thresholds = one["estimate"]["threshold"] if one["estimate"] else None
        if not isinstance(thresholds, list):
            yield name, one
            continue
        for threshold in thresholds:
            estimate = {**one["estimate"], "threshold": threshold}
            yield threshold_name(name, threshold), {**one, "estimate": estimate}


def threshold_name(name: str, threshold: float) -> str:
    """The dimension of one threshold of a list: `fog_15`, `fog_12_5`, `fog_minus_3`."""
    return f"{name}_{threshold:g}".replace("-", "minus_").replace(".", "_")


def _made(name: str, one: Mapping[str, Any]) -> Dimension:
    if one["estimate"]:
        return Dimension(name=name, labels=None, estimate=Estimate(**one["estimate"]))
    gains = one["gains"]
    labels = Labels(
        files=listed(one["labels"]),
        scale=(one["scale"][0], one["scale"][1]),
        better=one["better"],
        threshold=one["threshold"],
        gains="linear" if isinstance(gains, str) else dict(sorted(_gain_map(gains).items())),
        cannot_judge=tuple(one["cannot_judge"]),
        key=one["key"],
        conflict=one["conflict"],
    )
    more = judging.asked(one, gain_map=_gain_map)
    return Dimension(name=name, labels=labels, estimate=None, judging=more)


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
        for key, sentence in kind.problems({key: one[key] for key in kind.keys}):
            yield (*at, key), sentence


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
    if team is not None:
        at: Path = ("runs", "team")
        try:
            groups = re.compile(team).groups
        except re.error as error:
            yield at, f"'{team}' is not a regular expression ({error}); correct it"
        else:
            if not groups:
                yield at, f"'{team}' has no group; put the team in brackets, as '^([^_]+)_'"
    rename = full["topics"] and full["topics"]["id"]
    if rename:
        at = ("topics", "id", "match")
        try:
            expression = re.compile(rename["match"])
        except re.error as error:
            yield at, f"'{rename['match']}' is not a regular expression ({error}); correct it"
            return
        try:
            expression.sub(rename["replace"], "")
        except (re.error, IndexError) as error:
            yield (
                ("topics", "id", "replace"),
                f"'{rename['replace']}' cannot be used ({error}); use a group of the match",
            )


def _dimension(one: Mapping[str, Any], *, given: Mapping[str, Any]) -> Problems:
    if one["labels"] and one["estimate"]:
        yield (), "has both 'labels' and 'estimate'; keep one of them"
    elif one["estimate"]:
        for key in given:
            if key != "estimate" and given[key] not in (None, {}):
                yield (key,), "has no meaning for an estimated dimension; remove it"
        thresholds = one["estimate"]["threshold"]
        for threshold in thresholds if isinstance(thresholds, list) else [thresholds]:
            if not math.isfinite(threshold):
                yield ("estimate", "threshold"), "is not a finite number; correct it"
    elif one["labels"]:
        yield from _scale(one)
    else:
        yield (), "has neither 'labels' nor 'estimate'; give one of them"


def _scale(one: Mapping[str, Any]) -> Problems:
    for key in ("scale", "threshold"):
        if one[key] is None:
            yield (key,), f"is missing; add it ({NEEDED[key]})"
    if one["scale"] is None:
        return
    low, high = one["scale"]
    scale = f"[{low:g}, {high:g}]"
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        yield ("scale",), f"{scale} is no ascending range; write the lowest label, then the highest"
        return
    threshold = one["threshold"]
    if threshold is not None and not low <= threshold <= high:
        yield ("threshold",), f"is {threshold:g}, outside the scale {scale}; choose a label of it"
    for code in one["cannot_judge"]:
        if code in (low, high):
            yield (
                ("cannot_judge",),
                (f"holds {code:g}, an end of the scale {scale}; let the scale end before it"),
            )
    if not isinstance(one["gains"], str):
        yield from _gains(one)
    for threshold in one["sweep"]["thresholds"] or ():
        if not low <= threshold <= high:
            yield (
                ("sweep", "thresholds"),
                f"holds {threshold:g}, outside the scale {scale}; remove it",
            )
    for place, gains in enumerate(one["sweep"]["gains"] or ()):
        for _, sentence in _gains({**one, "gains": gains}):
            yield ("sweep", "gains", place), sentence


def _gain_map(gains: Mapping[str, float]) -> dict[float, float]:
    return {float(label): gain for label, gain in gains.items()}


def _gains(one: Mapping[str, Any]) -> Problems:
    low, high = one["scale"]
    scale = f"[{low:g}, {high:g}]"
    at: Path = ("gains",)
    odd = [label for label in one["gains"] if not is_number(label)]
    if odd:
        yield at, f"has the key '{odd[0]}', which is no label; labels are numbers"
        return
    gains = _gain_map(one["gains"])
    for label, gain in gains.items():
        if not low <= label <= high:
            yield at, f"has the label {label:g}, outside the scale {scale}; remove it"
        if not 0 <= gain <= 1:  # the schema bounds numbers, but NaN slips through
            yield (*at, f"{label:g}"), f"is {gain}; it must be a gain from 0 to 1"
    grades = range(math.ceil(low), math.floor(high) + 1)
    needed = (g for g in grades if g not in gains and g not in one["cannot_judge"])
    missing = list(itertools.islice(needed, 4))
    if missing:
        told = ", ".join(map(str, missing[:3])) + (", ..." if len(missing) > 3 else "")
        yield at, f"has no gain for label {told} of the scale {scale}; add it"
    best_last = sorted(gains, reverse=one["better"] == "low")
    for worse, better in itertools.pairwise(best_last):
        if gains[worse] > gains[better]:
            yield (
                at,
                (
                    f"gives label {worse:g} more than label {better:g}, although better is "
                    f"{one['better']}; turn one of them round"
                ),
            )
            return


def _together(full: Mapping[str, Any]) -> Problems:
    """What two keys must agree on."""
    dimensions, policies = full["dimensions"], full["policies"]
    for name, one in dimensions.items():
        if keyword.iskeyword(name):  # measures are parsed as Python expressions
            yield ("dimensions", name), "is a reserved word; choose another name"
        if one["estimate"] and not full["pages"]:
            yield ("dimensions", name, "estimate"), "needs the pages; add pages.files"
        if one["estimate"] and isinstance(one["estimate"]["threshold"], list):
            for threshold in one["estimate"]["threshold"]:
                if (made := threshold_name(name, threshold)) in dimensions:
                    yield (
                        ("dimensions", name, "estimate", "threshold"),
                        f"{threshold:g} makes the dimension '{made}', which there is already; "
                        "rename one of them",
                    )
    if full["pages"] and (depth := full["pages"]["depth"]) is not None:
        if full["pages"]["documents"] != "retrieved":
            yield ("pages", "depth"), "has no meaning without documents: retrieved; remove it"
        elif depth > policies["depth"]:
            yield (
                ("pages", "depth"),
                f"is {depth}, deeper than policies.depth {policies['depth']}; "
                "raise that or lower this",
            )
    if policies["topics"] == "topics" and not full["topics"]:
        yield ("policies", "topics"), "is 'topics', but there is no topics file; add topics.file"
    if policies["topics"] == "labels":
        first = next((name for name, one in dimensions.items() if one["labels"]), None)
        other = "or a topics file and policies.topics: topics"
        if first is None:
            yield (
                ("policies", "topics"),
                f"is 'labels', but no dimension has labels; add some, {other}",
            )
        elif dimensions[first]["key"] == "document":
            yield (
                ("policies", "topics"),
                f"is 'labels', but the labels of '{first}', the first dimension, belong to "
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
    dimensions, depth = list(full["dimensions"]), full["policies"]["depth"]

    def parsed(text: str, at: Path) -> "Measure | None":
        if text.count("(") != text.count(")"):
            problems.append((at, f"is '{text}', cut at a comma by YAML; put the measure in quotes"))
            return None
        try:
            return engine.parse(text, dimensions=dimensions)
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
