# The few functions of the workflow. Everything is decided by the validated config: an error in it
# ends here, before any job starts, with one sentence a problem.
import dataclasses
import os
import sys
import time
from pathlib import Path

from pipeline.campaign import campaigns, resolve
from pipeline.pages.collection import share
from pipeline.errors import InputError
from pipeline.runs.rankings import batch_of

ROOT = Path(workflow.basedir)
STARTED = time.time()

try:
    CAMPAIGNS = campaigns(config, schema=ROOT / "config" / "schema.yaml")
    INPUTS = {name: resolve(campaign) for name, campaign in CAMPAIGNS.items()}
except InputError as error:
    sys.exit(f"fathom: {error}")


wildcard_constraints:
    campaign="[^/]+",
    source="[^/]+",
    batch=r"\d+",
    shard=r"\d+",
    dimension="[^/]+",
    measure="[^/]+",
    set="[^/]+",


def campaign(wildcards):
    """The campaign a job belongs to."""
    return CAMPAIGNS[wildcards.campaign]


def sources(wildcards):
    """The folder of made source folders."""
    return f"results/{wildcards.campaign}/sources"


def files(which):
    """An input function: the local files and made folders of one kind of input."""

    def of(wildcards):
        found = which(INPUTS[wildcards.campaign], wildcards)
        return found.inputs(sources(wildcards)) if found else []

    return of


def near(path):
    """A path as seen from here, so that results still fit after the project has moved."""
    return os.path.relpath(path) if Path(path).is_relative_to(Path.cwd()) else str(path)


def code(*modules):
    """Library modules a job imports: Snakemake notices an edited script, not an edited import."""
    files = (module if "." in module else f"{module}.py" for module in modules)
    return [near(ROOT / "pipeline" / file) for file in files]


def package(name):
    """Every file of a package of the library."""
    found = (ROOT / "pipeline" / name).rglob("*.*")
    return sorted(near(path) for path in found if path.suffix != ".pyc")


def batch_files(wildcards):
    """The run files of one batch; made folders go to every batch, which picks its own."""
    found = INPUTS[wildcards.campaign].runs
    mine = [
        path
        for path in found.local
        if batch_of(Path(path), batches=campaign(wildcards).runs.batches)
        == int(wildcards.batch)
    ]
    return dataclasses.replace(found, local=tuple(mine)).inputs(sources(wildcards))


def batches(campaign):
    """The batches of a campaign's rankings: of the submitted runs, and of systems fused from them."""
    fused = ["fused"] if campaign.fusion else []
    return [*range(campaign.runs.batches), *fused]


def pool_plan(wildcards):
    """How the campaign pools."""
    return dataclasses.asdict(campaign(wildcards).pool)


def label_scale(wildcards):
    """How a dimension's labels are read, whoever gave them."""
    return dataclasses.asdict(
        campaign(wildcards).dimensions[wildcards.dimension].labels
    )


def plain_measures(wildcards):
    """The measures by name."""
    return [m.name for m in campaign(wildcards).measures]


def measure_code(wildcards):
    """The modules with the arithmetic of all measures."""
    found = (path for m in campaign(wildcards).measures for path in m.modules)
    return sorted({near(path) for path in found})


def sets_of(pattern):
    """An input function: one file of the pattern for each judgement set of a dimension."""

    def of(wildcards):
        judging = campaign(wildcards).dimensions[wildcards.dimension].judging
        return [
            pattern.format(
                campaign=wildcards.campaign, dimension=wildcards.dimension, set=name
            )
            for name in judging.sets
        ]

    return of


def judging_files(wildcards):
    """What the report says about labels and pools: the tables this campaign asks for."""
    one = campaign(wildcards)
    files = [f"pool/{name}.csv" for name in ("topics", "teams", "overlap", "runs")]
    files += ["sweep.csv"] if one.sweep and one.labelled else []
    files += (
        ["reusability/summary.csv", "reusability/runs.csv"]
        if one.reusability and one.labelled
        else []
    )
    for name in one.compared:
        files += [f"agreement/{name}.csv", f"agreement/{name}.swaps.csv"]
    files += ["variations/needs.csv", "variations/runs.csv"] if one.variations else []
    return [f"results/{wildcards.campaign}/{file}" for file in files]


def shard_files(wildcards):
    """The page files of one shard; made folders go to every shard, which picks its own."""
    found = INPUTS[wildcards.campaign].pages
    mine = share(
        [Path(path) for path in found.local],
        shard=int(wildcards.shard),
        shards=campaign(wildcards).pages.shards,
    )
    local = tuple(str(path) for path in mine)
    return dataclasses.replace(found, local=local).inputs(sources(wildcards))


def wanted_source(wildcards):
    """What says which documents' pages are needed."""
    pooled = campaign(wildcards).pages.documents == "pooled"
    name = "pool.tsv" if pooled else "rankings.parquet"
    return f"results/{wildcards.campaign}/{name}"


def wanted_list(wildcards):
    """The list of the documents whose pages are needed, if not all are."""
    some = campaign(wildcards).pages.documents != "all"
    return [f"results/{wildcards.campaign}/pages/wanted.txt"] if some else []


def reading_files(wildcards):
    """What the report tells about the pages, where a dimension is estimated from them."""
    names = ["readability.parquet", "pages/summary.json"]
    estimated = campaign(wildcards).estimated
    return [f"results/{wildcards.campaign}/{name}" for name in names if estimated]


def label_table(wildcards):
    """A dimension's table of labels: from assessors, or estimated from the pages."""
    where = (
        "labels"
        if campaign(wildcards).dimensions[wildcards.dimension].labels
        else "estimates"
    )
    return f"results/{wildcards.campaign}/{where}/{wildcards.dimension}.parquet"


def measure(wildcards):
    """The measure a job evaluates."""
    return next(m for m in campaign(wildcards).measures if m.slug == wildcards.measure)


def gains_of(wildcards):
    """The gains a measure needs: its own dimensions', and the first one's to condense lists by."""
    needed = measure(wildcards).dimensions
    first = next(iter(campaign(wildcards).dimensions))
    if campaign(wildcards).policies.unjudged == "condensed":
        needed = dict.fromkeys((first, *needed))
    return [f"results/{wildcards.campaign}/gains/{name}.npz" for name in needed]


def scores_of(wildcards):
    """The systems' own scores, for measures that need them and where ties are reported."""
    wanted = measure(wildcards).scored or campaign(wildcards).policies.ties == "report"
    return [f"results/{wildcards.campaign}/ties.npz"] if wanted else []


def costs_of(wildcards):
    """What documents cost, for measures that use it in a campaign that knows it."""
    wanted = measure(wildcards).costed and campaign(wildcards).costs
    return [f"results/{wildcards.campaign}/costs.npz"] if wanted else []


def audit_files(*names):
    """An input function: files of the audit, where a campaign has one."""

    def of(wildcards):
        wanted = names if campaign(wildcards).audit else ()
        return [f"results/{wildcards.campaign}/{name}" for name in wanted]

    return of


def label_tables(wildcards):
    """Every dimension's table of labels, in the order of the config."""
    each = campaign(wildcards).dimensions.items()
    return [
        f"results/{wildcards.campaign}/{'labels' if one.labels else 'estimates'}/{name}.parquet"
        for name, one in each
    ]


def of_campaign(pattern, each):
    """An input function: one file of the pattern for each part of the campaign."""

    def of(wildcards):
        return [
            pattern.format(campaign=wildcards.campaign, part=part)
            for part in each(campaign(wildcards))
        ]

    return of


def of_measures(pattern):
    """An input function: one file of the pattern for each measure of the campaign."""
    return of_campaign(pattern, lambda c: [m.slug for m in c.measures])


def originals(wildcards):
    """Every input file of a campaign (not of made folders), for the report's checksums."""
    found = INPUTS[wildcards.campaign]
    sets = [files for named in found.sets.values() for files in named.values()]
    parts = [found.runs, *found.labels.values(), *sets, found.topics, found.published]
    return [path for part in parts if part for path in part.local]


def report_code(wildcards):
    """The report's modules, templates and styles."""
    return package("report")


def command(wildcards):
    """The command that makes this campaign's results again."""
    given = [near(path) for path in workflow.configfiles]
    return " ".join(
        ["snakemake --cores all", *(["--configfile", *given] if given else [])]
    )


def demo_code(wildcards):
    """The demo's generator, where a source is generated by it."""
    generated = campaign(wildcards).sources[wildcards.source].generate
    return package("demo") if generated == "demo" else []


def failures():
    """What failed jobs had to say; a job that ends well leaves its log empty."""
    logs = [
        path
        for name in CAMPAIGNS
        for path in Path("results", name, "logs").rglob("*.log")
    ]
    new = [
        path for path in logs if path.stat().st_mtime > STARTED and path.stat().st_size
    ]
    return [
        path.read_text(encoding="utf-8").strip().splitlines()[-1]
        for path in sorted(new)
    ]
