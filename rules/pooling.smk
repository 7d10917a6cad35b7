# Pools: what assessors should judge, in the forms they need, and what a pool covers.
#
# Also whose pages are needed, which may be those of the pool.
#
# in:  rankings, labels if there are any
# out: results/{campaign}/pool.tsv, pool/{topics,teams,overlap,runs}.csv, pool/judge.qrels,
#      pool/relevation/{pool.txt,queries.txt,topics.tsv}, pages/needed.txt, pages/compared.txt


rule pool:
    """What assessors should judge."""
    input:
        rankings="results/{campaign}/rankings.parquet",
        labels=needs("pool_labels"),
        teams="results/{campaign}/teams.csv",
        code=code("pool"),
    output:
        "results/{campaign}/pool.tsv",
    log:
        "results/{campaign}/logs/pool.log",
    benchmark:
        "results/{campaign}/benchmarks/pool.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(300, runs=1),
        runtime=runtime(10, runs=0.02),
    params:
        plan=setting(lambda c, _: c.pool),
    script:
        "../scripts/pool.py"


rule pool_statistics:
    """What the pool holds and covers, per topic, team and run."""
    input:
        pool="results/{campaign}/pool.tsv",
        rankings="results/{campaign}/rankings.parquet",
        labels=needs("first_labels"),
        topics="results/{campaign}/topics.tsv",
        teams="results/{campaign}/teams.csv",
        code=code("pool_statistics"),
    output:
        topics="results/{campaign}/pool/topics.csv",
        teams="results/{campaign}/pool/teams.csv",
        overlap="results/{campaign}/pool/overlap.csv",
        runs="results/{campaign}/pool/runs.csv",
    log:
        "results/{campaign}/logs/pool_statistics.log",
    benchmark:
        "results/{campaign}/benchmarks/pool_statistics.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(300, runs=1),
        runtime=runtime(10, runs=0.02),
    params:
        plan=setting(lambda c, _: c.pool),
        reach=needs("pool_reach"),
    script:
        "../scripts/pool_statistics.py"


rule judge:
    """The pool as assessors get it: shuffled, in qrels form and for Relevation!."""
    input:
        pool="results/{campaign}/pool.tsv",
        topics="results/{campaign}/topics.tsv",
        code=code("judge"),
    output:
        qrels="results/{campaign}/pool/judge.qrels",
        pool="results/{campaign}/pool/relevation/pool.txt",
        queries="results/{campaign}/pool/relevation/queries.txt",
        topics="results/{campaign}/pool/relevation/topics.tsv",
    log:
        "results/{campaign}/logs/judge.log",
    benchmark:
        "results/{campaign}/benchmarks/judge.tsv"
    priority: -1
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(300),
        runtime=runtime(5),
    params:
        seed=setting(lambda c, _: c.pool.seed),
    script:
        "../scripts/judge.py"


rule needed_pages:
    """The documents whose pages are needed, where not all are."""
    input:
        source=needs("needed_source"),
        code=code("needed_pages"),
    output:
        "results/{campaign}/pages/needed.txt",
    log:
        "results/{campaign}/logs/needed_pages.log",
    benchmark:
        "results/{campaign}/benchmarks/needed_pages.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(300, runs=1),
        runtime=runtime(10, runs=0.02),
    params:
        documents=setting(lambda c, _: c.pages.documents),
        depth=setting(lambda c, _: c.pages.depth),
    script:
        "../scripts/needed_pages.py"


rule compared_pages:
    """The documents on which ways to cleanse and to count pages are compared."""
    input:
        source="results/{campaign}/rankings.parquet",
        code=code("needed_pages"),
    output:
        "results/{campaign}/pages/compared.txt",
    log:
        "results/{campaign}/logs/compared_pages.log",
    benchmark:
        "results/{campaign}/benchmarks/compared_pages.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(300, runs=1),
        runtime=runtime(10, runs=0.02),
    params:
        documents="retrieved",
        depth=setting(lambda c, _: c.pages.compare_counters),
    script:
        "../scripts/needed_pages.py"
