# Fathom: a search campaign from runs, labels and pages to scores, correlations and a report.
#
#   snakemake --cores all                                                   the demo campaign
#   snakemake --cores all --configfile config/campaigns/clef2015.yaml       one campaign
#   snakemake --cores all --configfile config/campaigns/clef201*.yaml       several at once
#   snakemake --cores all --configfile config/papers/ubire.yaml             a paper, rerun
from snakemake.utils import min_version

min_version("9.20")

if not {"campaigns", "papers"} & set(config):

    configfile: workflow.source_path("config/config.yaml")


include: "rules/common.smk"
include: "rules/sources.smk"
include: "rules/labels.smk"
include: "rules/runs.smk"
include: "rules/pages.smk"
include: "rules/gains.smk"
include: "rules/measures.smk"
include: "rules/statistics.smk"
include: "rules/pooling.smk"
include: "rules/judging.smk"
include: "rules/people.smk"
include: "rules/audit.smk"
include: "rules/intake.smk"
include: "rules/report.smk"
include: "rules/papers.smk"


onstart:
    begin()


onsuccess:
    tell_costs()


onerror:
    print("\n".join(f"fathom: {sentence}" for sentence in failures()), file=sys.stderr)


rule all:
    default_target: True
    input:
        expand(
            "results/{campaign}/{file}",
            campaign=unused(CAMPAIGNS, PAPERS),
            file=[
                "config.yaml",
                "rankings.parquet",
                "pool.tsv",
                "pool/judge.qrels",
                "checks.csv",
                "relstrings.tsv",
                "significance.csv",
                "report/tables/means.tex",
                "report/index.html",
                "report/teams",
                "report/figures",
            ],
        ),
        expand(
            "results/{campaign}/{file}",
            campaign=[n for n in unused(CAMPAIGNS, PAPERS) if CAMPAIGNS[n].against],
            file=["report/changes.html", "changes.csv"],
        ),
        expand(
            "results/{paper}/{file}",
            paper=PAPERS,
            file=["index.html", "published.csv", "tables", "figures"],
        ),


# The intake desk alone: reads everything, evaluates nothing (`make check`).
rule check:
    input:
        expand("results/{campaign}/check/index.html", campaign=CAMPAIGNS),
