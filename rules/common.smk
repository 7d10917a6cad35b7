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


def code(*modules):
    """Library modules a rule uses: Snakemake notices an edited script, not an edited import."""
    return [str((ROOT / "pipeline" / module).with_suffix(".py")) for module in modules]


def batches(wildcards):
    """The numbers of a campaign's ingestion batches."""
    return range(campaign(wildcards).runs.batches)


def batch_files(wildcards):
    """The run files of one batch; made folders go to every batch, which picks its own."""
    found = INPUTS[wildcards.campaign].runs
    mine = [
        path
        for path in found.local
        if batch_of(Path(path), batches=campaign(wildcards).runs.batches) == int(wildcards.batch)
    ]
    return dataclasses.replace(found, local=tuple(mine)).inputs(sources(wildcards))


def label_table(wildcards):
    """A dimension's table of labels: from assessors, or estimated from the pages."""
    where = "labels" if campaign(wildcards).dimensions[wildcards.dimension].labels else "estimates"
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


def of_campaign(pattern, each):
    """An input function: one file of the pattern for each part of the campaign."""

    def of(wildcards):
        return [
            pattern.format(campaign=wildcards.campaign, part=part)
            for part in each(campaign(wildcards))
        ]

    return of


def originals(wildcards):
    """Every input file of a campaign (not of made folders), for the report's checksums."""
    found = INPUTS[wildcards.campaign]
    parts = [found.runs, *found.labels.values(), found.topics]
    return [path for part in parts if part for path in part.local]


def report_code(wildcards):
    """The report's modules, templates and styles."""
    return sorted(str(p) for p in (ROOT / "pipeline" / "report").rglob("*.*") if p.suffix != ".pyc")


def command(wildcards):
    """The command that makes this campaign's results again."""
    given = [os.path.relpath(path) for path in workflow.configfiles]
    return " ".join(["snakemake --cores all", *(["--configfile", *given] if given else [])])
