# Rankings met with labels: all a measure sees.
#
# in:  rankings, one dimension's labels      out: results/{campaign}/gains/{dimension}.npz


rule gains:
    """One dimension's gain at every rank of every run."""
    input:
        rankings="results/{campaign}/rankings.parquet",
        labels=label_table,
        topics="results/{campaign}/topics.tsv",
        code=code("gains", "lookup"),
    output:
        "results/{campaign}/gains/{dimension}.npz",
    log:
        "results/{campaign}/logs/gains/{dimension}.log",
    benchmark:
        "results/{campaign}/benchmarks/gains/{dimension}.tsv"
    conda:
        "../environment.yml"
    script:
        "../scripts/gains.py"
