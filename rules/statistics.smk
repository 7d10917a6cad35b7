# Statistics: how far the measures agree, and which runs each of them tells apart.
#
# in:  scores, means.csv
# out: results/{campaign}/correlations.csv, swaps.parquet, significance.csv,
#      significance/{measure}.csv (pairs), .json (summary), significance/runs/{measure}.csv,
#      report/tables/{means,contrast,agreement,discrimination}.{csv,tex}


rule correlations:
    """How alike the measures rank the runs, with intervals, and the runs they swap."""
    input:
        means="results/{campaign}/means.csv",
        scores=of_campaign(
            "results/{campaign}/scores/{part}.parquet",
            lambda c: [m.slug for m in c.measures],
        ),
        code=[*code("score_table"), *package("correlation")],
    output:
        correlations="results/{campaign}/correlations.csv",
        swaps="results/{campaign}/swaps.parquet",
    log:
        "results/{campaign}/logs/correlations.log",
    benchmark:
        "results/{campaign}/benchmarks/correlations.tsv"
    conda:
        "../environment.yml"
    params:
        settings=lambda wildcards: dataclasses.asdict(campaign(wildcards).correlations),
    script:
        "../scripts/correlations.py"


rule significance:
    """Every two runs tested under one measure: t, permutation, Tukey, variance, groups."""
    input:
        scores="results/{campaign}/scores/{measure}.parquet",
        code=[*code("score_table"), *package("significance")],
    output:
        pairs="results/{campaign}/significance/{measure}.csv",
        runs="results/{campaign}/significance/runs/{measure}.csv",
        summary="results/{campaign}/significance/{measure}.json",
    log:
        "results/{campaign}/logs/significance/{measure}.log",
    benchmark:
        "results/{campaign}/benchmarks/significance/{measure}.tsv"
    conda:
        "../environment.yml"
    params:
        settings=lambda wildcards: dataclasses.asdict(campaign(wildcards).significance),
    script:
        "../scripts/significance.py"


rule discrimination:
    """How well each measure tells runs apart, and where its variance comes from."""
    input:
        summaries=of_campaign(
            "results/{campaign}/significance/{part}.json",
            lambda c: [m.slug for m in c.measures],
        ),
        code=package("significance"),
    output:
        "results/{campaign}/significance.csv",
    log:
        "results/{campaign}/logs/discrimination.log",
    benchmark:
        "results/{campaign}/benchmarks/discrimination.tsv"
    conda:
        "../environment.yml"
    script:
        "../scripts/discrimination.py"


rule tables:
    """Tables for the overview paper, as CSV and LaTeX."""
    input:
        means="results/{campaign}/means.csv",
        correlations="results/{campaign}/correlations.csv",
        significance="results/{campaign}/significance.csv",
        runs=of_campaign(
            "results/{campaign}/significance/runs/{part}.csv",
            lambda c: [m.slug for m in c.measures],
        ),
        code=package("tables"),
    output:
        expand(
            "results/{{campaign}}/report/tables/{table}.{kind}",
            table=["means", "contrast", "agreement", "discrimination"],
            kind=["csv", "tex"],
        ),
    log:
        "results/{campaign}/logs/tables.log",
    benchmark:
        "results/{campaign}/benchmarks/tables.tsv"
    conda:
        "../environment.yml"
    params:
        title=lambda wildcards: campaign(wildcards).title,
        contrast=lambda wildcards: list(campaign(wildcards).scatter),
        measures=lambda wildcards: [m.name for m in campaign(wildcards).measures],
    script:
        "../scripts/tables.py"
