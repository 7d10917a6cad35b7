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


conda: "environment.yml"


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
    tell(lambda: controller.begin(STEPS, papers=PAPERS))


onsuccess:
    tell(lambda: controller.finish(STEPS))


onerror:
    for line in controller.failures([*CAMPAIGNS, *PAPERS], snakemake_logs=log):
        print(f"fathom: {line}", file=sys.stderr)


rule all:
    default_target: True
    input:
        [path for name in loaded.unused for path in contract(name)],
        expand(rules.paper.output, paper=PAPERS),


# The input check alone: reads everything, evaluates nothing.
rule check:
    input:
        expand(F.check_page, campaign=CAMPAIGNS),
