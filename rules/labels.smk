# Labels of the assessors, binarised and turned into gains; the topics that count.
#
# in:  label files, topics file      out: results/{campaign}/labels/{dimension}.parquet, topics.tsv


rule labels:
    """One dimension's labels with their binary and graded gains."""
    input:
        labels=needs("label_files", "dimension"),
        code=code("labels"),
    output:
        "results/{campaign}/labels/{dimension}.parquet",
    log:
        "results/{campaign}/logs/labels/{dimension}.log",
    benchmark:
        "results/{campaign}/benchmarks/labels/{dimension}.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(300),
        runtime=runtime(5),
    params:
        labels=setting(lambda c, wildcards: c.dimensions[wildcards.dimension].labels),
        sources=needs("sources"),
    script:
        "../scripts/labels.py"


rule topics:
    """The topics that count, which every mean is over, and their text."""
    input:
        labels=needs("first_labels"),
        topics=needs("topics_file"),
        code=code("topics"),
    output:
        "results/{campaign}/topics.tsv",
    log:
        "results/{campaign}/logs/topics.log",
    benchmark:
        "results/{campaign}/benchmarks/topics.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(300),
        runtime=runtime(5),
    params:
        topics=setting(lambda c, _: c.topics),
        policy=setting(lambda c, _: c.policies.topics),
        sources=needs("sources"),
    script:
        "../scripts/topics.py"
