# Labels of the assessors, binarised and turned into gains; the topics that count.
#
# in:  label files, topics file
# out: results/{campaign}/labels/{dimension}.parquet, labels/sets/{dimension}/{set}.parquet, topics.tsv


rule labels:
    """The labels of every judged dimension and judgement set; the topics that every mean is over."""
    input:
        labels=given("labels", "further", "sets"),
        topics=given("topics"),
        after=after("labels"),
    output:
        labels=directory(F.folder / "labels"),
        topics=F.topics,
        record=F.record("labels"),
    log:
        log("labels"),
    benchmark:
        benchmark("labels")
    conda:
        ENVIRONMENT
    resources:
        **limits(400, per_mb=10, minutes=10),
    params:
        **parameters("labels"),
    script:
        "../scripts/labels.py"
