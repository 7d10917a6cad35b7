# Rankings met with labels: all a measure sees; and every list as its labels read.
#
# in:  rankings, one dimension's labels
# out: results/{campaign}/gains/{dimension}.npz, ties.npz, costs.npz, relstrings.tsv
#
# Whatever is scored waits for rankings, gains and ties, so they go first; of what then can go, the
# longest jobs (reusability, audit) do, since the report waits for them. What it does not wait for
# (priority -1: pages of the teams, tables, what assessors get) goes last, beside report and figures.


rule gains:
    """One dimension's gain at every rank of every run."""
    input:
        rankings="results/{campaign}/rankings.parquet",
        labels=needs("label_table", "dimension"),
        topics="results/{campaign}/topics.tsv",
        code=code("gains"),
    output:
        "results/{campaign}/gains/{dimension}.npz",
    log:
        "results/{campaign}/logs/gains/{dimension}.log",
    benchmark:
        "results/{campaign}/benchmarks/gains/{dimension}.tsv"
    priority: 2
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(300, runs=1.5),
        runtime=runtime(10, runs=0.02),
    script:
        "../scripts/gains.py"


rule ties:
    """The systems' own scores at every rank, and what they left tied."""
    input:
        rankings="results/{campaign}/rankings.parquet",
        topics="results/{campaign}/topics.tsv",
        code=code("ties"),
    output:
        "results/{campaign}/ties.npz",
    log:
        "results/{campaign}/logs/ties.log",
    benchmark:
        "results/{campaign}/benchmarks/ties.tsv"
    priority: 2
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(300, runs=1.5),
        runtime=runtime(10, runs=0.02),
    params:
        order=setting(lambda c, _: c.policies.order),
    script:
        "../scripts/ties.py"


rule costs:
    """What every ranked document costs its reader."""
    input:
        rankings="results/{campaign}/rankings.parquet",
        topics="results/{campaign}/topics.tsv",
        costs=needs("costs_file"),
        code=code("costs"),
    output:
        "results/{campaign}/costs.npz",
    log:
        "results/{campaign}/logs/costs.log",
    benchmark:
        "results/{campaign}/benchmarks/costs.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(300, runs=1.5),
        runtime=runtime(10, runs=0.02),
    params:
        costs=setting(lambda c, _: c.costs),
        sources=needs("sources"),
    script:
        "../scripts/costs.py"


rule relevance_strings:
    """Every list as its labels read, rank by rank (trec_eval -m relstring)."""
    input:
        gains=needs("labelled_gains"),
        code=code("relevance_strings"),
    output:
        "results/{campaign}/relstrings.tsv",
    log:
        "results/{campaign}/logs/relevance_strings.log",
    benchmark:
        "results/{campaign}/benchmarks/relevance_strings.tsv"
    priority: -1
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(300, runs=1),
        runtime=runtime(10, runs=0.02),
    params:
        depth=10,
        unjudged=setting(lambda c, _: c.policies.unjudged),
    script:
        "../scripts/relevance_strings.py"
