# The few functions of the workflow. Everything is decided by the validated config: an error in it
# ends here, before any job starts, with one sentence a problem.
import dataclasses
import os
import sys
from pathlib import Path

from pipeline.campaign import campaigns, resolve
from pipeline.errors import InputError
from pipeline.rankings import batch_of

ROOT = Path(workflow.basedir)

try:
    CAMPAIGNS = campaigns(config, schema=ROOT / "config" / "schema.yaml")
    INPUTS = {name: resolve(campaign) for name, campaign in CAMPAIGNS.items()}
except InputError as error:
    sys.exit(f"fathom: {error}")


wildcard_constraints:
    campaign="[^/]+",
    source="[^/]+",
    batch=r"\d+",
    dimension="[^/]+",
    measure="[^/]+",


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


def label_tables(wildcards):
    """Every dimension's table of labels or estimates, in the order of the config."""
    return [
        f"results/{wildcards.campaign}/{'labels' if given.labels else 'estimates'}/{name}.parquet"
        for name, given in campaign(wildcards).dimensions.items()
    ]


def readability(wildcards):
    """The pages' readability, where the campaign has pages."""
    return (
        [f"results/{wildcards.campaign}/readability.parquet"]
        if campaign(wildcards).pages
        else []
    )


def originals(wildcards):
    """Every input file of a campaign (not of made folders), for the report's checksums."""
    found = INPUTS[wildcards.campaign]
    parts = [found.runs, *found.labels.values(), found.topics]
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
