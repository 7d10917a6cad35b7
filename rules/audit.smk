# The audit: what was published, computed again under named policies.
#
# in:  published results, run files, labels, gains      out: results/{campaign}/audit.csv, audit.json


rule audit:
    """Every published value beside ours, and the policy that explains a difference."""
    input:
        published=files(lambda inputs, wildcards: inputs.published),
        runs=files(lambda inputs, wildcards: inputs.runs),
        originals=lambda wildcards: [
            path
            for found in INPUTS[wildcards.campaign].labels.values()
            for path in found.inputs(sources(wildcards))
        ],
        labels=label_tables,
        gains=of_campaign("results/{campaign}/gains/{part}.npz", lambda c: c.dimensions),
        topics="results/{campaign}/topics.tsv",
        code=code(
            "direct",
            "gains",
            "dimension",
            "kernel",
            "_kernel.c",
            "labels",
            "lookup",
            "rankings",
            "trec",
        ),
        package=package("audit"),
        measures=package("measures"),
    output:
        audit="results/{campaign}/audit.csv",
        summary="results/{campaign}/audit.json",
    log:
        "results/{campaign}/logs/audit.log",
    benchmark:
        "results/{campaign}/benchmarks/audit.tsv"
    conda:
        "../environment.yml"
    threads: 2
    params:
        published=lambda wildcards: campaign(wildcards).audit.published,
        policies=lambda wildcards: campaign(wildcards).audit.policies,
        names=lambda wildcards: campaign(wildcards).audit.measures,
        runs=lambda wildcards: campaign(wildcards).runs.files,
        labels=lambda wildcards: {
            name: dataclasses.asdict(dimension.labels) if dimension.labels else None
            for name, dimension in campaign(wildcards).dimensions.items()
        },
        own=lambda wildcards: dataclasses.asdict(campaign(wildcards).policies),
        sources=sources,
    script:
        "../scripts/audit.py"
