# Rankings met with labels: all a measure sees.
#
# in:  rankings, one dimension's labels      out: results/{campaign}/gains/{dimension}.npz, ties.npz


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


rule ties:
    """The systems' own scores at every rank, and what they left tied."""
    input:
        rankings="results/{campaign}/rankings.parquet",
        topics="results/{campaign}/topics.tsv",
        code=code("lookup"),
    output:
        "results/{campaign}/ties.npz",
    log:
        "results/{campaign}/logs/ties.log",
    benchmark:
        "results/{campaign}/benchmarks/ties.tsv"
    conda:
        "../environment.yml"
    params:
        order=lambda wildcards: campaign(wildcards).policies.order,
    script:
        "../scripts/ties.py"
