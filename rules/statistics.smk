# Statistics: means over topics, how far the measures agree, which runs each of them tells apart.
#
# in:  scores
# out: results/{campaign}/means.csv, correlations.csv, swaps.parquet, significance.csv,
#      significance/{measure}.csv (pairs), .json (summary), significance/runs/{measure}.csv


rule means:
    """Means over topics: one row a run, one column a measure."""
    input:
        overall=needs("measured", "overall/{}.parquet"),
        teams="results/{campaign}/teams.csv",
        code=code("means"),
    output:
        "results/{campaign}/means.csv",
    log:
        "results/{campaign}/logs/means.log",
    benchmark:
        "results/{campaign}/benchmarks/means.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(300),
        runtime=runtime(5),
    script:
        "../scripts/means.py"


rule correlations:
    """How alike the measures rank the runs, with intervals, and the runs they swap."""
    input:
        means="results/{campaign}/means.csv",
        scores=needs("measured", "scores/{}.parquet"),
        code=code("correlations"),
    output:
        correlations="results/{campaign}/correlations.csv",
        swaps="results/{campaign}/swaps.parquet",
    log:
        "results/{campaign}/logs/correlations.log",
    benchmark:
        "results/{campaign}/benchmarks/correlations.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(400, measures=10),
        runtime=runtime(15, measures=0.5),
    params:
        settings=setting(lambda c, _: c.correlations),
    script:
        "../scripts/correlations.py"


rule significance:
    """Every two runs tested under one measure: t, permutation, Tukey, variance, groups."""
    input:
        scores="results/{campaign}/scores/{measure}.parquet",
        code=code("significance"),
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
    threads: 1
    resources:
        mem_mb=memory(400),
        runtime=runtime(15, runs=0.1),
    params:
        settings=setting(lambda c, _: c.significance),
    script:
        "../scripts/significance.py"


rule discrimination:
    """How well each measure tells runs apart, and where its variance comes from."""
    input:
        summaries=needs("measured", "significance/{}.json"),
        code=code("discrimination"),
    output:
        "results/{campaign}/significance.csv",
    log:
        "results/{campaign}/logs/discrimination.log",
    benchmark:
        "results/{campaign}/benchmarks/discrimination.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(300),
        runtime=runtime(5),
    script:
        "../scripts/discrimination.py"
