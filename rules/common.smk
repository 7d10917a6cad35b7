# Glue between the config and the rules. What a step reads, its settings and its key are decided, and
# tested, in `pipeline.workflow`. An error in the config ends here, before any job starts.
#
# Inputs that other steps write are `ancient`: their time does not count. A step runs if its key
# changed (params), if a file of its own is missing, or after a step that it depends on (`after`).
import os
import sys
from pathlib import Path

ROOT = Path(str(workflow.current_basedir)).resolve().parent

# The library beside this workflow is the one that counts, wherever the workflow is used from; in a
# wheel the workflow is a folder of it.
LIBRARY = ROOT if (ROOT / "pipeline").is_dir() else ROOT.parents[1]
sys.path.insert(0, str(LIBRARY))

from pipeline.campaign import from_config, resolve
from pipeline.errors import InputError
from pipeline.results import POOL_TABLES, RELEVATION, REPORT_TABLES, Results
from pipeline.storage.strict_yaml import check
from pipeline.workflow import runtime as controller
from pipeline.workflow.code import Graph, lend
from pipeline.papers.paper import read_absent
from pipeline.workflow.plan import available_step, megabytes, paper_step
from pipeline.workflow.steps import Steps

GRAPH, SCRIPTS = Graph(), ROOT / "scripts"
ENVIRONMENT = str(ROOT / "environment.yml")
lend(LIBRARY)

# Jobs inherit this: Arrow's memory goes back to the system as soon as it is free, so that a table of
# 20 million rows is written within a gigabyte.
os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")

try:
    if workflow.is_main_process:  # Snakemake accepts a key that is given twice
        check(Path(path) for path in workflow.configfiles)
    loaded = from_config(config).checked()
    CAMPAIGNS, PAPERS = loaded.campaigns, loaded.papers
    STEPS = {
        name: Steps(one, resolve(one), GRAPH, SCRIPTS, config)
        for name, one in CAMPAIGNS.items()
    }
    if workflow.is_main_process:
        controller.check_records(STEPS, papers=PAPERS)
except InputError as error:
    sys.exit("\n".join(f"fathom: {problem}" for problem in error.problems))


def tell(work):
    """Do something before the first job or after the last; a problem ends the run, printed once."""
    try:
        work()
    except InputError as error:
        sys.exit("\n".join(f"fathom: {problem}" for problem in error.problems))


F = Results(Path("results/{campaign}"))  # the files of a campaign, as rules name them
P = Results(Path("results/{paper}"))


wildcard_constraints:
    campaign="[^/]+",
    paper="[^/]+",
    source="[^/]+",
    shard=r"\d+",
    measure="[^/]+",


def log(step, owner="campaign"):
    """The log of a step, such as `gains` or `evaluate/{measure}`."""
    return f"results/{{{owner}}}/logs/{step}.log"


def benchmark(step, owner="campaign"):
    """What a step cost."""
    return f"results/{{{owner}}}/benchmarks/{step}.tsv"


def step_of(name, wildcards):
    """A step by its name, whose wildcards are filled in."""
    if name in ("paper", "available"):
        script = SCRIPTS / f"{name}.py"
        paper = PAPERS[wildcards.paper]
        if name == "available":
            return available_step(paper, graph=GRAPH, script=script)
        return paper_step(paper, STEPS, graph=GRAPH, script=script)
    return STEPS[wildcards.campaign][name.format(**dict(wildcards.items()))]


def after(name):
    """The records of all steps before this one; their time counts only if it has to run anyway."""

    def records(wildcards):
        if name == "paper":
            results_used(wildcards)  # which campaigns are available is asked first
        step = step_of(name, wildcards)
        return [str(one) if step.stale else ancient(str(one)) for one in step.after]

    return records


def parameters(name):
    """The key of a step, by which Snakemake knows whether it has to run, and its settings."""
    return {
        "key": lambda wildcards: step_of(name, wildcards).trigger,
        "settings": lambda wildcards: dict(step_of(name, wildcards).settings),
    }


def files(of):
    """Input files: a function of the campaign's steps and the wildcards. Their content counts."""

    def found(wildcards):
        steps = STEPS[wildcards.campaign]
        return [ancient(str(path)) for path in of(steps, wildcards)]

    return found


def given(*which):
    """Files of the config by the names of their kinds, and the folders of sources they are in."""

    return files(lambda steps, w: paths_of(steps, steps.files(*which)))


def paths_of(steps, found):
    """The paths of some input files, and of the source folders they are in."""
    local = [path for one in found for path in one.local]
    made = [steps.results.source(name) for one in found for name in one.sources]
    return dict.fromkeys([*local, *made])


def limits(mem_mb, per_mb=0.0, *, minutes):
    """Memory in MB, more with the size of the inputs, and time; twice as much on a retry."""
    return {
        "mem_mb": lambda wildcards, input, attempt: int(
            (mem_mb + (per_mb * megabytes(input) if per_mb else 0)) * 2 ** (attempt - 1)
        ),
        "runtime": lambda wildcards, attempt: minutes * 2 ** (attempt - 1),
    }


def label_folders(steps, wildcards):
    """The folders of the dimensions' labels: judged, and estimated from pages."""
    tables = map(steps.label_table, steps.campaign.dimensions)
    return dict.fromkeys(table.parent for table in tables)


def each_measure(*which):
    """One file of each kind (see Results) for every measure of the campaign."""
    return files(
        lambda steps, w: [
            getattr(steps.results, kind)(slug)
            for kind in which
            for slug in steps.measures
        ]
    )


def wanted(step, *paths):
    """Results of a step that not every campaign asks for."""
    return files(
        lambda steps, w: [
            str(path).format(**dict(w.items())) for path in paths if step in steps.names
        ]
    )


def needed_by(steps, wildcards):
    """What names the documents whose pages are needed, unless all are."""
    results = steps.results
    needed = {"all": (), "retrieved": (results.rankings,), "pooled": (results.pool,)}
    return needed[steps.campaign.pages.documents]


def shards(steps, wildcards):
    """The files of all shards of the pages."""
    return [steps.results.shard(one) for one in range(steps.shards)]


def results_used(wildcards):
    """The results a paper takes, of the campaigns whose sources are available."""
    paper = PAPERS[wildcards.paper]
    if not paper.uses:
        return []
    note = checkpoints.available.get(paper=wildcards.paper).output.note
    used = paper.files(absent=read_absent(Path(note)))
    made = [folder_of(f"results/{campaign}/{file}") for campaign, file in used]
    return [ancient(path) for path in (note, *made)]


def folder_of(path):
    """What a step wrote that holds a file: gains and labels are folders."""
    name = Path(path)
    return str(name.parent) if name.parent.name in ("gains", "labels") else path


# What steps of these rules write is rebuilt only if another step needs it.
INTERMEDIATE = ("fetch", "cleanse", "baselines", "gains")
WILDCARDS = {"fetch": "source", "cleanse": "shard", "evaluate": "measure"}


def contract(campaign):
    """Every file that a finished campaign has, so that a deleted one comes back."""
    for step in STEPS[campaign].names:
        name, _, which = step.partition("/")
        output = getattr(rules, name).output
        for path in [output.record] if name in INTERMEDIATE else output:
            filled = {"campaign": campaign, WILDCARDS.get(name, ""): which}
            yield str(path).format(**filled)
