# What other judgements would have made of the ranking: thresholds, teams left out, other assessors.
#
# in:  gains, labels, rankings, scores
# out: results/{campaign}/sweep.csv, counters.csv, reusability/{summary,runs}.csv,
#      agreement/{dimension}.csv, agreement/{dimension}.swaps.csv, variations/{needs,runs}.csv


rule sweep:
    """How the ranking of systems moves with each dimension's threshold and gain map."""
    input:
        gains=needs("gains"),
        code=code("sweep"),
    output:
        "results/{campaign}/sweep.csv",
    log:
        "results/{campaign}/logs/sweep.log",
    benchmark:
        "results/{campaign}/benchmarks/sweep.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(400, runs=2),
        runtime=runtime(15, runs=0.1),
    params:
        measures=setting(lambda c, _: list(c.rescored)),
        own=needs("own_measures"),
        unjudged=setting(lambda c, _: c.policies.unjudged),
        dimensions=needs("swept"),
    script:
        "../scripts/sweep.py"


rule compare_counters:
    """How the ranking of systems moves with who counts the pages, and how they are cleansed."""
    input:
        pages=needs("shards", "pages/counters/{}.parquet"),
        gains=needs("gains"),
        rankings="results/{campaign}/rankings.parquet",
        topics="results/{campaign}/topics.tsv",
        code=code("compare_counters"),
    output:
        "results/{campaign}/counters.csv",
    log:
        "results/{campaign}/logs/compare_counters.log",
    benchmark:
        "results/{campaign}/benchmarks/compare_counters.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(400, runs=2),
        runtime=runtime(15, runs=0.1),
    params:
        measures=needs("measure_names"),
        own=needs("own_measures"),
        unjudged=setting(lambda c, _: c.policies.unjudged),
        estimates=needs("estimates"),
        chosen=setting(lambda c, _: c.pages.way),
    script:
        "../scripts/compare_counters.py"


rule reusability:
    """How each team and run would be judged had it not taken part."""
    input:
        gains=needs("gains"),
        rankings="results/{campaign}/rankings.parquet",
        teams="results/{campaign}/teams.csv",
        code=code("reusability"),
    output:
        runs="results/{campaign}/reusability/runs.csv",
        summary="results/{campaign}/reusability/summary.csv",
    log:
        "results/{campaign}/logs/reusability.log",
    benchmark:
        "results/{campaign}/benchmarks/reusability.tsv"
    priority: 1
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(600, runs=4),
        runtime=runtime(15, runs=0.2),
    params:
        measures=setting(lambda c, _: list(c.rescored)),
        own=needs("own_measures"),
        labelled=setting(lambda c, _: c.labelled),
        kinds=setting(lambda c, _: c.reusability),
        plan=setting(lambda c, _: c.pool),
        reach=needs("pool_reach"),
        unjudged=setting(lambda c, _: c.policies.unjudged),
    script:
        "../scripts/reusability.py"


rule judgement_set:
    """Another judgement set of a dimension, read as its labels are."""
    input:
        labels=needs("set_files", "dimension", "set"),
        code=code("labels"),
    output:
        "results/{campaign}/sets/{dimension}/{set}.parquet",
    log:
        "results/{campaign}/logs/judgement_set/{dimension}/{set}.log",
    benchmark:
        "results/{campaign}/benchmarks/judgement_set/{dimension}/{set}.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(300),
        runtime=runtime(5),
    params:
        labels=needs("set_labels", "dimension", "set"),
        sources=needs("sources"),
    script:
        "../scripts/labels.py"


rule set_gains:
    """The gains of another judgement set at every rank of every run."""
    input:
        rankings="results/{campaign}/rankings.parquet",
        labels="results/{campaign}/sets/{dimension}/{set}.parquet",
        topics="results/{campaign}/topics.tsv",
        code=code("gains"),
    output:
        "results/{campaign}/sets/{dimension}/{set}.npz",
    log:
        "results/{campaign}/logs/set_gains/{dimension}/{set}.log",
    benchmark:
        "results/{campaign}/benchmarks/set_gains/{dimension}/{set}.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(300, runs=1.5),
        runtime=runtime(10, runs=0.02),
    script:
        "../scripts/gains.py"


rule agreement:
    """How far judgement sets agree, and what a swap does to the ranking of systems."""
    input:
        labels="results/{campaign}/labels/{dimension}.parquet",
        sets=needs("sets", "dimension", "sets/{}/{}.parquet"),
        gains=needs("gains"),
        set_gains=needs("sets", "dimension", "sets/{}/{}.npz"),
        code=code("agreement"),
    output:
        agreement="results/{campaign}/agreement/{dimension}.csv",
        swaps="results/{campaign}/agreement/{dimension}.swaps.csv",
    log:
        "results/{campaign}/logs/agreement/{dimension}.log",
    benchmark:
        "results/{campaign}/benchmarks/agreement/{dimension}.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(400, runs=6),
        runtime=runtime(15, runs=0.1),
    params:
        measures=needs("measure_names"),
        own=needs("own_measures"),
        settings=setting(lambda c, _: c.agreement),
        unjudged=setting(lambda c, _: c.policies.unjudged),
    script:
        "../scripts/agreement.py"


rule variations:
    """Scores per information need: mean and variance over the queries that ask for it."""
    input:
        scores=needs("measured", "scores/{}.parquet"),
        code=code("variations"),
    output:
        needs="results/{campaign}/variations/needs.csv",
        runs="results/{campaign}/variations/runs.csv",
    log:
        "results/{campaign}/logs/variations.log",
    benchmark:
        "results/{campaign}/benchmarks/variations.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(400),
        runtime=runtime(10),
    params:
        need=setting(lambda c, _: c.variations),
    script:
        "../scripts/variations.py"
