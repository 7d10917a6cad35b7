# Scores: one job a measure over all runs, then means.
#
# in:  gains      out: results/{campaign}/{scores,overall}/{measure}.parquet, means.csv


rule evaluate:
    """One measure over all runs and topics, with bounds for unjudged documents."""
    input:
        gains=gains_of,
        scores=scores_of,
        costs=costs_of,
        code=code("evaluate", "gains", "dimension", "ties", "measures/measure"),
        measure=lambda wildcards: [near(path) for path in measure(wildcards).modules],
    output:
        scores="results/{campaign}/scores/{measure}.parquet",
        overall="results/{campaign}/overall/{measure}.parquet",
    log:
        "results/{campaign}/logs/evaluate/{measure}.log",
    benchmark:
        "results/{campaign}/benchmarks/evaluate/{measure}.tsv"
    conda:
        "../environment.yml"
    params:
        measure=lambda wildcards: measure(wildcards).name,
        dimensions=lambda wildcards: list(
            dict.fromkeys(
                (
                    next(iter(campaign(wildcards).dimensions)),
                    *measure(wildcards).dimensions,
                )
            )
        ),
        unjudged=lambda wildcards: campaign(wildcards).policies.unjudged,
        ties=lambda wildcards: campaign(wildcards).policies.ties,
    script:
        "../scripts/evaluate.py"


rule means:
    """Means over topics: one row a run, one column a measure."""
    input:
        overall=of_campaign(
            "results/{campaign}/overall/{part}.parquet",
            lambda c: [m.slug for m in c.measures],
        ),
        code=code("means"),
    output:
        "results/{campaign}/means.csv",
    log:
        "results/{campaign}/logs/means.log",
    benchmark:
        "results/{campaign}/benchmarks/means.tsv"
    conda:
        "../environment.yml"
    params:
        team=lambda wildcards: campaign(wildcards).runs.team,
    script:
        "../scripts/means.py"
