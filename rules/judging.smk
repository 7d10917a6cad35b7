# What other judgements would have made of the ranking: thresholds, teams left out, other assessors.
#
# in:  gains, labels, rankings, scores
# out: results/{campaign}/sweep.csv, reusability/{summary,runs}.csv,
#      agreement/{dimension}.csv, agreement/{dimension}.swaps.csv, variations/{needs,runs}.csv


rule sweep:
    """How the ranking of systems moves with each dimension's threshold and gain map."""
    input:
        gains=of_campaign("results/{campaign}/gains/{part}.npz", lambda c: c.dimensions),
        code=code("sweep", "rescoring", "gains"),
        measures=measure_code,
    output:
        "results/{campaign}/sweep.csv",
    log:
        "results/{campaign}/logs/sweep.log",
    benchmark:
        "results/{campaign}/benchmarks/sweep.tsv"
    conda:
        "../environment.yml"
    params:
        measures=plain_measures,
        unjudged=lambda wildcards: campaign(wildcards).policies.unjudged,
        dimensions=lambda wildcards: {
            name: {
                "labels": dataclasses.asdict(one.labels),
                **dataclasses.asdict(one.judging.sweep),
            }
            for name, one in campaign(wildcards).dimensions.items()
            if one.labels
        },
    script:
        "../scripts/sweep.py"


rule reusability:
    """How each team and run would be judged had it not taken part."""
    input:
        gains=of_campaign("results/{campaign}/gains/{part}.npz", lambda c: c.dimensions),
        rankings="results/{campaign}/rankings.parquet",
        code=code("reusability", "rescoring", "gains", "pooling/candidates"),
        measures=measure_code,
    output:
        runs="results/{campaign}/reusability/runs.csv",
        summary="results/{campaign}/reusability/summary.csv",
    log:
        "results/{campaign}/logs/reusability.log",
    benchmark:
        "results/{campaign}/benchmarks/reusability.tsv"
    conda:
        "../environment.yml"
    params:
        measures=plain_measures,
        labelled=lambda wildcards: campaign(wildcards).labelled,
        kinds=lambda wildcards: campaign(wildcards).reusability,
        plan=pool_plan,
        team=lambda wildcards: campaign(wildcards).runs.team,
        unjudged=lambda wildcards: campaign(wildcards).policies.unjudged,
    script:
        "../scripts/reusability.py"


rule judgement_set:
    """Another judgement set of a dimension, read as its labels are."""
    input:
        labels=files(
            lambda inputs, wildcards: inputs.sets[wildcards.dimension][wildcards.set]
        ),
        code=code("labels", "trec"),
    output:
        "results/{campaign}/sets/{dimension}/{set}.parquet",
    log:
        "results/{campaign}/logs/sets/{dimension}/{set}.log",
    benchmark:
        "results/{campaign}/benchmarks/sets/{dimension}/{set}.tsv"
    conda:
        "../environment.yml"
    params:
        labels=lambda wildcards: {
            **label_scale(wildcards),
            "files": campaign(wildcards)
            .dimensions[wildcards.dimension]
            .judging.sets[wildcards.set],
        },
        sources=sources,
    script:
        "../scripts/labels.py"


rule set_gains:
    """The gains of another judgement set at every rank of every run."""
    input:
        rankings="results/{campaign}/rankings.parquet",
        labels="results/{campaign}/sets/{dimension}/{set}.parquet",
        topics="results/{campaign}/topics.tsv",
        code=code("gains", "lookup"),
    output:
        "results/{campaign}/sets/{dimension}/{set}.npz",
    log:
        "results/{campaign}/logs/set_gains/{dimension}/{set}.log",
    benchmark:
        "results/{campaign}/benchmarks/set_gains/{dimension}/{set}.tsv"
    conda:
        "../environment.yml"
    script:
        "../scripts/gains.py"


rule agreement:
    """How far judgement sets agree, and what a swap does to the ranking of systems."""
    input:
        labels="results/{campaign}/labels/{dimension}.parquet",
        sets=sets_of("results/{campaign}/sets/{dimension}/{set}.parquet"),
        gains=of_campaign("results/{campaign}/gains/{part}.npz", lambda c: c.dimensions),
        set_gains=sets_of("results/{campaign}/sets/{dimension}/{set}.npz"),
        code=code("agreement", "swaps", "rescoring", "gains"),
        measures=measure_code,
    output:
        agreement="results/{campaign}/agreement/{dimension}.csv",
        swaps="results/{campaign}/agreement/{dimension}.swaps.csv",
    log:
        "results/{campaign}/logs/agreement/{dimension}.log",
    benchmark:
        "results/{campaign}/benchmarks/agreement/{dimension}.tsv"
    conda:
        "../environment.yml"
    params:
        measures=plain_measures,
        agreement=lambda wildcards: dataclasses.asdict(campaign(wildcards).agreement),
        unjudged=lambda wildcards: campaign(wildcards).policies.unjudged,
    script:
        "../scripts/agreement.py"


rule variations:
    """Scores per information need: mean and variance over the queries that ask for it."""
    input:
        scores=of_campaign(
            "results/{campaign}/scores/{part}.parquet",
            lambda c: [m.slug for m in c.measures],
        ),
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
    params:
        need=lambda wildcards: campaign(wildcards).variations,
    script:
        "../scripts/variations.py"
