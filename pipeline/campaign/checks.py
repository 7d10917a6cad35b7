"""Checks across the sections of a campaign."""

import keyword
from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

from pydantic import ValidationError

from pipeline.audit.policies import SETS
from pipeline.campaign.model import Campaign
from pipeline.campaign.paths import file_keys
from pipeline.campaign.problems import Mistake, mistakes, nearest, reasons
from pipeline.config.base import Mistakes, Path
from pipeline.config.dimensions import Estimated
from pipeline.errors import InputError
from pipeline.pages.baselines.model import MODELS
from pipeline.pooling.declaration import METHODS
from pipeline.sources.paths import split


def disagreements(campaign: Campaign, broken: Set[str] = frozenset()) -> list[Mistake]:
    """All conflicts between valid sections; those with `broken` ones are not checked."""
    return [
        Mistake(*mistake)
        for sections, check in CHECKS
        if not broken & set(sections.split())
        for mistake in check(campaign)
        if check is _patterns or mistake[0][0] not in broken
    ]


def _patterns(campaign: Campaign) -> Mistakes:
    """Every `@source/...` must name a source (in a source: an earlier one) and stay inside it."""
    names = list(campaign.sources)
    for _, path, patterns in file_keys(campaign):
        of_source = path[0] == "sources"
        usable = names[: names.index(str(path[1]))] if of_source else names
        for pattern in patterns:
            name, rest = split(pattern)
            if name is not None and name not in usable:
                kind = "sources before it" if of_source else "sources"
                what = f"'{pattern}' names the unknown source '{name}'"
                yield path, what, nearest(name, usable, kind=kind)
            elif name is not None and (not rest or ".." in rest.split("/")):
                what = f"'{pattern}' does not name files inside the source"
                yield path, what, f"write for example '@{name}/runs/*'"


def _dimensions(campaign: Campaign) -> Mistakes:
    for name, keys in campaign.dimension_keys.items():
        at = ("dimensions", name)
        if keyword.iskeyword(name):  # measures are parsed as Python expressions
            yield at, "is a reserved word of Python", "choose another name"
        for generated, _ in keys.dimensions(name):
            if generated != name and generated in campaign.dimension_keys:
                what = f"creates the dimension '{generated}', which already exists"
                yield (*at, "estimate", "threshold"), what, "rename one of them"
        if isinstance(keys, Estimated) and not campaign.pages:
            yield (*at, "estimate"), "needs web pages", "add pages.files"


def _topics(campaign: Campaign) -> Mistakes:
    """The evaluated topics must be defined."""
    at, policy = ("policies", "topics"), campaign.policies.topics
    if policy == "topics" and not campaign.topics:
        yield at, "is 'topics', but no topics file is configured", "add topics.file"
    if policy == "labels":
        alternative = "or add topics.file and set policies.topics: topics"
        first = next(iter(campaign.labelled), None)
        if first is None:
            yield at, "is 'labels', but no dimension has labels", f"add labels, {alternative}"
        elif campaign.labels[first].key == "document":
            what = f"is 'labels', but the labels of the first dimension, '{first}', have no topics"
            yield at, what, f"put a dimension with key: topic first, {alternative}"


def _depths(campaign: Campaign) -> Mistakes:
    """No depth may exceed that of the rankings."""
    policy, pool, pages = campaign.policies.depth, campaign.pool, campaign.pages
    depths: list[tuple[Path, int]] = [(("pool", "depth"), pool.depth)]
    if pool.strata:
        depths.append((("pool", "strata"), pool.strata[-1].to))
    for section in ("fusion", "baselines"):
        systems = getattr(campaign, section).items()
        depths += [((section, name, "depth"), system.depth) for name, system in systems]
    if pages and pages.depth:
        depths.append((("pages", "depth"), pages.depth))
    for at, depth in depths:
        if depth > policy:
            what = f"{depth} exceeds policies.depth {policy}"
            yield at, what, "increase policies.depth or decrease this depth"


def _meaningless(at: Path, keys: Any, *, of: str, entries: Mapping[str, Any]) -> Mistakes:
    """Keys that the selected method does not use."""
    entry = entries[getattr(keys, of)]
    for key in sorted(keys.model_fields_set):
        readers = [other.name for other in entries.values() if key in other.reads]
        if readers and entry.name not in readers:
            what = f"has no effect for the {of} '{entry.name}', only for {', '.join(readers)}"
            yield (*at, key), what, "remove it"


def _pool(campaign: Campaign) -> Mistakes:
    pool, labelled, reads = campaign.pool, campaign.labelled, METHODS[campaign.pool.method].reads
    yield from _meaningless(("pool",), pool, of="method", entries=METHODS)
    if pool.per_team and not campaign.runs.team:
        yield ("pool", "per_team"), "needs teams", "add runs.team"
    if pool.labels and pool.labels not in labelled:
        hint = nearest(pool.labels, labelled, kind="dimensions with labels")
        yield ("pool", "labels"), f"'{pool.labels}' has no labels", hint
    if "labels" in reads and not labelled:
        what = f"'{pool.method}' replays labels, but no dimension has labels"
        yield ("pool", "method"), what, "choose another method"
    if "strata" in reads and not pool.strata:
        what = f"is empty, but the method is '{pool.method}'"
        yield ("pool", "strata"), what, "write [{to: 10, share: 1}]"


def _baselines(campaign: Campaign) -> Mistakes:
    for name, keys in campaign.baselines.items():
        yield from _meaningless(("baselines", name), keys, of="model", entries=MODELS)


def _searched(campaign: Campaign) -> Mistakes:
    at, pages = ("baselines",), campaign.pages
    if not campaign.baselines:
        return
    if not pages:
        yield at, "needs the documents as web pages", "add pages.files"
    elif pages.documents != "all":
        what = f"needs all pages, but pages.documents is '{pages.documents}'"
        yield at, what, "set pages.documents to 'all'"
    if not campaign.topics:
        yield at, "needs queries", "add topics.file"


def _language(campaign: Campaign) -> Mistakes:
    from pipeline.pages.cleanse.page import languages

    language = campaign.pages and campaign.pages.language
    if language and language not in languages():
        what = f"'{language}' is not the code of a language that Fathom can detect"
        fix = "set a code, for example 'en', or null to accept every page"
        yield ("pages", "language"), what, fix


def _people(campaign: Campaign) -> Mistakes:
    if campaign.comparison.model_fields_set and not campaign.people:
        yield ("people",), "has no effect without preferences or satisfaction", "remove it"


def _reusability(campaign: Campaign) -> Mistakes:
    if "team" in (campaign.reusability or ()) and not campaign.runs.team:
        yield ("reusability",), "needs teams to leave out", "add runs.team"


def _audit(campaign: Campaign) -> Mistakes:
    """Published measures must parse, and further labels must fit the dimension's scale."""
    from pipeline import measures as engine

    published = campaign.published
    if not published:
        return
    for name, text in published.measures.items():
        at: Path = ("audit", "measures", name)
        try:
            if engine.parse(text, dimensions=list(campaign.dimensions)).scored:
                what = f"'{text}' needs the retrieval scores, which the audit does not read"
                yield at, what, "remove it"
        except InputError as error:
            yield from ((at, *problem) for problem in reasons(error))
    for name, dimensions in published.labels.items():
        at = ("audit", "labels", name)
        if name in SETS:
            yield at, "is the name of a predefined set of policies", "choose another name"
        for dimension, keys in dimensions.items():
            if dimension not in campaign.labelled:
                hint = nearest(dimension, campaign.labelled, kind="dimensions with labels")
                yield (*at, dimension), "is not a dimension with labels", hint
                continue
            try:
                campaign.reread(name, dimension)
            except ValidationError as error:
                yield from mistakes(error, keys.model_dump(), above=(*at, dimension))


# Each check with the other sections it reads; it is skipped if one of them is invalid.
CHECKS: Sequence[tuple[str, Callable[[Campaign], Mistakes]]] = (
    ("sources", _patterns),
    ("pages", _dimensions),
    ("dimensions topics", _topics),
    ("runs dimensions", _pool),
    ("policies", _depths),
    ("", _baselines),
    ("pages topics", _searched),
    ("", _language),
    ("preferences satisfaction", _people),
    ("runs", _reusability),
    ("dimensions", _audit),
    ("dimensions measures", lambda campaign: iter(campaign.parsed.problems)),
)
