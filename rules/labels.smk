# Labels of the assessors, binarised and turned into gains; the topics that count.
#
# in:  label files, topics file      out: results/{campaign}/labels/{dimension}.parquet, topics.tsv


rule labels:
    """One dimension's labels with their binary and graded gains."""
    input:
        labels=files(lambda inputs, wildcards: inputs.labels[wildcards.dimension]),
        code=code("labels", "trec"),
    output:
        "results/{campaign}/labels/{dimension}.parquet",
    log:
        "results/{campaign}/logs/labels/{dimension}.log",
    benchmark:
        "results/{campaign}/benchmarks/labels/{dimension}.tsv"
    conda:
        "../environment.yml"
    params:
        labels=label_scale,
        sources=sources,
    script:
        "../scripts/labels.py"


rule topics:
    """The topics that count, which every mean is over, and their text."""
    input:
        labels=of_campaign(
            "results/{campaign}/labels/{part}.parquet", lambda c: c.labelled[:1]
        ),
        topics=files(lambda inputs, wildcards: inputs.topics),
        code=code("topics"),
    output:
        "results/{campaign}/topics.tsv",
    log:
        "results/{campaign}/logs/topics.log",
    benchmark:
        "results/{campaign}/benchmarks/topics.tsv"
    conda:
        "../environment.yml"
    params:
        topics=lambda wildcards: (
            dataclasses.asdict(campaign(wildcards).topics)
            if campaign(wildcards).topics
            else None
        ),
        policy=lambda wildcards: campaign(wildcards).policies.topics,
        sources=sources,
    script:
        "../scripts/topics.py"
