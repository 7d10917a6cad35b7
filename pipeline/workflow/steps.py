"""The steps of a campaign: the parts of each, with their settings, inputs and files."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pipeline.campaign.paths import Files
from pipeline.pages.collection import share
from pipeline.sources.kind import KINDS
from pipeline.sources.places import campaign_places
from pipeline.storage import records
from pipeline.workflow.plan import CampaignPlan, Part, Parts, megabytes, plain

SHARD = 500.0  # MB of pages per shard: cleansed in about 10 minutes
SHARD_FILES = 20_000


class Steps(CampaignPlan):
    """The steps of one campaign by name; the method `_gains` declares the rule `gains`, and so on.

    The settings of a step are those of all its parts. A part has the name of its dimension or
    measure; the names of other parts begin with `_`.
    """

    @cached_property
    def names(self) -> list[str]:
        """All steps of the campaign except `check`."""
        campaign = self.campaign
        optional = {
            "baselines": campaign.baselines,
            "judging": any(self.judging_analyses.values()),
            "people": campaign.people,
            "audit": campaign.audit,
            "changes": campaign.against,
            "readability": campaign.pages and (campaign.estimated or campaign.baselines),
        }
        shards = range(self.shards if optional["readability"] else 0)
        return [
            *(f"fetch/{name}" for name in campaign.sources),
            *(f"cleanse/{shard}" for shard in shards),
            *(f"evaluate/{slug}" for slug in self.measures),
            *("labels", "rank", "gains", "correlate", "pool", "report"),
            *(name for name, included in optional.items() if included),
        ]

    # ---- inputs ----------------------------------------------------------------------------------

    def _fetch(self, name: str) -> Parts:
        """A source is pinned, so its settings determine its content; only mirrors may change."""
        source, step = self.campaign.sources[name], f"fetch/{name}"
        additions = None
        if source.settings.get("missing") == "warn":
            places = campaign_places(self.config, campaign=self.campaign.name)
            record = records.read(self.results.record(step))
            new = KINDS[source.kind].more(self.results.source(name), source.settings, places)
            additions = new or (record.note if record else None)
        settings = {"kind": source.kind, "settings": dict(source.settings), "grown": additions}
        return {name: self.part(step, settings, files=self.inputs.of("sources", name))}

    def _cleanse(self, shard: str) -> Parts:
        pages = self.campaign.pages
        assert pages is not None
        dependencies = {"all": [], "retrieved": ["rank", "_rankings"], "pooled": ["pool", "_pool"]}
        takes = self.of(*dependencies[pages.documents]) if dependencies[pages.documents] else []
        settings, files = {**plain(pages), "shards": self.shards}, self.page_files(int(shard))
        return {shard: self.part(f"cleanse/{shard}", settings, takes=takes, files=[files])}

    def _readability(self) -> Parts:
        campaign = self.campaign
        assert campaign.pages is not None
        settings: dict[str, Any] = {"depth": campaign.pages.depth, "estimates": {}}
        table = self.part("readability", settings, takes=self._counts)
        parts = {"_table": table}
        for name in campaign.estimated:
            estimate = {"estimates": {name: campaign.dimensions[name].estimate}}
            parts[name] = self.part("readability", estimate, takes=[table])
        return parts

    def _baselines(self) -> Parts:
        settings = {"systems": self.campaign.baselines, "topics": self.campaign.topics}
        takes = [*self._counts, *self.of("labels", "_topics")]
        files = self.inputs.of("topics")
        return {"_runs": self.part("baselines", settings, takes=takes, files=files)}

    def _rank(self) -> Parts:
        campaign, policies = self.campaign, self.campaign.policies
        names = ("order", "depth", "duplicates", "bad_scores")
        settings = {
            "files": campaign.runs.files,
            "form": campaign.runs.format,
            "fusion": campaign.fusion,
            "policies": {name: getattr(policies, name) for name in names},
        }
        takes = self.of("baselines", "_runs") if campaign.baselines else []
        rankings = self.part("rank", settings, takes=takes, files=self.inputs.of("runs"))
        team = {"team": campaign.runs.team}
        teams = self.part("rank", team, takes=[rankings], files=self.inputs.of("teams"))
        return {"_rankings": rankings, "_teams": teams}

    def _labels(self) -> Parts:
        campaign = self.campaign
        labelled = {name: d.settings for name, d in campaign.dimensions.items() if not d.estimate}
        parts = {
            name: self.part("labels", {"labels": {name: labels}}, files=self._label_files(name))
            for name, labels in {**labelled, **self._sets}.items()
        }
        settings: dict[str, Any] = {
            "labels": {},
            "topics": campaign.topics,
            "policy": campaign.policies.topics,
            "first": self.first_labelled,
        }
        takes = [parts[name] for name in self.first_labelled]
        topics = self.part("labels", settings, takes=takes, files=self.inputs.of("topics"))
        return {**parts, "_topics": topics}

    # ---- evaluation ------------------------------------------------------------------------------

    def _gains(self) -> Parts:
        tables = {name: self.label_table(name) for name in (*self.campaign.dimensions, *self._sets)}
        ranked = [*self.of("rank", "_rankings"), *self.of("labels", "_topics")]
        labels = zip(tables.items(), self._label_parts(tables), strict=True)
        gains = {
            name: self.part("gains", {"labels": {name: str(table)}}, takes=[*ranked, part])
            for (name, table), part in labels
        }
        order, costs = {"order": self.campaign.policies.order}, {"costs": self.campaign.costs}
        return {
            **gains,
            "_ties": self.part("gains", order, takes=ranked),
            "_costs": self.part("gains", costs, takes=ranked, files=self.inputs.of("costs")),
        }

    def _evaluate(self, slug: str) -> Parts:
        campaign, policies = self.campaign, self.campaign.policies
        measure, step = self.measures[slug], f"evaluate/{slug}"
        first = next(iter(campaign.dimensions))
        dimensions = list(dict.fromkeys((first, *measure.dimensions)))  # to parse its name
        condensed = policies.unjudged == "condensed"  # by the first dimension
        gains = dimensions if condensed else list(measure.dimensions)
        settings = {
            "measure": measure.name,
            "own": self.own_measures(slug),
            "dimensions": dimensions,
            "gains": gains,
            "scored": measure.scored or policies.ties == "report",
            "costed": bool(measure.costed and campaign.costs),
            "unjudged": policies.unjudged,
            "ties": policies.ties,
        }
        extra = {"_ties": settings["scored"], "_costs": settings["costed"]}
        takes = self.of("gains", *gains, *(name for name, used in extra.items() if used))
        scores = self.part(step, settings, takes=takes)
        tests = self.part(step, {"significance": campaign.significance}, takes=[scores])
        return {"_scores": scores, "_tests": tests}

    def _correlate(self) -> Parts:
        scored = [*self._by_measure("_scores"), *self.of("rank", "_teams")]
        means = self.part("correlate", {}, takes=scored)
        takes = [means, *self._by_measure("_tests")]
        settings = {"correlations": self.campaign.correlations}
        return {"_means": means, "_correlations": self.part("correlate", settings, takes=takes)}

    # ---- judgements, people, published figures ---------------------------------------------------

    def _pool(self) -> Parts:
        """Includes the depth of the method (None is the end of a run).

        It is computed here, so that later steps do not depend on the code of all methods.
        """
        from pipeline.pooling.declaration import METHODS

        pool, first = self.campaign.pool, self.first_labelled
        replayed = [name for name in (pool.labels,) if name]
        settings = {
            "plan": pool,
            "reach": METHODS[pool.method].reach(pool),
            "replayed": [str(self.label_table(name)) for name in replayed],
        }
        takes = [*self.of("rank", "_rankings", "_teams"), *self._label_parts(replayed)]
        pooled = self.part("pool", settings, takes=takes)
        tables = {"first": [str(self.label_table(name)) for name in first]}
        takes = [pooled, *self.of("labels", "_topics"), *self._label_parts(first)]
        return {"_pool": pooled, "_tables": self.part("pool", tables, takes=takes)}

    def _judging(self) -> Parts:
        campaign = self.campaign
        settings = {
            **self["pool"].settings,
            **self.select("rescored", "labelled", "agreement"),
            "analyses": self.judging_analyses,
            "dimensions": list(campaign.dimensions),
            "measures": self.measure_names,
            "slugs": list(self.measures),
            "own": self.own_measures(),
            "unjudged": campaign.policies.unjudged,
            "sweep": {name: campaign.dimensions[name].sweep for name in campaign.labelled},
            "kinds": campaign.reusability,
            "compared": {name: list(campaign.dimensions[name].sets) for name in campaign.compared},
            "need": campaign.variations,
        }
        takes = [
            *self.of("gains", *campaign.dimensions, *self._sets),
            *self.of("rank", "_rankings", "_teams"),
            *self._label_parts([*campaign.labelled, *self._sets]),
            *(self._by_measure("_scores") if campaign.variations else ()),
        ]
        return {"_judging": self.part("judging", settings, takes=takes)}

    def _people(self) -> Parts:
        dimensions = {m.name: list(m.dimensions) for m in self.campaign.measures}
        settings = {"people": self.campaign.people, "dimensions": dimensions}
        takes, files = self._by_measure("_scores"), self.inputs.of("people")
        return {"_people": self.part("people", settings, takes=takes, files=files)}

    def _audit(self) -> Parts:
        campaign = self.campaign
        settings = {
            **self.select("audit", "policies"),
            "declared": campaign.measures_from,
            "runs": campaign.runs.files,
            "form": campaign.runs.format,
            "labels": {name: d.labels for name, d in campaign.dimensions.items()},
            "tables": {name: str(self.label_table(name)) for name in campaign.dimensions},
        }
        files = self.files("published", "runs", "labels", "audited")
        takes = [*self.of("rank", "_rankings"), *self._labels_and_gains]
        return {"_audit": self.part("audit", settings, takes=takes, files=files)}

    # ---- what people read ------------------------------------------------------------------------

    def _report(self) -> Parts:
        campaign = self.campaign
        settings = {
            **self.select("title", "policies", "labelled"),
            "contrast": self.contrast,
            "dimensions": {name: d.described() for name, d in campaign.dimensions.items()},
            "measures": self.measure_names,
            "own": self.own_measures(),
            "alpha": campaign.significance.alpha,
            "team": campaign.runs.team,
            "made": {
                name: KINDS[source.kind].described(source.settings)
                for name, source in campaign.sources.items()
            },
            "originals": self.originals,
            "given": self.config["campaigns"][campaign.name],
        }
        optional = [name for name in ("pool", "judging", "people", "audit") if name in self.names]
        takes = [
            *self.of("correlate", "_correlations"),
            *self.of("rank", "_teams"),
            *self._labels_and_gains,
            *(part for name in optional for part in self[name].parts.values()),
            *(self.of("readability", "_table") if campaign.estimated else ()),
        ]
        return {"_report": self.part("report", settings, takes=takes, files=self._originals())}

    def _changes(self) -> Parts:
        campaign = self.campaign
        contrasted = [m for m in campaign.measures if m.name in self.contrast]
        settings = {
            **self.select("title", "against"),
            "contrast": self.contrast,
            "dimensions": list(campaign.dimensions),
            "scored": any(m.scored for m in contrasted),
            "costed": bool(campaign.costs) and any(m.costed for m in contrasted),
            "own": self.own_measures(),
            "unjudged": campaign.policies.unjudged,
            "alpha": campaign.significance.alpha,
        }
        ranked = self.of("rank", "_rankings")
        takes = [*self.of("correlate", "_correlations"), *ranked, *self._labels_and_gains]
        files = [Files(local=self.inputs.against, sources=())]
        return {"_changes": self.part("changes", settings, takes=takes, files=files)}

    def _check(self) -> Parts:
        campaign = self.campaign
        settings = {
            **self.select("title", "runs", "topics", "people"),
            "labels": campaign.labels,
            "further": campaign.further_labels,
            "policies": campaign.check_policies,
        }
        return {"_check": self.part("check", settings, files=self._originals())}

    # ---- inputs of several steps -----------------------------------------------------------------

    @property
    def _counts(self) -> list[Part]:
        return [part for n in range(self.shards) for part in self.of(f"cleanse/{n}", f"{n}")]

    def _by_measure(self, name: str) -> list[Part]:
        return [part for slug in self.measures for part in self.of(f"evaluate/{slug}", name)]

    @property
    def _labels_and_gains(self) -> list[Part]:
        dimensions = self.campaign.dimensions
        topics = self.of("labels", "_topics")
        return [*topics, *self._label_parts(dimensions), *self.of("gains", *dimensions)]

    def _label_parts(self, dimensions: Iterable[str]) -> list[Part]:
        steps = dict.fromkeys(self.campaign.estimated, "readability")
        return [self[steps.get(name, "labels")].parts[name] for name in dimensions]

    @cached_property
    def _sets(self) -> dict[str, Any]:
        """How to read every further judgement set, by `sets/<dimension>/<name>`."""
        return {
            f"sets/{dimension.name}/{name}": labels
            for dimension in self.campaign.dimensions.values()
            for name, labels in dimension.sets.items()
        }

    def _label_files(self, name: str) -> list[Files]:
        place = name.split("/") if name in self._sets else ["labels", name]
        return [*self.inputs.of(*place), *self.inputs.of("further", place[1])]

    def _originals(self) -> list[Files]:
        labels = ("labels", "sets", "further", "audited")
        return self.files("runs", "teams", *labels, "topics", "published", "people")

    # ---- for the rules --------------------------------------------------------------------------

    def files(self, *kinds: str) -> list[Files]:
        return [files for kind in kinds for files in self.inputs.of(kind)]

    @property
    def originals(self) -> list[str]:
        """All local input files, for the checksums in the report."""
        return [path for files in self._originals() for path in files.local]

    @property
    def first_labelled(self) -> tuple[str, ...]:
        """The dimension whose topics are evaluated, if one has labels."""
        return self.campaign.labelled[:1]

    @property
    def contrast(self) -> list[str]:
        """The two measures that the pages contrast; a single measure is repeated."""
        return list(self.campaign.scatter or self.measure_names[:1] * 2)

    @property
    def judging_analyses(self) -> dict[str, bool]:
        campaign = self.campaign
        return {
            "sweep": bool(campaign.sweep and campaign.labelled),
            "reusability": bool(campaign.reusability and campaign.labelled),
            "agreement": bool(campaign.compared),
            "variations": bool(campaign.variations),
        }

    @cached_property
    def shards(self) -> int:
        """The number of jobs that read the pages, by the size of local files."""
        if not self.campaign.pages:
            return 0
        local = self.inputs.of("pages")[0].local
        by_size = max(megabytes(local) / SHARD, len(local) / SHARD_FILES)
        return self.campaign.pages.shards or min(1000, max(2, int(by_size) + 1))

    def page_files(self, shard: int) -> Files:
        """The page files of one shard; every shard gets all sources and selects its pages."""
        (pages,) = self.inputs.of("pages")
        files = share([*map(Path, pages.local)], shard=shard, shards=self.shards)
        return replace(pages, local=tuple(map(str, files)))

    def label_table(self, dimension: str) -> Path:
        if dimension in self._sets:
            return self.results.labels(dimension)
        return self.results.folder / self.campaign.dimensions[dimension].table
