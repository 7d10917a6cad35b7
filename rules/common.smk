# Glue between the config and the rules: which files a step needs is decided, and tested, in
# `pipeline.campaign`. An error in the config ends here, before any job starts, one sentence a problem.
import os
import sys
import time
from dataclasses import asdict, is_dataclass
from pathlib import Path

ROOT = Path(str(workflow.current_basedir)).resolve().parent

# The library beside this workflow is the one that counts, wherever the workflow is used from; in a
# wheel the workflow is a folder of it.
LIBRARY = ROOT if (ROOT / "pipeline").is_dir() else ROOT.parents[1]
sys.path.insert(0, str(LIBRARY))

from pipeline.campaign import campaigns, papers, resolve
from pipeline.campaign.code import lend, library
from pipeline.campaign.needs import Needs
from pipeline.campaign.paper_settings import forget_absences, unused
from pipeline.campaign.resources import Need, megabytes, minutes
from pipeline.errors import InputError
from pipeline.papers.at_hand import absent_campaigns
from pipeline.report import job_costs
from pipeline.sources.kind import mark
from pipeline.storage.cluster.slurm import JOBS, cancel_orphans, killed_among
from pipeline.storage.lock import FOLDER, hold, submitted, told
from pipeline.storage.strict_yaml import check

GRAPH = library()
lend(LIBRARY)
LOCKS, BEFORE, OUTPUTS = [], {}, set()

# Jobs inherit this: Arrow's memory goes back to the system as soon as it is free, so that a table of
# 20 million rows is written within a gigabyte.
os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
STARTED = time.monotonic()

try:
    # Snakemake has loaded them, but without a word on a key that stands there twice.
    if workflow.is_main_process:
        check(Path(path) for path in workflow.configfiles)
    CAMPAIGNS = campaigns(config)
    PAPERS = papers(config, campaigns=CAMPAIGNS)
    NEEDS = {name: Needs(one, resolve(one)) for name, one in CAMPAIGNS.items()}
    if workflow.is_main_process:
        forget_absences(PAPERS, results=Path("results"))
except InputError as error:
    sys.exit(f"fathom: {error}")


wildcard_constraints:
    campaign="[^/]+",
    paper="[^/]+",
    source="[^/]+",
    batch=r"\d+",
    shard=r"\d+",
    dimension="[^/]+",
    measure="[^/]+",
    set="[^/]+",
    stemmer="[^/]+",


def needs(which, *given):
    """What a step needs (see Needs); a name among `given` that is a wildcard stands for its value."""

    def of(wildcards):
        values = [wildcards.get(value, value) for value in given]
        return getattr(NEEDS[wildcards.campaign], which)(*values)

    return of


def setting(of):
    """A value of the campaign's config, as plain types."""

    def plain(wildcards):
        value = of(CAMPAIGNS[wildcards.campaign], wildcards)
        return asdict(value) if is_dataclass(value) else value

    return plain


def memory(least, **growing):
    """The MB a step takes, by the size of its campaign and the attempt (see Need)."""
    return _resource(megabytes, Need(least, **growing))


def runtime(least, **growing):
    """The minutes a step takes, likewise."""
    return _resource(minutes, Need(least, **growing))


def _resource(amount, need):
    def of(wildcards, attempt):
        owner = NEEDS.get(wildcards.get("campaign"))
        return amount(need, owner.size() if owner else None, attempt=attempt)

    return of


def code(script, measures="campaign"):
    """The code a step's result depends on, as a file that lists it.

    Of the measures count those of the `campaign`, the one the job evaluates (`own`), or `all`.
    """

    def of(wildcards):
        own = wildcards.measure if measures == "own" else None
        name = f"{script}/{own}" if own else script
        owner = wildcards.get("campaign") or wildcards.paper
        listed = Path("results", owner, "code", f"{name}.txt")
        made = NEEDS.get(owner) or PAPERS[owner]
        modules = None if measures == "all" else made.modules(own)
        declared = ()
        if owner in NEEDS:
            every = made.campaign.measures_from
            declared = every if measures == "all" else made.own_measures(own)
        if workflow.is_main_process:
            GRAPH.manifest(
                ROOT / "scripts" / f"{script}.py",
                measures=modules,
                out=listed,
                own=declared,
            )
            seen(listed)
        return str(listed)

    return of


def seen(path):
    """Tell Snakemake of a file written while it plans.

    It lists the folder of a target's inputs once, and takes whatever comes later for missing.
    """
    workflow.iocache.exists_local[str(path)] = True


def results_used(wildcards):
    """The results a paper takes, of the campaigns whose sources can be had."""
    paper = PAPERS[wildcards.paper]
    if not paper.uses:
        return []
    note = checkpoints.at_hand.get(paper=wildcards.paper).output[0]
    return [note, *paper.files(absent=absent_campaigns(Path(note)))]


def grown(wildcards):
    """Of a source that a mirror may give in part, a file that changes when the mirror has more."""
    made = NEEDS[wildcards.campaign].source(wildcards.source)
    if made["settings"].get("missing") != "warn":
        return []
    folder = Path(NEEDS[wildcards.campaign].sources(), wildcards.source)
    path = folder.parents[1] / "mirrors" / wildcards.source
    if workflow.is_main_process:
        mark(path, folder=folder, places=(config, wildcards.campaign), **made)
        seen(path)
    return str(path)


def begin():
    """Be the only process that makes these campaigns; whatever a killed one left is cleared away."""
    try:
        for name in (*CAMPAIGNS, *PAPERS):
            results = Path("results", name)
            LOCKS.append(
                hold(FOLDER, campaign=name, results=results, cancel=end_orphans)
            )
    except InputError as error:
        sys.exit(f"fathom: {error}")
    BEFORE.update(logs())
    OUTPUTS.update(outputs())
    look_when_a_job_ends()


def look_when_a_job_ends():
    """On one machine, have Snakemake look for the next jobs when one ends, and only then.

    Its limit of 100 jobs a second, which the cores of a machine keep anyway, makes it look again a
    second after each look, and each of these looks sets the next: after 40 jobs it looks 40 times a
    second. A limit that somebody asked for stays, and so does that of a cluster.
    """
    scheduler = getattr(workflow, "scheduler", None)
    limit = getattr(scheduler, "job_rate_limiter", None)
    if limit and workflow.local_exec and (limit.max_jobs, limit.timespan) == (100, 1):
        scheduler.job_rate_limiter = None


def end_orphans(campaign):
    """Cancel the jobs on a cluster that a killed controlling process left."""
    cancel_orphans(campaign, mark=submitted(campaign))
    if JOBS in os.environ:
        submitted(campaign).touch()


def tell_costs():
    """Write what each job cost beside the report of every campaign that was asked for whole."""
    dag = workflow.dag
    command = job_costs.Command(
        seconds=time.monotonic() - STARTED,
        cores=workflow.resource_settings.cores,
        campaigns=len(CAMPAIGNS),
    )
    for campaign in CAMPAIGNS.values():
        jobs = {
            job: " ".join(
                [job.rule.name]
                + [v for k, v in job.wildcards_dict.items() if k != "campaign"]
            )
            for job in dag.jobs
            if job.wildcards_dict.get("campaign") == campaign.name and job.benchmark
        }
        if "report" in jobs.values():
            planned = [
                job_costs.Planned(
                    name,
                    job.rule.name,
                    what=(job.rule.docstring or "").strip(),
                    benchmark=Path(str(job.benchmark)),
                    after=tuple(
                        jobs[one] for one in dag.job_dependencies(job) if one in jobs
                    ),
                    now=dag.finished(job),
                )
                for job, name in jobs.items()
            ]
            job_costs.write(
                planned,
                title=campaign.title,
                command=command,
                out=Path("results", campaign.name, "report/costs.html"),
            )


def failures():
    """What failed jobs had to say; a job that ends well leaves its log empty.

    A user's mistakes are a sentence a line; of an error of our own the last line is enough.
    """
    now = logs()
    new = [path for path, state in sorted(now.items()) if state != BEFORE.get(path)]
    said = [path.read_text(encoding="utf-8").strip() for path in new]
    sentences = [
        line
        for text in said
        for line in text.splitlines()[-1 if text.startswith("Traceback") else 0 :]
    ]
    cluster = [line for name in (*CAMPAIGNS, *PAPERS) for line in told(name)]
    return [*cluster, *killed_among(outputs() - OUTPUTS), *sentences]


def outputs():
    """What jobs of the slurm executor wrote; of those that end well it keeps nothing."""
    return set(Path(".snakemake/slurm_logs").rglob("*.log"))


def logs():
    """Logs that say something, each with what changes when it is written anew.

    Two states of one file are compared, since the clock of another machine may have set its time.
    """
    found = [
        path
        for name in (*CAMPAIGNS, *PAPERS)
        for path in Path("results", name, "logs").rglob("*.log")
    ]
    return {
        path: (path.stat().st_ino, path.stat().st_mtime_ns, path.stat().st_size)
        for path in found
        if path.stat().st_size
    }
