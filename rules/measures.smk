# Scores: one job a measure over all runs.
#
# in:  gains      out: results/{campaign}/{scores,overall}/{measure}.parquet


rule evaluate:
    """One measure over all runs and topics, with bounds for unjudged documents."""
    input:
        gains=needs("measure_gains", "measure"),
        scores=needs("measure_scores", "measure"),
        costs=needs("measure_costs", "measure"),
        code=code("evaluate", measures="own"),
    output:
        scores="results/{campaign}/scores/{measure}.parquet",
        overall="results/{campaign}/overall/{measure}.parquet",
    log:
        "results/{campaign}/logs/evaluate/{measure}.log",
    benchmark:
        "results/{campaign}/benchmarks/evaluate/{measure}.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(300, runs=1),
        runtime=runtime(10, runs=0.05),
    params:
        measure=needs("measure_name", "measure"),
        own=needs("own_measures", "measure"),
        dimensions=needs("measure_dimensions", "measure"),
        unjudged=setting(lambda c, _: c.policies.unjudged),
        ties=setting(lambda c, _: c.policies.ties),
    script:
        "../scripts/evaluate.py"
