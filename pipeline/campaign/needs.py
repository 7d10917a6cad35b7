"""Which files each step of a campaign needs: what its rules say, decided from the config.

Everything the workflow selects is selected here, so that it can be tested without Snakemake. All
paths are as rules write them: relative to the working folder, results under `results/<campaign>`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pipeline.campaign import desk_settings, dimension_kind
from pipeline.campaign.model import Campaign
from pipeline.campaign.paths import Files, Inputs
from pipeline.campaign.shares import Size, counts, size
from pipeline.measures import Measure
from pipeline.measures.own import module_name
from pipeline.pages.collection import share
from pipeline.pooling.declaration import METHODS
from pipeline.runs.ingest import batch_of
from pipeline.sources.kind import KINDS


@dataclass(frozen=True)
class Needs:
    """The files and settings of one campaign's steps."""

    campaign: Campaign
    inputs: Inputs

    def path(self, *names: str) -> list[str]:
        """Files of the campaign's results."""
        return [f"results/{self.campaign.name}/{name}" for name in names]

    def sources(self) -> str:
        """The folder of made source folders."""
        return f"results/{self.campaign.name}/sources"

    def _given(self, files: Files | None) -> list[str]:
        return files.inputs(self.sources()) if files else []

    # ---- what was handed in -------------------------------------------------------------------

    def source(self, name: str) -> dict[str, Any]:
        """How a source folder is made."""
        one = self.campaign.sources[name]
        return {"kind": one.kind, "settings": dict(one.settings)}

    def source_files(self, name: str) -> list[str]:
        """What a source folder is made from: files, and other made folders."""
        return self._given(self.inputs.sources.get(name))

    def runs(self) -> list[str]:
        """The run files, and made folders with runs."""
        return self._given(self.inputs.runs)

    def run_files(self, batch: str) -> list[str]:
        """The run files of one batch; made folders go to every batch, which picks its own."""
        batches = self.batch_count()
        mine = (
            path
            for path in self.inputs.runs.local
            if batch_of(Path(path), batches=batches) == int(batch)
        )
        return self._given(replace(self.inputs.runs, local=tuple(mine)))

    def made_runs(self) -> list[str]:
        """The patterns of runs inside made folders."""
        return [pattern for pattern in self.campaign.runs.files if pattern.startswith("@")]

    def page_files(self, shard: str) -> list[str]:
        """The page files of one shard; made folders go to every shard, which picks its own."""
        assert self.inputs.pages is not None
        local = [Path(path) for path in self.inputs.pages.local]
        mine = share(local, shard=int(shard), shards=self.shard_count())
        return self._given(replace(self.inputs.pages, local=tuple(str(path) for path in mine)))

    def kept_text(self, shard: str) -> list[str]:
        """The text of one shard and the facts about it, where the text is kept."""
        assert self.campaign.pages is not None
        names = (f"pages/text/{shard}.parquet", f"pages/text/{shard}.json")
        return self.path(*names) if self.campaign.pages.keep_text else []

    def counted_pages(self, shard: str) -> list[str]:
        """The page files of one shard, where they are counted without keeping their text."""
        return [] if self.kept_text(shard) else self.page_files(shard)

    def label_files(self, dimension: str) -> list[str]:
        """The label files of a dimension, and the weights of its subtopics."""
        return [*self._given(self.inputs.labels[dimension]), *self._further(dimension)]

    def _further(self, dimension: str) -> list[str]:
        files = self.inputs.further.get(dimension, {}).values()
        return [path for one in files for path in self._given(one)]

    def set_files(self, dimension: str, name: str) -> list[str]:
        """The label files of another judgement set of a dimension."""
        return [*self._given(self.inputs.sets[dimension][name]), *self._further(dimension)]

    def set_labels(self, dimension: str, name: str) -> dict[str, Any]:
        """How another judgement set is read: as the dimension's labels, from its own files."""
        one = self.campaign.dimensions[dimension]
        assert one.labels is not None
        assert one.judging is not None
        return asdict(replace(one.labels, files=one.judging.sets[name]))

    def audited_labels(self) -> dict[str, dict[str, Any] | None]:
        """How each dimension's labels are read; None for an estimated one."""
        return {
            name: asdict(one.labels) if one.labels else None
            for name, one in self.campaign.dimensions.items()
        }

    def desk_labels(self) -> dict[str, dict[str, Any]]:
        """How the labels of the dimensions are read that have any."""
        return {name: asdict(one) for name, one in desk_settings.labels(self.campaign).items()}

    def desk_further(self) -> dict[str, dict[str, Any]]:
        """How further label files are read."""
        return {name: asdict(one) for name, one in desk_settings.further(self.campaign).items()}

    def desk_policies(self) -> dict[str, Any]:
        """The policies that what was handed in is looked at under."""
        return desk_settings.policies(self.campaign)

    def desk_files(self) -> list[str]:
        """Every label file, of whatever use."""
        sets = [files for named in self.inputs.sets.values() for files in named.values()]
        more = [path for files in sets for path in self._given(files)]
        return list(dict.fromkeys([*self.audited_files(), *more]))

    def swept(self) -> dict[str, dict[str, Any]]:
        """What is tried for each dimension with labels."""
        return {
            name: asdict(one.judging.sweep)
            for name, one in self.campaign.dimensions.items()
            if one.judging
        }

    def all_label_files(self) -> list[str]:
        """The label files of every dimension."""
        return [path for name in self.inputs.labels for path in self.label_files(name)]

    def audited_files(self) -> list[str]:
        """The label files of every dimension, and others that the audit tries."""
        chosen = self.inputs.audited.values()
        others = [path for one in chosen for files in one.values() for path in self._given(files)]
        return list(dict.fromkeys([*self.all_label_files(), *others]))

    def team_table(self) -> list[str]:
        """The table of teams, if there is one."""
        return self._given(self.inputs.teams)

    def topics_file(self) -> list[str]:
        """The topics file, if there is one."""
        return self._given(self.inputs.topics)

    def costs_file(self) -> list[str]:
        """The file that says what documents cost, if there is one."""
        return self._given(self.inputs.costs)

    def published(self) -> list[str]:
        """The published figures, if there are any."""
        return self._given(self.inputs.published)

    def people_files(self) -> list[str]:
        """What people preferred and how they rated, if anyone was asked."""
        return [path for files in self.inputs.people.values() for path in self._given(files)]

    def originals(self) -> list[str]:
        """Every input file (not of made folders), for the report's checksums."""
        found = self.inputs
        named = [*found.sets.values(), *found.further.values(), *found.audited.values()]
        labels = [*found.labels.values(), *(files for each in named for files in each.values())]
        others = [found.topics, found.published, *found.people.values()]
        parts = [found.runs, found.teams, *labels, *others]
        return [path for part in parts if part for path in part.local]

    # ---- what other steps make ----------------------------------------------------------------

    def batches(self, pattern: str) -> list[str]:
        """One file for each batch of the submitted runs; the pattern has a place for it."""
        return self.path(*(pattern.format(n) for n in range(self.batch_count())))

    def batch_count(self) -> int:
        """In how many batches the runs are read."""
        return self._shares[0]

    def shard_count(self) -> int:
        """In how many shards the pages are read."""
        return self._shares[1]

    @cached_property
    def _shares(self) -> tuple[int, int]:
        return counts(self.campaign, self.inputs)

    def size(self) -> Size:
        """How much there is to do, as far as it is there; looked at once when all of it is."""
        made = Path(self.sources())
        complete = all((made / name).is_dir() for name in self.campaign.sources)
        if complete and self._sizes:
            return self._sizes[0]
        batches, shards = self._shares
        now = size(self.campaign, self.inputs, sources=made, batches=batches, shards=shards)
        if complete:
            self._sizes.append(now)
        return now

    @cached_property
    def _sizes(self) -> list[Size]:
        return []

    def rankings(self, pattern: str) -> list[str]:
        """The same, one for the systems fused from them, and one for baselines."""
        made = {"fused": self.campaign.fusion, "baselines": self.campaign.baselines}
        more = [pattern.format(name) for name, systems in made.items() if systems]
        return [*self.batches(pattern), *self.path(*more)]

    def fused_systems(self) -> dict[str, dict[str, Any]]:
        """How each fused system is made."""
        return {name: asdict(one) for name, one in self.campaign.fusion.items()}

    def baselines(self) -> dict[str, dict[str, Any]]:
        """How each baseline is made."""
        return {name: asdict(one) for name, one in self.campaign.baselines.items()}

    def indices(self) -> list[str]:
        """The indices of the pages that baselines search, one a stemmer."""
        stemmers = {one.stemmer for one in self.campaign.baselines.values()}
        return self.path(*(f"pages/index/{stemmer}" for stemmer in sorted(stemmers)))

    def shards(self, pattern: str) -> list[str]:
        """One file for each shard of the pages."""
        assert self.campaign.pages is not None
        return self.path(*(pattern.format(n) for n in range(self.shard_count())))

    def measured(self, pattern: str) -> list[str]:
        """One file for each measure."""
        return self.path(*(pattern.format(m.slug) for m in self.campaign.measures))

    def gains(self) -> list[str]:
        """The gains of every dimension."""
        return self._gains(self.campaign.dimensions)

    def labelled_gains(self) -> list[str]:
        """The gains of the first dimension and of every one with labels."""
        return self._gains(dict.fromkeys((self._first, *self.campaign.labelled)))

    def _gains(self, dimensions: Iterable[str]) -> list[str]:
        return self.path(*(f"gains/{name}.npz" for name in dimensions))

    @property
    def _first(self) -> str:
        return next(iter(self.campaign.dimensions))

    def label_table(self, dimension: str) -> str:
        """A dimension's table of labels: from assessors, estimated, or of whatever kind it is."""
        one = self.campaign.dimensions[dimension]
        return self.path(dimension_kind.of(one).table(one))[0]

    def label_tables(self) -> list[str]:
        """Every dimension's table of labels, in the order of the config."""
        return [self.label_table(name) for name in self.campaign.dimensions]

    def first_labels(self) -> list[str]:
        """The labels whose topics count, if there are any."""
        return [self.label_table(name) for name in self.campaign.labelled[:1]]

    def pool_labels(self) -> list[str]:
        """The labels that an adaptive pool replays."""
        return [self.label_table(name) for name in (self.campaign.pool.labels,) if name]

    def pool_reach(self) -> int | None:
        """How deep the pool's method reads the runs; None is to their end.

        Decided here, so that what follows the pool does not depend on the code of every method.
        """
        return METHODS[self.campaign.pool.method].reach(self.campaign.pool)

    def needed_source(self) -> str:
        """What says which documents' pages are needed."""
        assert self.campaign.pages is not None
        pooled = self.campaign.pages.documents == "pooled"
        return self.path("pool.tsv" if pooled else "rankings.parquet")[0]

    def estimates(self) -> dict[str, dict[str, Any]]:
        """How each estimated dimension is made from the pages' readability."""
        made = ((name, self.campaign.dimensions[name].estimate) for name in self.campaign.estimated)
        return {name: asdict(estimate) for name, estimate in made if estimate}

    def needed(self) -> list[str]:
        """The list of the documents whose pages are needed, if not all are."""
        assert self.campaign.pages is not None
        return [] if self.campaign.pages.documents == "all" else self.path("pages/needed.txt")

    def sets(self, dimension: str, pattern: str) -> list[str]:
        """One file for each judgement set of a dimension."""
        judging = self.campaign.dimensions[dimension].judging
        assert judging is not None
        return self.path(*(pattern.format(dimension, name) for name in judging.sets))

    # ---- one measure --------------------------------------------------------------------------

    def measure(self, slug: str) -> Measure:
        """The measure a job evaluates."""
        return next(m for m in self.campaign.measures if m.slug == slug)

    def measure_name(self, slug: str) -> str:
        """Its canonical name."""
        return self.measure(slug).name

    def measure_names(self) -> list[str]:
        """The names of all measures."""
        return [measure.name for measure in self.campaign.measures]

    def measure_dimensions(self, slug: str) -> list[str]:
        """The dimensions its name is read with: the first one, and its own."""
        return list(dict.fromkeys((self._first, *self.measure(slug).dimensions)))

    def measure_gains(self, slug: str) -> list[str]:
        """The gains it needs: its own dimensions', and the first one's to condense lists by."""
        condensed = self.campaign.policies.unjudged == "condensed"
        own = self.measure(slug).dimensions
        return self._gains(self.measure_dimensions(slug) if condensed else own)

    def measure_scores(self, slug: str) -> list[str]:
        """The systems' own scores, if it needs them or ties are reported."""
        wanted = self.measure(slug).scored or self.campaign.policies.ties == "report"
        return self.path("ties.npz") if wanted else []

    def measure_costs(self, slug: str) -> list[str]:
        """What documents cost, if it uses that and the campaign knows it."""
        wanted = self.measure(slug).costed and self.campaign.costs
        return self.path("costs.npz") if wanted else []

    # ---- the report ---------------------------------------------------------------------------

    def contrast(self) -> list[str]:
        """The two measures the pages contrast; of a campaign with one measure, that one twice."""
        return list(self.campaign.scatter or self.measure_names()[:1] * 2)

    def contrasted(self, file: str) -> list[str]:
        """ties.npz or costs.npz, if a contrasted measure asks for it."""
        kind = "scored" if file == "ties.npz" else "costed"
        asked = any(getattr(m, kind) for m in self.campaign.measures if m.name in self.contrast())
        return self.path(file) if asked and (self.campaign.costs or kind == "scored") else []

    def audit(self, name: str) -> list[str]:
        """A file of the audit, if there is one."""
        return self.path(name) if self.campaign.audit else []

    def judging(self) -> list[str]:
        """What the report says about labels, pools, pages and people, where asked for."""
        one = self.campaign
        files = [f"pool/{name}.csv" for name in ("topics", "teams", "overlap", "runs")]
        if one.sweep and one.labelled:
            files.append("sweep.csv")
        if one.reusability and one.labelled:
            files += ["reusability/summary.csv", "reusability/runs.csv"]
        for name in one.compared:
            files += [f"agreement/{name}.csv", f"agreement/{name}.swaps.csv"]
        if one.variations:
            files += ["variations/needs.csv", "variations/runs.csv"]
        if one.pages and one.pages.compare_counters:
            files.append("counters.csv")
        if one.people:
            files += ["people/measures.csv", "people/comparisons.csv"]
        return self.path(*files)

    def reading(self) -> list[str]:
        """What the report says about the pages, where a dimension is estimated from them."""
        estimated = self.campaign.estimated
        return self.path("readability.parquet", "pages/summary.json") if estimated else []

    def described_dimensions(self) -> dict[str, dict[str, Any]]:
        """What the report says of each dimension."""
        each = self.campaign.dimensions.items()
        return {name: dimension_kind.of(one).described(one) for name, one in each}

    def described_sources(self) -> dict[str, dict[str, Any]]:
        """What the report says of each made folder."""
        return {
            name: KINDS[one.kind].described(one.settings)
            for name, one in self.campaign.sources.items()
        }

    # ---- code ---------------------------------------------------------------------------------

    def own_measures(self, slug: str | None = None) -> list[str]:
        """The campaign's files that declare one measure, or any of its."""
        modules = self.modules(slug)
        files = self.campaign.measures_from
        return [file for file in files if module_name(Path(file)) in modules]

    def modules(self, slug: str | None) -> Sequence[str]:
        """The modules of one measure, or of all the campaign's."""
        chosen = self.campaign.measures if slug is None else [self.measure(slug)]
        return sorted({module for one in chosen for module in one.modules})
